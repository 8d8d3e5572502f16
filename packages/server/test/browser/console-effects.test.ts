/** What a payment would do, in the dialogs of the console: before it is sent, and without sending it. */
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
import { bankAccount, fundedCustomer } from "../kit/story.ts";
import { askQuote, euroAccount } from "../kit/story-quotes.ts";
import { balanceOf } from "../kit/story-rails.ts";

describe.runIf(hasBrowser)("the dialog of a payment", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  let accountId: string;
  const made = { out: "", book: "", arrived: "", quote: "" };

  beforeAll(async () => {
    visit = await openConsole();
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    const { story } = visit;
    const payer = await fundedCustomer(story, 500_000);
    const payee = await fundedCustomer(story, 1_000);
    ({ accountId } = payer);
    const pay = async (path: string, to: string, amount: number) =>
      story.call("POST", path, {
        source: { accountId },
        destination: { accountId: to },
        amount,
      });
    made.out = (await pay("/transfer-out", await bankAccount(story, payer), 12_500)).json.id;
    const book = await pay("/transfers", payee.accountId, 20_000);
    made.book = book.json.id;
    made.arrived = book.json.counterpartTransactionId;
    const to = await euroAccount(story, payer.customerId);
    made.quote = (await askQuote(story, { from: accountId, to, amount: 10_000 })).json.id;
    await story.settle();
  }, 300_000);
  afterAll(() => visit?.close());

  const dialog = () => page.getByRole("dialog");
  const effects = () => dialog().getByRole("region", { name: "What changes" });
  const shown = async () => (await effects().innerText()).replaceAll(/\s+/g, "");
  const open = async (place: string) => {
    await page.goto(`${home}/${place}`);
    await dialog().waitFor();
  };

  it("shows balances before and after in the review, for both accounts of a book transfer", async () => {
    await open(`payments/${made.book}?act=again`);
    await dialog().getByRole("textbox", { name: "Amount" }).fill("50.00");
    await dialog().getByRole("button", { name: "Review" }).click();
    await effects().waitFor();
    await expect.poll(shown).toMatch(/4,675\.00→becomes4,625\.00USD.*210\.00→becomes260\.00USD/);
    expect(await shown()).not.toMatch(/InternalAccount|[0-9a-f]{8}-/);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await balanceOf(visit.story, accountId)).toBe(467_500);
  });

  it("says the refusal, and sends all the same when asked to", async () => {
    await open(`payments/${made.out}?act=again`);
    await dialog().getByRole("textbox", { name: "Amount" }).fill("9000");
    await dialog().getByRole("button", { name: "Review" }).click();
    const refusal = dialog().getByText("It would be refused now.");
    await refusal.waitFor();
    await expect
      .poll(() => refusal.innerText())
      .toMatch(/Ana Ruiz.* has 4,675\.00 USD available, and 9,000\.00 USD is needed\./);
    const send = dialog().getByRole("button", { name: "Send" });
    expect(await send.isEnabled()).toBe(true);
    await page.keyboard.press("Escape");
  });

  it("follows the amount of a refund, and the direction of an adjustment", async () => {
    await open(`payments/${made.arrived}?act=refund`);
    await expect.poll(shown).toMatch(/210\.00→becomes10\.00USD/);
    await dialog().getByRole("textbox", { name: "Amount" }).fill("1.00");
    await expect.poll(shown).toMatch(/210\.00→becomes209\.00USD/);
    await page.goto(`${home}/accounts/${accountId}`);
    await settled(page);
    await page.getByRole("button", { name: "Adjust balance" }).first().click();
    await dialog().getByRole("textbox", { name: "Amount" }).fill("5.00");
    expect(await effects().count()).toBe(0);
    await dialog()
      .getByRole("button", { name: /Reason/ })
      .click();
    await page.getByRole("option", { name: "Goodwill" }).click();
    await dialog().getByLabel("Note").fill("The payout was late");
    await expect.poll(shown).toMatch(/4,675\.00→becomes4,680\.00USD.*mustapprovethis/);
  });

  it("shows the execution of a quote, and does it once it is sent", async () => {
    await page.goto(`${home}/quotes/${made.quote}`);
    await settled(page);
    await page.getByRole("button", { name: "Execute" }).first().click();
    await expect.poll(shown).toMatch(/4,675\.00→becomes4,575\.00USD/);
    await dialog().getByRole("button", { name: "Execute" }).click();
    await dialog().waitFor({ state: "detached" });
    expect(await balanceOf(visit.story, accountId)).toBe(457_500);
    // The browser tells of the refusal.
    expect(complaints.filter((one) => !one.includes("status of 400"))).toEqual([]);
  });
});
