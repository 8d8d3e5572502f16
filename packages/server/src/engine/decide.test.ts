import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { testSealer } from "../../test/kit/bookkeeping.ts";
import { ask, deposit, throwInDecide } from "../../test/kit/small-commands.ts";
import { ledgerAccounts, newInternalLedgerAccount, systemAccount } from "../ledger/chart.ts";
import { randomIds } from "../std/ids.ts";
import { Batch } from "./batch.ts";
import { RowCache } from "./cache/row-cache.ts";
import type { Submission } from "./command.ts";
import { chainHashOf, idempotencyDigestOf } from "./command-log.ts";
import { type Decision, decideAll, type Pending, type Recalled, sealIdentity } from "./decide.ts";
import { GENESIS_HASH, type Head } from "./head.ts";
import { Refusal, type RefusalCode } from "./refusal.ts";

const AT = Date.UTC(2025, 9, 13);
const PLATFORM = "018f0000-0000-7000-8000-0000000000aa";
const A = "018f0000-0000-7000-8000-00000000000a";

const head: Head = {
  seq: 4n,
  eventSeq: 9n,
  clockOffsetMs: 0,
  lastAt: AT - 1,
  chainHash: GENESIS_HASH,
};

function decide(
  submissions: readonly Submission<unknown, unknown>[],
  { recalled = new Map<string, Recalled>(), forced = undefined as Refusal | undefined } = {},
) {
  const rows = new RowCache(100);
  const funding = systemAccount("sandbox-funding", "USD");
  const batch = new Batch({
    platformId: PLATFORM,
    head,
    at: AT,
    rows,
    ids: randomIds(),
    renderEvent: () => "{}",
  });
  const account = { ...newInternalLedgerAccount(A, "USD", AT), balanceMinor: 100n };
  batch.receiveRows(ledgerAccounts, [A, funding.id], [account]);
  const pendings = submissions.map((submission): Pending => {
    const { idempotency } = submission;
    return {
      submission,
      idempotencyDigest:
        idempotency === undefined ? null : idempotencyDigestOf(idempotency.scope, idempotency.key),
      enqueuedAt: AT,
      forced,
      resolve: () => undefined,
      reject: () => undefined,
    };
  });
  const decided = decideAll(batch, pendings, {
    head,
    recalled,
    renderRefusal: ({ code, status }) => ({ status, body: code }),
    describeChanges: () => ({ target: null, changes: [] }),
    sealer: testSealer,
  });
  return { ...decided, batch };
}

interface Pay {
  readonly minor: bigint;
  readonly key?: string;
  readonly body?: string;
  readonly status?: number;
  readonly secret?: boolean;
}

function pay({ minor, status = 200, ...rest }: Pay): Submission<unknown, unknown> {
  const toAnswer = (output: string) => ({ status, body: output });
  const asked = { command: deposit, input: { accountId: A, minor }, toAnswer, ...rest };
  return ask(PLATFORM, asked) as unknown as Submission<unknown, unknown>;
}

function answersOf(decisions: readonly Decision[]) {
  return decisions.map((decision) =>
    decision.kind === "answered"
      ? [decision.answered.status, decision.answered.body, decision.answered.replayed]
      : ["failed", decision.error],
  );
}

describe("an idempotency key", () => {
  it("replays its answer within one batch, and the command runs once", () => {
    const { decisions, logged, batch } = decide([
      pay({ minor: 5n, key: "k" }),
      pay({ minor: 5n, key: "k" }),
    ]);
    expect(answersOf(decisions)).toEqual([
      [200, "105", false],
      [200, "105", true],
    ]);
    expect(logged).toHaveLength(1);
    expect(batch.entries).toHaveLength(2);
  });

  it("is refused with another body, and nothing is logged", () => {
    const { decisions, logged } = decide([
      pay({ minor: 5n, key: "k" }),
      pay({ minor: 6n, key: "k", body: "other" }),
      pay({ minor: 5n, key: "k" }),
    ]);
    expect(answersOf(decisions)).toEqual([
      [200, "105", false],
      [422, "IDEMPOTENCY_KEY_REUSED", false],
      [200, "105", true],
    ]);
    expect(logged).toHaveLength(1);
  });

  it("replays the answer from the log", () => {
    const bodyDigest = createHash("sha256").update("").digest();
    const recalled = new Map([
      [idempotencyDigestOf("POST /x", "k"), { status: 201, body: "before", bodyDigest }],
    ]);
    const { decisions, logged } = decide([pay({ minor: 5n, key: "k" })], { recalled });
    expect(answersOf(decisions)).toEqual([[201, "before", true]]);
    expect(logged).toEqual([]);
  });

  it("stores a refusal, as a command without changes", () => {
    const { decisions, logged, batch } = decide([
      pay({ minor: -101n, key: "k" }),
      pay({ minor: 50n }),
      pay({ minor: -101n, key: "k" }),
    ]);
    expect(answersOf(decisions)).toEqual([
      [400, "INSUFFICIENT_BALANCE", false],
      [200, "150", false],
      [400, "INSUFFICIENT_BALANCE", true],
    ]);
    expect(logged.map(({ seq, status, answer }) => [seq, status, answer])).toEqual([
      [5n, 400, "INSUFFICIENT_BALANCE"],
      [6n, 200, null],
    ]);
    expect(batch.entries.every(({ commandSeq }) => commandSeq === 6n)).toBe(true);
  });

  it.each([401, 429, 500, 503])("does not store an answer with status %i", (status) => {
    const { decisions, logged } = decide([
      pay({ minor: 1n, key: "k", status }),
      pay({ minor: 1n, key: "k" }),
    ]);
    expect(answersOf(decisions)).toEqual([
      [status, "101", false],
      [200, "102", false],
    ]);
    expect(logged.map(({ idempotencyKey, answer }) => [idempotencyKey, answer])).toEqual([
      [null, null],
      ["k", "102"],
    ]);
  });

  it("does not store a refusal that is not final", () => {
    const forced = new Refusal("FORBIDDEN", undefined, undefined, false);
    const refused = decide([pay({ minor: 1n, key: "k" })], { forced });
    expect(answersOf(refused.decisions)).toEqual([[403, "FORBIDDEN", false]]);
    expect([refused.logged, refused.hasUnstoredKey]).toEqual([[], true]);
    const kept = decide([pay({ minor: 1n, key: "k" })], { forced: new Refusal("FORBIDDEN") });
    expect(kept.logged).toHaveLength(1);
  });

  it("stores a secret answer sealed and bound to its row, and replays it in clear", () => {
    const secret = { minor: 1n, key: "k", secret: true };
    const { decisions, logged } = decide([pay(secret), pay(secret)]);
    expect(answersOf(decisions)).toEqual([
      [200, "101", false],
      [200, "101", true],
    ]);
    const [row] = logged;
    expect(row?.answerSealed).toBe(true);
    expect(row?.answer).not.toContain("101");
    const open = (identity: string) => testSealer.open(row?.answer ?? "", identity).toString();
    expect(open(sealIdentity(PLATFORM, 5n))).toBe("101");
    expect(() => open(sealIdentity(PLATFORM, 6n))).toThrow();
  });
});

describe("a command without a key", () => {
  it("that would exceed the range of a balance is refused", () => {
    const { decisions, logged } = decide([pay({ minor: 2n ** 63n }), pay({ minor: 1n })]);
    expect(answersOf(decisions)).toEqual([
      [400, "AMOUNT_OUT_OF_RANGE", false],
      [200, "101", false],
    ]);
    expect(logged).toHaveLength(1);
  });

  it("that is refused logs no row", () => {
    const { decisions, logged, next } = decide([pay({ minor: -101n })]);
    expect(answersOf(decisions)).toEqual([[400, "INSUFFICIENT_BALANCE", false]]);
    expect(logged).toEqual([]);
    expect(next).toEqual(head);
  });

  it("that throws fails alone, and its changes are rolled back", () => {
    const broken = ask(PLATFORM, { command: throwInDecide, input: { accountId: A, minor: 5n } });
    const { decisions, logged, batch } = decide([
      pay({ minor: 1n }),
      broken as unknown as Submission<unknown, unknown>,
      pay({ minor: 1n }),
    ]);
    expect(decisions.map(({ kind }) => kind)).toEqual(["answered", "failed", "answered"]);
    expect(logged).toHaveLength(2);
    expect(batch.get(ledgerAccounts.ref(A)).balanceMinor).toBe(102n);
    expect(batch.events.map(({ seq }) => seq)).toEqual([10n, 11n]);
  });

  it("whose answer cannot be rendered fails, and its changes are rolled back", () => {
    const asked = ask(PLATFORM, {
      command: deposit,
      input: { accountId: A, minor: 5n },
      toAnswer: () => {
        throw new TypeError("no answer");
      },
    });
    const { decisions, batch } = decide([asked as unknown as Submission<unknown, unknown>]);
    expect(decisions[0]?.kind).toBe("failed");
    expect(batch.isEmpty).toBe(true);
  });
});

it("answers with a refusal found by the database instead of deciding", () => {
  const code: RefusalCode = "CONFLICT";
  const { decisions, batch, logged } = decide([pay({ minor: 5n, key: "k" })], {
    forced: new Refusal(code),
  });
  expect(answersOf(decisions)).toEqual([[409, "CONFLICT", false]]);
  expect(logged).toHaveLength(1);
  expect(batch.entries).toEqual([]);
});

it("chains the logged commands from the hash of the head to the next head", () => {
  const { logged, next } = decide([
    pay({ minor: 1n }),
    pay({ minor: -500n }),
    pay({ minor: 2n, key: "k" }),
    pay({ minor: 3n }),
  ]);
  expect(logged.map(({ seq }) => seq)).toEqual([5n, 6n, 7n]);
  let hash = head.chainHash;
  for (const row of logged) {
    hash = chainHashOf(hash, row);
    expect(row.hash).toEqual(hash);
  }
  expect(next).toEqual({ seq: 7n, eventSeq: 12n, clockOffsetMs: 0, lastAt: AT, chainHash: hash });
});
