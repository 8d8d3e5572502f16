/** What becomes of a quote whose accounts or customer are not what they were, or never should have been. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
  quote,
  quoteTerms,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { transactions } from "../transactions/transaction.ts";
import { type CreateQuoteInput, createQuote } from "./create-quote.ts";
import { executeQuote } from "./execute-quote.ts";
import { walletInstructions } from "./payment-instructions.ts";
import { type Quote, quotes } from "./quote.ts";
import { recordQuotePull } from "./record-quote-pull.ts";

const euros: ExternalAccount = {
  ...external,
  currency: "EUR",
  accountType: "EUR_ACCOUNT",
  accountInfo: { accountType: "EUR_ACCOUNT", iban: "DE89370400440532013000" },
};

interface State {
  readonly quote?: Partial<Quote>;
  readonly customer?: Partial<Customer>;
  readonly internal?: Partial<InternalAccount>;
  readonly external?: Partial<ExternalAccount>;
  readonly at?: number;
}

function tablesIn(state: State) {
  const ledger = newInternalLedgerAccount(internal.id, internal.currency, internal.createdAt);
  return [
    rowsOf(platforms, platform),
    rowsOf(customers, { ...customer, ...state.customer }),
    rowsOf(internalAccounts, { ...internal, ...state.internal }),
    rowsOf(externalAccounts, { ...euros, ...state.external }),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor: 100_000n }),
    rowsOf(quotes, { ...quote, ...state.quote }),
    rowsOf(transactions, { ...quoteTransaction, status: state.quote?.status ?? "PENDING" }),
  ];
}

const inactiveInside = ["PENDING", "CLOSED", "FROZEN", "FAILED"] as const;
const inactiveOutside = ["PENDING", "UNDER_REVIEW", "INACTIVE"] as const;

describe("a quote that is executed", () => {
  function outcomeOf(state: State) {
    const input = { quoteId: quote.id, owner: undefined };
    const tables = tablesIn(state);
    const scene = { command: executeQuote, input, platformId: PLATFORM, tables };
    const world = worldFor({ ...scene, at: state.at ?? DECIDED_AT });
    const refusal = refusalOf(world, () => executeQuote.decide(world, input));
    return refusal?.details?.reason ?? refusal?.code ?? "taken up";
  }

  const paidByPull: Partial<Quote> = {
    source: { sourceType: "ACCOUNT", accountId: `ExternalAccount:${external.id}` },
    destination: { destinationType: "ACCOUNT", accountId: `InternalAccount:${internal.id}` },
    sourceAccountId: external.id,
    destinationAccountId: internal.id,
    sendingCurrency: "EUR",
    receivingCurrency: "USD",
  };

  it("executes while both accounts are active", () => {
    expect(outcomeOf({})).toBe("taken up");
    expect(outcomeOf({ quote: paidByPull })).toBe("taken up");
  });

  it.each(inactiveInside)("is refused when the account inside is %s", (status) => {
    expect(outcomeOf({ internal: { status } })).toBe("the source is no longer active");
    expect(outcomeOf({ quote: paidByPull, internal: { status } })).toBe(
      "the destination is no longer active",
    );
  });

  it.each([...inactiveOutside.map((status) => ({ status })), { deletedAt: DECIDED_AT }])(
    "is refused when of the account outside is said %j",
    (gone) => {
      expect(outcomeOf({ external: gone })).toBe("the destination is no longer active");
      expect(outcomeOf({ quote: paidByPull, external: gone })).toBe(
        "the source is no longer active",
      );
    },
  );

  it.each([{ kycStatus: "REJECTED" as const }, { deletedAt: DECIDED_AT }])(
    "is refused when of its customer is said %j",
    (gone) => {
      expect(outcomeOf({ customer: gone })).toBe("USER_NOT_READY");
    },
  );

  it("is refused when the customer whom it pays inside was deleted", () => {
    const ofPlatform: State = {
      quote: { ...paidByPull, customerId: null },
      external: { customerId: null },
    };
    expect(outcomeOf(ofPlatform)).toBe("taken up");
    expect(outcomeOf({ ...ofPlatform, customer: { deletedAt: DECIDED_AT } })).toBe(
      "the destination is no longer active",
    );
  });

  it("of a wallet reports a closed quote first, then a missing signature, then the rest", () => {
    const wallet: State = {
      quote: { paymentInstructions: walletInstructions("sign this") },
      internal: { type: "EMBEDDED_WALLET", status: "FROZEN" },
      customer: { kycStatus: "REJECTED" },
    };
    expect(outcomeOf({ ...wallet, at: quote.expiresAt })).toBe("QUOTE_EXPIRED");
    expect(outcomeOf({ ...wallet, quote: { ...wallet.quote, status: "PROCESSING" } })).toBe(
      "CONFLICT",
    );
    expect(outcomeOf(wallet)).toBe("Missing Service-Wallet-Signature");
    expect(outcomeOf({ ...wallet, internal: { status: "FROZEN" } })).toBe(
      "the source is no longer active",
    );
  });

  it("has until the very end of its time, and not the moment itself", () => {
    expect(outcomeOf({ at: quote.expiresAt - 1 })).toBe("taken up");
    expect(outcomeOf({ at: quote.expiresAt })).toBe("QUOTE_EXPIRED");
  });
});

describe("a requested quote", () => {
  function outcomeOf(state: State, more: Partial<CreateQuoteInput> = {}) {
    const input = { ...quoteTerms, ...more };
    const tables = tablesIn(state);
    const world = worldFor({ command: createQuote, input, platformId: PLATFORM, tables });
    const refusal = refusalOf(world, () => createQuote.decide(world, input));
    const { field, reason } = refusal?.details ?? {};
    if (field !== undefined) return `${field}: ${reason}`;
    return refusal?.code ?? "made";
  }

  it("is made between two active accounts", () => {
    expect(outcomeOf({})).toBe("made");
  });

  it.each(inactiveInside)("is refused when the account inside is %s", (status) => {
    expect(outcomeOf({ internal: { status } })).toBe("source.accountId: is not active");
  });

  it.each(inactiveOutside)("is refused when the account outside is %s", (status) => {
    expect(outcomeOf({ external: { status } })).toBe("destination.accountId: is not active");
  });

  it("is not funded from an account that cannot be pulled from, independent of its owner", () => {
    const back: Partial<CreateQuoteInput> = {
      source: { kind: "external", id: external.id, customerId: undefined },
      destination: { kind: "internal", id: internal.id, paymentRail: undefined },
    };
    const fault = "source.accountId: is an account that money cannot be pulled from";
    expect(outcomeOf({}, back)).toBe(fault);
    const ofPlatform = { external: { customerId: null }, internal: { customerId: null } };
    expect(outcomeOf(ofPlatform, back)).toBe(fault);
  });

  it("pays into an external account of the platform, and into none of another customer", () => {
    expect(outcomeOf({ external: { customerId: null } })).toBe("made");
    expect(outcomeOf({ external: { customerId: PLATFORM } })).toBe(
      "destination.accountId: belongs to another customer",
    );
    expect(outcomeOf({ internal: { customerId: null } })).toBe(
      "destination.accountId: belongs to another customer",
    );
  });

  it("is made for no customer that was deleted, and for the source's own alone", () => {
    const named = { source: { ...quoteTerms.source, customerId: customer.id } };
    expect(outcomeOf({ internal: { customerId: null } }, named)).toBe("made");
    const deleted = { customer: { deletedAt: DECIDED_AT } };
    expect(outcomeOf({ ...deleted, internal: { customerId: null } }, named)).toBe(
      "source.customerId: names no customer",
    );
    expect(outcomeOf(deleted)).toBe("source.accountId: belongs to a customer who was deleted");
    expect(outcomeOf(deleted, named)).toBe("source.customerId: names no customer");
    expect(outcomeOf({ internal: { customerId: PLATFORM } }, named)).toBe(
      "source.customerId: is not the owner of the source",
    );
  });
});

describe("a quote whose money was pulled", () => {
  const pulled: Partial<Quote> = {
    status: "PROCESSING",
    source: { sourceType: "ACCOUNT", accountId: "ExternalAccount:1" },
    sourceAccountId: "018f0000-0000-7000-8000-000000000009",
  };
  const input = {
    quoteId: quote.id,
    transactionId: quote.transactionId,
    jobId: "018f0000-0000-7000-8000-000000000008",
    answer: { kind: "settled" },
  } as const;

  function jobsAfter(state: State) {
    const tables = tablesIn({ ...state, quote: { ...pulled, ...state.quote } });
    const scene = { command: recordQuotePull, input, platformId: PLATFORM, tables };
    const world = worldFor(scene);
    recordQuotePull.decide(world, input);
    return world.jobs.map(({ kind }) => kind);
  }

  it("is paid out while there is where to", () => {
    expect(jobsAfter({})).toEqual(["pay-quote"]);
  });

  it.each([
    ...inactiveOutside.map((status) => ({ external: { status } })),
    { external: { deletedAt: DECIDED_AT } },
    ...inactiveInside.map((status) => ({
      internal: { status },
      quote: {
        destination: { destinationType: "ACCOUNT", accountId: `InternalAccount:${internal.id}` },
        destinationAccountId: internal.id,
      } as const,
    })),
  ])("goes back when there is not: %j", (state) => {
    expect(jobsAfter(state)).toEqual(["refund-quote"]);
  });

  it("is credited once, however often the rail reports it", () => {
    const tables = tablesIn({ quote: { ...pulled, fundedAt: DECIDED_AT } });
    const world = worldFor({ command: recordQuotePull, input, platformId: PLATFORM, tables });
    recordQuotePull.decide(world, input);
    expect([world.entries, world.jobs, world.cancelledJobs]).toEqual([[], [], [input.jobId]]);
  });
});
