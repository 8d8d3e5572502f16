/** A payment that is made each month: made in a dialog that says the rule in words, shown with its next dates, paused, resumed, skipped and ended. */
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
import { keep, looks } from "../kit/console-pages.ts";
import { bankAccount, fundedCustomer } from "../kit/story.ts";

describe.runIf(hasBrowser)("a schedule in the console", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    ({ page, complaints } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    const { customerId } = await fundedCustomer(visit.story, 500_000);
    await bankAccount(visit.story, { customerId });
  }, 300_000);
  afterAll(() => visit?.close());

  async function choose(label: RegExp, option: string): Promise<void> {
    await page.getByRole("dialog").getByRole("button", { name: label }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  }

  async function keepAll(name: string): Promise<void> {
    for (const { width, theme } of looks) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      await keep(page, { state: "schedules", name, width, theme });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  }

  it("is made with its rule in words", async () => {
    await page.goto(`${home}/schedules`);
    await settled(page);
    // The empty list offers the same act.
    await page.getByRole("button", { name: "New schedule" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Rent of the office");
    await page.getByRole("combobox", { name: "From" }).fill("ana");
    await page
      .getByRole("option", { name: /Ana Ruiz.*5,000\.00 USD/s })
      .first()
      .click();
    await page.getByRole("combobox", { name: "To" }).fill("ana");
    await page
      .getByRole("option", { name: /Ana Ruiz.*account/s })
      .first()
      .click();
    await dialog.getByLabel("Amount").fill("1,200.00");
    await choose(/On$/, "31");
    await dialog.getByRole("textbox", { name: "Time zone" }).fill("Europe/Berlin");
    await choose(/Banking days$/, "TARGET, euro");
    await choose(/Ends$/, "After a number of payments");
    await dialog.getByRole("textbox", { name: "Number of payments" }).fill("24");
    await dialog.getByText("Every month on day 31 or the last one at 09:00").waitFor();
    await dialog.getByText("24 times in all.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepAll("new");
    await dialog.getByRole("button", { name: "Create schedule" }).click();
    await page.waitForURL(/schedules\/PaymentSchedule:/);
    await settled(page);
    await expect.poll(() => page.locator("ol time").count()).toBe(12);
    expect(
      await page
        .locator("ol li")
        .filter({ hasText: /09:00$/ })
        .count(),
    ).toBe(12);
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepAll("detail");
  });

  async function act(name: string): Promise<void> {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("dialog").getByRole("button").last().click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }

  it("is run, skipped, paused, resumed and ended", async () => {
    await page.getByRole("button", { name: "Run now", exact: true }).click();
    await page.getByText(/as one more run/).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Pay 1,200.00 USD" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("Last run").first().waitFor();
    await act("Skip next run");
    await act("Pause");
    await page.getByText("Next dates, if resumed now").waitFor();
    await act("Resume");
    await page.getByRole("tab", { name: "Runs" }).click();
    await page.getByText("Skipped").first().waitFor();
    await keepAll("runs");
    await act("End");
    await page.getByRole("button", { name: "Run now" }).waitFor({ state: "detached" });
    await page.goto(`${home}/schedules?tab=all`);
    await settled(page);
    await page.getByText("Rent of the office").first().waitFor();
    await keepAll("list");
    expect(complaints).toEqual([]);
  });
});
