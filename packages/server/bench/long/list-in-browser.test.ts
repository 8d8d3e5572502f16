/**
 * A person goes through a list of a long history in a browser. `ROWS=1000000` is the measurement of docs/adr/0111; FIGURES names a file for
 * the figures. The memory of a tab is that of its process without what it shares with others.
 */
import { readFile, writeFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { hasBrowser } from "../../test/kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newPage,
  openConsole,
  settled,
} from "../../test/kit/console-browser.ts";
import { fillLargePlatform } from "../../test/kit/large-platform.ts";
import { startTestServer, type TestServer } from "../../test/kit/test-server.ts";

const ROWS = Number(process.env.ROWS ?? 20_000);
const PAGES = 40;
const MOST_BYTES = 150_000_000;

describe.runIf(hasBrowser)("a list of a long history in a browser", () => {
  let visit: ConsoleVisit;
  let server: TestServer;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  const figures: Record<string, number> = {};

  beforeAll(async () => {
    visit = await openConsole();
    const context = await visit.browser.newContext({ viewport: { width: 1440, height: 900 } });
    const { page: entry } = await newPage(context);
    await enterByLink(entry, visit.startLink);
    const [, path] = /^https?:\/\/[^/]+(.*)\/home$/.exec(entry.url()) ?? [];
    await entry.close();
    // A server that is open while rows come from elsewhere would go on from heads that it remembers.
    await visit.server.app.close();
    const place = { platformId: visit.story.platformId, rows: ROWS, untilMs: systemClock.now() };
    await visit.server.database.asSuperuser((client) => fillLargePlatform(client, place));
    server = await startTestServer({ beside: visit.server });
    home = `http://localhost:${server.app.address.port}${present(path, "the path of the platform")}`;
    ({ page, complaints } = await newPage(context));
  }, 1_800_000);

  afterAll(async () => {
    const { FIGURES: path } = process.env;
    if (path !== undefined) await writeFile(path, JSON.stringify({ ROWS, figures }));
    await visit?.browser.close();
    await server?.app.close();
    await visit?.server.database.drop();
  }, 600_000);

  /** Of the process of the page, which is the only one with a page. */
  async function tabBytes(): Promise<number> {
    const ofPage = await page.context().newCDPSession(page);
    await ofPage.send("HeapProfiler.collectGarbage");
    await ofPage.detach();
    const ofBrowser = await visit.browser.newBrowserCDPSession();
    const { processInfo } = await ofBrowser.send("SystemInfo.getProcessInfo");
    await ofBrowser.detach();
    const sizes = await Promise.all(
      processInfo
        .filter(({ type }) => type === "renderer")
        .map(async ({ id }) => {
          const status = await readFile(`/proc/${id}/status`, "utf8");
          return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
        }),
    );
    return Math.max(...sizes);
  }

  const cells = () => page.getByRole("row").locator("a").first().getAttribute("href");

  async function nextPage(): Promise<void> {
    const before = await cells();
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(cells).not.toBe(before);
    await settled(page);
  }

  it(`needs at most ${MOST_BYTES / 1e6} MB for ${PAGES} pages of 100 rows`, async () => {
    await page.goto(`${home}/payments?limit=100`);
    await settled(page);
    expect(await page.getByRole("row").count()).toBe(101);
    figures.first = await tabBytes();
    const times: number[] = [];
    for (let turn = 0; turn < PAGES; turn++) {
      const begin = performance.now();
      await nextPage();
      times.push(performance.now() - begin);
    }
    expect(await page.getByRole("row").count()).toBe(101);
    figures.last = await tabBytes();
    figures.pageMs = present(times.toSorted((one, other) => one - other)[PAGES / 2], "a time");
    expect(figures.last).toBeLessThan(MOST_BYTES);
  }, 300_000);

  it("comes back to the page, the filter and the height that a payment was opened from", async () => {
    await page.goto(`${home}/payments?limit=100&status=FAILED`);
    await settled(page);
    await nextPage();
    await nextPage();
    const list = page.url();
    const first = await cells();
    const link = page.getByRole("row").nth(80).locator("a").first();
    await link.scrollIntoViewIfNeeded();
    const height = await page.evaluate("scrollY");
    expect(height).toBeGreaterThan(1_000);
    await link.click();
    await page.waitForURL(/\/payments\/Transaction:/);
    await settled(page);
    await page.goBack();
    await settled(page);
    expect([page.url(), await cells()]).toEqual([list, first]);
    await expect.poll(() => page.evaluate("scrollY")).toBe(height);
    expect(complaints).toEqual([]);
  }, 120_000);
});
