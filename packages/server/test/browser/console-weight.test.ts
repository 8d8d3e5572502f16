/**
 * What the console costs a browser: requests and bytes from the sign-in to Home, the time until Home can be used, long tasks and shifts of
 * the layout. Times are for two cores that do nothing else; the bounds leave room for a machine that is shared.
 */
import type { BrowserContext, CDPSession, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  isLive,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { PAGES } from "../kit/console-pages.ts";
import { bankAccount, fundedCustomer } from "../kit/story.ts";

/** A machine that is shared takes several times as long. */
const SLACK = 4;
const COLD_MS = 1_500 * SLACK;
const WARM_MS = 500 * SLACK;
const LONG_TASK_MS = 200 * SLACK;
const MOST_SHIFT = 0.05;
/** Calls of a cold Home. */
const MOST_CALLS = 12;

/** Runs before the page's own scripts. */
const WATCH = `
  window.seen = { shift: 0, tasks: [], usableAt: undefined };
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.seen.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.seen.tasks.push(duration);
  }).observe({ type: "longtask", buffered: true });
  new MutationObserver((_, watch) => {
    const isShown = document.querySelector("#balances") !== null && document.querySelector("main section li a") !== null;
    if (!isShown) return;
    window.seen.usableAt = performance.now();
    watch.disconnect();
  }).observe(document, { childList: true, subtree: true });
`;

interface Seen {
  readonly shift: number;
  readonly tasks: readonly number[];
  readonly usableAt: number | undefined;
}

describe.runIf(hasBrowser)("the console in a browser", () => {
  let visit: ConsoleVisit;
  let context: BrowserContext;
  let page: Page;
  let devtools: CDPSession;
  let home: string;

  beforeAll(async () => {
    visit = await openConsole();
    const { story } = visit;
    const { customerId, accountId } = await fundedCustomer(story, 1_000_000);
    for (const suffix of ["789", "004"]) {
      const destination = await bankAccount(story, { customerId, suffix });
      for (let count = 0; count < 5; count++) {
        await story.call("POST", "/transfer-out", {
          source: { accountId },
          destination: { accountId: destination },
          amount: 1_250 + count,
        });
      }
    }
    await story.settle();
    context = await newContext(visit.browser);
    ({ page } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url();
    devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await page.addInitScript(WATCH);
  }, 300_000);
  afterAll(() => visit?.close());

  const seen = () => page.evaluate("window.seen") as Promise<Seen>;

  it("signs in and paints Home with 12 requests for files, of 245 kB at most", async () => {
    await page.goto(home);
    await settled(page);
    await page.getByRole("button", { name: /Ada Lovelace/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/sign-in$/);
    await settled(page);
    await devtools.send("Network.clearBrowserCache");
    const asked: Request[] = [];
    const bytes = new Map<string, number>();
    page.on("request", (request) => asked.push(request));
    devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
      bytes.set(requestId, encodedDataLength),
    );
    const files = new Map<string, string>();
    devtools.on("Network.responseReceived", ({ requestId, response }) =>
      files.set(requestId, response.url),
    );
    await page.goto(home.replace(/\/p\/.*/, "/sign-in"));
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(/\/home$/);
    await settled(page);
    const isData = (url: string) => new URL(url).pathname.startsWith("/console/api/");
    const ofFiles = asked.filter((request) => !isData(request.url()));
    const assets = [...files].filter(([, url]) => /\/assets\/.*\.(js|css)$/.test(url));
    const total = assets.reduce((sum, [id]) => sum + (bytes.get(id) ?? 0), 0);
    expect(assets.length).toBeGreaterThan(3);
    expect(ofFiles.length).toBeLessThanOrEqual(12);
    expect(total).toBeLessThan(245_000);
    expect(asked.filter((request) => isLive(request.url())).length).toBeLessThanOrEqual(1);
  });

  it.each([
    ["cold", true, COLD_MS],
    ["warm", false, WARM_MS],
  ] as const)(
    "has Home ready soon with a %s cache, without long tasks or shifts",
    async (_name, isCold, bound) => {
      if (isCold) await devtools.send("Network.clearBrowserCache");
      await page.goto(home);
      await settled(page);
      const { shift, tasks, usableAt } = await seen();
      expect(usableAt).toBeLessThan(bound);
      expect(shift).toBeLessThan(MOST_SHIFT);
      expect(Math.max(0, ...tasks)).toBeLessThan(LONG_TASK_MS);
    },
  );

  it("asks the server at most 12 times for what a cold Home shows", async () => {
    await devtools.send("Network.clearBrowserCache");
    const asked: string[] = [];
    const note = (request: Request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/console/api/"))
        asked.push(`${request.method()} ${pathname}${search}`);
    };
    page.on("request", note);
    await page.goto(home);
    await settled(page);
    page.off("request", note);
    expect(asked.length > MOST_CALLS ? asked : []).toEqual([]);
  });

  it("moves nothing that is shown already on any page", async () => {
    const moved: unknown[] = [];
    const slow: unknown[] = [];
    for (const [name, place] of Object.entries(PAGES)) {
      if (typeof place !== "string") continue;
      await page.goto(home.replace(/home$/, place));
      await settled(page);
      const { shift, tasks } = await seen();
      if (shift >= MOST_SHIFT) moved.push({ name, shift });
      if (Math.max(0, ...tasks) >= LONG_TASK_MS) slow.push({ name, tasks });
    }
    expect(moved).toEqual([]);
    expect(slow).toEqual([]);
  }, 300_000);
});
