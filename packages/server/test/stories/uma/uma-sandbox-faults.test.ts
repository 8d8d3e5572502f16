/** What a sandbox provokes at another: answers with a fault, and money for an invoice that does not fit. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createManualClock } from "../../kit/manual-clock.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory } from "../../kit/story.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { balanceOf, openSandboxes, type Sandboxes } from "../../kit/story-uma-sandboxes.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const server = await sharedServer();
let both: Sandboxes;
beforeAll(async () => {
  both = await openSandboxes(server);
});

const setFault = (kind: string, next = 1, of = both) =>
  of.payee.call("PUT", "/sandbox/uma/faults", { kind, next });
const leftOf = async (of = both) => (await of.payee.call("GET", "/sandbox/uma/faults")).json.next;
const told = ({ status, json }: { status: number; json: { code?: string; details?: object } }) => [
  status,
  json.code,
];

const BOTH = {
  BAD_SIGNATURE: [400, "LOOKUP_REQUEST_FAILED", "INVALID_PAYREQ_RESPONSE"],
  OLD_TIMESTAMP: [400, "INVALID_TIMESTAMP", "INVALID_TIMESTAMP"],
  REPLAYED_NONCE: [400, "INVALID_NONCE", "INVALID_NONCE"],
  VERSION_9: [424, "NO_COMPATIBLE_UMA_VERSION", "NO_COMPATIBLE_UMA_VERSION"],
  HUGE: [424, "LNURLP_REQUEST_FAILED", "PAYREQ_REQUEST_FAILED"],
  REDIRECT: [424, "LNURLP_REQUEST_FAILED", "PAYREQ_REQUEST_FAILED"],
  REFUSE_KYC: [400, "SENDER_NOT_ACCEPTED", "SENDER_NOT_ACCEPTED"],
} as const;

describe("a fault of the payee", () => {
  it.each(Object.entries(BOTH))("%s is in one lookup, and in one quote", async (kind, codes) => {
    const [status, atLookup, atQuote] = codes;
    expectStatus(200, await setFault(kind));
    expect(told(await both.look())).toEqual([status, atLookup]);
    const { lookupId } = expectStatus(200, await both.look()).json;
    expectStatus(200, await setFault(kind));
    expect(told(await both.quote({ more: { lookupId } }))).toEqual([status, atQuote]);
    expect(await leftOf()).toBe(0);
    expect((await both.quote({ more: { lookupId } })).status).toBe(201);
  });

  it("VERSION_0_3 is in an answer to a lookup alone", async () => {
    const { lookupId } = expectStatus(200, await both.look()).json;
    expectStatus(200, await setFault("VERSION_0_3"));
    expectStatus(201, await both.quote({ more: { lookupId } }));
    expect(told(await both.look())).toEqual([412, "UNSUPPORTED_UMA_VERSION"]);
  });

  it.each([
    ["WRONG_CURRENCY", "RECEIVING", "INVALID_PAYREQ_RESPONSE", "CURRENCY"],
    ["WRONG_AMOUNT", "RECEIVING", "INVALID_PAYREQ_RESPONSE", "AMOUNT"],
    ["WRONG_AMOUNT", "SENDING", "INVALID_PAYREQ_RESPONSE", "ARITHMETIC"],
    ["SHORT_EXPIRY", "RECEIVING", "QUOTE_REQUEST_FAILED", "ENDS_SOON"],
  ] as const)(
    "%s is in an answer to a request to pay alone, %s",
    async (kind, side, code, reason) => {
      expectStatus(200, await setFault(kind));
      const { lookupId } = expectStatus(200, await both.look()).json;
      expect(await leftOf()).toBe(1);
      const refused = await both.quote({ side, more: { lookupId } });
      expect([...told(refused), refused.json.details.reason]).toEqual([400, code, reason]);
      expect(await leftOf()).toBe(0);
    },
  );

  it("is counted once for each exchange, on two servers and over a restart", async () => {
    expectStatus(200, await setFault("REFUSE_KYC", 3));
    let beside = await startTestServer({ beside: server });
    const path = `/receiver/uma/${encodeURIComponent(both.umaAddress)}`;
    const lookOver = ({ baseUrl }: TestServer) =>
      fetch(baseUrl + path, { headers: { authorization: both.payer.authorization } });
    try {
      const answers = await Promise.all(
        [server, beside, server, beside, server].map(async (one) => (await lookOver(one)).status),
      );
      expect(answers.toSorted()).toEqual([200, 200, 400, 400, 400]);
      expect(await leftOf()).toBe(0);
      expectStatus(200, await setFault("REFUSE_KYC", 2));
      await beside.close();
      beside = await startTestServer({ beside: server });
      expect((await lookOver(beside)).status).toBe(400);
      expect(await leftOf()).toBe(1);
    } finally {
      await beside.close();
    }
    expectStatus(200, await setFault("REFUSE_KYC", 0));
    expectStatus(200, await both.look());
  });
});

describe("HANG", () => {
  const clock = createManualClock(Date.now());
  let own: TestServer;
  let hanging: Sandboxes;
  beforeAll(async () => {
    own = await startTestServer({ clock });
    hanging = await openSandboxes(own);
  });
  afterAll(() => own.close());

  it("ends with the patience of the payer", async () => {
    expectStatus(200, await setFault("HANG", 1, hanging));
    const looking = hanging.look();
    while ((await leftOf(hanging)) !== 0) await new Promise(setImmediate);
    await clock.advance(10_000);
    expect(told(await looking)).toEqual([424, "LNURLP_REQUEST_FAILED"]);
    expectStatus(200, await hanging.look());
  });
});

describe("money for an invoice", () => {
  const pay = (id: string, outcome: string, key?: string) =>
    both.payee.call(
      "POST",
      `/sandbox/uma/invoices/${id}/pay`,
      { outcome },
      key === undefined ? {} : { key },
    );
  const items = async () =>
    (await both.payee.call("GET", "/rails/items?state=OPEN&limit=100")).json.data;

  it.each([
    ["EXACT", "COMPLETED", 1_000, undefined],
    ["LESS", "PENDING", 0, "AMOUNT_DIFFERS"],
    ["MORE", "COMPLETED", 1_000, "OVERPAID"],
    ["TWICE", "COMPLETED", 1_000, "ALREADY_PAID"],
    ["LATE", "FAILED", 0, "LATE"],
    ["NEVER", "FAILED", 0, undefined],
  ] as const)(
    "that arrives %s leaves the payment %s",
    async (outcome, status, credited, reason) => {
      const { incomingId } = await both.quoted();
      const [balance, before] = [await balanceOf(both.payee, both.payeeAccountId), await items()];
      const paid = expectStatus(200, await pay(incomingId, outcome)).json;
      expect(paid).toMatchObject({ id: incomingId, status });
      expect((await balanceOf(both.payee, both.payeeAccountId)) - balance).toBe(credited);
      const known = before.map(({ id }: { id: string }) => id);
      const added = (await items()).filter(({ id }: { id: string }) => !known.includes(id));
      expect(added.map((item: { reason: string }) => item.reason)).toEqual(
        reason === undefined ? [] : [reason],
      );
      await server.checkBooks();
    },
  );

  it("is not sent again by a repeated call, and declines the order of the payer", async () => {
    const { incomingId, quoteId, outgoingId } = await both.quoted();
    for (const _ of [1, 2]) expectStatus(200, await pay(incomingId, "NEVER", incomingId));
    expectStatus(200, await both.execute(quoteId));
    await both.payer.settle();
    const sent = (await both.payer.call("GET", `/transactions/${outgoingId}`)).json;
    expect(sent.status).toBe("FAILED");
  });

  it("is an order in conflict where the invoice was paid before", async () => {
    const { incomingId, quoteId, outgoingId } = await both.quoted();
    expectStatus(200, await pay(incomingId, "EXACT"));
    expectStatus(200, await both.execute(quoteId));
    await both.payer.settle();
    const sent = (await both.payer.call("GET", `/transactions/${outgoingId}`)).json;
    expect(sent.status).toBe("PROCESSING");
  });
});

it("a production platform has none of it", async () => {
  const bank = await openStory(server, { environment: "PRODUCTION" });
  const id = `Transaction:${crypto.randomUUID()}`;
  const calls = [
    bank.call("POST", `/sandbox/uma/invoices/${id}/pay`, { outcome: "EXACT" }),
    bank.call("PUT", "/sandbox/uma/faults", { kind: "HANG", next: 1 }),
    bank.call("GET", "/sandbox/uma/faults"),
  ];
  for (const refused of await Promise.all(calls)) expect(told(refused)).toEqual([403, "FORBIDDEN"]);
});
