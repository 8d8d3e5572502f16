/** Pages whose reads fail: each says what happened and under which id, and offers to try again, which works. */
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { keep, looks, PAGES, pagePath } from "../kit/console-pages.ts";
import { fillSandbox, type SandboxObjects } from "../kit/console-rows.ts";

const REQUEST_ID = "0f3c2a51-failed-read";

/** A page of figures, a list with an object beside it, a list, and a page of several reads. The others look like these. */
const PICTURED = ["home", "payments", "payment", "settings"] as const;
/** Of these a picture is made. */
const KEPT: ReadonlySet<string> = new Set(["home", "payment"]);

const isRead = (url: URL) =>
  url.pathname.startsWith("/console/api/") && !/\/(session|live)$/.test(url.pathname);

const answers = (status: 500 | 503) => (route: Route) =>
  route.fulfill({
    status,
    headers: { "x-request-id": REQUEST_ID },
    json: {
      status,
      code: status === 500 ? "INTERNAL_ERROR" : "SERVICE_UNAVAILABLE",
      message: "The database did not answer in time.",
      details: {},
    },
  });

describe.runIf(hasBrowser)("a page that cannot be read", () => {
  let visit: ConsoleVisit;
  let made: SandboxObjects;
  let home: string;
  let page: Page;
  beforeAll(async () => {
    visit = await openConsole();
    made = await fillSandbox(visit.story);
    ({ page } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
  }, 300_000);
  afterAll(() => visit?.close());

  const pages = Object.entries(PAGES);
  const alert = () => page.getByRole("alert");

  async function fail(place: string, how: (route: Route) => Promise<void>): Promise<void> {
    await page.route(isRead, how);
    await page.goto(`${home}/${place}`);
    await alert().first().waitFor();
    await settled(page);
  }

  /** Presses what the page offers until nothing has failed. */
  async function retry(): Promise<void> {
    await page.unrouteAll();
    for (let left = await alert().count(); left > 0; left = await alert().count()) {
      await alert().first().getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => alert().count()).toBeLessThan(left);
    }
    await settled(page);
  }

  it("says what happened, under which id, and is read again", async () => {
    const faults: unknown[] = [];
    for (const [name, place] of pages) {
      await fail(pagePath(place, made), answers(500));
      const said = (await alert().allInnerTexts()).join("\n");
      const headings = await page.locator("h1").count();
      if (!said.includes("did not answer in time") || !said.includes(REQUEST_ID) || headings === 0)
        faults.push({ name, said, headings });
      await retry();
      if ((await page.locator("#content").innerText()).length < 40)
        faults.push({ name, is: "blank" });
    }
    expect(faults).toEqual([]);
  }, 300_000);

  it("says that the server was not reached, on a narrow screen", async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    const faults: unknown[] = [];
    for (const [name, place] of pages) {
      await fail(pagePath(place, made), (route) => route.abort("connectionrefused"));
      const said = (await alert().allInnerTexts()).join("\n");
      const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (!said.includes("The server cannot be reached") || over !== 0)
        faults.push({ name, said, over });
      await page.unrouteAll();
    }
    expect(faults).toEqual([]);
  }, 300_000);

  it.each(looks)(
    "is accessible at $width px in $theme colours",
    async (look) => {
      await page.setViewportSize({ width: look.width, height: 900 });
      await page.emulateMedia({ colorScheme: look.theme });
      for (const name of PICTURED) {
        await fail(pagePath(PAGES[name] ?? "", made), answers(503));
        if (KEPT.has(name)) await keep(page, { state: "failed", name, ...look });
        expect([name, await accessibilityFaults(page)]).toEqual([name, []]);
        await retry();
      }
    },
    120_000,
  );
});
