/** Acts at a connection that need a second token, and payouts above a ceiling. */
import { beforeEach, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  balanceOf,
  expectStatus,
  manualConnection,
  otherToken,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
  tokenMadeBy,
  transactionOf,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let payer: Payer;
let connectionId: string;
let second: string;

async function open(control: unknown, environment: "PRODUCTION" | "SANDBOX" = "PRODUCTION") {
  story = await openStory(server, { environment });
  payer = await payerOf(story, 10_000);
  connectionId = await activeConnection(story, { ...manualConnection(), control });
  await routeTo(story, connectionId);
  second = await otherToken(story);
}

let lines = 0;
const line = (more: Readonly<Record<string, unknown>> = {}) => ({
  bankReference: `L-${++lines}`,
  direction: "CREDIT",
  amount: 100,
  currency: "USD",
  bookedOn: "2026-11-24",
  payer: { name: "Ana Ruiz", account: "123456789" },
  ...more,
});
const tell = (body: unknown = line()) =>
  story.call("POST", `/rails/connections/${connectionId}/entries`, body);
const confirm = (id: string, authorization = second) =>
  story.call("POST", `/rails/marks/${id}/confirm`, undefined, { authorization });
const refuse = (id: string, authorization = second) =>
  story.call("POST", `/rails/marks/${id}/refuse`, { note: "no" }, { authorization });
const marks = async (state = "WAITING") =>
  (await story.call("GET", `/rails/marks?connectionId=${connectionId}&state=${state}`)).json.data;
const waiting = (answer: RawAnswer) => String(expectStatus(202, answer).json.id);
const orderOf = async (id: string) => (await story.call("GET", `/rails/payments/${id}`)).json;

async function order(amount = 100): Promise<{ readonly id: string; readonly orderId: string }> {
  const { id } = expectStatus(201, await payer.pay(amount)).json;
  return { id, orderId: (await paymentOf(story, id)).id };
}

describe("a connection with FOUR_EYES", () => {
  beforeEach(() => open({ approval: "FOUR_EYES" }));

  it("books an entry only when another token has confirmed it", async () => {
    const body = line();
    const asked = expectStatus(202, await tell(body)).json;
    expect(asked).toMatchObject({
      connectionId,
      kind: "ENTRY",
      state: "WAITING",
      request: {
        bankReference: body.bankReference,
        amount: 100,
        payer: { name: "Ana Ruiz", accountMasked: "…6789" },
      },
    });
    expect(asked.request).not.toHaveProperty("valueDate");
    const entries = `/rails/entries?connectionId=${connectionId}`;
    expect((await story.call("GET", entries)).json.data).toEqual([]);
    const same = await confirm(asked.id, story.authorization);
    expect([same.status, same.json.code, same.json.details.rule]).toEqual([
      403,
      "FORBIDDEN",
      "FOUR_EYES",
    ]);
    expect((await refuse(asked.id, story.authorization)).status).toBe(403);
    const confirmed = expectStatus(200, await confirm(asked.id)).json;
    expect(confirmed).toMatchObject({ state: "CONFIRMED", requestedBy: asked.requestedBy });
    expect(confirmed.decidedBy).not.toBe(confirmed.requestedBy);
    const { data } = (await story.call("GET", entries)).json;
    expect(data).toMatchObject([{ id: confirmed.result.entryId, amount: { amount: 100 } }]);
    expect((await story.call("GET", `/rails/marks/${asked.id}`)).json).toEqual(confirmed);
    const again = await confirm(asked.id);
    expect([again.status, again.json.details.status]).toEqual([409, "CONFIRMED"]);
    expect((await refuse(asked.id)).status).toBe(409);
  });

  it("asks for nothing that is refused anyway, and judges again", async () => {
    expect((await tell(line({ currency: "EUR" }))).status).toBe(400);
    const body = line();
    const [one, other] = [waiting(await tell(body)), waiting(await tell(body))];
    expectStatus(200, await confirm(one));
    const refused = await confirm(other);
    expect([refused.status, refused.json.code]).toEqual([409, "DUPLICATE_ENTRY"]);
    expect((await marks()).map(({ id }: { readonly id: string }) => id)).toEqual([other]);
    expect((await refuse(other)).json).toMatchObject({ state: "REFUSED", note: "no" });
    expect(await marks()).toEqual([]);
  });

  it("marks orders, one or many, and moves no money before", async () => {
    const [one, other] = [await order(), await order(40)];
    const path = `/rails/payments/${one.orderId}/mark`;
    const body = { outcome: "SETTLED", reference: "B-1", valueDate: "2026-11-24" };
    const mark = expectStatus(202, await story.call("POST", path, body)).json;
    expect(mark.request).toEqual({ marks: [{ paymentId: one.orderId, ...body }] });
    expect(await orderOf(one.orderId)).toMatchObject({ state: "QUEUED" });
    const many = waiting(
      await story.call("POST", "/rails/marks", {
        marks: [
          {
            paymentId: other.orderId,
            outcome: "DECLINED",
            reason: { code: "AC04", text: "closed" },
          },
        ],
      }),
    );
    expectStatus(200, await confirm(mark.id));
    expectStatus(200, await confirm(many));
    expect(await orderOf(one.orderId)).toMatchObject({
      state: "SETTLED",
      settledOn: "2026-11-24",
      bankReference: "B-1",
    });
    expect(await transactionOf(story, other.id)).toMatchObject({
      status: "FAILED",
      failureReason: "ACCOUNT_INVALID",
      failure: { rail: { text: "closed" } },
    });
  });

  it("wants marks of its orders apart from those of other connections", async () => {
    const mine = await order();
    const routes = await story.call("GET", "/rails/routes");
    await story.call("DELETE", `/rails/routes/${routes.json.data[0].id}`);
    const desk = await activeConnection(story, manualConnection());
    await routeTo(story, desk);
    const theirs = await order();
    const both = [mine, theirs].map(({ orderId }) => ({ paymentId: orderId, outcome: "SENT" }));
    const refused = await story.call("POST", "/rails/marks", { marks: both });
    expect([refused.status, refused.json.details.field]).toEqual([400, "marks"]);
    expectStatus(
      200,
      await story.call("POST", `/rails/payments/${theirs.orderId}/mark`, { outcome: "SENT" }),
    );
  });

  it("resolves an item, and not twice", async () => {
    expectStatus(200, await confirm(waiting(await tell())));
    const { json } = await story.call("GET", `/rails/items?connectionId=${connectionId}`);
    const [item] = json.data;
    const before = await balanceOf(story, payer.accountId);
    const parts = [
      { kind: "ACCOUNT", amount: 60, accountId: payer.accountId },
      { kind: "OWN_FUNDS", amount: 40, label: "interest" },
    ];
    const ask = () =>
      story.call("POST", `/rails/items/${item.id}/resolve`, { parts, note: "known" });
    const [one, other] = [expectStatus(202, await ask()).json, waiting(await ask())];
    expect(one.request).toEqual({ itemId: item.id, parts, note: "known" });
    expect(await balanceOf(story, payer.accountId)).toBe(before);
    expectStatus(200, await confirm(one.id));
    expect(await balanceOf(story, payer.accountId)).toBe(before + 60);
    expect((await confirm(other)).status).toBe(409);
  });

  it("is not archived while a mark waits, and counts it", async () => {
    waiting(await tell());
    const { json: connection } = await story.call("GET", `/rails/connections/${connectionId}`);
    expect(connection.health.waitingMarks).toBe(1);
    expect(connection.control).toMatchObject({ approval: "FOUR_EYES", payoutCeiling: null });
    const path = `/rails/connections/${connectionId}`;
    expect((await story.call("GET", `${path}/reconciliation`)).json.open.marks).toBe(1);
    const archived = await story.call("DELETE", path);
    expect(archived.json.details.blockers.marks).toBe(1);
  });

  it("does nothing that a deleted token had asked for without another one, and counts it as the first", async () => {
    const third = await otherToken(story);
    const body = line();
    const asked = await story.call("POST", `/rails/connections/${connectionId}/entries`, body, {
      authorization: second,
    });
    const { json } = await story.call("GET", "/tokens");
    for (const { id, name } of json.data) {
      if (name === "second") await story.call("DELETE", `/tokens/${id}`);
    }
    expect((await confirm(waiting(asked), third)).status).toBe(401);
    expectStatus(200, await confirm(asked.json.id, story.authorization));
  });

  it("is confirmed by no token that descends from the one that asked, nor by the other way round", async () => {
    const child = await tokenMadeBy(story);
    const grandchild = await tokenMadeBy(story, child);
    const sister = await tokenMadeBy(story);
    const path = `/rails/connections/${connectionId}/entries`;
    // Who counts as the same, by kinds of callers: src/domain/rails/marks/decide-rail-mark.test.ts.
    for (const [authorization, one] of [
      [story.authorization, grandchild],
      [grandchild, story.authorization],
      [child, sister],
    ] as const) {
      const mark = waiting(await story.call("POST", path, line(), { authorization }));
      for (const decided of [await confirm(mark, one), await refuse(mark, one)])
        expect([decided.status, decided.json.details.rule]).toEqual([403, "FOUR_EYES"]);
      expectStatus(200, await confirm(mark));
    }
  });

  it("is turned off by a change of the connection alone", async () => {
    const mark = waiting(await tell());
    const path = `/rails/connections/${connectionId}`;
    const control = { approval: "NONE" };
    expectStatus(200, await story.call("PATCH", path, { control }));
    expectStatus(201, await tell());
    expect((await confirm(mark, story.authorization)).status).toBe(403);
    expect((await story.call("PATCH", path, { control: { approval: "TWO" } })).status).toBe(400);
    expect((await story.call("PATCH", path, { control: { payoutCeiling: -1 } })).status).toBe(400);
  });
});

it("gives a mark up after 72 hours", async () => {
  await open({ approval: "FOUR_EYES" }, "SANDBOX");
  const mark = waiting(await tell());
  const advance = (seconds: number) => story.call("POST", "/sandbox/clock/advance", { seconds });
  await advance(71 * 3_600);
  expect((await marks()).length).toBe(1);
  await advance(3_600);
  await story.settle();
  expect((await marks("EXPIRED")).map(({ id }: { readonly id: string }) => id)).toEqual([mark]);
  const late = await confirm(mark);
  expect([late.status, late.json.details.status]).toEqual([409, "EXPIRED"]);
});

describe("a connection that lists its importers", () => {
  const other = (path: string, body: unknown) =>
    story.call("POST", `/rails/connections/${connectionId}${path}`, body, {
      authorization: second,
    });
  const balance = () => ({ currency: "USD", asOf: "2026-01-05", booked: 5 });

  it("takes entries and balances from those tokens alone", async () => {
    await open({});
    const { data } = (await story.call("GET", "/tokens")).json;
    const [one] = data.filter((token: { readonly name: string }) => token.name === "second");
    const path = `/rails/connections/${connectionId}`;
    const listed = { control: { importers: [one.id] } };
    const changed = expectStatus(200, await story.call("PATCH", path, listed)).json;
    expect(changed.control.importers).toEqual([one.id]);
    for (const answer of [await tell(), await story.call("POST", `${path}/balances`, balance())]) {
      expect([answer.status, answer.json.code, answer.json.details]).toEqual([
        403,
        "FORBIDDEN",
        { rule: "IMPORTERS" },
      ]);
    }
    expectStatus(201, await other("/entries", line()));
    expectStatus(201, await other("/balances", balance()));
    expectStatus(200, await story.call("PATCH", path, { control: { importers: [] } }));
    expect((await other("/entries", line())).status).toBe(403);
    expectStatus(200, await story.call("PATCH", path, { control: { importers: null } }));
    expectStatus(201, await tell());
  });

  it("lets any token confirm what an importer has asked for", async () => {
    await open({ approval: "FOUR_EYES" });
    const { data } = (await story.call("GET", "/tokens")).json;
    const [one] = data.filter((token: { readonly name: string }) => token.name === "second");
    const path = `/rails/connections/${connectionId}`;
    expectStatus(200, await story.call("PATCH", path, { control: { importers: [one.id] } }));
    const mark = waiting(await other("/entries", line()));
    expectStatus(200, await confirm(mark, story.authorization));
  });

  it("names ids that are of no token of the platform", async () => {
    await open({});
    const elsewhere = await openStory(server, { environment: "PRODUCTION" });
    const [foreign] = (await elsewhere.call("GET", "/tokens")).json.data;
    const unknown = "Token:019a4f00-0000-7000-8000-000000000002";
    const body = { control: { importers: [foreign.id, unknown] } };
    const path = `/rails/connections/${connectionId}`;
    for (const refused of [
      await story.call("PATCH", path, body),
      await story.call("POST", "/rails/connections", { ...manualConnection(), ...body }),
    ]) {
      expect(refused.status).toBe(400);
      expect(refused.json.details.errors).toMatchObject([
        { field: "control.importers[0]", message: "names no token" },
        { field: "control.importers[1]", message: "names no token" },
      ]);
    }
  });
});

describe("a payout above the ceiling", () => {
  beforeEach(() => open({ payoutCeiling: 500 }));

  it("is held until another token releases it; one at the ceiling is not", async () => {
    expect((await orderOf((await order(500)).orderId)).state).toBe("QUEUED");
    const { id, orderId } = await order(501);
    expect(await orderOf(orderId)).toMatchObject({ state: "HELD", conflict: false });
    expect((await transactionOf(story, id)).status).toBe("PENDING");
    const [mark] = await marks();
    expect(mark).toMatchObject({ kind: "RELEASE", request: { paymentId: orderId } });
    const marked = await story.call("POST", `/rails/payments/${orderId}/mark`, {
      outcome: "SETTLED",
    });
    expect([marked.status, marked.json.details.status]).toEqual([409, "HELD"]);
    expect((await story.call("POST", `/rails/payments/${orderId}/reroute`, {})).status).toBe(409);
    expect((await confirm(mark.id, story.authorization)).status).toBe(403);
    expectStatus(200, await confirm(mark.id));
    expect((await orderOf(orderId)).state).toBe("QUEUED");
    const path = `/rails/payments/${orderId}/mark`;
    expectStatus(200, await story.call("POST", path, { outcome: "SETTLED" }));
  });

  /** A payment of 501 that is not made in the call that asks for it. The call is made with these credentials. */
  const later: readonly (readonly [
    name: string,
    ask: (authorization: string) => Promise<RawAnswer>,
  ])[] = [
    [
      "an item of a batch",
      (authorization) =>
        story.call(
          "POST",
          "/payment-batches",
          { mode: "INDEPENDENT", items: [{ reference: "one", kind: "TRANSFER_OUT", ...above() }] },
          { authorization },
        ),
    ],
    [
      "a run of a schedule",
      (authorization) =>
        story.call(
          "POST",
          "/payment-schedules",
          {
            name: "Rent",
            template: { kind: "TRANSFER_OUT", ...above() },
            rule: { at: new Date(Date.now() + 60_000).toISOString() },
          },
          { authorization },
        ),
    ],
  ];
  const above = () => ({
    source: { accountId: payer.accountId },
    destination: { accountId: payer.payeeId },
    amount: 501,
  });

  it.each(later)("that is %s is released by no token of the human who asked", async (_, ask) => {
    await open({ payoutCeiling: 500 }, "SANDBOX");
    const mine = await tokenMadeBy(story);
    const asked = await ask(mine);
    expect([201, 202]).toContain(asked.status);
    await story.call("POST", "/sandbox/clock/advance", { seconds: 120 });
    await story.settle();
    const [mark] = await marks();
    for (const authorization of [mine, story.authorization, await tokenMadeBy(story, mine)]) {
      const { status, json } = await confirm(mark.id, authorization);
      expect([status, json.details?.rule]).toEqual([403, "FOUR_EYES"]);
    }
    expectStatus(200, await confirm(mark.id));
  });

  it("is cancelled and given back when it is refused", async () => {
    const before = await balanceOf(story, payer.accountId);
    const { id, orderId } = await order(501);
    const [mark] = await marks();
    expectStatus(200, await refuse(mark.id));
    expect((await orderOf(orderId)).state).toBe("CANCELLED");
    expect(await transactionOf(story, id)).toMatchObject({
      status: "FAILED",
      refund: { status: "COMPLETED", reason: "USER_CANCELLATION" },
    });
    expect(await balanceOf(story, payer.accountId)).toBe(before);
  });

  it("is cancelled after 72 hours, and when it is recalled", async () => {
    await open({ payoutCeiling: 500 }, "SANDBOX");
    const [one, other] = [await order(501), await order(502)];
    const path = `/rails/payments/${other.orderId}/recall`;
    expectStatus(200, await story.call("POST", path, { reason: "OTHER" }));
    expect((await orderOf(other.orderId)).state).toBe("CANCELLED");
    const ofOther = (await marks()).find(
      ({ request }: RawAnswer["json"]) => request.paymentId === other.orderId,
    );
    expect((await confirm(ofOther.id)).status).toBe(409);
    await story.call("POST", "/sandbox/clock/advance", { seconds: 72 * 3_600 });
    await story.settle();
    expect((await orderOf(one.orderId)).state).toBe("CANCELLED");
  });

  it("waits again when it is moved to a connection with a lower ceiling", async () => {
    const { orderId } = await order(400);
    const control = { payoutCeiling: 300 };
    const lower = await activeConnection(story, { ...manualConnection(), control });
    await routeTo(story, lower);
    const path = `/rails/payments/${orderId}/reroute`;
    const moved = await story.call("POST", path, { connectionId: lower });
    expect(expectStatus(200, moved).json).toMatchObject({ state: "HELD", connectionId: lower });
  });
});
