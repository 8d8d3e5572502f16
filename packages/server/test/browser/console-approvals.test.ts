/** Orders that wait for another person, as two people meet them: one asks at a desk, the other answers on a phone. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import { passkeysOf } from "../kit/browser-passkeys.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  type OpenPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { bankAccount, fundedCustomer } from "../kit/story.ts";
import { newAgent } from "../kit/story-agents.ts";
import { askQuote, euroAccount } from "../kit/story-quotes.ts";
import { balanceOf } from "../kit/story-rails.ts";
import { begun, newBusiness } from "../kit/story-verifications.ts";

describe.runIf(hasBrowser)("an order that waits, in the console", () => {
  let visit: ConsoleVisit;
  let desk: OpenPage;
  let phone: OpenPage;
  let home: string;
  let accountId: string;
  let payerId: string;

  beforeAll(async () => {
    visit = await openConsole();
    desk = await newPage(await newContext(visit.browser));
    await enterByLink(desk.page, visit.startLink);
    home = desk.page.url().replace(/\/home$/, "");
    phone = await newPage(await newContext(visit.browser, { width: 390 }));
    await joinAs(phone.page, "Approver");
    const { customerId, ...made } = await fundedCustomer(visit.story, 100_000);
    ({ accountId } = made);
    payerId = await bankAccount(visit.story, { customerId });
  }, 300_000);
  afterAll(() => visit?.close());

  /** Invited by the desk; with a passkey of their own. */
  async function joinAs(page: Page, role: string, name = "Ben"): Promise<void> {
    const email = `${name.toLowerCase()}@example.com`;
    // Not settled: that polls, which only a test may.
    await desk.page.goto(`${home}/team`);
    await desk.page.getByRole("button", { name: "Invite" }).click();
    await desk.page.getByLabel("Name").fill(`${name} Stone`);
    await desk.page.getByLabel("Email").fill(email);
    await desk.page.getByRole("button", { name: /Role$/ }).click();
    await desk.page.getByRole("option", { name: role }).click();
    await desk.page.getByRole("button", { name: "Make a link" }).click();
    const link = await desk.page.getByText(/\/console\/invite#/).innerText();
    await desk.page.getByRole("button", { name: "Done" }).click();
    await (await passkeysOf(page)).use("phone");
    await page.goto(link);
    await page.getByLabel("Your email address").fill(email);
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.waitForURL(/\/home$/);
  }

  async function go(page: Page, place: string): Promise<void> {
    await page.goto(`${home}/${place}`);
    await settled(page);
  }

  /** By the form of the account. The dialog says that it waits; the page of the approval is open afterwards. */
  async function askToAdjust(amount: string): Promise<void> {
    const { page } = desk;
    await go(page, `accounts/${accountId}`);
    await page.getByRole("button", { name: "Adjust balance" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount").fill(amount);
    await dialog.getByRole("button", { name: /Reason$/ }).click();
    await page.getByRole("option", { name: "Goodwill" }).click();
    await dialog.getByLabel("Note").fill("For the late payout of May");
    await dialog.getByRole("button", { name: "Adjust balance" }).click();
    await dialog.getByText("Another person must approve this.").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole("link", { name: "Show the request" }).click();
    await page.waitForURL(/approvals\/Approval:/);
    await settled(page);
  }

  /** What has no room of its own at this width. */
  const overflow = (page: Page) =>
    page.evaluate("document.documentElement.scrollWidth - innerWidth");

  async function openFirstOnPhone(): Promise<void> {
    const { page } = phone;
    await page.reload();
    await settled(page);
    await page.getByRole("link", { name: /Approvals/ }).click();
    await page.waitForURL(/\/approvals$/);
    await settled(page);
    await page.locator("a.row-link").first().click();
    await page.waitForURL(/approvals\/Approval:/);
    await settled(page);
  }

  it("is asked for by a form that says so, and cannot be decided by who asked", async () => {
    await askToAdjust("12.50");
    const { page } = desk;
    await page.getByText("You asked for this, or made the API key").waitFor();
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    expect(await balanceOf(visit.story, accountId)).toBe(100_000);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("is found by its count and approved with a passkey at 390 px", async () => {
    const { page } = phone;
    await openFirstOnPhone();
    await page.getByText("Adjustment of a balance").first().waitFor();
    await page.getByText("Ada Lovelace").first().waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("12.50 USD").first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Approve with passkey" }).dblclick();
    await page.getByText("Done", { exact: true }).first().waitFor();
    await settled(page);
    expect(await balanceOf(visit.story, accountId)).toBe(101_250);
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  });

  it("is refused with a note, or taken back by who asked, and nothing moves", async () => {
    await askToAdjust("3.00");
    await openFirstOnPhone();
    const { page } = phone;
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("dialog").getByLabel("Note").fill("<b>No such promise</b>");
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await page.getByText("<b>No such promise</b>").waitFor();
    await page.getByText("Rejected", { exact: true }).first().waitFor();

    await askToAdjust("4.00");
    await desk.page.getByRole("button", { name: "Take back" }).click();
    await desk.page.getByRole("dialog").getByRole("button", { name: "Take back" }).click();
    await desk.page.getByText("Cancelled", { exact: true }).first().waitFor();
    expect(await balanceOf(visit.story, accountId)).toBe(101_250);
  });

  it("shows an adjustment with the account once it is posted", async () => {
    const { page } = desk;
    await go(page, `accounts/${accountId}?view=adjustments`);
    await page.getByText("For the late payout of May").first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("is a refund by its form, once the policy of the platform says so", async () => {
    const { page } = desk;
    await go(page, "settings");
    const rule = page.locator("dl > div", { hasText: /^Payment/ });
    await rule.getByText("Does not wait").waitFor();
    await rule.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /Rule$/ }).click();
    await page.getByRole("option", { name: "Waits for another person" }).click();
    await dialog.getByRole("button", { name: /Currency/ }).click();
    await page.getByRole("option", { name: "USD", exact: true }).click();
    await dialog.getByLabel(/^Above this amount/).fill("no");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.locator("[data-invalid]").first().waitFor();
    await dialog.getByLabel(/^Above this amount/).fill("10.00");
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await rule.getByText("Waits for another person, above 10.00 USD").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const { data } = await fetchPolicies(page);
    expect(data[0].rules.PAYMENT).toMatchObject({ waits: true, above: { USD: 1_000 } });

    const { story } = visit;
    const paid = await story.call("POST", "/transfer-in", {
      source: { accountId: payerId },
      destination: { accountId },
      amount: 2_000,
    });
    await story.settle();
    const before = await balanceOf(story, accountId);
    await go(page, `payments/${paid.json.id}`);
    await page.getByRole("button", { name: "Refund 20.00 USD" }).click();
    await dialog.getByRole("button", { name: /Reason$/ }).click();
    await page.getByRole("option", { name: /Duplicate/ }).click();
    await dialog.getByRole("button", { name: "Refund 20.00 USD" }).click();
    await dialog.getByText("Another person must approve this.").waitFor();
    expect(await balanceOf(story, accountId)).toBe(before);
    await openFirstOnPhone();
    await phone.page.getByRole("heading", { name: "20.00 USD" }).waitFor();
    await phone.page.getByText("Refund", { exact: true }).first().waitFor();
    await phone.page.getByRole("button", { name: "Approve" }).click();
    await phone.page.getByRole("button", { name: "Approve with passkey" }).click();
    await phone.page.getByText("Done", { exact: true }).first().waitFor();
    expect(await balanceOf(story, accountId)).toBe(before - 2_000);
  });

  it("is a quote above the amount of the policy, whose execution leads to its approval", async () => {
    const { page } = desk;
    const { story } = visit;
    const { customerId, accountId: from } = await fundedCustomer(story, 100_000);
    const to = await euroAccount(story, customerId);
    const quote = (await askQuote(story, { from, to, amount: 10_850 })).json;
    await go(page, `quotes/${quote.id}`);
    await page.getByRole("button", { name: "Execute", exact: true }).click();
    const answered = page.waitForResponse(/\/execute$/);
    const execute = page.getByRole("dialog").getByRole("button", { name: "Execute", exact: true });
    await execute.click();
    expect((await answered).status()).toBe(202);
    await showRequest();
    await page.getByRole("heading", { name: "108.50 USD" }).waitFor();
    await page
      .getByText(/Payee gets/)
      .first()
      .waitFor();
    await page.getByText(/^1 EUR = [\d.]+ USD$/).waitFor();
    expect(await balanceOf(story, from)).toBe(100_000);
  });

  /** By the policy of the platform. */
  async function letWait(kind: string): Promise<void> {
    const { page } = desk;
    await go(page, "settings");
    const rule = page.locator("dl > div", { hasText: new RegExp(`^${kind}`) });
    await rule.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /Rule$/ }).click();
    await page.getByRole("option", { name: "Waits for another person" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await rule.getByText("Waits for another person").waitFor();
  }

  /** From the dialog of an act that waits to the page of its approval. */
  async function showRequest(): Promise<void> {
    const { page } = desk;
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Another person must approve this.").waitFor();
    await dialog.getByRole("link", { name: "Show the request" }).click();
    await page.waitForURL(/approvals\/Approval:/);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  }

  it("is a policy of an agent, before and after, and its device code", async () => {
    const { page } = desk;
    const { story } = visit;
    const { agentId } = await newAgent(story, {
      policy: { defaultExecutionMode: "APPROVAL_REQUIRED" },
    });
    await letWait("Agent");
    await go(page, `agents/${agentId}`);
    await page.getByRole("button", { name: "Edit the policy" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("At most a payment").fill("2000.00");
    await dialog.getByRole("button", { name: "Save" }).click();
    await showRequest();
    await page.getByRole("heading", { name: "Change of an agent's policy" }).waitFor();
    const limit = page.locator("dl > div", { hasText: /at most a payment/ });
    await expect
      .poll(() => limit.locator("dd").innerText())
      .toBe("1,000.00 USD \u2192 2,000.00 USD");
    await openFirstOnPhone();
    await phone.page.getByText("2,000.00 USD").first().waitFor();
    expect(await overflow(phone.page)).toBe(0);
    await phone.page.getByRole("button", { name: "Approve" }).click();
    await phone.page.getByRole("button", { name: "Approve with passkey" }).click();
    await phone.page.getByText("Done", { exact: true }).first().waitFor();
    const { policy } = (await story.call("GET", `/agents/${agentId}`)).json;
    expect(policy.spendingLimits.perTransactionLimit).toBe(200_000);

    await go(page, `agents/${agentId}`);
    await page.getByRole("button", { name: "Connect" }).click();
    await dialog.getByRole("button", { name: "Make a code" }).click();
    await dialog.getByText(/^SERVICE-AGENT-/).waitFor();
    await dialog.getByText("This is shown once").waitFor();
    await showRequest();
    await page.getByRole("heading", { name: "Device code for an agent" }).waitFor();
  });

  it("is the end of a freeze, with its reason, and the approval of a rejected case", async () => {
    const { page } = desk;
    const { story } = visit;
    const other = await newPage(await newContext(visit.browser));
    await joinAs(other.page, "Compliance", "Carla");
    for (const kind of ["End of a freeze", "Approval after a rejection"]) await letWait(kind);
    const { customerId } = await fundedCustomer(story, 0);
    await story.call("POST", `/customers/${customerId}/freeze`, { reason: "LEGAL_ORDER" });
    await go(page, `customers/${customerId}`);
    await page.getByRole("button", { name: "Unfreeze" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unfreeze" }).click();
    await showRequest();
    await page.getByText("Legal order").waitFor();
    await page.getByText("Payments out", { exact: true }).waitFor();

    const id = await begun(story, await newBusiness(story), "PENDING_MANUAL_REVIEW");
    const rejection = { outcome: "REJECTED", reasonCode: "APPLICANT_SANCTIONED", note: "list 7" };
    await story.call("POST", `/verifications/${id}/decide`, rejection);
    await go(page, `verifications/${id}`);
    await page.getByRole("button", { name: "Approve after the rejection" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Note").fill("The match was another person.");
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Approve" }).click();
    await showRequest();
    await page.getByText("Applicant sanctioned").waitFor();
    await page.getByText("list 7").waitFor();
    await page.getByText("The match was another person.").waitFor();
    await other.page.goto(page.url());
    await other.page.getByRole("button", { name: "Approve" }).click();
    await other.page.getByRole("button", { name: "Approve with passkey" }).click();
    await other.page.getByText("Done", { exact: true }).first().waitFor();
    expect((await story.call("GET", `/verifications/${id}`)).json.verificationStatus).toBe(
      "APPROVED",
    );
    expect(other.complaints).toEqual([]);
  });

  /** As the page reads it. */
  async function fetchPolicies(page: Page) {
    const answer = page.waitForResponse(/\/console\/api\/workspace\/policies$/);
    await page.reload();
    return (await answer).json();
  }

  it.each([390, 1440])("is accessible and quiet in every list at %i px", async (width) => {
    const { page } = desk;
    await page.setViewportSize({ width, height: 900 });
    for (const tab of ["decide", "requested", "decided", "all"]) {
      await go(page, `approvals?tab=${tab}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
    }
    expect(desk.complaints).toEqual([]);
    expect(phone.complaints).toEqual([]);
  });
});
