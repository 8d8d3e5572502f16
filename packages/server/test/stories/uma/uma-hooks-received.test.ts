/** Institutions tell a platform of payments, in both directions: what is taken, and what is refused, in its order. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  getPostTransactionCallback,
  InMemoryNonceValidator,
  parsePostTransactionCallback,
  verifyPostTransactionCallbackSignature,
} from "@uma-sdk/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHookTokens } from "../../../src/domain/uma/hooks/hook-token.ts";
import { createSealer, toMasterKey } from "../../../src/secrets/sealing.ts";
import { holdingsOf } from "../../kit/story-money.ts";
import { balanceOf, expectStatus, transactionOf } from "../../kit/story-rails.ts";
import { openPaid, type PaidStory, type Wish } from "../../kit/story-uma-paid.ts";
import { openPays, type PaysStory } from "../../kit/story-uma-pays.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { type HookWish, postHook, signedHook } from "../../kit/uma-hooks.ts";
import { hookUrlOf } from "../../kit/uma-payee.ts";

interface Payment {
  readonly transactionId: string;
  /** Where the institution was asked to tell of it. */
  readonly url: string;
}

let paid: PaidStory;
let pays: PaysStory;
let beside: TestServer;
/** Of the institution that pays. */
let key: KeyObject;
let payment: Payment;
beforeAll(async () => {
  [paid, pays] = await Promise.all([openPaid(), openPays()]);
  beside = await startTestServer({ beside: paid.server, settings: paid.settings });
  key = paid.signingKey;
  payment = await invoiced();
});
afterAll(async () => {
  await beside?.close();
  await Promise.all([paid?.close(), pays?.close()]);
});

async function invoiced(wish: Wish = {}): Promise<Payment> {
  const { text, transactionId } = await paid.pay(wish);
  return { transactionId, url: JSON.parse(text).payeeData.compliance.utxoCallback };
}

const tell = (wish: HookWish = {}, of = payment, by = key) =>
  postHook(paid.port, of.url, signedHook(by, wish));

async function umaOf({ transactionId }: Payment, { bank }: Pick<PaidStory, "bank"> = paid) {
  return expectStatus(200, await bank.call("GET", `/uma/payments/${transactionId}`)).json;
}

describe("an institution that pays is told", () => {
  const wish = { utxoCallback: hookUrlOf("vasp.test", "1") };
  const ended = ({ transactionId }: Payment) =>
    paid.tell(transactionId, BigInt(paid.invoiceOf(transactionId).amount));

  it("once the payment is credited, signed", async () => {
    const own = await invoiced(wish);
    await paid.bank.settle();
    expect(paid.hooks).toEqual([]);
    expect((await umaOf(own)).hook).toEqual({ state: "NONE", tries: 0 });
    await ended(own);
    await paid.bank.settle();
    expect(paid.hooks).toHaveLength(1);
    const message = parsePostTransactionCallback(paid.hooks[0] ?? "");
    expect(message).toMatchObject({ vaspDomain: "bank.test", utxos: [] });
    const nonces = new InMemoryNonceValidator(Date.now() - 3_600_000);
    expect(await verifyPostTransactionCallbackSignature(message, await paid.keys(), nonces)).toBe(
      true,
    );
    expect((await umaOf(own)).hook).toEqual({ state: "SENT", tries: 1 });
  });

  it.each(["https://localhost/hook", "http://vasp.test/hook", "https://[::1]/hook", "hook"])(
    "but not at %s",
    async (utxoCallback) => {
      const own = await invoiced({ utxoCallback });
      const before = paid.hooks.length;
      await ended(own);
      await paid.bank.settle();
      expect(paid.hooks).toHaveLength(before);
      expect(await umaOf(own)).toMatchObject({ state: "PAID", hook: { state: "NONE", tries: 0 } });
    },
  );
});

interface Internal {
  readonly id: string;
  readonly balance: { readonly currency: { readonly code: string } };
}

const CHANNELS = [{ utxo: "abc:1", amountMsats: "1000" }];

describe("an institution tells of a payment that it made", () => {
  it("before and after it has settled, with no effect on it", async () => {
    const own = await invoiced();
    expect(own.url).toMatch(/\/uma\/utxos\/[\w-]+$/);
    expect((await umaOf(own)).utxos).toBeUndefined();
    const balance = await balanceOf(paid.bank, paid.accountId);
    const told = await postHook(paid.port, own.url, signedHook(key));
    expect([told.status, told.text]).toEqual([200, "{}"]);
    expect(await umaOf(own)).toMatchObject({ state: "OPEN", utxos: CHANNELS });
    expect(await balanceOf(paid.bank, paid.accountId)).toBe(balance);
    await paid.tell(own.transactionId, BigInt(paid.invoiceOf(own.transactionId).amount));
    expect((await tell({}, own)).status).toBe(200);
    expect(await transactionOf(paid.bank, own.transactionId)).toMatchObject({
      status: "COMPLETED",
      receivedAmount: { amount: 1_000 },
    });
    expect(await balanceOf(paid.bank, paid.accountId)).toBe(balance + 1_000);
  });

  it("by the official SDK", async () => {
    const own = await invoiced();
    const message = await getPostTransactionCallback({
      utxos: [{ utxo: "abc:1", amountMsats: 1_000 }],
      vaspDomain: "vasp.test",
      signingPrivateKey: paid.secret,
    });
    const told = await postHook(paid.port, own.url, JSON.stringify(message));
    expect([told.status, told.text]).toEqual([200, "{}"]);
    expect((await umaOf(own)).utxos).toEqual(CHANNELS);
  });

  it("once more: the first message stays", async () => {
    const own = await invoiced();
    expect((await tell({}, own)).status).toBe(200);
    const utxos = [{ utxo: "other:2", amountMsats: 9 }];
    expect((await tell({ utxos }, own)).status).toBe(200);
    expect((await umaOf(own)).utxos).toEqual(CHANNELS);
  });

  it("of no channel, of a hundred, and of the largest amount", async () => {
    const none = await invoiced();
    expect((await tell({ utxos: [] }, none)).status).toBe(200);
    expect((await umaOf(none)).utxos).toEqual([]);
    const many = await invoiced();
    const utxos = Array.from({ length: 100 }, (_, at) => ({ utxo: `c:${at}`, amountMsats: at }));
    expect((await tell({ utxos }, many)).status).toBe(200);
    expect((await umaOf(many)).utxos).toHaveLength(100);
  });

  it("and the exchange is listed without what it said", async () => {
    const own = await invoiced();
    await tell({}, own);
    await paid.server.app.umaNotes.settled();
    const { data } = (await paid.bank.call("GET", "/uma/exchanges?limit=100")).json;
    const isOf = (one: { kind: string; transactionId?: string }) =>
      one.kind === "HOOK" && one.transactionId === own.transactionId;
    expect(data.filter(isOf)).toMatchObject([
      { direction: "IN", kind: "HOOK", vaspDomain: "vasp.test", umaVersion: "1.0", outcome: "OK" },
    ]);
    expect(JSON.stringify(data)).not.toContain("abc:1");
  });
});

const DAYS_30 = 30 * 24 * 3_600;
const now = () => Math.floor(Date.now() / 1_000);
const other = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey;
const late = { timestamp: now() - 400 };
const foreign = { vaspDomain: "other.test" };
const wrong = (message: Record<string, unknown>) => {
  message.signature = "30440220";
};
const without = (...names: readonly string[]) => ({
  edit: (message: Record<string, unknown>) => {
    for (const name of names) delete message[name];
  },
});

/** Each has the faults of the later ones as well. */
const REFUSALS: readonly (readonly [string, HookWish, number, string])[] = [
  [
    "names 101 channels",
    { utxos: Array(101).fill({ utxo: "a", amountMsats: 1 }), ...without("signature"), ...late },
    400,
    "PARSE_UTXO_CALLBACK_ERROR",
  ],
  ["is not signed", { ...without("signature"), ...late, ...foreign }, 401, "INVALID_SIGNATURE"],
  ["is old", { ...late, ...foreign, edit: wrong }, 400, "INVALID_TIMESTAMP"],
  ["is early", { timestamp: now() + 900, ...foreign, edit: wrong }, 400, "INVALID_TIMESTAMP"],
  ["is of another domain", { ...foreign, edit: wrong }, 403, "COUNTERPARTY_NOT_ALLOWED"],
  ["has a signature that is none", { edit: wrong }, 401, "INVALID_SIGNATURE"],
];

const MALFORMED: readonly (readonly [string, HookWish])[] = [
  ["channels that are no list", { utxos: "abc:1" }],
  ["a channel without a name", { utxos: [{ amountMsats: 1 }] }],
  [
    "a channel with a name of 201 characters",
    { utxos: [{ utxo: "a".repeat(201), amountMsats: 1 }] },
  ],
  ["a channel with a control character", { utxos: [{ utxo: "a\u0000", amountMsats: 1 }] }],
  ["an amount below zero", { utxos: [{ utxo: "a", amountMsats: -1 }] }],
  ["an amount as text", { utxos: [{ utxo: "a", amountMsats: "1" }] }],
  ["an amount with a fraction", { utxos: [{ utxo: "a", amountMsats: 1.5 }] }],
  ["a separator in its nonce", { nonce: "$ana@bank.test|7" }],
  ["no domain", without("vaspDomain")],
  ["no time", without("signatureTimestamp")],
];

describe("a message that is not taken", () => {
  it.each(REFUSALS)("because it %s", async (_what, wish, status, code) => {
    const answer = await tell(wish);
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect(JSON.parse(answer.text)).toMatchObject({ status: "ERROR", reason: expect.any(String) });
    expect((await umaOf(payment)).utxos).toBeUndefined();
  });

  it.each(MALFORMED)("because it has %s", async (_what, wish) => {
    const answer = await tell(wish);
    expect([answer.status, answer.code]).toEqual([400, "PARSE_UTXO_CALLBACK_ERROR"]);
  });

  it.each(["", "{", "[]", "null", '"a"', `{"utxos":${"[".repeat(10_000)}`])(
    "because its body is %.10s",
    async (body) => {
      const answer = await postHook(paid.port, payment.url, body);
      expect([answer.status, answer.code]).toEqual([400, "PARSE_UTXO_CALLBACK_ERROR"]);
    },
  );

  it("because it is large", async () => {
    const utxos = [{ utxo: "a".repeat(70_000), amountMsats: 1 }];
    expect((await tell({ utxos })).status).toBe(413);
  });

  it("because another key signed it, or it is the signature of another message", async () => {
    const answer = await tell({}, payment, other);
    expect([answer.status, answer.code]).toEqual([401, "INVALID_SIGNATURE"]);
    const [nonce, timestamp] = ["77", now()];
    const signedText = `$ana@bank.test|${nonce}|${timestamp}`;
    expect((await tell({ nonce, timestamp, signedText })).status).toBe(401);
  });

  it("because the institution is blocked", async () => {
    const put = (status: string) =>
      paid.bank.call("PUT", "/uma/counterparties/vasp.test", { status });
    expectStatus(200, await put("BLOCKED"));
    const answer = await tell();
    expectStatus(200, await put("DEFAULT"));
    expect([answer.status, answer.code]).toEqual([403, "COUNTERPARTY_NOT_ALLOWED"]);
  });

  it("because its token was changed, is old, or of another kind", async () => {
    const { callback } = await paid.lookUp();
    const cut = payment.url.slice(0, -2);
    const elsewhere = createHookTokens(
      createSealer({ current: toMasterKey("0f".repeat(32).replace("0f", "1a"), "test") }),
    );
    const grant = {
      direction: "IN",
      reference: paid.bank.platformId,
      vaspDomain: "vasp.test",
    } as const;
    const forged = elsewhere.make({ ...grant, platformId: paid.bank.platformId, at: Date.now() });
    const old = paid.server.app.umaExchanges.hookTokens.make({
      ...grant,
      platformId: paid.bank.platformId,
      at: Date.now() - DAYS_30 * 1_000 - 1_000,
    });
    const urls = [
      cut,
      callback.replace("/uma/pay/", "/uma/utxos/"),
      `${cut.slice(0, cut.lastIndexOf("/") + 1)}${forged}`,
      `${cut.slice(0, cut.lastIndexOf("/") + 1)}${old}`,
    ];
    for (const url of urls) {
      const answer = await postHook(paid.port, url, signedHook(key));
      expect([answer.status, answer.code]).toEqual([404, "REQUEST_NOT_FOUND"]);
    }
    const pay = await paid.post(payment.url.replace("/uma/utxos/", "/uma/pay/"), "{}");
    expect(pay.status).toBe(404);
  });

  it("because it was taken before, on any server", async () => {
    const own = await invoiced();
    const body = signedHook(key);
    expect((await postHook(paid.port, own.url, body)).status).toBe(200);
    for (const port of [paid.port, beside.app.address.port]) {
      for (const url of [own.url, payment.url]) {
        const answer = await postHook(port, url, body);
        expect([answer.status, answer.code]).toEqual([400, "INVALID_NONCE"]);
      }
    }
    expect((await umaOf(payment)).utxos).toBeUndefined();
  });

  it("because the institution tells of the payment too often", async () => {
    const own = await invoiced();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await tell({}, own)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect((await tell({}, await invoiced())).status).toBe(200);
  });

  it("because its address has sent too many wrong signatures", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 25; count += 1)
      statuses.push((await tell({}, payment, other)).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("an institution tells of a payment that it got", () => {
  async function quoted(): Promise<Payment> {
    const { transactionId } = expectStatus(201, await pays.quote()).json;
    const { json } = pays.payee.invoices.asked.at(-1) ?? { json: undefined };
    return { transactionId, url: json.payerData.compliance.utxoCallback };
  }
  const told = (of: Payment, wish: HookWish = {}) =>
    postHook(pays.server.app.address.port, of.url, signedHook(pays.payee.signingKey, wish));

  it("at the URL of its request to pay", async () => {
    const own = await quoted();
    const beforeIt = await transactionOf(pays.bank, own.transactionId);
    const answer = await told(own);
    expect([answer.status, answer.text]).toEqual([200, "{}"]);
    expect((await umaOf(own, pays)).utxos).toEqual(CHANNELS);
    expect(await transactionOf(pays.bank, own.transactionId)).toEqual(beforeIt);
  });

  it("and is refused as one that paid", async () => {
    const own = await quoted();
    const answer = await told(own, foreign);
    expect([answer.status, answer.code]).toEqual([403, "COUNTERPARTY_NOT_ALLOWED"]);
    expect((await umaOf(own, pays)).utxos).toBeUndefined();
  });

  it("but not of a request that led to no quote", async () => {
    pays.payee.editPay = (answer) => {
      answer.converted.fee = 10 ** 9;
    };
    expectStatus(400, await pays.quote());
    pays.payee.editPay = undefined;
    const { json } = pays.payee.invoices.asked.at(-1) ?? { json: undefined };
    const { utxoCallback: url } = json.payerData.compliance;
    const answer = await told({ transactionId: "", url });
    expect([answer.status, answer.code]).toEqual([404, "REQUEST_NOT_FOUND"]);
  });

  it("after its customer was deleted", async () => {
    const { bank, accountId, customerId } = pays;
    pays.connector.report = () => ({ status: "settled" });
    const { id, transactionId } = expectStatus(201, await pays.quote()).json;
    const { json } = pays.payee.invoices.asked.at(-1) ?? { json: undefined };
    expectStatus(200, await pays.execute(id));
    // The other quotes expire.
    pays.pass(301_000);
    await bank.settle();
    const { total } = await holdingsOf(bank, accountId);
    const internal = (await bank.call("GET", "/platform/internal-accounts")).json.data;
    const to = internal.find((one: Internal) => one.balance.currency.code === "USD").id;
    const sides = { source: { accountId }, destination: { accountId: to } };
    const move = { ...sides, amount: total };
    expectStatus(201, await bank.call("POST", "/transfers", move));
    expectStatus(200, await bank.call("DELETE", `/customers/${customerId}`));
    const own = { transactionId, url: json.payerData.compliance.utxoCallback };
    expect((await told(own, { timestamp: now() + 301 })).status).toBe(200);
    expect(await umaOf(own, pays)).toMatchObject({ state: "PAID", utxos: CHANNELS });
  });
});
