/** A customer that cannot be deleted yet: the dialog says because of which account. */
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

describe.runIf(hasBrowser)("deleting a customer in the console", () => {
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
  async function openDelete(customerId: string): Promise<void> {
    await page.goto(`${at}customers/${customerId}`);
    await settled(page);
    await page.getByRole("article").getByRole("button", { name: "Delete" }).click();
    await settled(page);
  }

  it("names the account that holds money, and what the server refuses it for", async () => {
    const { customerId, accountId } = await fundedCustomer(visit.story, 123_400);
    await openDelete(customerId);
    await dialog().getByText("These accounts hold money:").waitFor();
    await expect.poll(() => dialog().getByRole("listitem").count()).toBe(1);
    await expect.poll(() => dialog().getByRole("listitem").innerText()).toContain("1,234.00 USD");
    await expect.poll(() => dialog().getByRole("link").getAttribute("href")).toContain(accountId);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole("button", { name: "Delete" }).click();
    await dialog().getByRole("alert").getByText("holds money").waitFor();
  });

  it("names none where all are empty", async () => {
    const made = await visit.story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Eva Empty",
    });
    await openDelete(made.json.id);
    expect(await dialog().getByText("These accounts hold money:").count()).toBe(0);
    await dialog().getByRole("button", { name: "Delete" }).click();
    await dialog().waitFor({ state: "detached" });
    const { json } = await visit.story.call("GET", `/customers/${made.json.id}`);
    expect(json.isDeleted).toBe(true);
  });
});
