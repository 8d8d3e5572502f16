/** Texts of customers, banks and receivers that look like markup, formulas or other letters are text on every page and in every dialog. */
import { text } from "node:stream/consumers";
import type { BrowserContext, Page } from "playwright-core";
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
import { DIALOG_BUTTONS } from "../kit/console-dialogs.ts";
import { PAGES, pagePath } from "../kit/console-pages.ts";
import {
  consoleCall,
  fillHostile,
  HOSTILE,
  HOSTILE_SHOWN,
  type HostileObjects,
  LONG,
} from "../kit/hostile-rows.ts";
import { endReceivers } from "../kit/receivers.ts";

/** What a page shows: its texts, and the attributes that a reader meets. Fields keep what will be sent. */
const SHOWN = `(() => {
  const texts = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.parentElement.closest("textarea, script, option") === null) texts.push(node.data);
    } else for (const name of ["title", "aria-label", "alt", "placeholder", "download"])
      if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
  }
  const hidden = texts.filter((one) => /[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]/.test(one));
  return {
    hidden: hidden.map((one) => one.slice(0, 160)),
    made: document.querySelectorAll("body img:not([src^='blob:']), main script, iframe, object, a[href^='javascript:']").length,
    hacked: window.hacked,
    over: document.documentElement.scrollWidth - innerWidth,
  };
})()`;

const CLEAN = { hidden: [], made: 0, hacked: undefined, over: 0 };

describe.runIf(hasBrowser)("hostile texts in the console", () => {
  let visit: ConsoleVisit;
  let made: HostileObjects;
  let context: BrowserContext;
  let page: Page;
  let complaints: readonly string[];
  let hosts: ReadonlySet<string>;
  let home: string;
  let dialogs = 0;
  beforeAll(async () => {
    visit = await openConsole();
    made = await fillHostile(visit.story);
    context = await newContext(visit.browser);
    ({ page, complaints, hosts } = await newPage(context));
    page.on("dialog", (dialog) => {
      dialogs += 1;
      return dialog.dismiss();
    });
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    await consoleCall(page, "PATCH", "/me", { name: HOSTILE });
    await consoleCall(page, "POST", "/workspace/invites", {
      name: HOSTILE,
      email: "eve@example.com",
      roles: [{ platformId: null, roles: ["VIEWER"] }],
    });
    const note = `/p/PlatformConfig:${visit.story.platformId}/customers/${made.customerId}/notes`;
    await consoleCall(page, "POST", note, { note: HOSTILE });
  }, 300_000);
  afterAll(async () => {
    await visit?.close();
    await endReceivers();
  });

  async function go(place: string): Promise<void> {
    await page.goto(`${home}/${place}`);
    await settled(page);
  }

  function isQuiet(): void {
    expect(dialogs).toBe(0);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([visit.origin]);
  }

  const places = () => [
    ...Object.values(PAGES).map((place) => pagePath(place, made)),
    ...made.more,
    ...["customers", "payments", "webhooks", "events", "deliveries", "requests"].map(
      (list) => `${list}?limit=100`,
    ),
  ];

  it.each([1440, 390])(
    "are text on every page at %i px, and push nothing aside",
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      const faults: unknown[] = [];
      let met = 0;
      for (const place of places()) {
        await go(place);
        for (const more of await page.locator("details > summary").all()) await more.click();
        const found = await page.evaluate(SHOWN);
        if ((await page.locator("body").innerText()).includes(HOSTILE_SHOWN)) met += 1;
        try {
          expect(found).toEqual(CLEAN);
        } catch {
          faults.push({ place, found });
        }
      }
      expect(faults).toEqual([]);
      expect(met).toBeGreaterThan(15);
      isQuiet();
    },
    300_000,
  );

  it("are text in the dialogs of every object", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const faults: unknown[] = [];
    const pages = ["team", "api-keys", "me", "settings"];
    const details = Object.values(PAGES).filter((place) => typeof place !== "string");
    for (const place of [...pages, ...details.map((one) => pagePath(one, made)), ...made.more]) {
      await go(place);
      const buttons = page.locator(DIALOG_BUTTONS);
      for (let index = 0; index < (await buttons.count()); index++) {
        await buttons.nth(index).click();
        await page.getByRole("dialog").waitFor();
        const found = await page.evaluate(SHOWN);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        try {
          expect(found).toEqual(CLEAN);
        } catch {
          faults.push({ place, index, found });
        }
      }
    }
    expect(faults).toEqual([]);
    isQuiet();
  }, 300_000);

  it("are text in the answer of a webhook, without control characters", async () => {
    await go(`deliveries/${made.deliveryId}`);
    await page.locator("summary").first().click();
    const answer = await page.getByRole("region", { name: "Answer" }).innerText();
    expect(answer).toContain(`${HOSTILE_SHOWN}\ufffd\u241b[31mWWW`);
    expect(answer).toContain(LONG.slice(0, 800));
    isQuiet();
  });

  it("are text in a filter, in the palette, and in the message of a refusal", async () => {
    await go("customers");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("button", { name: "Your id" }).click();
    await page.getByLabel("Your id").fill(HOSTILE);
    await page.keyboard.press("Enter");
    await page
      .getByRole("button", { name: /is <script>/ })
      .first()
      .waitFor();
    await settled(page);
    expect(await page.evaluate(SHOWN)).toEqual(CLEAN);
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.insertText(HOSTILE);
    await page.locator('[role="listbox"][aria-busy="false"]').waitFor();
    expect(await page.evaluate(SHOWN)).toEqual(CLEAN);
    await page.keyboard.press("Escape");
    await page.goto(`${home}/customers/${encodeURIComponent(HOSTILE)}`);
    await page.getByRole("alert").waitFor();
    expect(await page.evaluate(SHOWN)).toEqual(CLEAN);
    expect(complaints.filter((one) => !/40[04]/.test(one))).toEqual([]);
    expect(dialogs).toBe(0);
  });

  it("are no formula in a file of an export", async () => {
    await go("payments");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make the file" }).click();
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save the file" }).click();
    const lines = await text(await (await file).createReadStream());
    const cells = lines.match(/(?:^|,)("(?:[^"]|"")*"|[^,\r\n]*)/gm) ?? [];
    expect(lines).toContain("HYPERLINK");
    expect(cells.filter((cell) => /^,?"?[=+@\t\r]/.test(cell))).toEqual([]);
  });
});
