/** What a reviewer sees that a customer changed between two submissions. */
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
import { newBusiness } from "../kit/story-verifications.ts";

describe.runIf(hasBrowser)("the console", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  beforeAll(async () => {
    visit = await openConsole();
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
  }, 300_000);
  afterAll(() => visit?.close());

  async function go(place: string): Promise<void> {
    await page.goto(`${home}/${place}`);
    await settled(page);
  }

  it("shows what a customer changed between two submissions, and nothing else", async () => {
    const { story } = visit;
    const customerId = await newBusiness(story);
    const submit = async () =>
      (await story.call("POST", "/verifications", { customerId })).json.id as string;
    const first = await submit();
    const businessInfo = { legalName: "Lind Yachts LLC", taxId: "2" };
    await story.call("PATCH", `/customers/${customerId}`, {
      customerType: "BUSINESS",
      businessInfo,
    });
    const second = await submit();
    const third = await submit();
    const changes = page.locator("section", {
      has: page.getByRole("heading", { name: "Changes", exact: true }),
    });

    await go(`verifications/${first}`);
    expect(await changes.count()).toBe(0);
    await go(`verifications/${second}`);
    await expect
      .poll(() => changes.locator("del").allInnerTexts())
      .toEqual(["Lind Boats LLC", "1"]);
    await expect
      .poll(() => changes.locator("ins").allInnerTexts())
      .toEqual(["Lind Yachts LLC", "2"]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await go(`verifications/${third}`);
    await changes.getByText("The customer submitted the same data again.").waitFor();
    expect(complaints).toEqual([]);
  });
});
