/** Accounts beside the default ones, and the legs of a transfer, in the console. */
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
import { fundedCustomer } from "../kit/story.ts";

describe.runIf(hasBrowser)("accounts beside the default ones in the console", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let at: string;
  beforeAll(async () => {
    visit = await openConsole();
    ({ page } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    at = page.url().replace(/home$/, "");
  }, 300_000);
  afterAll(() => visit?.close());

  const dialog = () => page.getByRole("dialog");

  it("are opened for a customer, named and closed", async () => {
    const { customerId } = await fundedCustomer(visit.story, 100);
    await page.goto(`${at}customers/${customerId}`);
    await settled(page);
    await page.getByRole("button", { name: "Open an account" }).click();
    await dialog().getByLabel("Name").fill("Rent");
    await dialog().getByLabel("Currency").fill("usd");
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole("button", { name: "Open an account" }).click();
    await page.waitForURL(/\/accounts\/InternalAccount/);
    await page.getByText("Rent").first().waitFor();
    await page.getByRole("button", { name: "Rename" }).click();
    await dialog().getByLabel("Name").fill("Rent and bills");
    await dialog().getByRole("button", { name: "Rename" }).click();
    await page.getByText("Rent and bills").first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Close", exact: true }).first().click();
    await dialog().getByRole("button", { name: "Close", exact: true }).last().click();
    await page.getByText("Closed").first().waitFor();
  });

  it("show the legs of a transfer on the page of each of its payments", async () => {
    const [one, two] = [
      await fundedCustomer(visit.story, 5_000),
      await fundedCustomer(visit.story, 0),
    ];
    const leg = (amount: number) => ({
      source: { accountId: one.accountId },
      destination: { accountId: two.accountId },
      amount,
    });
    const { json } = await visit.story.call("POST", "/transfers", { legs: [leg(900), leg(100)] });
    await page.goto(`${at}payments/${json.id}`);
    await settled(page);
    await page.getByRole("tab", { name: "Legs" }).click();
    await page.getByText("1.00 USD").first().waitFor();
    await page.getByText("9.00 USD").first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
