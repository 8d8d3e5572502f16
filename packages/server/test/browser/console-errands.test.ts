/**
 * Errands of a person who sees the console for the first time. Clicks are counted from Home, choices in a list included; each errand has a
 * time that a script needs with a third of a second for each click.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/std/clock.ts";
import { hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { openCase } from "../kit/console-rows.ts";
import { indexAll } from "../kit/search-index.ts";
import { bankAccount, fundedCustomer } from "../kit/story.ts";

const CLICK_MS = 300;
/** On two cores that do other work as well. */
const LONGEST_MS = 20_000;

describe.runIf(hasBrowser)("a newcomer's errand", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let home: string;
  let clicks: number;
  let begunAt: number;
  let reference: string;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    ({ page } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    await page.goto(home);
    const { story } = visit;
    const { customerId, accountId } = await fundedCustomer(story, 100_000);
    const failing = await bankAccount(story, { customerId, suffix: "004" });
    const failed = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: failing },
      amount: 1_250,
    });
    ({ reference } = failed.json);
    await story.call("POST", "/webhook-endpoints", {
      url: "http://127.0.0.1:9/hooks",
      events: ["INTERNAL_ACCOUNT.*"],
    });
    const source = await bankAccount(story, { customerId });
    await story.call("POST", "/transfer-in", {
      source: { accountId: source },
      destination: { accountId },
      amount: 4_200,
    });
    await story.call("PATCH", "/config", { statementTimeZone: "Europe/Lisbon" });
    await openCase(story);
    await story.settle();
    await indexAll(visit.server);
  }, 300_000);
  afterAll(() => visit?.close());

  async function begin(): Promise<void> {
    await page.goto(`${home}/home`);
    await settled(page);
    clicks = 0;
    begunAt = systemClock.now();
  }

  async function click(place: ReturnType<Page["locator"]>): Promise<void> {
    clicks += 1;
    await place.first().click();
  }

  function endsWithin(most: number): void {
    expect(clicks).toBeLessThanOrEqual(most);
    expect(systemClock.now() - begunAt + clicks * CLICK_MS).toBeLessThan(LONGEST_MS);
  }

  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const place = (name: string) =>
    page.getByRole("navigation").getByRole("link", { name, exact: true });
  const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name });

  it("is to find why a payment failed: three clicks", async () => {
    await begin();
    await click(page.locator("section", { hasText: "Last problems" }).locator("li a"));
    await page
      .getByText(/The bank rejected the transfer|Insufficient funds/)
      .first()
      .waitFor();
    endsWithin(3);
  });

  it.each([
    ["its name", () => "ana ruiz", /\/customers\/Customer:/],
    ["its reference", () => reference, /\/payments\/Transaction:/],
    ["its amount", () => "42.00", /\/payments\/Transaction:/],
  ])("is to find something by %s: no click", async (_, text, where) => {
    await begin();
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type(text());
    await page.keyboard.press("Enter");
    await page.waitForURL(where);
    endsWithin(0);
  });

  it("is to resend a webhook that has not arrived: three clicks", async () => {
    await begin();
    await click(page.getByRole("link", { name: /not arrived/ }));
    await click(page.locator("tbody").getByRole("button", { name: "Resend" }));
    await click(inDialog("Resend"));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    endsWithin(3);
  });

  it("is to find who changed a setting: three clicks", async () => {
    await begin();
    await click(place("Audit log"));
    const entry = page.locator("tbody tr", { hasText: "Europe/Lisbon" });
    await entry.first().waitFor();
    await expect.poll(() => entry.first().textContent()).toMatch(/statementTimeZone/);
    endsWithin(3);
  });

  it("is to refund an incoming payment: five clicks", async () => {
    await begin();
    await click(place("Payments"));
    await settled(page);
    await click(button("Incoming"));
    await page.waitForURL(/tab=incoming/);
    await settled(page);
    await click(page.locator("tbody tr", { hasText: "Completed" }).locator("a.row-link"));
    await click(button(/^Refund [\d,.]+ USD$/));
    await click(inDialog("Refund"));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    endsWithin(5);
  });

  it("is to rotate a key: four clicks", async () => {
    await begin();
    await click(place("Webhooks"));
    await click(page.getByRole("link", { name: /127\.0\.0\.1:9/ }));
    await click(button(/Rotate/));
    await click(inDialog("Rotate"));
    await page.getByRole("dialog").locator("pre").waitFor();
    endsWithin(4);
  });

  it("is to export the ledger of last month: four clicks", async () => {
    await begin();
    await click(place("Postings"));
    await click(button("Export"));
    await click(inDialog("Make the file"));
    const file = page.waitForEvent("download");
    await click(page.getByRole("link", { name: "Save the file" }));
    expect((await file).suggestedFilename()).toMatch(/^ledger-.*\.csv$/);
    endsWithin(4);
  });

  it("is to send a customer back for more: the case is taken, judged and left for the next one", async () => {
    await begin();
    await click(place("Verification"));
    await click(page.locator("tbody a.row-link"));
    await expect.poll(() => page.locator("canvas").count()).toBe(2);
    await click(button("Take the case"));
    await click(button("Ask for more"));
    await click(button(/What is wrong$/));
    await click(page.getByRole("option", { name: /Poor quality document/ }));
    await page.getByLabel("Words to the customer").fill("The scan is dark.");
    await click(inDialog("Send back"));
    await click(inDialog("Make a link"));
    await page.getByText(/\/verify\//).waitFor();
    await click(inDialog("Next case"));
    await page.waitForURL(/\/verifications(\/|$)/);
    endsWithin(10);
  });

  it("is to freeze a customer by name: three clicks", async () => {
    await begin();
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("freeze ana");
    await page.keyboard.press("Enter");
    await click(page.getByRole("dialog").getByRole("button", { name: /Reason/ }));
    await click(page.getByRole("option", { name: /Suspected fraud/ }));
    await click(inDialog("Freeze"));
    await page.getByText("Frozen").first().waitFor();
    endsWithin(3);
  });
});
