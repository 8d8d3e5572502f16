/** Which assets invoices can be made and paid in, by routes and connections. */
import { describe, expect, it } from "vitest";
import { currencies } from "../../../money/currency.ts";
import type { Wanted } from "../../payments/carrier/carrier.port.ts";
import type { SettlementLayer } from "../connections/settlement.ts";
import {
  type ConnectionEntry,
  type RailRouting,
  type RouteEntry,
  resolveRoute,
} from "./routing.ts";
import {
  isSettlementPaused,
  type SettlementDirection,
  settlementAssets,
} from "./settlement-assets.ts";

const EUR = { identifier: "EUR", currency: "EUR", decimals: 2 };
const layer = (change: Partial<SettlementLayer> = {}): SettlementLayer => ({
  layer: "bank.example",
  send: true,
  receive: true,
  assets: [EUR],
  invoiceSeconds: { min: 60, max: 3_600 },
  exactAmounts: true,
  partialPayments: false,
  ...change,
});
const entry = (change: Partial<ConnectionEntry> = {}): ConnectionEntry => ({
  id: "bank",
  kind: "HTTP",
  account: {},
  status: "ACTIVE",
  newPayments: "REFUSE",
  capabilities: [],
  settlement: [layer()],
  payoutCeiling: null,
  calendar: { timeZone: "UTC", holidays: [] },
  holdDays: 0,
  ...change,
});
const route = (direction: SettlementDirection, change: Partial<RouteEntry> = {}): RouteEntry => ({
  id: "route",
  priority: 100,
  direction,
  currency: "EUR",
  accountTypes: direction === "OUT" ? ["UMA_ADDRESS"] : null,
  paymentRails: null,
  min: null,
  max: null,
  connectionId: "bank",
  enabled: true,
  fallbackAfterSeconds: null,
  ...change,
});
const both = (of: {
  readonly route?: Partial<RouteEntry>;
  readonly connection?: Partial<ConnectionEntry>;
}): RailRouting => ({
  id: "platform",
  routes: [route("OUT", of.route), route("INVOICE", { ...of.route, accountTypes: null })],
  connections: [entry(of.connection)],
});
const DIRECTIONS = ["INVOICE", "OUT"] as const;
const namesOf = (routing: RailRouting | undefined, direction: SettlementDirection) =>
  settlementAssets(routing, direction).map((each) => `${each.layer} ${each.identifier}`);

describe("the assets of routes", () => {
  it.each(DIRECTIONS)("are told with their limits and rules: %s", (direction) => {
    const limited = { ...EUR, minAmount: 100, maxAmount: 9_000 };
    const settlement = [layer({ assets: [limited], partialPayments: true })];
    const routing = both({ route: { min: "50", max: "8000" }, connection: { settlement } });
    expect(settlementAssets(routing, direction)).toEqual([
      {
        layer: "bank.example",
        identifier: "EUR",
        currency: "EUR",
        decimals: 2,
        minMinor: 100n,
        maxMinor: 8_000n,
        invoiceSeconds: { min: 60, max: 3_600 },
        exactAmounts: true,
        partialPayments: true,
        connectionId: "bank",
        routeId: "route",
      },
    ]);
  });

  it.each<
    readonly [
      limits: readonly [string | null, string | null, number?, number?],
      cut: readonly [bigint | null, bigint | null] | "none",
    ]
  >([
    [
      [null, null],
      [null, null],
    ],
    [
      ["5", "7"],
      [5n, 7n],
    ],
    [
      [null, null, 5, 7],
      [5n, 7n],
    ],
    [
      ["5", "7", 6, 6],
      [6n, 6n],
    ],
    [
      ["6", "6", 5, 7],
      [6n, 6n],
    ],
    [["8", null, 5, 7], "none"],
    [[null, "4", 5, 7], "none"],
    [
      ["9007199254740993", null, 5],
      [9_007_199_254_740_993n, null],
    ],
  ])("have the narrower of both limits: %o", ([min, max, minAmount, maxAmount], cut) => {
    const asset = {
      ...EUR,
      ...(minAmount === undefined ? {} : { minAmount }),
      ...(maxAmount === undefined ? {} : { maxAmount }),
    };
    const connection = { settlement: [layer({ assets: [asset] })] };
    const [found] = settlementAssets(both({ route: { min, max }, connection }), "OUT");
    expect(found === undefined ? "none" : [found.minMinor, found.maxMinor]).toEqual(cut);
  });

  it.each<
    readonly [
      what: string,
      of: Parameters<typeof both>[0],
      invoice: "there" | "paused" | "none",
      out: "there" | "paused" | "none",
    ]
  >([
    ["of an active connection", {}, "there", "there"],
    ["of a degraded one", { connection: { status: "DEGRADED" } }, "none", "there"],
    [
      "of a paused one that queues",
      { connection: { status: "PAUSED", newPayments: "QUEUE" } },
      "paused",
      "there",
    ],
    ["of a paused one that refuses", { connection: { status: "PAUSED" } }, "paused", "paused"],
    ["of one in SETUP", { connection: { status: "SETUP" } }, "none", "none"],
    ["of one that is not there", { connection: { id: "other" } }, "none", "none"],
    ["of one without layers", { connection: { settlement: [] } }, "none", "none"],
    ["of a disabled route", { route: { enabled: false } }, "none", "none"],
    ["of a route in another currency", { route: { currency: "USD" } }, "none", "none"],
    [
      "of a layer that sends alone",
      { connection: { settlement: [layer({ receive: false })] } },
      "none",
      "there",
    ],
    [
      "of a layer that receives alone",
      { connection: { settlement: [layer({ send: false })] } },
      "there",
      "none",
    ],
  ])("%s", (_what, of, ...expected) => {
    const routing = both(of);
    const found = DIRECTIONS.map((direction) => {
      if (settlementAssets(routing, direction).length > 0) return "there";
      return isSettlementPaused(routing, direction) ? "paused" : "none";
    });
    expect(found).toEqual(expected);
  });

  it("are not those of routes for accounts, nor of rows of earlier versions", () => {
    expect(namesOf(both({ route: { accountTypes: null } }), "OUT")).toEqual([]);
    expect(namesOf(both({ route: { accountTypes: ["IBAN_ACCOUNT"] } }), "OUT")).toEqual([]);
    const { settlement: _, ...older } = entry();
    expect(namesOf({ ...both({}), connections: [older] }, "OUT")).toEqual([]);
    expect(namesOf(undefined, "INVOICE")).toEqual([]);
  });

  it("are in the order of routes, each layer and identifier once", () => {
    const usd = { identifier: "USD", currency: "USD", decimals: 2 };
    const second = entry({
      id: "second",
      settlement: [layer({ assets: [usd, EUR] }), layer({ layer: "other" })],
    });
    const routes = [
      route("INVOICE", { id: "1", currency: "USD", connectionId: "second" }),
      route("INVOICE", { id: "2" }),
      route("INVOICE", { id: "3", connectionId: "second" }),
    ];
    const routing = { id: "platform", routes, connections: [entry(), second] };
    const found = settlementAssets(routing, "INVOICE");
    expect(found.map((each) => [each.routeId, each.layer, each.identifier])).toEqual([
      ["1", "bank.example", "USD"],
      ["2", "bank.example", "EUR"],
      ["3", "other", "EUR"],
    ]);
  });
});

describe("the built-in layer of sandboxes", () => {
  const builtIn = entry({ id: "layer", kind: "SANDBOX", settlement: [] });
  const among = (connections: readonly ConnectionEntry[], routes: readonly RouteEntry[] = []) => ({
    id: "platform",
    connections,
    routes,
  });

  it.each(["INVOICE", "OUT"] as const)("is offered for %s in every currency, last", (direction) => {
    const routing = among([entry(), builtIn], [route(direction)]);
    const [first, ...others] = settlementAssets(routing, direction);
    expect(first).toMatchObject({ layer: "bank.example", identifier: "EUR" });
    expect(new Set(others.map(({ layer }) => layer))).toEqual(new Set(["florin-sandbox"]));
    expect(others.map(({ identifier }) => identifier)).toEqual(currencies.map(({ code }) => code));
  });

  it("is not offered while its connection is paused", () => {
    const paused = among([{ ...builtIn, status: "PAUSED" }]);
    expect(settlementAssets(paused, "INVOICE")).toEqual([]);
    expect(isSettlementPaused(paused, "INVOICE")).toBe(true);
  });

  it("carries orders that pay invoices, behind every route, and no others", () => {
    const wanted: Wanted = {
      direction: "OUT",
      currency: "EUR",
      amountMinor: 100n,
      accountType: "UMA_ADDRESS",
      paymentRails: ["UMA"],
    };
    const both = among([entry(), builtIn], [route("OUT", { connectionId: "bank" })]);
    const chosen = (routing: RailRouting, more: Partial<Wanted> = {}) => {
      const resolved = resolveRoute(routing, { ...wanted, ...more });
      return resolved.kind === "taken" ? resolved.choice.connectionId : resolved.kind;
    };
    expect(chosen(both)).toBe("bank");
    expect(chosen(both, { asset: { layer: "florin-sandbox", identifier: "EUR" } })).toBe("layer");
    expect(chosen(among([builtIn]))).toBe("layer");
    expect(chosen(among([builtIn]), { accountType: "IBAN", paymentRails: ["SEPA"] })).toBe("none");
  });
});
