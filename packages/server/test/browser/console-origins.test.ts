/** What a page of another origin can do to a person who is signed in: nothing, and it reads nothing. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
} from "../kit/console-browser.ts";

/** Another port is the same site, to which a browser sends the cookie; another host is another site. */
const HOSTS = ["localhost", "127.0.0.1"] as const;

describe.runIf(hasBrowser)("a page of another origin", () => {
  let visit: ConsoleVisit;
  let foreign: Server;
  let context: BrowserContext;
  let console: Page;

  beforeAll(async () => {
    visit = await openConsole();
    foreign = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>foreign</title>");
    });
    await new Promise<void>((resolve) => {
      foreign.listen(0, "127.0.0.1", () => resolve());
    });
    context = await newContext(visit.browser);
    console = (await newPage(context)).page;
    await enterByLink(console, visit.startLink);
  }, 300_000);
  afterAll(async () => {
    foreign?.closeAllConnections();
    foreign?.close();
    await visit?.close();
  });

  async function openForeign(host: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`http://${host}:${(foreign.address() as AddressInfo).port}/`);
    return page;
  }

  const sessions = async () =>
    (
      await visit.server.app.store.database.withClient((client) =>
        client.query("select id, ended_at from person_sessions order by id"),
      )
    ).rows;

  /** The status of the next sign-out that the browser sends. */
  const answerTo = async (page: Page, act: () => Promise<unknown>) => {
    const answered = page.context().waitForEvent("response", {
      predicate: (response) => response.url().endsWith("/sign-out"),
    });
    await act();
    return (await answered).status();
  };

  it.each(HOSTS)("at %s posts a form, which is refused", async (host) => {
    const before = await sessions();
    const page = await openForeign(host);
    for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
      const status = await answerTo(page, () =>
        page.evaluate(
          ([action, enctype]) => {
            const form = document.createElement("form");
            Object.assign(form, { action, enctype, method: "POST", target: "_blank" });
            document.body.append(form);
            form.submit();
          },
          [`${visit.origin}/console/api/sign-out`, type] as const,
        ),
      );
      expect(status).toBe(403);
    }
    expect(await sessions()).toEqual(before);
    await page.close();
  });

  it.each(HOSTS)("at %s fetches with credentials, and reads and changes nothing", async (host) => {
    const before = await sessions();
    const page = await openForeign(host);
    const read = (path: string, init: RequestInit) =>
      page.evaluate(
        async ([url, options]) => {
          try {
            const response = await fetch(url, options);
            return `${response.type} ${response.status} ${await response.text()}`;
          } catch {
            return "nothing";
          }
        },
        [`${visit.origin}/console/api${path}`, { credentials: "include", ...init }] as const,
      );
    for (const mode of ["cors", "no-cors"] as const) {
      expect(["nothing", "opaque 0 "]).toContain(await read("/session", { mode }));
      expect(["nothing", "opaque 0 "]).toContain(await read("/sign-out", { mode, method: "POST" }));
    }
    expect(await sessions()).toEqual(before);
    await page.close();
  });

  it.each(HOSTS)("at %s cannot frame the console", async (host) => {
    const page = await openForeign(host);
    await page.evaluate((src) => {
      const frame = document.createElement("iframe");
      frame.src = src;
      document.body.append(frame);
      return new Promise((resolve) => {
        frame.addEventListener("load", resolve);
      });
    }, `${visit.origin}/console`);
    const [, framed] = page.frames();
    const shown = await framed
      ?.locator("body")
      .innerText()
      .catch(() => "");
    expect(shown ?? "").not.toMatch(/Sandbox|Ada Lovelace|passkey/i);
    await page.close();
  });

  it.each(HOSTS)("at %s opens the console, and has no hold of it", async (host) => {
    const page = await openForeign(host);
    const opened = context.waitForEvent("page");
    await page.evaluate((url) => {
      Object.assign(window, { theirs: window.open(url, "console") });
    }, `${visit.origin}/console`);
    const theirs = await opened;
    await theirs.waitForLoadState("load");
    expect(
      await page.evaluate(() => {
        const { theirs: other } = window as unknown as { theirs: Window | null };
        try {
          return other === null || other.closed ? "cut off" : String(other.document.title);
        } catch {
          return "not readable";
        }
      }),
    ).toBe("cut off");
    expect(await theirs.evaluate("window.opener")).toBeNull();
    await theirs.close();
    await page.close();
  });

  it("leaves the person signed in", async () => {
    await console.reload();
    await console.getByRole("heading", { level: 1 }).waitFor();
    expect(console.url()).toContain("/home");
  });
});
