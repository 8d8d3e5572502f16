/** Which route takes a payment: every reason of a candidate, their precedence, and the choice beside a slow reckoning of the same. */

import { describe, expect, it } from "vitest";
import { chanceFrom } from "../../../../test/kit/chance.ts";
import type { Wanted } from "../../payments/carrier/carrier.port.ts";
import { noRail, railPaused, refuseFirst } from "../../payments/carrier/no-carrier.ts";
import type { FundingSettings } from "../connections/funding-settings.ts";
import type { Capability } from "../connections/rail-connection.ts";
import {
  type CandidateReason,
  type ConnectionEntry,
  judge,
  type OneRail,
  type RailRouting,
  type RouteEntry,
  resolveRoute,
} from "./routing.ts";

const carries = (change: Partial<Capability> = {}): Capability => ({
  direction: "OUT",
  currency: "USD",
  accountTypes: ["USD_ACCOUNT"],
  paymentRails: ["ACH", "WIRE"],
  ...change,
});

const entry = (change: Partial<ConnectionEntry> = {}): ConnectionEntry => ({
  id: "bank",
  kind: "HTTP",
  account: {},
  status: "ACTIVE",
  newPayments: "REFUSE",
  capabilities: [carries()],
  funding: { mode: "NONE" },
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
const payers: FundingSettings = { mode: "REFERENCE" };
const none: Partial<ConnectionEntry> = { capabilities: [] };
const bounds = (minAmount?: number, maxAmount?: number) => ({
  capabilities: [
    carries({
      ...(minAmount !== undefined && { minAmount }),
      ...(maxAmount !== undefined && { maxAmount }),
    }),
  ],
});

describe("a route", () => {
  it.each<
    readonly [
      what: string,
      route: Partial<RouteEntry>,
      connection: Partial<ConnectionEntry> | undefined,
      reason: CandidateReason,
    ]
  >([
    ["that fits", {}, {}, "TAKEN"],
    // Each of these holds of the next one too, where the two can be together.
    ["that is disabled", { enabled: false, accountTypes: ["X"] }, undefined, "DISABLED"],
    ["for other account types", { accountTypes: ["X"] }, undefined, "OTHER_CRITERIA"],
    ["for no account type", { accountTypes: [] }, {}, "OTHER_CRITERIA"],
    ["for other rails", { paymentRails: ["WIRE"] }, undefined, "OTHER_CRITERIA"],
    ["for several, of which one fits", { paymentRails: ["WIRE", "ACH"] }, {}, "TAKEN"],
    ["for this account type", { accountTypes: ["X", "USD_ACCOUNT"] }, {}, "TAKEN"],
    ["to a connection that is archived", { max: "1" }, undefined, "CONNECTION_NOT_ACTIVE"],
    ["to one in SETUP", { max: "1" }, { status: "SETUP", ...none }, "CONNECTION_NOT_ACTIVE"],
    ["to one without capabilities", { max: "1" }, { ...none, ...paused }, "NOT_COVERED"],
    [
      "to one that carries the other direction",
      {},
      { capabilities: [carries({ direction: "PULL" })] },
      "NOT_COVERED",
    ],
    [
      "to one that carries another currency",
      {},
      { capabilities: [carries({ currency: "EUR" })] },
      "NOT_COVERED",
    ],
    [
      "to one that carries other accounts",
      {},
      { capabilities: [carries({ accountTypes: [] })] },
      "NOT_COVERED",
    ],
    [
      "to one that carries other rails",
      {},
      { capabilities: [carries({ paymentRails: ["WIRE"] })] },
      "NOT_COVERED",
    ],
    [
      "to one whose capabilities fit in parts alone",
      {},
      { capabilities: [carries({ currency: "EUR" }), carries({ paymentRails: ["WIRE"] })] },
      "NOT_COVERED",
    ],
    ["whose minimum is the amount", { min: "100" }, {}, "TAKEN"],
    ["whose minimum is above it", { min: "101" }, paused, "AMOUNT"],
    ["whose maximum is the amount", { max: "100" }, {}, "TAKEN"],
    ["whose maximum is below it", { max: "99" }, paused, "AMOUNT"],
    ["to one that carries just the amount", {}, bounds(100, 100), "TAKEN"],
    ["to one that carries more alone", {}, bounds(101), "AMOUNT"],
    ["to one that carries less alone", {}, bounds(undefined, 99), "AMOUNT"],
    [
      "to one of whose capabilities one carries the amount",
      {},
      { capabilities: [carries({ maxAmount: 99 }), carries({ minAmount: 100 })] },
      "TAKEN",
    ],
    ["to a paused one", {}, paused, "CONNECTION_PAUSED"],
    ["to a paused one that queues", {}, queues, "TAKEN"],
    ["to a degraded one", {}, { status: "DEGRADED" }, "TAKEN"],
  ])("%s", (_what, change, connection, reason) => {
    const to = connection === undefined ? undefined : entry(connection);
    expect(judge(route(change), to, byAch)).toBe(reason);
  });

  it.each<readonly [what: string, connection: Partial<ConnectionEntry>, reason: CandidateReason]>([
    ["that shows payers where to pay", { funding: payers, ...none }, "TAKEN"],
    ["that bounds the amounts of orders alone", { funding: payers, ...bounds(500) }, "TAKEN"],
    ["that shows payers nothing", { funding: { mode: "NONE" } }, "NOT_COVERED"],
    ["in SETUP", { funding: payers, status: "SETUP" }, "CONNECTION_NOT_ACTIVE"],
    ["that is paused", { funding: payers, ...paused }, "CONNECTION_PAUSED"],
  ])("of funding to a connection %s", (_what, connection, reason) => {
    const funding = route({ direction: "FUNDING" });
    expect(judge(funding, entry(connection), { ...byAch, direction: "FUNDING" })).toBe(reason);
  });
});

const tableOf = (
  routes: readonly Partial<RouteEntry>[],
  connections: readonly Partial<ConnectionEntry>[] = [{}],
): RailRouting => ({
  id: "p",
  routes: routes.map((change) => route(change)),
  connections: connections.map((change) => entry(change)),
});

const reasonsIn = (resolution: ReturnType<typeof resolveRoute>) =>
  resolution.candidates.map(({ routeId, reason }) => `${routeId} ${reason}`);

describe("the choice", () => {
  it("is the first route of the first rail for which one can take the payment", () => {
    const table = tableOf([
      { id: "a", paymentRails: ["WIRE"], fallbackAfterSeconds: 60 },
      { id: "b", paymentRails: ["ACH"], max: "1" },
      { id: "c", paymentRails: ["WIRE"] },
      { id: "d", enabled: false },
    ]);
    const resolution = resolveRoute(table, { ...wanted, paymentRails: ["ACH", "WIRE"] });
    expect(resolution).toMatchObject({
      kind: "taken",
      choice: { paymentRail: "WIRE", routeId: "a", connectionId: "bank", fallbackAfterSeconds: 60 },
    });
    expect(reasonsIn(resolution)).toEqual([
      "a TAKEN",
      "b OTHER_CRITERIA",
      "c LOWER_PRIORITY",
      "d DISABLED",
    ]);
    const first = resolveRoute(table, {
      ...wanted,
      paymentRails: ["ACH", "WIRE"],
      amountMinor: 1n,
    });
    expect(first).toMatchObject({ kind: "taken", choice: { paymentRail: "ACH", routeId: "b" } });
  });

  it("is not of a route of another direction or currency, nor of the connection that is left out", () => {
    const table = tableOf(
      [
        { id: "a", direction: "PULL" },
        { id: "b", currency: "EUR" },
        { id: "c" },
        { id: "d", connectionId: "other" },
      ],
      [{}, { id: "other" }],
    );
    expect(reasonsIn(resolveRoute(table, wanted))).toEqual(["c TAKEN", "d LOWER_PRIORITY"]);
    expect(reasonsIn(resolveRoute(table, wanted, "bank"))).toEqual(["d TAKEN"]);
  });

  const elsewhere = { id: "other" };

  it.each<
    readonly [
      what: string,
      routing: RailRouting | undefined,
      missing: "CONNECTION" | "ROUTE" | "AMOUNT" | "paused",
    ]
  >([
    ["no row", undefined, "CONNECTION"],
    ["no connection", tableOf([], []), "CONNECTION"],
    ["a connection that carries something else", tableOf([{}], [none]), "CONNECTION"],
    ["one in SETUP", tableOf([{}], [{ status: "SETUP" }]), "CONNECTION"],
    ["one that carries it, without a route", tableOf([]), "ROUTE"],
    ["a route that is disabled", tableOf([{ enabled: false }]), "ROUTE"],
    ["a route for other accounts", tableOf([{ accountTypes: ["X"] }]), "ROUTE"],
    [
      "a route to another one",
      tableOf([{ connectionId: "other" }], [{}, { ...elsewhere, ...none }]),
      "ROUTE",
    ],
    ["a route for other amounts", tableOf([{ min: "101" }]), "AMOUNT"],
    [
      "a route for other amounts, beside a disabled one",
      tableOf([{ enabled: false }, { min: "101" }]),
      "AMOUNT",
    ],
    ["a connection for other amounts", tableOf([{}], [bounds(101)]), "AMOUNT"],
    ["a paused one", tableOf([{}], [paused]), "paused"],
    [
      "a paused one, beside other amounts",
      tableOf([{ min: "101", connectionId: "other" }, {}], [paused, elsewhere]),
      "paused",
    ],
  ])("where there is %s: %s is missing", (_what, routing, missing) => {
    const resolution = resolveRoute(routing, wanted);
    if (missing === "paused") expect(resolution.kind).toBe("paused");
    else expect(resolution).toMatchObject({ kind: "none", missing });
  });

  it("of several rails names the reason of each route that comes nearest", () => {
    const table = tableOf([
      { id: "a", paymentRails: ["ACH"], max: "1" },
      { id: "b", paymentRails: ["RTP"] },
    ]);
    const resolution = resolveRoute(table, { ...wanted, paymentRails: ["WIRE", "ACH", "RTP"] });
    expect(reasonsIn(resolution)).toEqual(["a AMOUNT", "b NOT_COVERED"]);
  });
});

/** Written from the documentation of routes: rail by rail, route by route, no shared step with the program. */
function slowChoice({ routes, connections }: RailRouting, asked: Wanted): string | undefined {
  for (const rail of asked.paymentRails) {
    for (const each of routes) {
      const bank = connections.find(({ id }) => id === each.connectionId);
      if (bank === undefined || bank.status === "SETUP" || !each.enabled) continue;
      if (bank.status === "PAUSED" && bank.newPayments === "REFUSE") continue;
      if (each.direction !== asked.direction || each.currency !== asked.currency) continue;
      if (each.accountTypes?.includes(asked.accountType) === false) continue;
      if (each.paymentRails?.includes(rail) === false) continue;
      const [least, most] = [Number(each.min ?? 0), Number(each.max ?? 1e9)];
      const amount = Number(asked.amountMinor);
      if (amount < least || amount > most) continue;
      const isCarried = bank.capabilities.some(
        (able) =>
          `${able.direction} ${able.currency}` === `${asked.direction} ${asked.currency}` &&
          new Set(able.accountTypes).has(asked.accountType) &&
          new Set(able.paymentRails).has(rail) &&
          amount >= (able.minAmount ?? 0) &&
          amount <= (able.maxAmount ?? 1e9),
      );
      if (isCarried) return `${each.id} ${rail}`;
    }
  }
  return undefined;
}

it("the choice is that of a slow reckoning, on tables of routes drawn at random", () => {
  const chance = chanceFrom(20_261_128);
  const pick = <T>(from: readonly T[]) => from[chance(from.length)] as T;
  const some = <T>(from: readonly T[]) => from.filter(() => chance(3) > 0);
  const orNull = <T>(value: T) => (chance(2) === 0 ? null : value);
  const [rails, types, currencies] = [
    ["ACH", "WIRE", "RTP"],
    ["A", "B"],
    ["USD", "USD", "USD", "EUR"],
  ];
  const directions = ["OUT", "OUT", "OUT", "PULL"] as const;
  const digits = () => String(1 + chance(30));
  let taken = 0;
  for (let round = 0; round < 2_000; round++) {
    const connections = ["x", "y", "z"].map((id) =>
      entry({
        id,
        status: pick(["ACTIVE", "ACTIVE", "SETUP", "DEGRADED", "PAUSED"]),
        newPayments: pick(["REFUSE", "QUEUE"]),
        capabilities: [0, 1].map(() =>
          carries({
            direction: pick(directions),
            currency: pick(currencies),
            accountTypes: some(types),
            paymentRails: some(rails),
            ...(chance(3) === 0 && { minAmount: 1 + chance(30) }),
            ...(chance(3) === 0 && { maxAmount: 1 + chance(30) }),
          }),
        ),
      }),
    );
    const routes = ["1", "2", "3", "4", "5"].map((id) =>
      route({
        id,
        direction: pick(directions),
        currency: pick(currencies),
        accountTypes: orNull(some(types)),
        paymentRails: orNull(some(rails)),
        min: chance(4) === 0 ? digits() : null,
        max: chance(4) === 0 ? digits() : null,
        // One is archived.
        connectionId: pick(["x", "y", "z", "gone"]),
        enabled: chance(5) > 0,
      }),
    );
    const table: RailRouting = { id: "p", routes, connections };
    const asked: Wanted = {
      direction: pick(directions),
      currency: pick(currencies),
      accountType: pick(types),
      paymentRails: some(rails),
      amountMinor: BigInt(1 + chance(30)),
    };
    const resolution = resolveRoute(table, asked);
    const { routeId, paymentRail } = resolution.kind === "taken" ? resolution.choice : {};
    const found = routeId === undefined ? undefined : `${routeId} ${paymentRail}`;
    expect([round, found]).toEqual([round, slowChoice(table, asked)]);
    if (found !== undefined) taken++;
  }
  expect(taken).toBeGreaterThan(200);
});

describe("the refusal of a payment that nothing carries", () => {
  const unserved = { ...wanted, rail: "ACH" };

  it.each([
    [
      "CONNECTION",
      "OUT",
      "No rail carries USD to USD_ACCOUNT by ACH. Attach one: POST /rails/connections (HTTP or MANUAL), then POST /rails/routes.",
    ],
    [
      "ROUTE",
      "OUT",
      "A connection carries USD to USD_ACCOUNT by ACH, and no route leads to it. Add one: POST /rails/routes.",
    ],
    [
      "AMOUNT",
      "OUT",
      "No route carries this amount of USD to USD_ACCOUNT by ACH. PATCH /rails/routes/{id} changes the limits of a route.",
    ],
    [
      "CONNECTION",
      "PULL",
      "No rail carries USD from USD_ACCOUNT by ACH. Attach one: POST /rails/connections (HTTP or MANUAL), then POST /rails/routes.",
    ],
  ] as const)("names %s as missing %s", (missing, direction, message) => {
    expect(noRail({ ...unserved, direction }, missing)).toMatchObject({
      code: "NOT_IMPLEMENTED",
      message,
      details: {
        ...{ rail: "ACH", direction, currency: "USD", accountType: "USD_ACCOUNT" },
        ...{ missing, attach: ["HTTP", "MANUAL"] },
      },
    });
  });

  it.each([
    [["ACH", "WIRE"], "ACH"],
    [[], "USD_ACCOUNT"],
  ])("names the first rail of %o where its connection is paused", (paymentRails, rail) => {
    expect(railPaused({ ...wanted, paymentRails })).toMatchObject({
      code: "RAIL_PAUSED",
      details: { rail, direction: "OUT", currency: "USD", accountType: "USD_ACCOUNT" },
    });
  });

  const [connection, noRoute, noLayer, amount, isPaused] = [
    noRail(unserved, "CONNECTION"),
    noRail(unserved, "ROUTE"),
    noRail(unserved, "SETTLEMENT"),
    noRail(unserved, "AMOUNT"),
    railPaused(wanted),
  ];

  it.each([
    [[isPaused, amount, noLayer, noRoute, connection], connection],
    [[isPaused, amount, noLayer, undefined, noRoute], noRoute],
    [[isPaused, amount, noLayer], noLayer],
    [[isPaused, amount], amount],
    [[undefined, isPaused], isPaused],
  ])("is the first of several, by what is missing", (refusals, first) => {
    expect(() => refuseFirst(refusals)).toThrow(first);
    expect(() => refuseFirst(refusals.toReversed())).toThrow(first);
  });

  it("is none where nothing is missing", () => {
    expect(() => refuseFirst([undefined])).not.toThrow();
  });
});
