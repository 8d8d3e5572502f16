/** How a quote ends that was not paid as it should be, and the jobs that end with it. */
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
import {
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../../ledger/chart.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { type Refund, transactions } from "../transactions/transaction.ts";
import { executeQuote } from "./execute-quote.ts";
import { expireQuote } from "./expire-quote.ts";
import { fundQuote } from "./fund-quote.ts";
import { type Quote, quotes } from "./quote.ts";
import { recordQuoteRefund } from "./record-quote-refund.ts";

const EXPIRY = "018f0000-0000-7000-8000-0000000000e1";
const JOB = "018f0000-0000-7000-8000-0000000000e2";

const ledger = newInternalLedgerAccount(internal.id, internal.currency, internal.createdAt);

function tablesWith(change: Partial<Quote>) {
  const status = change.status === "PROCESSING" ? "PROCESSING" : "PENDING";
  return [
    rowsOf(platforms, platform),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, internal),
    rowsOf(externalAccounts, external),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor: 100_000n }),
    rowsOf(quotes, { ...quote, expiryJobId: EXPIRY, ...change }),
    rowsOf(transactions, { ...quoteTransaction, status }),
  ];
}

describe("the job that expires a quote", () => {
  const paidIn: Partial<Quote> = {
    source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    sourceAccountId: null,
  };

  it("ends when the quote is executed", () => {
    const input = { quoteId: quote.id, owner: undefined };
    const scene = { command: executeQuote, input, platformId: PLATFORM, tables: tablesWith({}) };
    const world = worldFor(scene);
    executeQuote.decide(world, input);
    expect(world.cancelledJobs).toEqual([EXPIRY]);
  });

  it.each([undefined, 999n])("ends when the quote is funded, with %s of 1000 too", (minor) => {
    const input = { quoteId: quote.id, currency: "USD", minor };
    const tables = tablesWith(paidIn);
    const world = worldFor({ command: fundQuote, input, platformId: PLATFORM, tables });
    fundQuote.decide(world, input);
    expect(world.cancelledJobs).toEqual([EXPIRY]);
    const jobs = world.jobs.map(({ kind, payload }) => [kind, payload.minor]);
    expect(jobs).toEqual([minor === undefined ? ["pay-quote", "900"] : ["refund-quote", "999"]]);
    expect(world.get(quotes.ref(quote.id)).fundedAt).toBe(DECIDED_AT);
  });

  it("starts a refund to the payer when the other account is internal", () => {
    const toHouse = {
      ...paidIn,
      destination: { destinationType: "ACCOUNT", accountId: `InternalAccount:${internal.id}` },
      destinationAccountId: internal.id,
    } as const;
    const input = { quoteId: quote.id, currency: "USD", minor: 1n };
    const tables = tablesWith(toHouse);
    const world = worldFor({ command: fundQuote, input, platformId: PLATFORM, tables });
    fundQuote.decide(world, input);
    // Money for an account in the house would be taken as given back without anybody being asked.
    expect(world.jobs.map(({ payload }) => payload)).toMatchObject([
      { accountType: "REALTIME_FUNDING", primaryIdentifier: quote.id, minor: "1", currency: "USD" },
    ]);
  });

  function expired(change: Partial<Quote>, at: number) {
    const input = { quoteId: quote.id, jobId: EXPIRY, graceMs: 0 };
    const tables = tablesWith(change);
    const world = worldFor({ command: expireQuote, input, platformId: PLATFORM, tables, at });
    const { status } = expireQuote.decide(world, input);
    return {
      status,
      cancelled: world.cancelledJobs,
      emitted: world.events.map(({ type }) => type),
    };
  }

  it("waits until the quote's time has passed, and then ends with it", () => {
    expect(expired({}, quote.expiresAt - 1)).toEqual({
      status: "PENDING",
      cancelled: [],
      emitted: [],
    });
    expect(expired({}, quote.expiresAt)).toEqual({
      status: "EXPIRED",
      cancelled: [EXPIRY],
      emitted: ["OUTGOING_PAYMENT.EXPIRED"],
    });
  });

  it("ends without effect when the quote was executed", () => {
    const taken = { status: "PROCESSING" } as const;
    for (const at of [quote.expiresAt - 1, quote.expiresAt]) {
      expect(expired(taken, at)).toEqual({
        status: "PROCESSING",
        cancelled: [EXPIRY],
        emitted: [],
      });
    }
  });
});

describe("a refund of crypto that was paid in", () => {
  const MINOR = 1_000n;
  const refund: Refund = {
    reference: "RF-1",
    initiatedAt: "2026-11-21T00:00:00.000Z",
    status: "PENDING",
    reason: "TRANSACTION_FAILED",
  };
  const failed: Quote = {
    ...quote,
    status: "FAILED",
    source: { sourceType: "REALTIME_FUNDING", currency: "USDB" },
    sourceAccountId: null,
    sendingCurrency: "USDB",
    sendingMinor: MINOR,
    receivingMinor: 1n,
  };

  interface Held {
    readonly account?: Partial<InternalAccount>;
    readonly balanceMinor?: bigint;
  }

  const holding = (number: number, { account = {} }: Held): InternalAccount => ({
    ...internal,
    id: `018f0000-0000-7000-8000-00000000010${number}`,
    currency: "USDB",
    type: "INTERNAL_CRYPTO",
    ...account,
  });

  /** Which of the accounts got it, by their place; what became of the refund when none did. */
  function refunded(held: readonly Held[], minor = MINOR, deletedAt: number | null = null) {
    const answer = { kind: "settled" } as const;
    const { id: quoteId, transactionId } = failed;
    const input = { quoteId, transactionId, jobId: JOB, minor, answer };
    const accounts = held.map((one, index) => holding(index, one));
    const paidIn = newSystemAccount({ system: "paid-in", currency: "USDB" }, DECIDED_AT);
    const tables = [
      rowsOf(platforms, platform),
      rowsOf(customers, { ...customer, deletedAt }),
      rowsOf(internalAccounts, internal, ...accounts),
      rowsOf(
        ledgerAccounts,
        { ...paidIn, balanceMinor: minor },
        ...accounts.map(({ id, currency }, index) => ({
          ...newInternalLedgerAccount(id, currency, DECIDED_AT),
          balanceMinor: held[index]?.balanceMinor ?? 0n,
        })),
      ),
      rowsOf(quotes, failed),
      rowsOf(transactions, { ...quoteTransaction, status: "FAILED", refund } as const),
    ];
    const world = worldFor({ command: recordQuoteRefund, input, platformId: PLATFORM, tables });
    const after = recordQuoteRefund.decide(world, input);
    const credited = world.entries.filter(({ amountMinor }) => amountMinor > 0n);
    const places = credited.map(({ accountId }) =>
      accounts.findIndex(({ id }) => id === accountId),
    );
    return [after.refund?.status, ...places];
  }

  const WALLET = { account: { type: "EMBEDDED_WALLET" } } as const;

  it("goes to the oldest active account of its currency, and never to an embedded wallet", () => {
    expect(refunded([{}, {}])).toEqual(["COMPLETED", 0]);
    expect(refunded([WALLET, {}])).toEqual(["COMPLETED", 1]);
    expect(refunded([{ account: { status: "FROZEN" } }, {}])).toEqual(["COMPLETED", 1]);
    expect(refunded([{ account: { currency: "USDC" } }, {}])).toEqual(["COMPLETED", 1]);
  });

  it("opens an account when no account can receive it", () => {
    expect(refunded([])).toEqual(["COMPLETED", -1]);
    expect(refunded([WALLET])).toEqual(["COMPLETED", -1]);
  });

  it("fails when its customer was deleted, and opens no account", () => {
    expect(refunded([{}], MINOR, DECIDED_AT)).toEqual(["FAILED"]);
    expect(refunded([], MINOR, DECIDED_AT)).toEqual(["FAILED"]);
  });

  it("skips an account without room for the whole amount, and fails when no other has room", () => {
    const full = { balanceMinor: MAX_AMOUNT_MINOR - MINOR + 1n };
    const last = { balanceMinor: MAX_AMOUNT_MINOR - MINOR };
    expect(refunded([last])).toEqual(["COMPLETED", 0]);
    expect(refunded([full, {}])).toEqual(["COMPLETED", 1]);
    expect(refunded([full])).toEqual(["FAILED"]);
  });
});
