/** The pages of developers: endpoints and their events, resends, the log of calls, keys. */
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
import { endReceivers, httpReceiver } from "../kit/receivers.ts";
import { fundedCustomer } from "../kit/story.ts";

describe.runIf(hasBrowser)("a developer in the console", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let home: string;
  let endpointId: string;
  let delivered = 0;
  beforeAll(async () => {
    visit = await openConsole();
    const receiver = await httpReceiver((request, response) => {
      delivered += 1;
      request.resume();
      response.writeHead(202).end("thanks");
    });
    const { story } = visit;
    const made = await story.call("POST", "/webhook-endpoints", { url: receiver.url, events: [] });
    endpointId = made.json.id;
    await fundedCustomer(story, 1_000);
    await story.settle();
    const context = await newContext(visit.browser);
    ({ page, complaints } = await newPage(context));
    await enterByLink(page, visit.startLink);
    home = page.url().replace(/\/home$/, "");
  }, 300_000);
  afterAll(async () => {
    await visit?.close();
    await endReceivers();
  });

  async function go(path: string): Promise<void> {
    await page.goto(`${home}/${path}`);
    await settled(page);
  }
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const inDialog = () => page.getByRole("dialog");
  const box = (text: string) => inDialog().locator("label").filter({ hasText: text });
  const eventsOf = async (id: string) =>
    (await visit.story.call("GET", `/webhook-endpoints/${id}`)).json.events;

  it("chooses the types of an endpoint in a tree with a search", async () => {
    await go(`webhooks/${endpointId}`);
    await button("Edit").click();
    await page.getByText(/gets every type/).waitFor();
    await page.getByLabel("Search the types").fill("frozen");
    await box("CUSTOMER: all").click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel("Search the types").fill("payment.failed");
    await box("INCOMING_PAYMENT.FAILED").click();
    await button("Save").click();
    await inDialog().waitFor({ state: "detached" });
    expect(await eventsOf(endpointId)).toEqual(["CUSTOMER.*", "INCOMING_PAYMENT.FAILED"]);
  });

  it("takes one type out of a group, and gets every type again with none", async () => {
    await go(`webhooks/${endpointId}`);
    await button("Edit").click();
    await page.getByLabel("Search the types").fill("customer");
    await box("CUSTOMER.FROZEN").click();
    await page.getByText(/CUSTOMER\.UNFROZEN.*INCOMING|INCOMING.*CUSTOMER\.UNFROZEN/).waitFor();
    expect(await inDialog().getByText("CUSTOMER.*").count()).toBe(0);
    await box("CUSTOMER: all").click();
    await box("CUSTOMER: all").click();
    await page.getByLabel("Search the types").fill("payment.failed");
    await box("INCOMING_PAYMENT.FAILED").click();
    await button("Save").click();
    await inDialog().waitFor({ state: "detached" });
    expect(await eventsOf(endpointId)).toEqual([]);
  });

  it("lets an endpoint take several events a request, and one again", async () => {
    const read = async () =>
      (await visit.story.call("GET", `/webhook-endpoints/${endpointId}`)).json.delivery;
    await go(`webhooks/${endpointId}`);
    await button("Edit").click();
    expect(await inDialog().getByLabel("Events a request, at most").count()).toBe(0);
    await inDialog()
      .getByRole("button", { name: /Requests$/ })
      .click();
    await page.getByRole("option", { name: "Several events a request" }).click();
    await inDialog().getByLabel("Events a request, at most").fill("500");
    await button("Save").click();
    await inDialog()
      .getByText(/at most 100|100 or less|<= 100/)
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await inDialog().getByLabel("Events a request, at most").fill("50");
    await button("Save").click();
    await inDialog().waitFor({ state: "detached" });
    expect(await read()).toEqual({ maxEvents: 50, maxWaitMs: 200 });
    await page.getByRole("tab", { name: "Overview" }).click();
    await page.getByText("Up to 50 events a request, after 200 ms at the latest").waitFor();
    await button("Edit").click();
    await inDialog()
      .getByRole("button", { name: /Requests$/ })
      .click();
    await page.getByRole("option", { name: "One event a request" }).click();
    await button("Save").click();
    await inDialog().waitFor({ state: "detached" });
    expect(await read()).toBeUndefined();
    await page.getByText("One event a request").waitFor();
  });

  it("sees what a test was answered, and how fast", async () => {
    await go(`webhooks/${endpointId}`);
    await button("Send a test").click();
    await inDialog().getByRole("button", { name: "Send a test" }).click();
    await inDialog().getByText("The receiver answered 202.").waitFor();
    await inDialog()
      .getByText(/^\d+ ms$/)
      .waitFor();
    await inDialog().getByText("thanks").waitFor();
  });

  it("filters events by a group of types, and sends one again to one endpoint", async () => {
    await go("events?type=INCOMING_PAYMENT.*");
    await page.getByText("INCOMING_PAYMENT: all").waitFor();
    expect(await page.getByText("INTERNAL_ACCOUNT.BALANCE_UPDATED").count()).toBe(0);
    await page.getByRole("row").getByRole("link").first().click();
    await button("Resend").click();
    await inDialog()
      .getByRole("button", { name: /Endpoint/ })
      .click();
    await page.getByRole("option", { name: /127\.0\.0\.1/ }).click();
    const before = delivered;
    await inDialog().getByRole("button", { name: "Resend" }).click();
    await inDialog().waitFor({ state: "detached" });
    await visit.story.settle();
    await expect.poll(() => delivered).toBe(before + 1);
  });

  it("follows the calls of programs live, and pauses", async () => {
    await go("requests");
    await page.getByText(/for 7 days unless the operator/).waitFor();
    await button("Follow live").click();
    await page.getByText("Live. New calls come in at the top.").waitFor();
    const path = "/customers?platformCustomerId=seen-live";
    await visit.story.call("GET", path, undefined, { headers: { "x-request-id": "seen-live" } });
    await page.getByRole("row").filter({ hasText: "/customers" }).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await button("Pause").click();
    await button("Follow live").waitFor();
    expect(page.url()).not.toContain("live=on");
  });

  it("sees the calls under one key, and a call to repeat", async () => {
    const body = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] };
    const key = { key: "twice-the-same" };
    await visit.story.call("POST", "/customers", body, key);
    await visit.story.call("POST", "/customers", body, key);
    await expect
      .poll(async () => {
        const query = "/request-logs?idempotencyKey=twice-the-same";
        return (await visit.story.call("GET", query)).json.data.length;
      })
      .toBe(2);
    await go("requests?idempotencyKey=twice-the-same");
    await page.getByRole("row").getByRole("link").first().click();
    const same = page.getByRole("heading", { name: "Calls under the same key" }).locator("../..");
    await same.getByRole("link", { name: "POST /customers" }).waitFor();
    await page
      .getByText(/curl -X POST/)
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("sees what a key was used for before it is revoked", async () => {
    await go("api-keys");
    const revoke = page.getByRole("button", { name: "Revoke" });
    await revoke.first().click();
    await inDialog()
      .getByText(/calls in the last 24 hours, the newest|Nothing used it/)
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("sees on every page that an endpoint fails", async () => {
    const before = complaints.length;
    await page.clock.install();
    await go("payments");
    const banner = page.getByRole("region", { name: "Failing endpoints" });
    const url = "http://127.0.0.1:9/hooks";
    const { json } = await visit.story.call("POST", "/webhook-endpoints", { url, events: [] });
    await fundedCustomer(visit.story, 1_000);
    const path = `/webhook-endpoints/${json.id}`;
    await expect.poll(async () => (await visit.story.call("GET", path)).json.state).toBe("FAILING");
    await settled(page);
    expect(await banner.count()).toBe(0);
    // No notice tells of an outage.
    await page.clock.fastForward(15_000);
    await banner.getByText(url).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await banner.getByRole("link", { name: "See what failed" }).click();
    await page.waitForURL(/\/webhooks\/WebhookEndpoint:/);
    expect(complaints.slice(before)).toEqual([]);
  });
});
