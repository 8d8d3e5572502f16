import { afterAll, describe, expect, it } from "vitest";
import { endReceivers } from "../kit/receivers.ts";
import { sharedServer } from "../kit/shared-server.ts";
import { type Funded, fundedCustomer, openStory, type Story } from "../kit/story.ts";
import { connectedAgent } from "../kit/story-agents.ts";
import { advance, holdingsOf } from "../kit/story-money.ts";
import { umaStage } from "../kit/story-uma.ts";

const BALANCE = 200_000;
const SENT = 50_000;
/** A lookup is good for ten minutes. */
const LATER_SECONDS = 601;

const server = await sharedServer();
afterAll(async () => {
  await endReceivers();
});

interface Sender extends Funded {
  readonly story: Story;
}

async function sender(): Promise<Sender> {
  const story = await openStory(server);
  return { story, ...(await fundedCustomer(story, BALANCE)) };
}

async function bodyFor({ story, accountId, customerId }: Sender, umaAddress: string) {
  const path = `/receiver/uma/${encodeURIComponent(umaAddress)}?customerId=${customerId}`;
  const { lookupId } = (await story.call("GET", path)).json;
  return {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: SENT,
    immediatelyExecute: true,
    lookupId,
  };
}

describe("a quote to a UMA address that is requested again with its key", () => {
  it("is the stored one after its lookup has expired, and takes no more money", async () => {
    const from = await sender();
    const { umaDomain } = (await from.story.call("GET", "/config")).json;
    const body = await bodyFor(from, `$success.usd@sandbox.${umaDomain}`);
    const first = await from.story.call("POST", "/quotes", body, { key: "once" });
    expect(first.status).toBe(201);
    await from.story.settle();
    await advance(from.story, LATER_SECONDS);

    const again = await from.story.call("POST", "/quotes", body, { key: "once" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const late = await from.story.call("POST", "/quotes", body);
    expect(late.json).toMatchObject({ status: 404, code: "LOOKUP_REQUEST_NOT_FOUND" });
    expect(await holdingsOf(from.story, from.accountId)).toMatchObject({
      available: BALANCE - SENT,
    });
  });

  it("is the stored one after the receiver is gone", async () => {
    const [from, to] = await Promise.all([sender(), umaStage(server, 202)]);
    const body = { ...(await bodyFor(from, to.umaAddress)), immediatelyExecute: false };
    const first = await from.story.call("POST", "/quotes", body, { key: "once" });
    expect(first.status).toBe(201);
    expect((await to.story.call("DELETE", `/customers/${to.customerId}`)).status).toBeLessThan(300);
    const again = await from.story.call("POST", "/quotes", body, { key: "once" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    const fresh = await from.story.call("POST", "/quotes", body, { key: "other" });
    expect(fresh.json).toMatchObject({ status: 404, code: "UMA_NOT_FOUND" });
  });

  it("is the stored refusal too, and not an answer to another body", async () => {
    const [from, to] = await Promise.all([sender(), umaStage(server, 202)]);
    const body = await bodyFor(from, to.umaAddress);
    const wanted = { ...body, destination: { ...body.destination, currency: "EUR" } };
    const first = await from.story.call("POST", "/quotes", wanted, { key: "once" });
    expect(first.json).toMatchObject({ status: 400, code: "INVALID_CURRENCY" });
    await to.story.call("PATCH", `/customers/${to.customerId}`, {
      customerType: "INDIVIDUAL",
      currencies: ["USD", "EUR"],
    });
    const again = await from.story.call("POST", "/quotes", wanted, { key: "once" });
    expect([again.status, again.text]).toEqual([400, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const other = { ...body, lookupId: "Lookup:019a4f00-0000-7000-8000-0000000000ff" };
    const reused = await from.story.call("POST", "/quotes", other, { key: "once" });
    expect(reused.json).toMatchObject({ status: 422, code: "IDEMPOTENCY_KEY_REUSED" });
  });
});

describe("an agent's quote to a UMA address", () => {
  it("is the stored one after its lookup has expired", async () => {
    const story = await openStory(server);
    const agent = await connectedAgent(story);
    const { umaDomain } = (await story.call("GET", "/config")).json;
    const payer = { story, ...agent, platformCustomerId: "" };
    const wish = await bodyFor(payer, `$success.usd@sandbox.${umaDomain}`);
    const body = { ...wish, immediatelyExecute: false };
    const first = await agent.call("POST", "/quotes", body, { key: "once" });
    expect(first.status, first.text).toBe(201);
    await advance(story, LATER_SECONDS);
    const again = await agent.call("POST", "/quotes", body, { key: "once" });
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("a credential whose mail address is the customer's", () => {
  it("stays refused for its key when the customer gets an address", async () => {
    const story = await openStory(server);
    const customer = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USDB"],
    });
    const customerId = customer.json.id;
    const accounts = await story.call(
      "GET",
      `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`,
    );
    const body = { type: "EMAIL_OTP", accountId: accounts.json.data[0].id };
    const first = await story.call("POST", "/auth/credentials", body, { key: "once" });
    expect(first.json).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    await story.call("PATCH", `/customers/${customerId}`, {
      customerType: "INDIVIDUAL",
      email: "ana@example.com",
    });
    const again = await story.call("POST", "/auth/credentials", body, { key: "once" });
    expect([again.status, again.text]).toEqual([400, first.text]);
    expect((await story.call("POST", "/auth/credentials", body, { key: "two" })).status).toBe(201);
  });
});
