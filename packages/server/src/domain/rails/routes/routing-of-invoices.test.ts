/** Which routes make invoices and carry the orders that pay them, and what is missing where none does. */
import { describe, expect, it } from "vitest";
import type { Wanted } from "../../payments/carrier/carrier.port.ts";
import { noRail } from "../../payments/carrier/no-carrier.ts";
import type { SettlementLayer } from "../connections/settlement.ts";
import {
  type CandidateReason,
  type ConnectionEntry,
  judge,
  type OneRail,
  type RailRouting,
  type RouteEntry,
  resolveRoute,
} from "./routing.ts";

const entry = (change: Partial<ConnectionEntry> = {}): ConnectionEntry => ({
  id: "bank",
  kind: "HTTP",
  account: {},
  status: "ACTIVE",
  newPayments: "REFUSE",
  capabilities: [
    { direction: "OUT", currency: "USD", accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH"] },
  ],
  payoutCeiling: null,
  calendar: { timeZone: "UTC", holidays: [] },
  holdDays: 0,
  ...change,
});

const route = (change: Partial<RouteEntry> = {}): RouteEntry => ({
  id: "route",
  priority: 100,
  direction: "OUT",
  currency: "USD",
  accountTypes: null,
  paymentRails: null,
  min: null,
  max: null,
  connectionId: "bank",
  enabled: true,
  fallbackAfterSeconds: null,
  ...change,
});

const wanted: Wanted = {
  direction: "OUT",
  currency: "USD",
  accountType: "USD_ACCOUNT",
  paymentRails: ["ACH"],
  amountMinor: 100n,
};
const byAch: OneRail = { ...wanted, paymentRail: "ACH" };
const paused = { status: "PAUSED", newPayments: "REFUSE" } as const;
const queues = { status: "PAUSED", newPayments: "QUEUE" } as const;

const bankLayer: SettlementLayer = {
  layer: "bank.example",
  send: true,
  receive: true,
  assets: [{ identifier: "dollars", currency: "USD", decimals: 2 }],
  invoiceSeconds: { min: 60, max: 600 },
  exactAmounts: true,
  partialPayments: false,
};
const settling = (change: Partial<SettlementLayer> = {}): Partial<ConnectionEntry> => ({
  capabilities: [],
  settlement: [{ ...bankLayer, ...change }],
});
const limitsOf = (limits: object) =>
  settling({ assets: [{ identifier: "dollars", currency: "USD", decimals: 2, ...limits }] });

describe("a route of invoices", () => {
  type Reasons = readonly [paid: CandidateReason, made: CandidateReason];
  const both = (reason: CandidateReason): Reasons => [reason, reason];
  const of = { paymentRail: "UMA", paymentRails: ["UMA"], accountType: "UMA_ADDRESS" };
  const paid: OneRail = { ...wanted, ...of, direction: "OUT" };
  const made: OneRail = { ...wanted, ...of, direction: "INVOICE" };

  it.each<readonly [what: string, connection: Partial<ConnectionEntry> | undefined, Reasons]>([
    ["that settles the currency", settling(), both("TAKEN")],
    ["that is not there", undefined, both("CONNECTION_NOT_ACTIVE")],
    ["in SETUP", { ...settling(), status: "SETUP" }, both("CONNECTION_NOT_ACTIVE")],
    ["that is degraded", { ...settling(), status: "DEGRADED" }, ["TAKEN", "CONNECTION_NOT_ACTIVE"]],
    ["that is paused", { ...settling(), ...paused }, both("CONNECTION_PAUSED")],
    ["that is paused and queues", { ...settling(), ...queues }, ["TAKEN", "CONNECTION_PAUSED"]],
    ["without layers", { capabilities: [] }, both("NOT_COVERED")],
    ["that carries the currency without a layer", {}, both("NOT_COVERED")],
    ["that makes invoices alone", settling({ send: false }), ["NOT_COVERED", "TAKEN"]],
    ["that pays invoices alone", settling({ receive: false }), ["TAKEN", "NOT_COVERED"]],
    [
      "with a layer in another currency",
      settling({ assets: [{ identifier: "EUR", currency: "EUR", decimals: 2 }] }),
      both("NOT_COVERED"),
    ],
    ["whose layer takes more", limitsOf({ minAmount: 101 }), both("AMOUNT")],
    ["whose layer takes less", limitsOf({ maxAmount: 99 }), both("AMOUNT")],
    ["at the layer's limits", limitsOf({ minAmount: 100, maxAmount: 100 }), both("TAKEN")],
    ["paused, out of its limits", { ...limitsOf({ maxAmount: 9 }), ...paused }, both("AMOUNT")],
  ])("to a connection %s", (_what, connection, reasons) => {
    const there = connection && entry(connection);
    const pays = route({ accountTypes: ["UMA_ADDRESS"] });
    const makes = route({ direction: "INVOICE" });
    expect([judge(pays, there, paid), judge(makes, there, made)]).toEqual(reasons);
  });

  it.each([
    ["the asset", { layer: "bank.example", identifier: "dollars" }, "TAKEN"],
    ["another layer", { layer: "ln", identifier: "dollars" }, "NOT_COVERED"],
    ["another asset", { layer: "bank.example", identifier: "BTC" }, "NOT_COVERED"],
  ])("takes what names %s", (_what, asset, reason) => {
    const pays = route({ accountTypes: ["UMA_ADDRESS"] });
    expect(judge(pays, entry(settling()), { ...paid, asset })).toBe(reason);
  });

  it.each<
    readonly [
      what: string,
      routes: readonly Partial<RouteEntry>[],
      connection: Partial<ConnectionEntry>,
      found: string,
    ]
  >([
    ["nothing", [], { capabilities: [] }, "none CONNECTION"],
    ["a connection without layers", [], {}, "none CONNECTION"],
    ["a connection with layers", [], settling(), "none ROUTE"],
    ["a route of accounts to it", [{ accountTypes: null }], settling(), "none ROUTE"],
    ["a disabled route to it", [{ enabled: false }], settling(), "none ROUTE"],
    ["a route to a connection without layers", [{}], {}, "none SETTLEMENT"],
    ["a route to other amounts", [{ max: "99" }], settling(), "none AMOUNT"],
    ["a route to a paused one", [{}], { ...settling(), ...paused }, "paused"],
    ["a route to it", [{}], settling(), "taken"],
    ["routes, of which one leads to it", [{ id: "a", max: "1" }, {}], settling(), "taken"],
  ])("%s: what is missing", (_what, routes, connection, found) => {
    const table: RailRouting = {
      id: "p",
      routes: routes.map((change) => route({ accountTypes: ["UMA_ADDRESS"], ...change })),
      connections: [entry(connection)],
    };
    const resolution = resolveRoute(table, paid);
    const missing = resolution.kind === "none" ? ` ${resolution.missing}` : "";
    expect(`${resolution.kind}${missing}`).toBe(found);
  });
});

describe("an order to a UMA address", () => {
  const toAddress: OneRail = { ...byAch, accountType: "UMA_ADDRESS", paymentRail: "UMA" };

  it("is taken by no route that does not name its type, not even one of every type", () => {
    for (const accountTypes of [null, ["USD_ACCOUNT"], []]) {
      expect(judge(route({ accountTypes }), entry(), toAddress)).toBe("OTHER_CRITERIA");
    }
    const named = route({ accountTypes: ["UMA_ADDRESS"] });
    expect(judge(named, entry(), toAddress)).not.toBe("OTHER_CRITERIA");
    expect(judge(named, entry(), byAch)).toBe("OTHER_CRITERIA");
  });
});

describe("the refusal of an invoice that nothing makes or pays", () => {
  const unserved = { ...wanted, rail: "ACH" };

  it.each([
    [
      "SETTLEMENT",
      "OUT",
      "A route of USD to UMA_ADDRESS by UMA leads to connections that do not settle it. GET /rails/connections lists the settlement layers of each.",
    ],
    [
      "CONNECTION",
      "INVOICE",
      "No rail carries invoices in USD. Attach one: POST /rails/connections (HTTP), then POST /rails/routes.",
    ],
    [
      "AMOUNT",
      "INVOICE",
      "No route carries this amount of invoices in USD. PATCH /rails/routes/{id} changes the limits of a route.",
    ],
  ] as const)("names %s as missing of an invoice, %s", (missing, direction, message) => {
    const invoice = { ...unserved, direction, rail: "UMA", accountType: "UMA_ADDRESS" };
    const refusal = noRail(invoice, missing);
    expect(refusal).toMatchObject({ code: "NOT_IMPLEMENTED", message });
    expect(refusal.details).toMatchObject({ rail: "UMA", missing, attach: ["HTTP"] });
  });
});
