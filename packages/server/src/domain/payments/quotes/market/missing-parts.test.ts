/** What `createQuote` and the transfers name where nothing carries a payment: of several things missing the first, with the call that adds it. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
  quoteTerms,
} from "../../../../../test/kit/payment-rows.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../../ledger/chart.ts";
import { externalAccounts } from "../../../accounts/external/external-account.ts";
import { internalAccounts } from "../../../accounts/internal/internal-account.ts";
import { customers } from "../../../customers/customer.ts";
import { platforms } from "../../../platform.ts";
import { type RateSource, rateSources } from "../../../prices/rate-sources/rate-source.ts";
import type { PaymentDirection } from "../../../rails/connections/rail-connection.ts";
import {
  type ConnectionEntry,
  type RouteEntry,
  railRoutings,
} from "../../../rails/routes/routing.ts";
import { transferIn } from "../../transfers/transfer-in.ts";
import { transferOut } from "../../transfers/transfer-out.ts";
import { createQuote } from "../create-quote.ts";
import type { DestinationName, SourceName } from "../parties/quote-parties.ts";

const BANK = "018f0000-0000-7000-8000-0000000000d2";
const EUROS = "018f0000-0000-7000-8000-0000000000e1";
const euroAccount = {
  ...external,
  id: EUROS,
  currency: "EUR",
  accountType: "EUR_ACCOUNT",
  accountInfo: { accountType: "EUR_ACCOUNT", iban: "DE89370400440532013000" },
} as const;

/** How far a payment in one direction is carried. */
type Reach = "nothing" | "connection" | "small" | "route" | "paused";

const [PAYOUT, COLLECTION] = ["EUR_ACCOUNT", "USD_ACCOUNT"] as const;
const railOf = (type: string) => (type === PAYOUT ? "SEPA" : "ACH");

function capability(direction: PaymentDirection, currency: string) {
  const type = `${currency}_ACCOUNT`;
  return { direction, currency, accountTypes: [type], paymentRails: [railOf(type)] };
}

interface Place {
  readonly payout?: Reach;
  readonly collection?: Reach;
  readonly funding?: boolean;
  readonly rate?: boolean;
}

function routeFor(direction: RouteEntry["direction"], currency: string, reach: Reach): RouteEntry {
  return {
    id: `018f0000-0000-7000-8000-0000000000${direction === "OUT" ? "a1" : direction === "PULL" ? "a2" : "a3"}`,
    priority: 100,
    direction,
    currency,
    accountTypes: null,
    paymentRails: null,
    min: null,
    max: reach === "small" ? "5" : null,
    connectionId:
      direction === "OUT" ? BANK : `${BANK.slice(0, -1)}${direction === "PULL" ? 3 : 4}`,
    enabled: true,
    fallbackAfterSeconds: null,
  };
}

function routingOf({ payout = "nothing", collection = "nothing", funding = false }: Place) {
  const ways = [
    { direction: "OUT", currency: "EUR", reach: payout },
    { direction: "PULL", currency: "USD", reach: collection },
    { direction: "FUNDING", currency: "USD", reach: funding ? "route" : "nothing" },
  ] as const;
  const there = ways.filter(({ reach }) => reach !== "nothing");
  const connections = there.map(
    ({ direction, currency, reach }): ConnectionEntry => ({
      id: routeFor(direction, currency, reach).connectionId,
      kind: "MANUAL",
      account: { accountNumber: "1", routingNumber: "021000021" },
      status: reach === "paused" ? "PAUSED" : "ACTIVE",
      newPayments: "REFUSE",
      capabilities: direction === "FUNDING" ? [] : [capability(direction, currency)],
      funding: { mode: direction === "FUNDING" ? "REFERENCE" : "NONE" },
      payoutCeiling: null,
      calendar: { timeZone: "UTC", holidays: [] },
      holdDays: 0,
    }),
  );
  const routes = there
    .filter(({ reach }) => reach !== "connection")
    .map(({ direction, currency, reach }) => routeFor(direction, currency, reach));
  return { id: PLATFORM, routes, connections };
}

const source: RateSource = {
  id: "018f0000-0000-7000-8000-0000000000b1",
  name: "desk",
  kind: "FIXED",
  priority: 100,
  pivots: ["EUR", "USD"],
  maxAgeMinutes: 1_440,
  lockMinutes: 5,
  maxMovePercent: null,
  settings: {},
  sealId: "",
  headersSealed: null,
  headerFacts: {},
  rates: [{ base: "EUR", quote: "USD", rate: "1.25", asOf: new Date(DECIDED_AT).toISOString() }],
  refused: [],
  asOf: DECIDED_AT,
  readAt: DECIDED_AT,
  lastError: null,
  staleSince: null,
  refreshJobId: null,
  staleJobId: null,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
  deletedAt: null,
};

function tablesOf(place: Place) {
  const opened = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  return [
    rowsOf(platforms, { ...platform, environment: "PRODUCTION" as const }),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, internal),
    rowsOf(externalAccounts, external, euroAccount),
    rowsOf(ledgerAccounts, { ...opened, balanceMinor: 100_000n }),
    rowsOf(railRoutings, routingOf(place)),
    ...(place.rate === true ? [rowsOf(rateSources, source)] : []),
  ];
}

const fromAccount: SourceName = quoteTerms.source;
const fromOutside: SourceName = { kind: "external", id: external.id, customerId: undefined };
const fromPayer: SourceName = {
  kind: "realtime",
  currency: "USD",
  customerId: customer.id,
  cryptoNetwork: undefined,
};
const toEuros: DestinationName = { kind: "external", id: EUROS, paymentRail: undefined };

function quoteRefusal(from: SourceName, place: Place) {
  const input = { ...quoteTerms, source: from, destination: toEuros };
  const world = worldFor({
    command: createQuote,
    input,
    platformId: PLATFORM,
    tables: tablesOf(place),
  });
  return refusalOf(world, () => createQuote.decide(world, input));
}

describe("a quote names", () => {
  it.each<[string, SourceName, Place, string, RegExp]>([
    ["a payout without a connection", fromAccount, {}, "CONNECTION", /POST \/rails\/connections/],
    [
      "a payout without a route",
      fromAccount,
      { payout: "connection" },
      "ROUTE",
      /POST \/rails\/routes/,
    ],
    [
      "a payout that is too large",
      fromAccount,
      { payout: "small", rate: true },
      "AMOUNT",
      /PATCH \/rails\/routes/,
    ],
    ["no rate", fromAccount, { payout: "route" }, "RATE", /POST \/rates\/sources/],
    [
      "the connection of the payout before the route of the collection",
      fromOutside,
      { collection: "connection" },
      "CONNECTION",
      /EUR to EUR_ACCOUNT/,
    ],
    [
      "the connection of the collection before the route of the payout",
      fromOutside,
      { payout: "connection" },
      "CONNECTION",
      /USD from USD_ACCOUNT/,
    ],
    [
      "the route of the collection before its amount and the rate",
      fromOutside,
      { payout: "route", collection: "connection" },
      "ROUTE",
      /USD from USD_ACCOUNT/,
    ],
    [
      "the amount of the collection before the rate",
      fromOutside,
      { payout: "route", collection: "small" },
      "AMOUNT",
      /USD from USD_ACCOUNT/,
    ],
    [
      "the connection of the payout before the way in of payers",
      fromPayer,
      {},
      "CONNECTION",
      /EUR to EUR_ACCOUNT/,
    ],
    [
      "the route of the payout before the way in of payers",
      fromPayer,
      { payout: "connection", rate: true },
      "ROUTE",
      /POST \/rails\/routes/,
    ],
    [
      "the way in of payers before the rate",
      fromPayer,
      { payout: "route" },
      "FUNDING",
      /direction FUNDING/,
    ],
    [
      "the rate at last",
      fromPayer,
      { payout: "route", funding: true },
      "RATE",
      /POST \/rates\/sources/,
    ],
    [
      "what is missing before what is paused",
      fromOutside,
      { payout: "paused" },
      "CONNECTION",
      /USD from USD_ACCOUNT/,
    ],
  ])("%s", (_what, from, place, missing, message) => {
    const refusal = quoteRefusal(from, place);
    expect(refusal?.code).toBe("NOT_IMPLEMENTED");
    expect(refusal?.details).toMatchObject({ missing, attach: expect.anything() });
    expect(refusal?.message).toMatch(message);
  });

  it("nothing where everything is there, and a pause where that is all", () => {
    const whole = { payout: "route", collection: "route", funding: true, rate: true } as const;
    for (const from of [fromAccount, fromOutside, fromPayer]) {
      expect(quoteRefusal(from, whole)).toBeUndefined();
      expect(quoteRefusal(from, { ...whole, payout: "paused" })?.code).toBe("RAIL_PAUSED");
    }
  });
});

describe("a transfer names", () => {
  it.each<[Reach, string]>([
    ["nothing", "CONNECTION"],
    ["connection", "ROUTE"],
    ["small", "AMOUNT"],
  ])("of a collection that has %s the %s", (collection, missing) => {
    const input = {
      internalId: internal.id,
      externalId: external.id,
      amountMinor: 700n,
      paymentRail: undefined,
      remittanceInformation: undefined,
      rails: () => undefined,
    };
    for (const command of [transferIn, transferOut]) {
      const world = worldFor({
        command,
        input,
        platformId: PLATFORM,
        tables: tablesOf({ collection }),
      });
      const refusal = refusalOf(world, () => command.decide(world, input));
      const isOut = command === transferOut;
      expect(refusal?.details).toEqual({
        rail: "ACH",
        direction: isOut ? "OUT" : "PULL",
        currency: "USD",
        accountType: COLLECTION,
        missing: isOut ? "CONNECTION" : missing,
        attach: ["HTTP", "MANUAL"],
      });
    }
  });
});
