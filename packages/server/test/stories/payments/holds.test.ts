/** Holds over HTTP: money is set aside, paid, given back, and given back by itself. */
import { describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { eventsOf } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { holdingsOf, ledgerOf, rowCounts } from "../../kit/story-money.ts";

const server = await sharedServer();
const NOBODY = "019a4f00-0000-7000-8000-0000000000ee";
const DAY_S = 86_400;

async function newAccount(amount = 1_000) {
  const story = await openStory(server);
  const { accountId, customerId } = await fundedCustomer(story, amount);
  const path = `/internal-accounts/${accountId}/holds`;
  const hold = async (held: number, more: object = {}): Promise<string> => {
    const { status, json, text } = await story.call("POST", path, { amount: held, ...more });
    if (status !== 201) throw new Error(text);
    return json.id;
  };
  const capture = (id: string, accountIdOfPayee: string, more: object = {}) =>
    story.call("POST", `/holds/${id}/capture`, {
      destination: { accountId: accountIdOfPayee },
      ...more,
    });
  const shown = async (id: string) => (await story.call("GET", `/holds/${id}`)).json;
  return { story, accountId, customerId, path, hold, capture, shown };
}

async function typesOf(story: Story, subject: string) {
  return (await eventsOf(story, subject)).map(({ type }) => type);
}

async function inSeconds(story: Story, seconds: number): Promise<string> {
  const { now } = (await story.call("GET", "/sandbox/clock")).json;
  return new Date(Date.parse(now) + seconds * 1_000).toISOString();
}

const advance = (story: Story, seconds: number) =>
  story.call("POST", "/sandbox/clock/advance", { seconds });

describe("a hold", () => {
  it("lowers what is available, not the total, and pays the sellers of an order in parts", async () => {
    const { story, accountId, hold, capture, shown } = await newAccount();
    const { accountId: seller } = await fundedCustomer(story, 0);
    const id = await hold(800, { description: "Order 1042", metadata: { order: "1042" } });
    expect(await holdingsOf(story, accountId)).toEqual({ available: 200, total: 1_000 });
    const first = await capture(id, seller, { amount: 300, final: false });
    expect([first.status, first.json.status, first.json.holdId]).toEqual([201, "COMPLETED", id]);
    expect(await holdingsOf(story, accountId)).toEqual({ available: 200, total: 700 });
    const second = await capture(id, seller, { amount: 400, description: "The last parcel" });
    expect(await holdingsOf(story, accountId)).toEqual({ available: 300, total: 300 });
    expect(await holdingsOf(story, seller)).toEqual({ available: 700, total: 700 });
    expect(await shown(id)).toMatchObject({
      status: "CAPTURED",
      amount: { amount: 800 },
      capturedAmount: { amount: 700 },
      heldAmount: { amount: 0 },
      transactionIds: [first.json.id, second.json.id],
      description: "Order 1042",
      metadata: { order: "1042" },
    });
    expect(await typesOf(story, id)).toEqual(["HOLD.CREATED", "HOLD.CAPTURED", "HOLD.CAPTURED"]);
    expect((await capture(id, seller)).json).toMatchObject({
      code: "CONFLICT",
      details: { status: "CAPTURED" },
    });
  });

  it("pays an external account, and the money of a failed payment comes back as available", async () => {
    const { story, accountId, customerId, hold, capture, shown } = await newAccount();
    const good = await bankAccount(story, { customerId });
    const bad = await bankAccount(story, { customerId, suffix: "004" });
    const id = await hold(900);
    const paid = await capture(id, good, {
      amount: 500,
      final: false,
      remittanceInformation: "A1",
    });
    expect(paid.json).toMatchObject({ status: "PENDING", remittanceInformation: "A1", holdId: id });
    const failing = await capture(id, bad, { amount: 100, final: false });
    await story.settle();
    expect((await story.call("GET", `/transactions/${paid.json.id}`)).json.status).toBe(
      "COMPLETED",
    );
    expect((await story.call("GET", `/transactions/${failing.json.id}`)).json.status).toBe(
      "FAILED",
    );
    expect(await ledgerOf(story, accountId)).toEqual({ available: 200, held: 300 });
    expect(await shown(id)).toMatchObject({ status: "OPEN", heldAmount: { amount: 300 } });
  });

  it("is as it was where its payment fails at once", async () => {
    const { story, accountId, customerId, hold, capture, shown } = await newAccount();
    const id = await hold(1_000);
    const before = await shown(id);
    const failed = await capture(id, await bankAccount(story, { customerId, suffix: "002" }));
    expect([failed.status, failed.json.status]).toEqual([201, "FAILED"]);
    expect(await shown(id)).toEqual(before);
    expect(await ledgerOf(story, accountId)).toEqual({ available: 0, held: 1_000 });
  });

  it("is released once, also on a frozen account, whose holds pay nothing", async () => {
    const { story, accountId, hold, capture, path } = await newAccount();
    const { accountId: seller } = await fundedCustomer(story, 0);
    const id = await hold(600);
    await story.call("POST", `/internal-accounts/${accountId}/freeze`, { reason: "OTHER" });
    expect((await capture(id, seller)).json.code).toBe("ACCOUNT_FROZEN");
    expect((await story.call("POST", path, { amount: 1 })).json.code).toBe("ACCOUNT_FROZEN");
    const released = await story.call("POST", `/holds/${id}/release`);
    expect([released.status, released.json.status]).toEqual([200, "RELEASED"]);
    expect(await holdingsOf(story, accountId)).toEqual({ available: 1_000, total: 1_000 });
    const again = await story.call("POST", `/holds/${id}/release`);
    expect([again.status, again.json.details.status]).toEqual([409, "RELEASED"]);
    expect(await typesOf(story, id)).toEqual(["HOLD.CREATED", "HOLD.RELEASED"]);
  });

  it("ends by itself at its time, and not before", async () => {
    const { story, accountId, hold, capture, shown } = await newAccount();
    const id = await hold(600, { expiresAt: await inSeconds(story, DAY_S) });
    const kept = await hold(100);
    await advance(story, DAY_S - 60);
    expect((await shown(id)).status).toBe("OPEN");
    await advance(story, 61);
    expect((await shown(id)).status).toBe("EXPIRED");
    expect((await shown(kept)).status).toBe("OPEN");
    expect(await holdingsOf(story, accountId)).toEqual({ available: 900, total: 1_000 });
    const { accountId: seller } = await fundedCustomer(story, 0);
    expect((await capture(id, seller)).json.details.status).toBe("EXPIRED");
    expect(await typesOf(story, id)).toEqual(["HOLD.CREATED", "HOLD.EXPIRED"]);
  });

  it("keeps its customer from being deleted, and its job ends with it", async () => {
    const { story, customerId, hold } = await newAccount(100);
    const id = await hold(100);
    expect((await story.call("DELETE", `/customers/${customerId}`)).status).toBe(409);
    const before = await rowCounts(story);
    await story.call("POST", `/holds/${id}/release`);
    expect((await rowCounts(story)).jobs).toBe(present(before.jobs, "jobs") - 1);
  });
});

describe("a list of holds", () => {
  it("is by account and by status, newest first, with the account's holder", async () => {
    const { story, accountId, hold } = await newAccount();
    const { accountId: other } = await fundedCustomer(story, 100);
    const ids = [await hold(100), await hold(200), await hold(300)];
    await story.call("POST", `/internal-accounts/${other}/holds`, { amount: 50 });
    await story.call("POST", `/holds/${ids[1]}/release`);
    const listed = async (query: string) => {
      const { json } = await story.call("GET", `/holds?${query}`);
      return json.data.map(({ id }: { readonly id: string }) => id);
    };
    expect(await listed(`internalAccountId=${accountId}`)).toEqual(ids.toReversed());
    expect(await listed(`internalAccountId=${accountId}&status=RELEASED`)).toEqual([ids[1]]);
    expect(await listed("status=OPEN")).toHaveLength(3);
    const { json } = await story.call("GET", "/holds?limit=1&expand=parties");
    expect([json.totalCount, json.hasMore, json.data[0].parties.from.name]).toEqual([
      4,
      true,
      "Ana Ruiz",
    ]);
  });
});

describe("a refused call leaves nothing", () => {
  it.each([
    ["no amount", {}, 400, "INVALID_INPUT"],
    ["an amount of nothing", { amount: 0 }, 400, "INVALID_AMOUNT"],
    ["an amount with a decimal point", { amount: 1.5 }, 400, "INVALID_AMOUNT"],
    ["more than is there", { amount: 1_001 }, 400, "INSUFFICIENT_BALANCE"],
    ["an end that is past", { amount: 5, expiresAt: "2020-01-01T00:00:00Z" }, 400, "INVALID_INPUT"],
    ["an end too far away", { amount: 5, expiresAt: "2090-01-01T00:00:00Z" }, 400, "INVALID_INPUT"],
    ["an end that is none", { amount: 5, expiresAt: "tomorrow" }, 400, "INVALID_INPUT"],
  ])("of a hold with %s", async (_what, body, status, code) => {
    const { story, path } = await newAccount();
    const before = await rowCounts(story);
    const answer = await story.call("POST", path, body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(await rowCounts(story)).toEqual(before);
  });

  it("of a capture", async () => {
    const { story, accountId, hold, capture } = await newAccount();
    const { accountId: seller } = await fundedCustomer(story, 0);
    const id = await hold(500);
    const before = await rowCounts(story);
    const answers = [
      await capture(id, seller, { amount: 501 }),
      await capture(id, accountId),
      await capture(id, `InternalAccount:${NOBODY}`),
      await capture(id, `ExternalAccount:${NOBODY}`),
      await capture(id, id),
      await capture(id, seller, { remittanceInformation: "A1" }),
      await story.call("POST", `/holds/${id}/capture`, {
        destination: { accountId: seller, paymentRail: "ACH" },
      }),
      await capture(`Hold:${NOBODY}`, seller),
      await capture("Hold:x", seller),
    ];
    expect(answers.map(({ status, json }) => `${status} ${json.code}`)).toEqual([
      "400 AMOUNT_OUT_OF_RANGE",
      "400 SELF_PAYMENT",
      "404 REFERENCE_NOT_FOUND",
      "404 REFERENCE_NOT_FOUND",
      "404 REFERENCE_NOT_FOUND",
      "400 INVALID_INPUT",
      "400 INVALID_INPUT",
      "404 REFERENCE_NOT_FOUND",
      "404 REFERENCE_NOT_FOUND",
    ]);
    expect(await rowCounts(story)).toEqual(before);
    expect(await ledgerOf(story, accountId)).toEqual({ available: 500, held: 500 });
  });

  it("and one with a key is answered again and not done again", async () => {
    const { story, accountId, hold } = await newAccount();
    const { accountId: seller } = await fundedCustomer(story, 0);
    const id = await hold(500);
    const body = { amount: 100, destination: { accountId: seller }, final: false };
    const send = () => story.call("POST", `/holds/${id}/capture`, body, { key: "capture-1" });
    const [one, two] = [await send(), await send()];
    expect(two.text).toBe(one.text);
    expect(await holdingsOf(story, accountId)).toEqual({ available: 500, total: 900 });
  });
});
