/** Messages after a payment: what is kept of those that come, and how often one is sent. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, written } from "../../../../test/kit/decided.ts";
import { internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { connection } from "../../../../test/kit/rail-rows.ts";
import { INVOICE, invoiceTables } from "../../../../test/kit/uma-invoice-rows.ts";
import type { Command } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import { depositNeeds } from "../../rails/entries/deposit.ts";
import { paidNeeds, payInvoice } from "../incoming/pay-invoice.ts";
import { umaInvoices } from "../incoming/uma-invoice.ts";
import { type SignedMessage, umaNonceOf, umaNonces } from "../nonces/uma-nonce.ts";
import { type ReceivedHook, recordHook } from "./record-hook.ts";
import { type HookTry, recordHookTry } from "./record-hook-try.ts";
import { MOST_TRIES, newHook, shownHook, type UmaHook, umaHooks, waitAfter } from "./uma-hook.ts";

const PAYMENT = "018f0000-0000-7000-8000-0000000000d1";
const JOB = "018f0000-0000-7000-8000-0000000000d2";
const message: SignedMessage = {
  kind: "hook",
  domain: "vasp.test",
  text: "7|1795953600",
  signedAt: DECIDED_AT,
};
const utxos = [{ utxo: "abc:1", amountMsats: "1000" }];
const fresh = newHook(PAYMENT, DECIDED_AT);

describe("a message of the other institution", () => {
  function told(rows: readonly UmaHook[], accepted: readonly SignedMessage[] = []) {
    const tables = [rowsOf(umaHooks, ...rows), rowsOf(umaNonces, ...accepted.map(umaNonceOf))];
    const input: ReceivedHook = { transactionId: PAYMENT, message, utxos };
    const { world, refusal } = decided({
      command: recordHook,
      input,
      platformId: PLATFORM,
      tables,
    });
    return {
      code: refusal?.code,
      hooks: written(world, umaHooks),
      nonces: written(world, umaNonces).length,
    };
  }

  it("is kept with its nonce, in one commit", () => {
    const hooks = [{ ...fresh, createdAt: expect.any(Number), utxos }];
    expect(told([])).toMatchObject({ code: undefined, hooks, nonces: 1 });
  });

  it.each([
    ["NONE", 0],
    ["PENDING", 2],
    ["SENT", 1],
    ["FAILED", 5],
  ] as const)("is kept beside one of ours that is %s", (state, tries) => {
    expect(told([{ ...fresh, state, tries }])).toMatchObject({
      hooks: [{ state, tries, utxos }],
      nonces: 1,
    });
  });

  it.each([[[]], [[{ utxo: "other:1", amountMsats: "1" }]]])(
    "changes nothing after a first one that told %j",
    (first) => {
      expect(told([{ ...fresh, utxos: first }])).toEqual({ code: undefined, hooks: [], nonces: 1 });
    },
  );

  it("is refused when it was accepted before, and leaves nothing", () => {
    expect(told([], [message])).toEqual({ code: "INVALID_NONCE", hooks: [], nonces: 0 });
    const lookup = { ...message, kind: "lookup" } as const;
    expect(told([], [lookup]).code).toBeUndefined();
  });
});

describe("a try to tell the other institution", () => {
  function tried(rows: readonly UmaHook[], wish: Pick<HookTry, "tries" | "outcome" | "channels">) {
    const input: HookTry = { transactionId: PAYMENT, jobId: JOB, ...wish };
    const { world } = decided({
      command: recordHookTry,
      input,
      platformId: PLATFORM,
      tables: [rowsOf(umaHooks, ...rows)],
    });
    const [hook] = written(world, umaHooks);
    return {
      hook: hook && [hook.state, hook.tries],
      next: world.jobs.map(({ payload, dueAt }) => [payload, dueAt - world.at]),
      ends: world.cancelledJobs,
    };
  }

  it("ends when it was taken", () => {
    expect(tried([], { tries: 0, outcome: "sent" })).toEqual({
      hook: ["SENT", 1],
      next: [],
      ends: [JOB],
    });
  });

  it.each([
    [1, 5 * 60],
    [2, 3_600],
    [3, 6 * 3_600],
    [4, 17 * 3_600],
  ])("is followed by another one after failure %i, %i seconds later", (tries, seconds) => {
    const before = { ...fresh, state: "PENDING", tries: tries - 1 } as const;
    expect(tried(tries === 1 ? [] : [before], { tries: tries - 1, outcome: "failed" })).toEqual({
      hook: ["PENDING", tries],
      next: [[{ transactionId: PAYMENT, tries }, seconds * 1_000]],
      ends: [JOB],
    });
  });

  it("is followed by one with the same channels", () => {
    const { next } = tried([], { tries: 0, outcome: "failed", channels: utxos });
    expect(next).toEqual([[{ transactionId: PAYMENT, tries: 1, channels: utxos }, 300_000]]);
  });

  it("is given up after the fifth", () => {
    const before = { ...fresh, state: "PENDING", tries: 4 } as const;
    expect(MOST_TRIES).toBe(5);
    expect(waitAfter(5)).toBeUndefined();
    expect(tried([before], { tries: 4, outcome: "failed" })).toEqual({
      hook: ["FAILED", 5],
      next: [],
      ends: [JOB],
    });
  });

  it.each<readonly [string, UmaHook, number]>([
    ["was sent", { ...fresh, state: "SENT", tries: 1 }, 1],
    ["was given up", { ...fresh, state: "FAILED", tries: 5 }, 5],
    ["has this try already", { ...fresh, state: "PENDING", tries: 1 }, 0],
  ])("changes nothing of a message that %s", (_what, before, tries) => {
    for (const outcome of ["sent", "failed", "over"] as const) {
      expect(tried([before], { tries, outcome })).toEqual({ next: [], ends: [JOB] });
    }
  });

  it("ends without one when the payment is not settled any more", () => {
    expect(tried([], { tries: 0, outcome: "over" })).toEqual({ next: [], ends: [JOB] });
    const before = { ...fresh, state: "PENDING", tries: 2 } as const;
    expect(tried([before], { tries: 2, outcome: "over" })).toEqual({
      hook: ["FAILED", 2],
      next: [],
      ends: [JOB],
    });
  });
});

it.each<readonly [UmaHook | undefined, boolean, boolean, string]>([
  [undefined, false, true, "NONE 0"],
  [undefined, true, false, "NONE 0"],
  [undefined, true, true, "PENDING 0"],
  [{ ...fresh, utxos }, true, true, "PENDING 0"],
  [{ ...fresh, utxos }, false, true, "NONE 0"],
  [{ ...fresh, state: "SENT", tries: 2 }, true, true, "SENT 2"],
  [{ ...fresh, state: "FAILED", tries: 1 }, true, false, "FAILED 1"],
])("is shown of %j, wanted %s, settled %s: %s", (row, isWanted, isSettled, expected) => {
  const { state, tries } = shownHook(row, { isWanted, isSettled });
  expect(`${state} ${tries}`).toBe(expected);
});

describe("a credited invoice", () => {
  const hook = { callback: "https://vasp.test/hook", ownDomain: "bank.test" };
  const pay: Command<undefined, undefined> = {
    name: "pay-invoice",
    needs: (world) => [
      ...paidNeeds(world, INVOICE),
      ...depositNeeds(world, internal.id),
      systemAccount("clearing", "EUR", connection.id),
    ],
    decide(world) {
      const invoice = world.get(umaInvoices.ref(INVOICE));
      payInvoice(world, invoice, { entryId: PAYMENT, suspendedMinor: 0n, channels: utxos });
      return undefined;
    },
  };

  it.each([
    [null, []],
    [hook, ["send-uma-hook"]],
  ])("whose institution wants to be told at %j has the jobs %j", (wanted, kinds) => {
    const tables = invoiceTables({ invoice: { hook: wanted } });
    const { world } = decided({ command: pay, input: undefined, platformId: PLATFORM, tables });
    expect(world.jobs.map(({ kind }) => kind)).toEqual(kinds);
    for (const { payload } of world.jobs) expect(payload).toMatchObject({ channels: utxos });
    expect(written(world, umaHooks)).toEqual([]);
  });
});
