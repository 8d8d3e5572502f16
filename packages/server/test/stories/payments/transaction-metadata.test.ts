/** The metadata of a payment, replaced afterwards: who may, what shows it, what the audit log keeps. */
import { describe, expect, it } from "vitest";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { listenTo } from "../../kit/story-webhooks.ts";

const server = await sharedServer();

interface Paid {
  readonly id: string;
  readonly path: string;
}

async function paid(story: Story, metadata: object): Promise<Paid> {
  const { customerId, accountId } = await fundedCustomer(story);
  const payee = await bankAccount(story, { customerId });
  const { json } = await story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: payee },
    amount: 500,
    metadata,
  });
  return { id: json.id, path: `/transactions/${json.id}` };
}

describe("the metadata of a payment", () => {
  it("is replaced before and after it completes, and found by the new value alone", async () => {
    const story = await openStory(server);
    await story.call("PATCH", "/config", { searchableMetadata: ["orderId"] });
    const receiver = await listenTo(story);
    const { id, path } = await paid(story, { orderId: "17", note: "a" });
    const changed = await story.call("PATCH", path, { metadata: { orderId: "18" } });
    expect([changed.status, changed.json.metadata]).toEqual([200, { orderId: "18" }]);
    await story.settle();
    const final = await story.call("GET", path);
    expect(final.json).toMatchObject({ status: "COMPLETED", metadata: { orderId: "18" } });
    const told = (await receiver.events()).length;
    const again = await story.client.transactions.update(id, { metadata: { orderId: "19" } });
    expect(again.metadata).toEqual({ orderId: "19" });
    const found = async (value: string) =>
      (await story.call("GET", `/transactions?metadata[orderId]=${value}`)).json.data.map(
        (one: { readonly id: string }) => one.id,
      );
    expect([await found("17"), await found("18"), await found("19")]).toEqual([[], [], [id]]);
    expect(Date.parse(again.updatedAt)).toBeGreaterThanOrEqual(Date.parse(final.json.updatedAt));
    await story.settle();
    expect((await receiver.events()).length).toBe(told);
    const { json } = await story.call("PATCH", path, { metadata: {} });
    expect(json).not.toHaveProperty("metadata");
  });

  it("is in the events that come after the change, and the other side keeps its own", async () => {
    const story = await openStory(server);
    const [payer, payee] = [await fundedCustomer(story), await fundedCustomer(story, 0)];
    const { json } = await story.call("POST", "/transfers", {
      source: { accountId: payer.accountId },
      destination: { accountId: payee.accountId },
      amount: 500,
      metadata: { orderId: "17" },
    });
    const other = json.counterpartTransactionId;
    await story.call("PATCH", `/transactions/${other}`, { metadata: { orderId: "18" } });
    await story.call("POST", `/transactions/${other}/refund`, { reason: "OTHER" });
    const told = (await story.call("GET", `/events?resourceId=${other}&limit=1`)).json.data[0];
    expect(told.data).toMatchObject({ status: "REFUNDED", metadata: { orderId: "18" } });
    const mine = await story.call("GET", `/transactions/${json.id}`);
    expect(mine.json.metadata).toEqual({ orderId: "17" });
  });

  it("is not changed by a wrong body, by another platform, or without the permission of a payment", async () => {
    const story = await openStory(server);
    const { path } = await paid(story, { orderId: "17" });
    for (const body of [
      {},
      [],
      { metadata: null },
      { metadata: "a" },
      { metadata: { "a b": "c" } },
      { metadata: { a: 1 } },
      { metadata: { a: "b" }, status: "FAILED" },
    ]) {
      const { status, json } = await story.call("PATCH", path, body);
      expect([body, status, json.code]).toEqual([body, 400, "INVALID_INPUT"]);
    }
    const other = await openStory(server);
    const unknown = "/transactions/Transaction:019a4f00-0000-7000-8000-0000000000ee";
    const change = { metadata: { a: "b" } };
    const ofOther = await other.call("PATCH", path, change);
    const ofNone = await other.call("PATCH", unknown, change);
    expect([ofOther.status, ofOther.json.code]).toEqual([404, "TRANSACTION_NOT_FOUND"]);
    expect(ofOther.json.message).toBe(ofNone.json.message);
    expect((await story.call("GET", path)).json.metadata).toEqual({ orderId: "17" });
  });

  it("has an audit entry of the token or the person, without the values", async () => {
    const { workspaceId } = await server.makePlatform();
    const story = await openStory(server, { workspaceId });
    const { id, path } = await paid(story, { orderId: "17" });
    const entries = async () =>
      (await story.call("GET", "/audit-entries?act=change-transaction-metadata")).json.data;
    await story.call("PATCH", path, { metadata: { orderId: "17" } });
    expect(await entries()).toEqual([]);
    await story.call("PATCH", path, { metadata: { orderId: "canary-1" } });
    const owner = await makeOwner(server, workspaceId);
    const { browser: finance } = await makePerson(owner, ["FINANCE"]);
    const { browser: approver } = await makePerson(owner, ["APPROVER"]);
    const change = { metadata: { orderId: "canary-2" } };
    expect((await approver.at(story.platformId)("PATCH", path, change)).status).toBe(403);
    expect((await finance.at(story.platformId)("PATCH", path, change)).status).toBe(200);
    const [byPerson, byToken, ...others] = await entries();
    expect(others).toEqual([]);
    for (const entry of [byPerson, byToken]) {
      expect(entry).toMatchObject({
        target: { kind: "Transaction", id },
        changes: [{ field: "metadata", before: "(changed)", after: "(changed)" }],
      });
      expect(JSON.stringify(entry)).not.toContain("canary");
    }
    expect([byPerson.actor.kind, byToken.actor.kind]).toEqual(["person", "token"]);
  });
});
