/** Holds in the console: money is held on the page of an account, paid in part from the hold, and released. */
import type { Page } from "playwright-core";
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
import { overflowOf } from "../kit/console-dialogs.ts";
import { keep } from "../kit/console-pages.ts";
import { bankAccount, fundedCustomer } from "../kit/story.ts";
import { holdingsOf } from "../kit/story-money.ts";

describe.runIf(hasBrowser)("holds in the console", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  let accountId: string;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    ({ page, complaints } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    const buyer = await fundedCustomer(visit.story, 100_000);
    ({ accountId } = buyer);
    await bankAccount(visit.story, { customerId: buyer.customerId });
  }, 300_000);
  afterAll(() => visit?.close());

  const dialog = () => page.getByRole("dialog");
  const confirm = (name: string | RegExp) => dialog().getByRole("button", { name }).click();
  const picture = async (name: string, width = 1440) => {
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await keep(page, { state: "holds", name, width, theme });
    }
  };

  it("are made on the page of the account, which says what is available", async () => {
    await page.goto(`${home}/accounts/${accountId}?view=holds`);
    await settled(page);
    await picture("empty");
    await page.getByRole("button", { name: "Hold money" }).click();
    await dialog().getByLabel("Amount").fill("2000");
    await confirm("Hold money");
    await dialog().getByText("At most 1,000.00 USD").waitFor();
    await dialog().getByLabel("Amount").fill("600");
    await dialog().getByLabel("Description").fill("Order 1042");
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("create");
    await confirm("Hold money");
    await dialog().waitFor({ state: "detached" });
    await page.getByText("Order 1042").first().waitFor();
    expect(await holdingsOf(visit.story, accountId)).toEqual({ available: 40_000, total: 100_000 });
    await picture("of-account");
  });

  it("pay an account that is found by its name, and keep the rest", async () => {
    await page.locator("tbody").last().getByRole("link").first().click();
    await page.getByRole("button", { name: "Capture", exact: true }).click();
    await dialog().getByRole("combobox", { name: "Pay to" }).click();
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await picture("payees");
    await page.getByRole("listbox").getByRole("option").first().click();
    await dialog().getByLabel("Amount").fill("150");
    await dialog()
      .getByRole("button", { name: /What is left/ })
      .click();
    await page.getByRole("option", { name: "Keep it held" }).click();
    // While the effects of another amount are read, those on the screen are faint.
    await expect.poll(() => accessibilityFaults(page), { timeout: 10_000 }).toEqual([]);
    await picture("capture");
    await confirm(/Capture .*150/);
    await dialog().waitFor({ state: "detached" });
    await page.getByText("Payments from this hold").waitFor();
    await visit.story.settle();
    expect(await holdingsOf(visit.story, accountId)).toEqual({ available: 40_000, total: 85_000 });
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture("detail");
  });

  it("fit a narrow screen, with their dialogs", async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    await settled(page);
    await picture("detail", 390);
    expect(await overflowOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Capture", exact: true }).click();
    await dialog().getByLabel("Amount").waitFor();
    await picture("capture", 390);
    expect(await overflowOf(page)).toEqual([]);
    await confirm("Cancel");
    await page.goto(`${home}/accounts/${accountId}?view=holds`);
    await settled(page);
    await picture("of-account", 390);
    await page.getByRole("button", { name: "Hold money" }).click();
    await dialog().getByLabel("Amount").waitFor();
    await picture("create", 390);
    await confirm("Cancel");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator("tbody").last().getByRole("link").first().click();
  });

  it("are released, and lead to their payments", async () => {
    await page.getByRole("button", { name: "Release", exact: true }).click();
    await picture("release");
    await confirm("Release");
    await dialog().waitFor({ state: "detached" });
    await page.getByText("Released").first().waitFor();
    expect(await holdingsOf(visit.story, accountId)).toEqual({ available: 85_000, total: 85_000 });
    await page.goto(`${home}/holds?tab=all`);
    await settled(page);
    await picture("list");
    expect(complaints.filter((one) => !one.includes("400"))).toEqual([]);
  });
});
