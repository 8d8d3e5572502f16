import { describe, expect, it } from "vitest";
import type { Entry } from "../ledger/postings.ts";
import {
  answerToStore,
  chainHashOf,
  effectsDigestOf,
  type StoredEvent,
  type UnhashedCommand,
} from "./command-log.ts";

const ID = "018f0000-0000-7000-8000-00000000000a";
const OTHER_ID = "018f0000-0000-7000-8000-00000000000b";
const AT = Date.UTC(2026, 0, 1);

const command: UnhashedCommand = {
  seq: 7n,
  id: ID,
  name: "transfer-out",
  actor: "token:one",
  at: AT,
  clockOffsetMs: 60_000n,
  idempotencyDigest: ID,
  idempotencyScope: "POST /transfer-out",
  idempotencyKey: "key",
  bodyDigest: Buffer.alloc(32, 1),
  status: 201,
  answer: "{}",
  answerSealed: false,
  answerDigest: Buffer.alloc(32, 2),
  effectsDigest: Buffer.alloc(32, 3),
};
const previous = Buffer.alloc(32, 4);

describe("the hash of a command", () => {
  it.each<Partial<UnhashedCommand>>([
    { seq: 8n },
    { id: OTHER_ID },
    { name: "transfer-in" },
    { actor: "token:two" },
    { at: AT + 1 },
    { clockOffsetMs: 0n },
    { idempotencyScope: null },
    { idempotencyKey: "other" },
    { bodyDigest: null },
    { status: 202 },
    { answerSealed: true },
    { answerDigest: Buffer.alloc(32, 5) },
    { effectsDigest: Buffer.alloc(32, 5) },
  ])("covers %o", (change) => {
    const hash = chainHashOf(previous, command);
    expect(chainHashOf(previous, { ...command, ...change }).equals(hash)).toBe(false);
  });

  it("covers the hash before it", () => {
    const hash = chainHashOf(previous, command);
    expect(chainHashOf(Buffer.alloc(32, 5), command).equals(hash)).toBe(false);
  });

  it("stays when the answer and the digest of its key are dropped", () => {
    const dropped = { ...command, answer: null, idempotencyDigest: null };
    expect(chainHashOf(previous, dropped)).toEqual(chainHashOf(previous, command));
  });

  it("is the one that earlier versions have stored", () => {
    expect(chainHashOf(previous, command).toString("hex")).toBe(
      "d09674600d8ea0a1e46925fe7c3be655aee6681e386727af2ff280df9d6af841",
    );
  });
});

const entry: Entry = {
  accountId: ID,
  version: 2n,
  posting: 0,
  reason: "payout.hold",
  currency: "USD",
  amountMinor: -5n,
  balanceAfterMinor: 95n,
  heldForAccountId: null,
};
const event: StoredEvent = {
  seq: 3n,
  id: ID,
  commandSeq: 7n,
  type: "TEST",
  subject: "Customer:x",
  at: AT,
  body: "{}",
};

describe("the digest of entries and events", () => {
  it.each<Partial<Entry>>([
    { accountId: OTHER_ID },
    { version: 3n },
    { posting: 1 },
    { reason: "payout.settle" },
    { currency: "EUR" },
    { amountMinor: 5n },
    { balanceAfterMinor: 94n },
    { heldForAccountId: ID },
  ])("covers %o of an entry", (change) => {
    const digest = effectsDigestOf([entry], [event]);
    expect(effectsDigestOf([{ ...entry, ...change }], [event]).equals(digest)).toBe(false);
  });

  it.each<Partial<StoredEvent>>([
    { seq: 4n },
    { id: OTHER_ID },
    { type: "OTHER" },
    { subject: "Customer:y" },
    { at: AT + 1 },
    { body: "[]" },
  ])("covers %o of an event", (change) => {
    const digest = effectsDigestOf([entry], [event]);
    expect(effectsDigestOf([entry], [{ ...event, ...change }]).equals(digest)).toBe(false);
  });

  it("is the one that earlier versions have stored", () => {
    expect(effectsDigestOf([entry], [event]).toString("hex")).toBe(
      "ec5c4a067c3eb66ea972ae7255439bf6c6d99e94e11bba361c4e442ff964254e",
    );
  });
});

describe("what is stored of an answer", () => {
  const event = (seq: bigint, data: string): StoredEvent => ({
    seq,
    id: ID,
    commandSeq: 1n,
    type: "TEST",
    subject: "Transaction:1",
    at: 0,
    body: `{"id":"Webhook:1","type":"TEST","timestamp":"t","data":${data}}`,
  });
  const payment = '{"id":"Transaction:1","note":"\\"data\\":{}"}';
  const events = [event(7n, '{"id":"InternalAccount:1"}'), event(8n, payment)];

  it.each<readonly [string, string, string]>([
    ["the data of an event", payment, "@8"],
    ["of another event", '{"id":"InternalAccount:1"}', "@7"],
    ["the end of data", '{}"}', '{}"}'],
    ["text that is no data", '{"id":"Transaction:2"}', '{"id":"Transaction:2"}'],
    ["of the same length", payment.replace("1", "2"), payment.replace("1", "2")],
    ["empty", "", ""],
    ["longer than any event", "x".repeat(500), "x".repeat(500)],
  ])("%s", (_what, answer, stored) => {
    expect(answerToStore(answer, events)).toBe(stored);
  });

  it("is the answer itself without events", () => {
    expect(answerToStore(payment, [])).toBe(payment);
  });
});
