/** A payment between two customers of one production platform: how it is announced, and how each decision ends both sides. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
  quote,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import type { Batch } from "../../../engine/batch.ts";
import type { Command } from "../../../engine/command.ts";
import {
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../../ledger/chart.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import type { Freeze } from "../../accounts/freezes/freeze.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { executeQuote } from "../../payments/quotes/execute-quote.ts";
import { type Quote, quotes } from "../../payments/quotes/quote.ts";
import { umaReference } from "../../payments/transactions/delivery.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import { type Platform, platforms } from "../../platform.ts";
import { approvePayment, rejectPayment } from "../decide-payment.ts";
import { type PaymentApproval, paymentApprovals } from "../payment-approval.ts";
import { type ApprovalAnswer, recordApprovalAnswer } from "../record-approval-answer.ts";
import { payInHouse } from "./pay-in-house.ts";

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;
const JOB = idOf("e1");
const ASKING = idOf("e2");
const PAYEE = idOf("f0");
const INCOMING = idOf("f2");

const bea: Customer = { ...customer, id: PAYEE, umaAddress: "$bea@p.test", fullName: "Bea" };
const account: InternalAccount = {
  ...internal,
  id: idOf("f1"),
  customerId: PAYEE,
  currency: "EUR",
};
const toBea = {
  destination: { destinationType: "UMA_ADDRESS", umaAddress: bea.umaAddress, currency: "EUR" },
  destinationAccountId: null,
  destinationUma: bea.umaAddress,
} as const;
const paying: Quote = { ...quote, ...toBea, status: "PROCESSING", fundedAt: DECIDED_AT };
const outgoing: Transaction = {
  ...quoteTransaction,
  status: "PROCESSING",
  destination: { type: "UMA_ADDRESS", umaAddress: bea.umaAddress, currency: "EUR" },
  destinationAccountId: null,
};
const incoming: Transaction = {
  ...outgoing,
  id: INCOMING,
  type: "INCOMING",
  status: "PENDING",
  customerId: PAYEE,
  source: { type: "UMA_ADDRESS", umaAddress: customer.umaAddress },
  sourceAccountId: null,
  destinationAccountId: account.id,
  sentMinor: null,
  sentCurrency: null,
  quoteId: null,
  reference: umaReference(outgoing.id),
};
const approval: PaymentApproval = {
  id: INCOMING,
  eventSeq: 1n,
  jobId: ASKING,
  requestedFields: [],
  deadlineAt: DECIDED_AT + 5_000,
  outcome: { kind: "in-house", quoteId: quote.id, transactionId: outgoing.id },
  depositAccountId: null,
  decision: null,
  decidedAt: null,
  reason: null,
  receiverInformation: null,
  missingFields: null,
};
const frozen: Freeze = { reason: "OTHER", scope: "ALL", note: null, since: "2026-11-21T00:00:00Z" };

interface State {
  readonly platform?: Partial<Platform>;
  readonly quote?: Partial<Quote>;
  readonly outgoing?: Partial<Transaction>;
  readonly payee?: Partial<Customer>;
  readonly account?: Partial<InternalAccount>;
  readonly hasMinor?: bigint;
  readonly deposit?: Partial<ExternalAccount>;
  readonly incoming?: Partial<Transaction>;
}

function run<Input>(
  { platform: own, ...state }: State,
  command: Command<Input, unknown>,
  input: Input,
): Batch {
  const ledger = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  const theirs = newInternalLedgerAccount(account.id, "EUR", DECIDED_AT);
  const deposit = { ...external, customerId: PAYEE, currency: "EUR", ...state.deposit };
  const isExecuted = state.quote?.status === undefined;
  const isAsked = state.incoming !== undefined;
  const tables = [
    rowsOf(platforms, { ...platform, environment: "PRODUCTION" as const, ...own }),
    rowsOf(customers, customer, { ...bea, ...state.payee }),
    rowsOf(internalAccounts, internal, { ...account, ...state.account }),
    rowsOf(
      externalAccounts,
      ...(state.deposit === undefined ? [] : [{ ...deposit, defaultUmaDepositAccount: true }]),
    ),
    rowsOf(
      ledgerAccounts,
      // What the execution has set aside is held.
      { ...ledger, balanceMinor: 100_000n, heldMinor: isExecuted ? quote.sendingMinor : 0n },
      { ...theirs, balanceMinor: state.hasMinor ?? 0n },
    ),
    rowsOf(ledgerAccounts, {
      ...newSystemAccount({ system: "in-flight", currency: "USD" }, DECIDED_AT),
      balanceMinor: quote.sendingMinor,
    }),
    rowsOf(quotes, { ...paying, ...state.quote }),
    rowsOf(
      transactions,
      { ...outgoing, ...state.outgoing },
      ...(isAsked ? [{ ...incoming, ...state.incoming }] : []),
    ),
    rowsOf(paymentApprovals, ...(isAsked ? [approval] : [])),
  ];
  const world = worldFor({ command, input, platformId: PLATFORM, tables });
  command.decide(world, input);
  return world;
}

const typesIn = (world: Batch) => world.events.map(({ type }) => type);
const jobsIn = (world: Batch) => world.jobs.map(({ kind }) => kind);
const REFUNDED = ["OUTGOING_PAYMENT.FAILED", "OUTGOING_PAYMENT.REFUND_PENDING"];

describe("the execution", () => {
  it("has the payee announced by a job, and gives nothing to the simulated network", () => {
    const open = {
      quote: { status: "PENDING", fundedAt: null },
      outgoing: { status: "PENDING" },
    } as const;
    const world = run(open, executeQuote, { quoteId: quote.id, owner: undefined });
    expect(world.jobs).toMatchObject([
      { kind: "pay-in-house", payload: { quoteId: quote.id, transactionId: outgoing.id } },
    ]);
    const sandbox = { ...open, platform: { environment: "SANDBOX" } } as const;
    expect(jobsIn(run(sandbox, executeQuote, { quoteId: quote.id, owner: undefined }))).toEqual([
      "pay-quote",
    ]);
  });
});

describe("the announcement", () => {
  const announceTo = (customerId: string | undefined, state: State = {}) =>
    run(state, payInHouse, {
      quoteId: quote.id,
      transactionId: outgoing.id,
      jobId: JOB,
      customerId,
    });

  const announce = (state: State) => announceTo(PAYEE, state);

  it("asks the platform about the payee's payment, under the reference of the payer's", () => {
    const world = announce({});
    expect(typesIn(world)).toEqual(["INCOMING_PAYMENT.PENDING"]);
    expect(jobsIn(world)).toEqual(["ask-approval"]);
    expect(world.cancelledJobs).toEqual([JOB]);
    const id = String(world.jobs[0]?.payload.transactionId);
    expect(world.get(transactions.ref(id))).toMatchObject({
      type: "INCOMING",
      status: "PENDING",
      customerId: PAYEE,
      destinationAccountId: account.id,
      receivedMinor: 900n,
      receivedCurrency: "EUR",
      reference: umaReference(outgoing.id),
      source: { type: "UMA_ADDRESS", umaAddress: customer.umaAddress },
    });
  });

  it.each<readonly [string, State & { readonly isUnknown?: true }]>([
    ["there is no customer at the address", { isUnknown: true }],
    ["the payee was deleted", { payee: { deletedAt: DECIDED_AT } }],
    ["the payee has another address", { payee: { umaAddress: "$other@p.test" } }],
    [
      "the platform has released the domain",
      { platform: { umaDomain: "q.test", umaDomains: ["q.test"] } },
    ],
    [
      "the platform receives less",
      {
        platform: {
          supportedCurrencies: platform.supportedCurrencies.map((each) => ({
            ...each,
            maxAmount: 899,
          })),
        },
      },
    ],
    ["the payee has dropped the currency", { payee: { currencies: ["USD"] } }],
    ["the account was closed", { account: { status: "CLOSED" } }],
    ["the account was frozen", { account: { frozen } }],
    ["the payee is not ready any more", { payee: { kycStatus: "REJECTED" } }],
    ["the payee was frozen", { payee: { frozen } }],
    ["the platform has no endpoint", { platform: { webhookEndpoint: null } }],
  ])("fails the quote and gives the money back when %s", (_why, { isUnknown, ...state }) => {
    const world = announceTo(isUnknown === true ? undefined : PAYEE, state);
    expect(typesIn(world)).toEqual(REFUNDED);
    expect(world.get(quotes.ref(quote.id)).status).toBe("FAILED");
    expect(world.get(transactions.ref(outgoing.id))).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
    });
    expect(world.jobs).toMatchObject([
      { kind: "refund-quote", payload: { accountType: "INTERNAL_ACCOUNT", minor: "1000" } },
    ]);
    expect(world.cancelledJobs).toEqual([JOB]);
    expect(world.entries).toEqual([]);
  });

  it("names the platform where it pays for itself", () => {
    const world = announce({ quote: { customerId: null }, outgoing: { customerId: null } });
    const id = String(world.jobs[0]?.payload.transactionId);
    const { source } = world.get(transactions.ref(id));
    expect(source).toEqual({ type: "UMA_ADDRESS", umaAddress: "$platform@p.test" });
  });

  it("is made once", () => {
    const again = announce({ incoming: {} });
    expect([typesIn(again), jobsIn(again), again.cancelledJobs]).toEqual([[], [], [JOB]]);
    for (const status of ["COMPLETED", "FAILED"] as const) {
      const ended = announce({ quote: { status }, outgoing: { status } });
      expect([typesIn(ended), jobsIn(ended)]).toEqual([[], []]);
    }
  });
});

describe("a decision", () => {
  const call = { transactionId: INCOMING, isUnanswered: false };
  const answered = (state: State, answer: ApprovalAnswer) =>
    run({ incoming: {}, ...state }, recordApprovalAnswer, { transactionId: INCOMING, answer });
  const yes = { kind: "approved", receiverCustomerInfo: {} } as const;

  const approved: readonly (readonly [string, (state: State) => Batch])[] = [
    ["the answer yes", (state) => answered(state, yes)],
    [
      "a call of approve",
      (state) =>
        run({ incoming: {}, ...state }, approvePayment, { ...call, receiverCustomerInfo: {} }),
    ],
  ];

  it.each(approved)(
    "yes, by %s, moves the held money to the payee in one posting",
    (_by, decide) => {
      const world = decide({});
      expect([...new Set(world.entries.map(({ reason }) => reason))]).toEqual(["quote.convert"]);
      expect(world.get(ledgerAccounts.ref(account.id)).balanceMinor).toBe(900n);
      expect(world.get(quotes.ref(quote.id)).status).toBe("COMPLETED");
      expect(world.get(transactions.ref(outgoing.id)).status).toBe("COMPLETED");
      expect(world.get(transactions.ref(INCOMING)).status).toBe("COMPLETED");
      expect(typesIn(world)).toEqual([
        "OUTGOING_PAYMENT.COMPLETED",
        "INTERNAL_ACCOUNT.BALANCE_UPDATED",
        "INCOMING_PAYMENT.COMPLETED",
      ]);
      expect(jobsIn(world)).toEqual([]);
    },
  );

  it.each<readonly [string, State]>([
    ["is full", { hasMinor: MAX_AMOUNT_MINOR }],
    ["was frozen meanwhile", { account: { frozen } }],
    ["belongs to a customer who was deleted meanwhile", { payee: { deletedAt: DECIDED_AT } }],
  ])("yes fails both sides where the account %s", (_why, state) => {
    const world = answered(state, yes);
    expect(world.entries).toEqual([]);
    expect(typesIn(world)).toEqual([...REFUNDED, "INCOMING_PAYMENT.FAILED"]);
    expect(jobsIn(world)).toEqual(["refund-quote"]);
    expect(world.get(transactions.ref(INCOMING)).failureReason).toBe("OFFRAMP_FAILED");
  });

  it.each<readonly [string, ApprovalAnswer, string]>([
    ["no", { kind: "rejected", reason: "no" }, "REJECTED"],
    ["asking back", { kind: "needs-more", requiredFields: ["TAX_ID"] }, "FAILED"],
    ["of no use", { kind: "unusable" }, "FAILED"],
    ["that never came", { kind: "none" }, "FAILED"],
  ])("%s fails both sides, and the money goes back", (_what, answer, status) => {
    const world = answered({}, answer);
    expect(world.get(transactions.ref(INCOMING)).status).toBe(status);
    expect(typesIn(world)).toEqual(["INCOMING_PAYMENT.FAILED", ...REFUNDED]);
    expect(jobsIn(world)).toEqual(["refund-quote"]);
    expect(world.entries).toEqual([]);
    const { outcome } = world.get(transactions.ref(outgoing.id));
    const wanted = [{ name: "TAX_ID", mandatory: true }];
    expect(outcome?.requiredPayerDataFields).toEqual(
      answer.kind === "needs-more" ? wanted : undefined,
    );
  });

  it("no, by a call, fails both sides", () => {
    const world = run({ incoming: {} }, rejectPayment, { ...call, reason: "no" });
    expect(typesIn(world)).toEqual(["INCOMING_PAYMENT.FAILED", ...REFUNDED]);
  });

  it("moves no money for a quote that has ended", () => {
    const ended = { quote: { status: "FAILED" }, outgoing: { status: "FAILED" } } as const;
    const world = answered(ended, yes);
    expect([world.entries, typesIn(world)]).toEqual([[], ["INCOMING_PAYMENT.FAILED"]]);
  });

  it("sends the money on after it is credited, where the payee has a deposit account outside", () => {
    const details = { depositAccountId: `ExternalAccount:${external.id}` };
    const world = answered({ incoming: { details }, deposit: {} }, yes);
    expect(world.get(ledgerAccounts.ref(account.id)).balanceMinor).toBe(900n);
    expect(world.jobs).toMatchObject([
      { kind: "forward-uma-deposit", payload: { transactionId: INCOMING } },
    ]);
  });
});
