/** Which incoming payments are given back, by which way, and how much of them. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named } from "../../../../test/kit/decided.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import { sandboxRails } from "../../../../test/kit/rails.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { refundCounts } from "../transactions/incoming-refund.ts";
import { type Transaction, transactions } from "../transactions/transaction.ts";
import { refundIncoming as command, type RefundIncomingInput } from "./refund-incoming.ts";

const PAYER = "018f0000-0000-7000-8000-0000000000d9";
const AMOUNT = 700n;

/** A pull from the external account that has completed. */
const pulled: Transaction = {
  ...{ ...quoteTransaction, quoteId: null, type: "INCOMING", status: "COMPLETED" },
  ...{ sourceAccountId: external.id, destinationAccountId: internal.id },
  source: { type: "ACCOUNT", accountId: `ExternalAccount:${external.id}`, currency: "USD" },
  ...{ sentMinor: AMOUNT, sentCurrency: "USD", receivedMinor: AMOUNT, receivedCurrency: "USD" },
};
/** From the other internal account, over the books. */
const booked: Partial<Transaction> = {
  sourceAccountId: PAYER,
  details: { counterpartTransactionId: "Transaction:1" },
};

interface State {
  readonly payment?: Partial<Transaction> | "absent";
  readonly external?: Partial<ExternalAccount>;
  readonly amountMinor?: bigint;
  readonly availableMinor?: bigint;
}

function refunded({ payment = {}, amountMinor, availableMinor = AMOUNT, ...state }: State) {
  const input: RefundIncomingInput = {
    ...{ transactionId: pulled.id, amountMinor, note: undefined },
    ...{ reason: "OTHER", rails: sandboxRails },
  };
  const ledger = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, internal, { ...internal, id: PAYER }),
    rowsOf(externalAccounts, { ...external, ...state.external }),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor: availableMinor }, { ...ledger, id: PAYER }),
    rowsOf(transactions, ...(payment === "absent" ? [] : [{ ...pulled, ...payment }])),
  ];
  const { output, refusal, world } = decided({ command, input, platformId: PLATFORM, tables });
  return { output, refusal, world };
}

const counted = (refundedMinor: bigint, refundPendingMinor = 0n) => ({
  outcome: { refundedMinor: `${refundedMinor}`, refundPendingMinor: `${refundPendingMinor}` },
});

describe("a refund is refused", () => {
  const gone = { external: { deletedAt: 1 } };
  const fromUma = { type: "UMA_ADDRESS", umaAddress: "$a@b.test", currency: "USD" } as const;

  it.each(
    inOrder<State>([
      ["TRANSACTION_NOT_FOUND", { payment: "absent" }],
      ["CONFLICT OUTGOING", { payment: { type: "OUTGOING", status: "PENDING" } }],
      ["CONFLICT PENDING", { payment: { status: "PENDING", ...counted(AMOUNT) } }],
      ["AMOUNT_OUT_OF_RANGE 0", { payment: { ...counted(AMOUNT), sourceAccountId: null } }],
      ["NOT_IMPLEMENTED UMA_ADDRESS", { payment: { sourceAccountId: null, source: fromUma } }],
      ["CONFLICT the external account was deleted", gone],
      ["INSUFFICIENT_BALANCE", { availableMinor: AMOUNT - 1n }],
    ]),
  )("%s: %s", (expected, _how, state) => {
    const { refusal } = refunded(state);
    expect(named(refusal, "refundable", "rail", "type", "status", "reason")).toBe(expected);
  });

  it.each([
    [AMOUNT + 1n, counted(0n), `AMOUNT_OUT_OF_RANGE ${AMOUNT}`],
    [AMOUNT, counted(0n), "decided"],
    [500n, counted(200n), "decided"],
    [501n, counted(200n), "AMOUNT_OUT_OF_RANGE 500"],
    [401n, counted(200n, 100n), "AMOUNT_OUT_OF_RANGE 400"],
    [undefined, counted(600n, 100n), "AMOUNT_OUT_OF_RANGE 0"],
  ])("or not, for %s of what is left", (amountMinor, payment, expected) => {
    const { refusal } = refunded({ payment, ...(amountMinor !== undefined && { amountMinor }) });
    expect(named(refusal, "refundable")).toBe(expected);
  });
});

describe("a refund gives back", () => {
  it("what was pulled from an external account by a payout, which is counted as pending", () => {
    const { output, world } = refunded({ payment: counted(200n) });
    expect(output).toMatchObject({
      ...{ type: "OUTGOING", status: "PENDING", sentMinor: 500n },
      ...{ sourceAccountId: internal.id, destinationAccountId: external.id },
      details: { refundOf: `Transaction:${pulled.id}`, refundReason: "OTHER" },
    });
    const original = world.get(transactions.ref(pulled.id));
    expect(refundCounts(original)).toEqual({ refundedMinor: 200n, refundPendingMinor: 500n });
    expect(world.get(ledgerAccounts.ref(internal.id))).toMatchObject({
      ...{ balanceMinor: 200n, heldMinor: 500n },
    });
  });

  it("what came over the books at once, to the account that paid", () => {
    const { output, world } = refunded({ payment: booked, amountMinor: 300n });
    expect(output).toMatchObject({ type: "OUTGOING", status: "COMPLETED", sentMinor: 300n });
    const original = world.get(transactions.ref(pulled.id));
    expect(refundCounts(original)).toEqual({ refundedMinor: 300n, refundPendingMinor: 0n });
    expect(world.get(ledgerAccounts.ref(internal.id)).balanceMinor).toBe(400n);
    expect(world.get(ledgerAccounts.ref(PAYER)).balanceMinor).toBe(300n);
  });
});
