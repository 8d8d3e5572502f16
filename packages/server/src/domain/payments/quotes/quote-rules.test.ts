import { describe, expect, it } from "vitest";
import { refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
  quoteTerms,
} from "../../../../test/kit/payment-rows.ts";
import { MAX_AMOUNT, MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { type Platform, platforms, type SupportedCurrency } from "../../platform.ts";
import type { ReceiverFacts } from "../../uma/receiver.ts";
import { type CreateQuoteInput, createQuote } from "./create-quote.ts";

const payee = { ...customer, id: "018f0000-0000-7000-8000-0000000000f0" };

const receiver: ReceiverFacts = {
  umaAddress: "$bo@x.test",
  currency: "EUR",
  minMinor: 500n,
  maxMinor: 900n,
  requiredPayerFields: [],
  counterpartyInformation: {},
  home: { kind: "customer", platformId: PLATFORM, customerId: payee.id },
};

const asked: CreateQuoteInput = {
  ...quoteTerms,
  destination: { kind: "uma", receiver },
  lockedSide: "RECEIVING",
  lockedMinor: 700n,
};

const inside: InternalAccount = {
  ...internal,
  id: "018f0000-0000-7000-8000-0000000000e0",
};

/** Accounts of the payee at the address. */
function paidInto(...currencies: readonly string[]): readonly InternalAccount[] {
  return currencies.map((currency, at) => ({
    ...internal,
    id: `018f0000-0000-7000-8000-0000000000f${at + 1}`,
    customerId: payee.id,
    currency,
  }));
}

interface State {
  readonly platform?: Partial<Platform>;
  readonly dollars?: Partial<SupportedCurrency>;
  readonly source?: Partial<InternalAccount>;
  readonly destination?: Partial<InternalAccount>;
  readonly external?: Partial<ExternalAccount>;
}

function sceneOf(more: Partial<CreateQuoteInput>, state: State) {
  const input = { ...asked, ...more };
  const supportedCurrencies = platform.supportedCurrencies.map((each) =>
    each.currencyCode === "USD" ? { ...each, ...state.dollars } : each,
  );
  const tables = [
    rowsOf(platforms, { ...platform, supportedCurrencies, ...state.platform }),
    rowsOf(customers, customer, payee),
    rowsOf(
      internalAccounts,
      ...paidInto("EUR", "USDB"),
      { ...internal, ...state.source },
      { ...inside, currency: "EUR", ...state.destination },
    ),
    rowsOf(externalAccounts, {
      ...external,
      currency: "USDB",
      accountType: "SPARK_WALLET",
      accountInfo: { accountType: "SPARK_WALLET", address: "spark1a" },
      ...state.external,
    }),
  ];
  const world = worldFor({ command: createQuote, input, platformId: PLATFORM, tables });
  return { world, input };
}

function refused(more: Partial<CreateQuoteInput>, state: State = {}) {
  const { world, input } = sceneOf(more, state);
  return refusalOf(world, () => createQuote.decide(world, input));
}

function made(more: Partial<CreateQuoteInput>, state: State) {
  const { world, input } = sceneOf(more, state);
  return createQuote.decide(world, input);
}

function codeOf(more: Partial<CreateQuoteInput>, state: State = {}) {
  return refused(more, state)?.code ?? "made";
}

const amounts = (...minors: readonly bigint[]) => minors;

describe("an amount", () => {
  it("is what the receiver takes, no unit less and none more", () => {
    const codes = amounts(499n, 500n, 900n, 901n).map((lockedMinor) => codeOf({ lockedMinor }));
    expect(codes).toEqual(["AMOUNT_OUT_OF_RANGE", "made", "made", "AMOUNT_OUT_OF_RANGE"]);
  });

  it("is what the platform sends, no unit less and none more", () => {
    const takesAll = { ...receiver, minMinor: 1n, maxMinor: MAX_AMOUNT_MINOR };
    const more = {
      lockedSide: "SENDING",
      destination: { kind: "uma", receiver: takesAll },
    } as const;
    const dollars = { minAmount: 5_000, maxAmount: 6_000 };
    const codes = amounts(4_999n, 5_000n, 6_000n, 6_001n).map((lockedMinor) =>
      codeOf({ ...more, lockedMinor }, { dollars }),
    );
    expect(codes).toEqual(["AMOUNT_OUT_OF_RANGE", "made", "made", "AMOUNT_OUT_OF_RANGE"]);
  });

  it("fits a JSON number on both sides under every limit of the platform", () => {
    const takesAll = { ...receiver, minMinor: 1n, maxMinor: MAX_AMOUNT_MINOR * 100n };
    const to = (currency: string) =>
      ({ kind: "uma", receiver: { ...takesAll, currency } }) as const;
    const dollars = { maxAmount: MAX_AMOUNT * 100 };
    const locked = (lockedSide: "SENDING" | "RECEIVING", lockedMinor: bigint) => ({
      lockedSide,
      lockedMinor,
    });
    const most = MAX_AMOUNT_MINOR;
    expect([
      codeOf({ ...locked("SENDING", most), destination: to("EUR") }, { dollars }),
      codeOf({ ...locked("RECEIVING", most), destination: to("EUR") }, { dollars }),
      codeOf({ ...locked("RECEIVING", most), destination: to("MXN") }, { dollars }),
      codeOf({ ...locked("SENDING", most), destination: to("MXN") }, { dollars }),
    ]).toEqual(["made", "AMOUNT_OUT_OF_RANGE", "made", "AMOUNT_OUT_OF_RANGE"]);
    const tooMuch = refused({ ...locked("SENDING", most), destination: to("MXN") }, { dollars });
    expect(tooMuch?.details).toEqual({ currency: "MXN", maxReceivable: MAX_AMOUNT });
    expect(tooMuch?.message).toBe("The receiver would get more than an amount can be.");
  });
});

describe("a rail", () => {
  const amount = { lockedSide: "SENDING", lockedMinor: 100_000n } as const;
  const over = (kind: "internal" | "external", paymentRail: string) => ({
    ...amount,
    destination: { kind, id: kind === "internal" ? inside.id : external.id, paymentRail },
  });

  it.each(["ACH", "BANANA", ""])("cannot be chosen for an internal account: %j", (rail) => {
    expect(refused(over("internal", rail))?.details).toMatchObject({
      field: "destination.paymentRail",
      reason: "must be left out for an internal account",
    });
  });

  it("of a wallet is its network alone", () => {
    expect(codeOf(over("external", "SPARK"))).toBe("made");
    for (const rail of ["LIGHTNING", "SPARK_WALLET", "ACH", ""]) {
      expect(refused(over("external", rail))?.details).toMatchObject({
        field: "destination.paymentRail",
        reason: "is not a rail of the destination: one of SPARK",
        supported: ["SPARK"],
      });
    }
  });
});

describe("in production a quote", () => {
  const toHouse = {
    destination: { kind: "internal", id: inside.id, paymentRail: undefined },
  } as const;
  const production = { platform: { environment: "PRODUCTION" } } as const;
  const wallet = { currency: "USDB", type: "EMBEDDED_WALLET" } as const;

  it("stays internal and in one currency: from a wallet to an account in the same", () => {
    const sameCurrency = { ...production, source: wallet, destination: { currency: "USDB" } };
    for (const lockedSide of ["SENDING", "RECEIVING"] as const) {
      for (const lockedMinor of [1n, 900_000n]) {
        expect(made({ ...toHouse, lockedSide, lockedMinor }, sameCurrency)).toMatchObject({
          sendingMinor: lockedMinor,
          receivingMinor: lockedMinor,
          feesMinor: 0n,
        });
      }
    }
  });

  it("is refused when it would be exchanged, or leave", () => {
    expect(codeOf(toHouse, { ...production, source: wallet })).toBe("NOT_IMPLEMENTED");
    expect(codeOf({}, production)).toBe("NOT_IMPLEMENTED");
    const destination = { kind: "external", id: external.id, paymentRail: undefined } as const;
    expect(codeOf({ destination }, { ...production, source: wallet })).toBe("NOT_IMPLEMENTED");
  });

  it("pays a customer of the platform at an address without a rail", () => {
    const dollars = { kind: "uma", receiver: { ...receiver, currency: "USDB" } } as const;
    const { paymentRail, receivingMinor, feesMinor } = made(
      { destination: dollars },
      { ...production, source: wallet },
    );
    expect([paymentRail, receivingMinor, feesMinor]).toEqual(["UMA", 700n, 0n]);
  });

  it("names the missing part: an exchange, the incoming rail or the outgoing rail", () => {
    const missing = (more: Partial<CreateQuoteInput>, state: State = {}) =>
      refused(more, { ...production, ...state })?.details?.rail;
    const outside = (paymentRail?: string) =>
      ({ kind: "external", id: external.id, paymentRail }) as const;
    const paidIn = (currency: string, cryptoNetwork?: string) => ({
      ...toHouse,
      source: { kind: "realtime", currency, cryptoNetwork, customerId: customer.id } as const,
    });
    const bank = { external: { ...external, accountInfo: { paymentRails: ["ACH", "WIRE"] } } };
    const pulled = { kind: "external", id: external.id, customerId: undefined } as const;
    expect([
      missing(toHouse),
      missing({ destination: outside() }),
      missing({ destination: outside() }, { source: wallet }),
      missing({ destination: outside() }, bank),
      missing({ destination: outside("WIRE") }, bank),
      missing({ ...toHouse, source: pulled }, { ...bank, destination: { currency: "USD" } }),
      missing(paidIn("USD"), { destination: { currency: "USD" } }),
      missing(paidIn("USDB", "SPARK"), { destination: { currency: "USDB" } }),
      missing(paidIn("BTC"), { destination: { currency: "BTC" } }),
    ]).toEqual([
      "foreign exchange",
      "SPARK",
      "SPARK",
      "ACH",
      "WIRE",
      "ACH",
      "ACH",
      "SPARK",
      "LIGHTNING",
    ]);
  });
});

describe("a currency", () => {
  const toHouse = {
    destination: { kind: "internal", id: inside.id, paymentRail: undefined },
  } as const;

  it("is sent where it is enabled for OUTGOING, and credited where it is enabled for INCOMING", () => {
    const oneWay = (code: string, type: "INCOMING" | "OUTGOING") =>
      platform.supportedCurrencies.map((each) =>
        each.currencyCode === code ? { ...each, enabledTransactionTypes: [type] } : each,
      );
    const codes = [
      oneWay("USD", "OUTGOING"),
      oneWay("USD", "INCOMING"),
      oneWay("EUR", "INCOMING"),
      oneWay("EUR", "OUTGOING"),
    ].map((supportedCurrencies) => codeOf(toHouse, { platform: { supportedCurrencies } }));
    expect(codes).toEqual(["made", "INVALID_CURRENCY", "made", "INVALID_CURRENCY"]);
  });

  it("is moved without an exchange by a transfer, except for wallets and addresses", () => {
    const same = { destination: { currency: "USD" } };
    expect(codeOf(toHouse, same)).toBe("INVALID_CURRENCY");
    const dollars = { kind: "uma", receiver: { ...receiver, currency: "USD" } } as const;
    expect(codeOf({ destination: dollars })).toBe("made");
  });

  it("that requires a payout purpose does not require it for an internal payout or one to an address", () => {
    const [usd] = platform.supportedCurrencies;
    if (usd === undefined) throw new Error("no currency");
    const rupees = { ...usd, currencyCode: "INR" };
    const supportedCurrencies = [...platform.supportedCurrencies, rupees];
    const state = { platform: { supportedCurrencies }, destination: { currency: "INR" } };
    const amount = { lockedSide: "SENDING", lockedMinor: 10_000n } as const;
    expect(codeOf({ ...toHouse, ...amount }, state)).toBe("made");
    const takes = { ...receiver, currency: "INR", minMinor: 1n, maxMinor: MAX_AMOUNT_MINOR };
    expect(codeOf({ destination: { kind: "uma", receiver: takes }, ...amount }, state)).toBe(
      "made",
    );
  });

  it.each([
    ["INR", "INVALID_INPUT"],
    ["NGN", "INVALID_INPUT"],
    ["EUR", "made"],
  ])("in %s is paid out, without saying what for, with the answer %s", (currency, code) => {
    const destination = { kind: "external", id: external.id, paymentRail: undefined } as const;
    const amount = { lockedSide: "SENDING", lockedMinor: 100_000n } as const;
    const to = { external: { currency, accountInfo: { beneficiary: { fullName: "Bo Lind" } } } };
    expect(codeOf({ destination, ...amount }, to)).toBe(code);
    expect(codeOf({ destination, ...amount, purposeOfPayment: "GIFT" }, to)).toBe("made");
  });
});
