/** The lab of a sandbox: the outcomes of its tables, and its clock. */
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
import { askQuote, euroAccount } from "../kit/story-quotes.ts";

describe.runIf(hasBrowser)("the lab of a sandbox", () => {
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
  }, 300_000);
  afterAll(() => visit?.close());

  async function lab(): Promise<void> {
    await page.goto(`${home}/sandbox`);
    await settled(page);
  }
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

  it("has a button for each outcome, and says what it does", async () => {
    await lab();
    await page.getByText("Is unknown for 30 seconds, then fails.").waitFor();
    await page.getByText("No quote waits to expire.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  const runs: readonly (readonly [string, RegExp, string])[] = [
    ["Pay 002, Payments out", /\/payments\/Transaction:/, "Failed"],
    ["Pay by quote 002, Quotes", /\/payments\/Transaction:/, "Failed"],
    ["Create 002, Verification of people", /\/customers\/Customer:/, "Rejected"],
    ["Create 002, Verification of businesses", /\/customers\/Customer:/, "Muster GmbH 002"],
    ["Add 102, Name checks", /\/external-accounts\/ExternalAccount:/, "Not matched"],
  ];
  it.each(runs)("makes one by %s, and leads to it", async (name, place, word) => {
    await lab();
    await press(name);
    await page.waitForURL(place);
    await visit.story.settle();
    await page.getByText(word).first().waitFor();
  });

  it("moves the clock to the next quote that expires, and shows what happened", async () => {
    const { story } = visit;
    const { customerId, accountId } = await fundedCustomer(story, 100_000);
    const to = await euroAccount(story, customerId);
    const quote = (await askQuote(story, { from: accountId, to, amount: 10_000 })).json;
    await page.goto(`${home}/quotes/${quote.id}`);
    await page.getByText(/^Variable fee, [0-9.]+ %$/).waitFor();
    await page.getByText("Exchanged").waitFor();
    await lab();
    await page.getByText(/expires in [0-5]:[0-5][0-9]/).waitFor();
    await press("Move there");
    const happened = page.getByRole("region", { name: "While the clock moved" });
    await happened.getByText("OUTGOING_PAYMENT.EXPIRED").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect((await story.call("GET", `/quotes/${quote.id}`)).json.status).toBe("EXPIRED");
    expect(complaints).toEqual([]);
  });
});
