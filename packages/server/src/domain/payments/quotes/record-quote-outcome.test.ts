import { describe, expect, it } from "vitest";
import { rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  quote,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import {
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../../ledger/chart.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { type Transaction, transactions } from "../transactions/transaction.ts";
import { type Quote, quotes } from "./quote.ts";
import { type PayoutAnswer, recordQuoteOutcome } from "./record-quote-outcome.ts";

const JOB = "018f0000-0000-7000-8000-0000000000e2";
const euros = { ...internal, id: "018f0000-0000-7000-8000-0000000000e0", currency: "EUR" };

const inHouse: Partial<Quote> = {
  destination: { destinationType: "ACCOUNT", accountId: `InternalAccount:${euros.id}` },
  destinationAccountId: euros.id,
};

interface Found {
  readonly quote?: Partial<Quote>;
  readonly transaction?: Partial<Transaction>;
  /** Of the account that pays, and of the one in the house that is paid. */
  readonly balances?: readonly [payer: bigint, paid: bigint];
  /** Of the customer of both. */
  readonly deletedAt?: number;
}

function recorded(answer: PayoutAnswer, { balances = [0n, 0n], deletedAt, ...found }: Found = {}) {
  const status = found.quote?.status ?? "PROCESSING";
  const heldMinor = status === "PROCESSING" ? quote.sendingMinor : 0n;
  const ledgerOf = (id: string, currency: string) => newInternalLedgerAccount(id, currency, 1);
  const fx = newSystemAccount({ system: "fx", currency: "EUR" }, 1);
  const tables = [
    rowsOf(customers, { ...customer, deletedAt: deletedAt ?? null }),
    rowsOf(internalAccounts, internal, euros),
    rowsOf(externalAccounts, external),
    rowsOf(
      ledgerAccounts,
      { ...ledgerOf(internal.id, "USD"), balanceMinor: balances[0], heldMinor },
      { ...ledgerOf(euros.id, "EUR"), balanceMinor: balances[1] },
      { ...newSystemAccount({ system: "in-flight", currency: "USD" }, 1), balanceMinor: heldMinor },
      fx,
    ),
    rowsOf(quotes, { ...quote, status, fundedAt: 1, ...found.quote }),
    rowsOf(transactions, { ...quoteTransaction, status: "PROCESSING", ...found.transaction }),
  ];
  const input = { quoteId: quote.id, transactionId: quote.transactionId, jobId: JOB, answer };
  const world = worldFor({ command: recordQuoteOutcome, input, platformId: PLATFORM, tables });
  const after = recordQuoteOutcome.decide(world, input);
  const transaction = world.get(transactions.ref(quote.transactionId));
  return {
    quote: after.status,
    transaction: transaction.status,
    refund: transaction.refund?.status,
    outcome: transaction.outcome,
    moved: [...new Set(world.entries.map(({ reason }) => reason))],
    jobs: world.jobs.map(({ kind }) => kind),
    endsJob: world.cancelledJobs.includes(JOB),
  };
}

const settled = { kind: "settled" } as const;
const declined = {
  kind: "declined",
  failureReason: "COUNTERPARTY_POST_TX_FAILED",
  refundReason: "TRANSACTION_FAILED",
  wasAccepted: true,
} as const;
const returned = { kind: "returned", failureReason: "COUNTERPARTY_POST_TX_FAILED" } as const;
const arrived = { quote: { status: "COMPLETED" }, transaction: { status: "COMPLETED" } } as const;

const NOTHING = { moved: [], jobs: [] };

describe("a payout that has arrived", () => {
  it("ends its job, unless it may still be returned", () => {
    expect(recorded(settled)).toMatchObject({ quote: "COMPLETED", endsJob: true });
    const watched = recorded({ ...settled, mayComeBackInMs: 5_000 });
    expect(watched).toMatchObject({ quote: "COMPLETED", endsJob: false });
    const again = recorded({ ...settled, mayComeBackInMs: 5_000 }, arrived);
    expect(again).toMatchObject({ ...NOTHING, quote: "COMPLETED", endsJob: false });
  });

  it("stores the answer of the receiver's institution beside the known information", () => {
    const known = { quote: { counterpartyInformation: { FULL_NAME: "Bo", EMAIL: "b@x.test" } } };
    const receiverInformation = { FULL_NAME: "Bo Lind" };
    expect(recorded({ ...settled, receiverInformation }, known).outcome).toEqual({
      counterpartyInformation: { FULL_NAME: "Bo Lind", EMAIL: "b@x.test" },
    });
    expect(recorded(settled, known).outcome).toBeNull();
  });

  it("is credited to an internal account up to its last unit of room, or is returned", () => {
    const most = MAX_AMOUNT_MINOR - quote.receivingMinor;
    expect(recorded(settled, { quote: inHouse, balances: [0n, most] })).toMatchObject({
      transaction: "COMPLETED",
      moved: ["quote.convert"],
    });
    expect(recorded(settled, { quote: inHouse, balances: [0n, most + 1n] })).toMatchObject({
      quote: "FAILED",
      transaction: "FAILED",
      refund: "PENDING",
      moved: [],
      jobs: ["refund-quote"],
    });
  });
});

describe("a payout to an internal account", () => {
  it("is returned when its customer was deleted meanwhile", () => {
    expect(recorded(settled, { quote: inHouse, deletedAt: 5 })).toMatchObject({
      quote: "FAILED",
      refund: "PENDING",
      moved: [],
      jobs: ["refund-quote"],
    });
  });
});

describe("a payout that is returned", () => {
  it("is reversed and refunded; the quote stays unchanged", () => {
    expect(recorded(returned, arrived)).toEqual({
      quote: "COMPLETED",
      transaction: "FAILED",
      refund: "PENDING",
      outcome: null,
      moved: ["quote.return"],
      jobs: ["refund-quote"],
      endsJob: true,
    });
  });

  it("is set aside, and its refund fails, when the payer's account was filled up in between", () => {
    const most = MAX_AMOUNT_MINOR - quote.sendingMinor;
    expect(recorded(returned, { ...arrived, balances: [most, 0n] }).refund).toBe("PENDING");
    expect(recorded(returned, { ...arrived, balances: [most + 1n, 0n] })).toMatchObject({
      transaction: "FAILED",
      refund: "FAILED",
      moved: ["quote.return"],
      jobs: [],
    });
  });

  it("is set aside, and its refund fails, when the payer was deleted in between", () => {
    expect(recorded(returned, { ...arrived, deletedAt: 5 })).toMatchObject({
      transaction: "FAILED",
      refund: "FAILED",
      moved: ["quote.return"],
      jobs: [],
    });
  });

  it("and for which there was no room is refunded once, without reversing an exchange", () => {
    const full = { quote: inHouse, balances: [0n, MAX_AMOUNT_MINOR] } as const;
    expect(recorded(returned, full)).toEqual(recorded(settled, full));
    expect(recorded(returned, full)).toMatchObject({
      quote: "FAILED",
      refund: "PENDING",
      moved: [],
      jobs: ["refund-quote"],
    });
  });
});

describe("a payout that is declined", () => {
  it("is returned with the information that the other institution requires about the sender", () => {
    const answer = { ...declined, missingPayerFields: ["TAX_ID"] };
    expect(recorded(answer)).toMatchObject({
      quote: "FAILED",
      refund: "PENDING",
      outcome: { requiredPayerDataFields: [{ name: "TAX_ID", mandatory: true }] },
      jobs: ["refund-quote"],
    });
    expect(recorded(declined).outcome).toBeNull();
  });

  it("schedules the update of an agent's action", () => {
    const ofAgent = { transaction: { agentId: PLATFORM } };
    expect(recorded(declined, ofAgent).jobs).toEqual(["follow-agent-payment", "refund-quote"]);
  });
});

describe("a payout of which nothing more can come", () => {
  const refund = {
    reference: "RF-1",
    initiatedAt: "2026-11-21T00:00:00.000Z",
    status: "PENDING",
    reason: "USER_CANCELLATION",
  } as const;

  it.each([
    settled,
    { ...settled, mayComeBackInMs: 5_000 },
    declined,
    { kind: "cancelled" } as const,
    returned,
  ])("changes nothing and ends its job: %j", (answer) => {
    const called = { transaction: { refund } };
    expect(recorded(answer, called)).toMatchObject({
      ...NOTHING,
      transaction: "PROCESSING",
      endsJob: true,
    });
    const failed = { quote: { status: "FAILED" }, transaction: { status: "FAILED" } } as const;
    expect(recorded(answer, failed)).toMatchObject({
      ...NOTHING,
      transaction: "FAILED",
      endsJob: true,
    });
  });
});

it("a cancelled payout is refunded before it completes", () => {
  expect(recorded({ kind: "cancelled" })).toMatchObject({
    quote: "PROCESSING",
    transaction: "PROCESSING",
    refund: "PENDING",
    moved: [],
    jobs: ["refund-quote"],
    endsJob: true,
  });
});
