/** No page shows an object by the digits of its id: the head of a detail and texts for programs alone have them. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { PAGES, pagePath } from "../kit/console-pages.ts";
import { fillSandbox } from "../kit/console-rows.ts";

/** Texts that are not ids, or that people copy as they are. */
const EXCEPTIONS: readonly {
  readonly page: RegExp;
  readonly text: RegExp;
  readonly why: string;
}[] = [
  { page: /./, text: /^\$u[0-9a-f]{20}@/, why: "a UMA address that the server chose" },
  {
    page: /^rail-payment$/,
    text: /^[0-9A-F]{32}$/,
    why: "the end-to-end id, which the bank shows",
  },
  { page: /^request$/, text: /^[0-9a-z-]+$/, why: "the id of the call, which the answer had" },
  { page: /^system/, text: /^[\w.-]+$/, why: "the name of a server, which its host chose" },
];

/** A reference that this server makes. A few in a thousand have eight hexadecimal digits in a row by chance. */
const REFERENCE = String.raw`\b(?:RF\d\d)?FL[0-9A-HJKMNP-TV-Z]{12,14}\b`;

/** Visible runs of eight hexadecimal digits with letters and figures among them, outside of heads and of texts for programs. */
const DIGITS_SHOWN = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement } = walker.currentNode;
    const data = walker.currentNode.data.replace(/${REFERENCE}/g, "");
    if (!/(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{8,}/i.test(data)) continue;
    if (parentElement.closest("article > header, pre, code, script, style") !== null) continue;
    if (parentElement.checkVisibility()) found.push(data.trim().slice(0, 100));
  }
  return found;
})()`;

describe.runIf(hasBrowser)("the console", () => {
  let visit: ConsoleVisit;
  beforeAll(async () => {
    visit = await openConsole();
  }, 300_000);
  afterAll(() => visit?.close());

  it("names objects in words on every page", async () => {
    const context = await newContext(visit.browser);
    const { page, complaints } = await newPage(context);
    await enterByLink(page, visit.startLink);
    const home = page.url().replace(/\/home$/, "");
    const made = await fillSandbox(visit.story);
    const faults: unknown[] = [];
    for (const [name, place] of Object.entries(PAGES)) {
      await page.goto(`${home}/${pagePath(place, made)}`);
      await settled(page);
      for (const width of [390, 1_440]) {
        await page.setViewportSize({ width, height: 900 });
        const shown = await digitsOf(page, name);
        if (shown.length > 0) faults.push({ name, width, shown });
      }
    }
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  }, 600_000);
});

/** Names arrive after the rows, so a page with digits is looked at again for a while. */
async function digitsOf(page: Page, name: string): Promise<readonly string[]> {
  for (let left = 20; ; left--) {
    const shown = ((await page.evaluate(DIGITS_SHOWN)) as string[]).filter(
      (text) => !EXCEPTIONS.some((one) => one.page.test(name) && one.text.test(text)),
    );
    if (shown.length === 0 || left === 0) return shown;
    await page.waitForTimeout(100);
  }
}
