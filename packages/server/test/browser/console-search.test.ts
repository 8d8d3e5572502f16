/** The palette and the boxes above lists: what a person types, and what opens. */
import type { BrowserContext, Page } from "playwright-core";
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
import { indexAll } from "../kit/search-index.ts";
import { expectStatus } from "../kit/story-rails.ts";

describe.runIf(hasBrowser)("the search of the console", () => {
  let visit: ConsoleVisit;
  let context: BrowserContext;
  let page: Page;
  let home: string;
  const made: Record<string, string> = {};

  beforeAll(async () => {
    visit = await openConsole();
    context = await newContext(visit.browser);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    ({ page } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    await fill();
    await indexAll(visit.server);
  }, 300_000);
  afterAll(() => visit?.close());

  async function fill(): Promise<void> {
    const { story } = visit;
    const person = { customerType: "INDIVIDUAL", currencies: ["USD"] };
    const ingrid = await story.call("POST", "/customers", {
      ...person,
      fullName: "Ingrid Olsen",
      platformCustomerId: "crm-20417",
      email: "ingrid@olsen.test",
      phoneNumber: "+4791234567",
    });
    made.ingrid = expectStatus(201, ingrid).json.id;
    made.uma = ingrid.json.umaAddress;
    await story.call("POST", "/customers", { ...person, fullName: "Olsenius Kraft" });
    const accounts = await story.call(
      "GET",
      `/customers/internal-accounts?customerId=${made.ingrid}`,
    );
    const accountId = accounts.json.data[0].id;
    await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 900_000 });
    const berg = await story.call("POST", "/customers/external-accounts", {
      customerId: made.ingrid,
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "440012349104",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Jonas Berg" },
      },
    });
    made.berg = expectStatus(201, berg).json.id;
    const paid = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: made.berg },
      amount: 301_250,
      description: "Roof tiles",
    });
    made.paid = expectStatus(201, paid).json.id;
    made.reference = paid.json.reference;
    const came = await story.call("POST", "/transfer-in", {
      source: { accountId: made.berg },
      destination: { accountId },
      amount: 77_700,
    });
    made.came = expectStatus(201, came).json.id;
    await story.settle();
  }

  const uuid = (id = "") => id.slice(id.indexOf(":") + 1);

  async function openPalette(): Promise<void> {
    await page.goto(`${home}/team`);
    await settled(page);
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
  }

  it.each<[string, () => string, string, string]>([
    ["a beginning of a name", () => "olsen ing", "customers", "ingrid"],
    ["a reference", () => String(made.reference), "payments", "paid"],
    ["an amount", () => "3012.50", "payments", "paid"],
    ["an amount as it is written", () => "3,012.50 USD", "payments", "paid"],
    ["the last four", () => "9104", "external-accounts", "berg"],
    ["a payee", () => "jonas berg", "external-accounts", "berg"],
    ["a mail address", () => "ingrid@olsen.test", "customers", "ingrid"],
    ["a phone number", () => "912 34 567", "customers", "ingrid"],
    ["your id", () => "crm-20417", "customers", "ingrid"],
    ["a UMA address", () => String(made.uma), "customers", "ingrid"],
    ["a description", () => "roof tiles", "payments", "paid"],
    ["a bare id", () => uuid(made.paid), "payments", "paid"],
    ["an id", () => String(made.ingrid), "customers", "ingrid"],
  ])("opens the right object for %s and Enter", async (_, text, place, name) => {
    await openPalette();
    await page.keyboard.type(text());
    await page.keyboard.press("Enter");
    await page.waitForURL(`${home}/${place}/${made[name]}`);
  });

  it.each<[string, () => string]>([
    ["with its kind", () => String(made.paid)],
    ["without its kind", () => uuid(made.paid)],
  ])("opens a pasted id %s at once", async (_, text) => {
    await openPalette();
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text());
    await page.keyboard.press("ControlOrMeta+v");
    await page.waitForURL(`${home}/payments/${made.paid}`);
  });

  it.each<[string, () => string, string]>([
    ["new payment", () => "payments", "New payment"],
    ["new customer", () => "customers", "New customer"],
    ["new external account", () => "external-accounts", "New external account"],
    ["new agent", () => "agents", "New agent"],
    ["new endpoint", () => "webhooks", "New endpoint"],
    ["new key", () => "api-keys", "New key"],
    ["freeze olsen", () => `customers/${made.ingrid}`, "Freeze"],
    ["edit olsen", () => `customers/${made.ingrid}`, "Edit"],
    ["delete crm-20417", () => `customers/${made.ingrid}`, "Delete"],
    ["refund 777", () => `payments/${made.came}`, "Refund"],
    ["send again as new 3,012.50", () => `payments/${made.paid}`, "New payment"],
  ])("opens the act of %j", async (text, place, title) => {
    await openPalette();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: title, exact: false }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe(new URL(`${home}/${place()}`).pathname);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(page.url()).not.toContain("act=");
  });

  it("is operated by arrow keys, has no fault of access, and says that nothing was found", async () => {
    await openPalette();
    await page.keyboard.type("olsen");
    await page.getByRole("option", { name: /Olsenius/ }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const current = () => page.locator('[role="option"][aria-selected="true"]').innerText();
    expect(await current()).toContain("Ingrid Olsen");
    await page.keyboard.press("ArrowDown");
    expect(await current()).toContain("Olsenius");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Olsenius Kraft" }).first().waitFor();
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("zzzz");
    await page.getByText("Nothing has this name").waitFor();
  });

  it.each<[string, string, string]>([
    ["payments", "berg", "3,012.50"],
    ["customers", "ols ing", "Ingrid Olsen"],
    ["accounts", "olsen ing", "USD"],
    ["external-accounts", "9104", "Jonas Berg"],
  ])("filters the list of %s by %j, and keeps the text in the URL", async (place, text, row) => {
    await page.goto(`${home}/${place}`);
    await settled(page);
    const box = page.locator("main form input").first();
    await box.fill(text);
    await page.waitForURL((url) => url.searchParams.get("q") === text);
    await settled(page);
    const rows = page.locator("tbody tr");
    await rows.filter({ hasText: row }).first().waitFor();
    await page.reload();
    await settled(page);
    expect(await box.inputValue()).toBe(text);
    await box.fill("zzzz");
    await page.getByText("Nothing matches these filters.").waitFor();
  });

  it("filters by the reference of a row, and opens an id that is pasted into the box", async () => {
    await page.goto(`${home}/payments`);
    await settled(page);
    await page.getByRole("link", { name: String(made.reference) }).click();
    await page.waitForURL((url) => url.searchParams.get("reference") === made.reference);
    await settled(page);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    const box = page.locator("main form input").first();
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), String(made.came));
    await box.focus();
    await page.keyboard.press("ControlOrMeta+v");
    await page.waitForURL(`${home}/payments/${made.came}`);
  });

  /** As of a long history: pages that found nothing, before the one that does. */
  async function findNothingAtFirst(): Promise<readonly string[]> {
    const asked: string[] = [];
    await page.route(/\/transactions\?.*hasRefund=false/, async (route) => {
      const url = new URL(route.request().url());
      const cursor = url.searchParams.get("cursor") ?? "";
      asked.push(cursor);
      const next = { "": "first", first: "second", second: "third" }[cursor];
      if (next !== undefined)
        return route.fulfill({ json: { data: [], hasMore: true, nextCursor: next } });
      url.searchParams.delete("cursor");
      await route.continue({ url: url.href });
    });
    return asked;
  }

  it("searches on where a list found nothing yet, until there is a row", async () => {
    const asked = await findNothingAtFirst();
    await page.goto(`${home}/payments?hasRefund=false`);
    await page.getByText(/^No match among the rows/).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(new Set(asked)).toEqual(new Set([""]));
    await page.getByRole("button", { name: "Search on" }).press("Enter");
    await expect.poll(() => page.locator("tbody tr").count()).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set(["", "first", "second", "third"]));
    expect(new URL(page.url()).searchParams.get("cursor")).toBe("third");
    await page.unroute(/\/transactions\?.*hasRefund=false/);
    await page.goto(`${home}/payments?hasRefund=true`);
    await page.getByText("Nothing matches these filters.").waitFor();
  });

  it("looks well on a phone and a desk, light and dark", async () => {
    const folder = process.env.SHOTS;
    if (folder === undefined) return;
    for (const width of [390, 1440]) {
      for (const theme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: theme });
        await page.goto(`${home}/payments?q=berg&minAmount=10.00&hasRefund=false`);
        await settled(page);
        await page.screenshot({ path: `${folder}/list-${width}-${theme}.png` });
        await page.keyboard.press("ControlOrMeta+k");
        await page.keyboard.type("olsen");
        await page.getByRole("option", { name: /Olsenius/ }).waitFor();
        await page.screenshot({ path: `${folder}/palette-${width}-${theme}.png` });
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.type("refund 777");
        await page.getByRole("option", { name: /Refund . 777/ }).waitFor();
        await page.screenshot({ path: `${folder}/act-${width}-${theme}.png` });
        await findNothingAtFirst();
        await page.goto(`${home}/payments?hasRefund=false`);
        await page.getByText(/^No match among the rows/).waitFor();
        await page.screenshot({ path: `${folder}/search-on-${width}-${theme}.png` });
        await page.unroute(/\/transactions\?.*hasRefund=false/);
      }
    }
  });
});
