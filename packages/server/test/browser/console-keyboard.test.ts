/** The console without a pointer, on a narrow screen, and enlarged to twice its size. */
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
import { DIALOG_BUTTONS, overflowOf, plainButtons, walkByTab } from "../kit/console-dialogs.ts";
import { PAGES, pagePath } from "../kit/console-pages.ts";
import { fillSandbox, type SandboxObjects } from "../kit/console-rows.ts";
import { soon } from "../kit/soon.ts";

/**
 * Buttons that do something without a dialog. All of them are reached by Tab, and a browser presses a button that has the focus for Enter
 * and Space. A new one needs a line here, and a row of `ACTS` when what it does is more than another view.
 */
const PLAIN: readonly RegExp[] = [
  // Views of a page.
  /^(Copy|Remove the filter) /,
  /^(Read again|Columns|Filter|Clear filters|Close|more|less|First page|Next page|Previous page)$/,
  /^(Smaller|Larger|Rotate|Calculate|Open the ledger|Dismiss)$/,
  // Acts that are done at once.
  /^(Take|Take the case|Reveal|Make another payment|Add a passkey|Follow live|Move there|\+\d+ (min|h|days?))$/,
  // The lab names the outcome that a button provokes, and its group.
  /^(Pay|Pay by quote|Create|Add) \d{3}(, |$)/,
];

interface KeyAct {
  readonly name: string;
  readonly place: (made: SandboxObjects) => string;
  /** `tab:` goes on until the control of this name has the focus, `type:` writes a text; the rest are names of keys. */
  readonly keys: readonly string[];
  readonly seen: string | RegExp;
}

const ACTS: readonly KeyAct[] = [
  {
    name: "freezes a customer",
    place: ({ customerId }) => `customers/${customerId}`,
    keys: [
      "tab:Freeze",
      "Enter",
      "tab:Reason",
      "Enter",
      "ArrowDown",
      "Enter",
      "tab:Freeze",
      "Enter",
    ],
    seen: "Frozen",
  },
  {
    name: "reveals the number of a queued order",
    place: ({ railPaymentId }) => `rail-queue/${railPaymentId}`,
    keys: ["tab:Reveal", "Enter"],
    seen: /Hidden again/,
  },
  {
    name: "adds money to an account",
    place: ({ accountId }) => `accounts/${accountId}`,
    keys: ["tab:Add money", "Enter", "tab:Amount", "type:77.77", "Enter"],
    seen: "9,690.27",
  },
  {
    name: "makes a key, whose secret is shown",
    place: () => "api-keys",
    keys: ["tab:New key", "Enter", "tab:Name", "type:By keys", "Enter"],
    seen: /FLORIN_CLIENT_SECRET=/,
  },
  {
    name: "writes a note about a customer",
    place: ({ customerId }) => `customers/${customerId}?view=notes`,
    keys: ["tab:Add a note", "Enter", "tab:Note", "type:Called back", "tab:Save", "Enter"],
    seen: "Called back",
  },
  {
    name: "takes a case",
    place: ({ verificationId }) => `verifications/${verificationId}`,
    keys: ["tab:Take the case", "Enter"],
    seen: "Ask for more",
  },
  {
    name: "makes a payment from the lab",
    place: () => "sandbox",
    keys: ["tab:Pay 000", "Enter"],
    seen: "Completed",
  },
  {
    name: "sets a filter and takes it away",
    place: () => "payments",
    keys: [
      "tab:Filter",
      "Enter",
      "tab:Reference",
      "Enter",
      "type:none",
      "Enter",
      "tab:Clear filters",
      "Enter",
    ],
    seen: /Completed/,
  },
];

describe.runIf(hasBrowser)("the console by the keyboard alone", () => {
  let visit: ConsoleVisit;
  let made: SandboxObjects;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  beforeAll(async () => {
    visit = await openConsole();
    made = await fillSandbox(visit.story);
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
  }, 300_000);
  afterAll(() => visit?.close());

  async function go(place: string): Promise<void> {
    await page.goto(`${home}/${place}`);
    await settled(page);
  }

  const pages = Object.entries(PAGES);

  it("reaches every control of every page, and no page is wider than a narrow screen or twice its size", async () => {
    const faults: unknown[] = [];
    const strays = new Set<string>();
    for (const [name, place] of pages) {
      await go(pagePath(place, made));
      for (const button of await plainButtons(page))
        if (!PLAIN.some((known) => known.test(button))) strays.add(`${name}: ${button}`);
      const { unreached, hidden } = await walkByTab(page);
      const wide: Record<number, readonly string[]> = {};
      for (const width of [320, 720]) {
        await page.setViewportSize({ width, height: 450 });
        await settled(page);
        const over = await overflowOf(page);
        if (over.length > 0) wide[width] = over;
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      if (unreached.length + hidden.length + Object.keys(wide).length > 0)
        faults.push({ name, unreached: unreached.slice(0, 4), hidden: hidden.slice(0, 4), wide });
    }
    expect({ faults, strays: [...strays] }).toEqual({ faults: [], strays: [] });
  }, 300_000);

  it("opens each dialog by Enter, keeps the focus in it, and gives it back after Escape", async () => {
    const faults: unknown[] = [];
    let opened = 0;
    for (const [name, place] of [...pages, ["person", "team"] as const]) {
      await go(pagePath(place, made));
      const buttons = page.locator(DIALOG_BUTTONS);
      const count = await buttons.count();
      for (let index = 0; index < count; index++) {
        const button = buttons.nth(index);
        await button.focus();
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        const isInside = () =>
          page.evaluate("document.activeElement.closest('[role=dialog]') !== null");
        const inside = [await isInside()];
        for (const key of ["Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab"]) {
          await page.keyboard.press(key);
          inside.push(await isInside());
        }
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        opened += 1;
        // It is given back in the next frame.
        const isBack = await soon(async () => {
          expect(await button.evaluate((one) => document.activeElement === one)).toBe(true);
          return true;
        }).catch(() => false);
        if (inside.includes(false) || !isBack)
          faults.push({ name, button: await button.innerText(), inside, isBack });
      }
    }
    expect(faults).toEqual([]);
    expect(opened).toBeGreaterThan(40);
  }, 300_000);

  /** Waits until the page has drawn what the last key did: a dialog takes the focus, and gives it back, in the next frame. */
  const drawn = () =>
    page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
    );

  /** The name of the control that has the focus. Behind the last control the body has it, whose text contains every name. */
  const focusName = () =>
    page.evaluate(`(() => {
      const one = document.activeElement;
      if (!one.matches("a, button, input, select, textarea, [role=option]")) return "";
      const ids = one.getAttribute("aria-labelledby")?.split(" ") ?? [];
      const named = ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
      return one.getAttribute("aria-label") ?? (named || one.labels?.[0]?.textContent || one.textContent).trim();
    })()`) as Promise<string>;

  async function tabTo(name: string): Promise<void> {
    for (let press = 0; press < 150; press++) {
      await page.keyboard.press("Tab");
      if ((await focusName()).includes(name)) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  }

  it.each(ACTS)("$name", async ({ place, keys, seen }) => {
    await go(place(made));
    await page.locator("#content").focus();
    for (const key of keys) {
      if (key.startsWith("tab:")) await tabTo(key.slice(4));
      else if (key.startsWith("type:")) await page.keyboard.type(key.slice(5));
      else await page.keyboard.press(key);
      await drawn();
    }
    await page.getByText(seen).first().waitFor();
    expect(complaints.filter((one) => !one.includes("403"))).toEqual([]);
  });
});
