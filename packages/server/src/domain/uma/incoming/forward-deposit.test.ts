/** Money of an invoice that goes on to an account outside: the payout that takes it, and what makes it stay. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { external, internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { sandboxRails } from "../../../../test/kit/rails.ts";
import { INVOICE, invoiceTables } from "../../../../test/kit/uma-invoice-rows.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import type { RailRulesOf } from "../../payments/transfers/payment-rail.port.ts";
import { forwardDeposit } from "./forward-deposit.ts";

const AS = { actor: { kind: "worker", id: "uma" }, at: DECIDED_AT } as const;
const JOB = "018f0000-0000-7000-8000-0000000000c7";
const inEveryMode: RailRulesOf = () => sandboxRails("SANDBOX");

interface State {
  readonly payment?: Partial<Transaction>;
  readonly external?: Partial<ExternalAccount>;
  readonly internal?: Partial<InternalAccount>;
  readonly balanceMinor?: bigint;
}

function paid({ payment, balanceMinor = 1_250n, ...accounts }: State = {}) {
  const details = { depositAccountId: `ExternalAccount:${external.id}` };
  const opened = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  return new DecidedRows(PLATFORM, [
    ...invoiceTables({
      invoice: { state: "PAID", jobId: null },
      payment: { status: "COMPLETED", details, ...payment },
    }),
    rowsOf(internalAccounts, { ...internal, ...accounts.internal }),
    rowsOf(ledgerAccounts, { ...opened, balanceMinor }),
    rowsOf(externalAccounts, { ...external, ...accounts.external }),
  ]);
}

function forward(rows: DecidedRows, rails = inEveryMode) {
  return rows.run(forwardDeposit, { transactionId: INVOICE, jobId: JOB, rails }, AS);
}

function stateOf(rows: DecidedRows) {
  const payouts = rows.all(transactions).filter(({ type }) => type === "OUTGOING");
  return {
    told: rows.all(transactions).find(({ id }) => id === INVOICE)?.outcome,
    balance: rows.all(ledgerAccounts).find(({ id }) => id === internal.id)?.balanceMinor,
    payouts: payouts.map(({ sentMinor, destinationAccountId, details }) => [
      sentMinor,
      destinationAccountId,
      details?.depositOf,
    ]),
  };
}

const STAYS = { told: { depositFallback: true }, balance: 1_250n, payouts: [] };

describe("the money of a paid invoice", () => {
  it("goes on by one payout of its amount, however often its job runs", () => {
    const rows = paid();
    forward(rows);
    const once = stateOf(rows);
    const id = rows.all(transactions).find(({ type }) => type === "OUTGOING")?.id;
    expect(once).toEqual({
      told: { depositTransactionId: `Transaction:${id}` },
      balance: 0n,
      payouts: [[1_250n, external.id, `Transaction:${INVOICE}`]],
    });
    forward(rows);
    expect(stateOf(rows)).toEqual(once);
  });

  const freeze = { reason: "COMPLIANCE", note: null, since: "2026-11-20T00:00:00Z" } as const;
  it.each<readonly [string, State, RailRulesOf]>([
    ["nothing carries it", {}, () => undefined],
    ["the account outside is deleted", { external: { deletedAt: DECIDED_AT } }, inEveryMode],
    ["the account outside is not active", { external: { status: "PENDING" } }, inEveryMode],
    [
      "the account is frozen",
      { internal: { frozen: { ...freeze, scope: "DEBITS" } } },
      inEveryMode,
    ],
    [
      "the customer is frozen",
      { internal: { customerFreeze: { ...freeze, scope: "ALL" } } },
      inEveryMode,
    ],
    ["the payment was given back", { payment: { status: "REFUNDED" } }, inEveryMode],
  ])("stays where %s, and does not go on later", (_why, state, rails) => {
    const rows = paid(state);
    forward(rows, rails);
    expect(stateOf(rows)).toEqual(STAYS);
    forward(rows);
    expect(stateOf(rows)).toEqual(STAYS);
  });

  it("stays where a part of it was spent", () => {
    const rows = paid({ balanceMinor: 1_249n });
    forward(rows);
    expect(stateOf(rows)).toEqual({ ...STAYS, balance: 1_249n });
  });
});
