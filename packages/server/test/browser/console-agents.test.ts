/** Agents in the console: what a change of a policy would do, the orders of an agent, and its code. */
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
import { connectedAgent, newAgent, type StoryAgent } from "../kit/story-agents.ts";

describe.runIf(hasBrowser)("an agent in the console", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  let agent: StoryAgent;
  beforeAll(async () => {
    visit = await openConsole();
    const context = await newContext(visit.browser);
    ({ page, complaints } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
    agent = await connectedAgent(visit.story, {
      policy: { approvalThresholds: { currency: "USD", amount: 40_000 } },
    });
    await agent.pay(10_000);
    await agent.pay(30_000);
    await agent.pay(50_000);
    await visit.story.settle();
  }, 300_000);
  afterAll(() => visit?.close());

  async function go(path: string): Promise<void> {
    await page.goto(`${home}/${path}`);
    await settled(page);
  }

  it("stands in the list with what waits, and says why it waits", async () => {
    await go("agents");
    await page.getByText("Above the approval threshold").first().waitFor();
    const row = page.getByRole("row").filter({ hasText: "Bill payer" });
    await row.getByText("1", { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("shows in the editor what changes, and which orders would be judged differently", async () => {
    await go(`agents/${agent.agentId}`);
    await page.getByRole("button", { name: "Edit the policy" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Nothing changes.").waitFor();
    await dialog.getByLabel("At most a payment").fill("200.00");
    await dialog.getByText("2 of 3 would be refused now.").waitFor();
    const orders = dialog.getByRole("region", { name: "Orders of the last 30 days" });
    await orders.getByText("Per transaction limit").first().waitFor();
    const [link] = await orders.getByRole("link").all();
    expect(await link?.getAttribute("href")).toMatch(/\/agents\/Agent:/);
    expect(await orders.getByRole("link").nth(1).getAttribute("href")).toMatch(/\/payments\//);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByLabel("At most a payment").fill("1000.00");
    await dialog.getByLabel("Asks from").fill("");
    await dialog.getByText("1 of 3 would no longer wait for a person.").waitFor();
    await dialog.getByText(/may do more than before/).waitFor();
    const { policy } = (await visit.story.call("GET", `/agents/${agent.agentId}`)).json;
    expect(policy.approvalThresholds).toEqual({ currency: "USD", amount: 40_000 });
  });

  it("says why the server would refuse the change", async () => {
    await go(`agents/${agent.agentId}`);
    await page.getByRole("button", { name: "Edit the policy" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: /^Accounts/ }).fill("InternalAccount:1");
    await dialog.getByText(/none of the customer's internal accounts/).waitFor();
  });

  it("has its orders with their state and the rule", async () => {
    await go(`agents/${agent.agentId}?view=orders`);
    await page
      .getByRole("link", { name: /300\.00/ })
      .first()
      .waitFor();
    await page.getByText("Pending approval").first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("connects by a code that a camera reads, which says until when", async () => {
    await go(`agents/${(await newAgent(visit.story)).agentId}`);
    await page.getByRole("button", { name: "Connect" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Make a code" }).click();
    await dialog.getByRole("img", { name: "Device code" }).waitFor();
    await dialog.getByText("It can be redeemed until").waitFor();
    // The refused preview of above is the only one.
    expect(complaints.filter((one) => !one.includes("404"))).toEqual([]);
  });
});
