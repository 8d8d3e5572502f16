/** What the commands of routes refuse, in their order, and what they write of the routing row. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { connection as bank } from "../../../../test/kit/rail-rows.ts";
import type { Command } from "../../../engine/command.ts";
import { type RailConnection, railConnections } from "../connections/rail-connection.ts";
import { MOST_ROUTES, type RailRoute, railRoutes } from "./rail-route.ts";
import {
  type CreateRailRouteInput,
  createRailRoute,
  deleteRailRoute,
  updateRailRoute,
} from "./route-commands.ts";
import { type RailRouting, railRoutings } from "./routing.ts";

const idOf = (digits: number) => `018f0000-0000-7000-8000-${String(digits).padStart(12, "0")}`;
const OTHER = idOf(900);

const terms: CreateRailRouteInput = {
  name: "ach",
  priority: 100,
  direction: "OUT",
  currency: "USD",
  accountTypes: null,
  paymentRails: ["ACH"],
  minMinor: null,
  maxMinor: 500n,
  connectionId: bank.id,
  enabled: true,
  fallbackAfterSeconds: null,
};

const routeRow = (digits: number, change: Partial<RailRoute> = {}): RailRoute => ({
  id: idOf(digits),
  ...terms,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT - 1,
  deletedAt: null,
  ...change,
});

interface Rows {
  readonly routes?: readonly RailRoute[];
  readonly connections?: readonly RailConnection[];
}

function decided<Input, Output>(command: Command<Input, Output>, input: Input, rows: Rows = {}) {
  const { routes = [], connections = [bank] } = rows;
  const empty: RailRouting = { id: PLATFORM, routes: [], connections: [] };
  const world = worldFor({
    command,
    input,
    platformId: PLATFORM,
    tables: [
      rowsOf(railConnections, ...connections),
      rowsOf(railRoutes, ...routes),
      rowsOf(railRoutings, empty),
    ],
  });
  let output: Output | undefined;
  const refusal = refusalOf(world, () => {
    output = command.decide(world, input);
  });
  const routing = world.get(railRoutings.ref(PLATFORM));
  const touched = (id: string) => world.find(railConnections.ref(id))?.touchedAt;
  return { refusal, output, routing, touched };
}

const archived: RailConnection = { ...bank, status: "ARCHIVED" };
const foreign = { currency: "EUR", minMinor: 9n, maxMinor: 8n };
const crossed = { minMinor: 9n, maxMinor: 8n };
const full = Array.from({ length: MOST_ROUTES }, (_, index) => routeRow(index + 1));

describe("a new route", () => {
  it.each<readonly [what: string, change: object, rows: Rows, code: string, details: object]>([
    [
      "an unknown connection",
      foreign,
      { connections: [], routes: full },
      "REFERENCE_NOT_FOUND",
      {},
    ],
    [
      "an archived one",
      foreign,
      { connections: [archived], routes: full },
      "CONFLICT",
      { status: "ARCHIVED" },
    ],
    [
      "a currency that the connection does not have",
      foreign,
      { routes: full },
      "INVALID_INPUT",
      { field: "currency", reason: "is no currency of the connection, which has USD" },
    ],
    [
      "a minimum above the maximum",
      crossed,
      { routes: full },
      "INVALID_INPUT",
      { field: "minAmount", reason: "must not be above maxAmount" },
    ],
    ["one more than the most", {}, { routes: full }, "CONFLICT", { limit: MOST_ROUTES }],
  ])("is refused with %s, in this order", (_what, change, rows, code, details) => {
    const { refusal } = decided(createRailRoute, { ...terms, ...change }, rows);
    expect(refusal?.code).toBe(code);
    expect(refusal?.details ?? {}).toMatchObject(details);
  });

  it.each<readonly [what: string, change: Partial<CreateRailRouteInput>, rows: Rows]>([
    ["limits that are the same", { minMinor: 8n, maxMinor: 8n }, {}],
    ["a minimum alone", { minMinor: 9n, maxMinor: null }, {}],
    ["a connection in SETUP", {}, { connections: [{ ...bank, status: "SETUP" }] }],
    ["the last place", {}, { routes: full.slice(1) }],
    [
      "a place that a deleted route left",
      {},
      { routes: [...full.slice(1), routeRow(1_500, { deletedAt: 1 })] },
    ],
  ])("is taken with %s", (_what, change, rows) => {
    expect(decided(createRailRoute, { ...terms, ...change }, rows).refusal).toBeUndefined();
  });

  it("is written to the routing row, which is by priority and then by age, without deleted routes", () => {
    const routes = [
      routeRow(1, { priority: 200 }),
      routeRow(3, { priority: 50 }),
      routeRow(2, { priority: 50, minMinor: 5n }),
      routeRow(4, { priority: 1, deletedAt: DECIDED_AT }),
      routeRow(5, { priority: 60, enabled: false }),
    ];
    const { routing, output } = decided(createRailRoute, terms, { routes });
    const ids = routing.routes.map(({ id }) => id);
    expect(ids).toEqual([idOf(2), idOf(3), idOf(5), output?.id, idOf(1)]);
    expect(routing.routes[0]).toMatchObject({ min: "5", max: "500", enabled: true });
  });

  it("writes the live connections, with what they carry by their settings", () => {
    const settings = { accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH"], holdDays: 3 };
    const manual: RailConnection = {
      ...bank,
      id: OTHER,
      kind: "MANUAL",
      settings,
      capabilities: [],
    };
    const gone: RailConnection = { ...archived, id: idOf(901) };
    const { routing } = decided(createRailRoute, terms, { connections: [manual, gone, bank] });
    expect(routing.connections.map(({ id }) => id)).toEqual([bank.id, OTHER].toSorted());
    const entry = routing.connections.find(({ id }) => id === OTHER);
    expect(entry).toMatchObject({ holdDays: 3, payoutCeiling: null, funding: bank.funding });
    expect(entry?.capabilities).toEqual(
      (["OUT", "PULL"] as const).map((direction) => ({
        direction,
        currency: "USD",
        accountTypes: ["USD_ACCOUNT"],
        paymentRails: ["ACH"],
      })),
    );
  });
});

describe("a route of invoices", () => {
  const invoices = { direction: "INVOICE", paymentRails: null } as const;
  const addresses = { accountTypes: ["UMA_ADDRESS"], paymentRails: null };
  const desk: RailConnection = { ...bank, kind: "MANUAL" };
  const late = { fallbackAfterSeconds: 60, minMinor: 9n, maxMinor: 8n };

  it.each<
    readonly [what: string, change: Partial<CreateRailRouteInput>, rows: Rows, refused: string]
  >([
    [
      "account types",
      { direction: "INVOICE", accountTypes: ["USD_ACCOUNT"], ...late },
      { connections: [desk] },
      "accountTypes must not be given for INVOICE",
    ],
    [
      "UMA addresses",
      { ...invoices, accountTypes: ["UMA_ADDRESS"] },
      {},
      "accountTypes must not be given for INVOICE",
    ],
    [
      "a collection",
      { ...addresses, direction: "PULL", ...late },
      {},
      "accountTypes UMA_ADDRESS is for OUT alone",
    ],
    [
      "funding",
      { ...addresses, direction: "FUNDING" },
      {},
      "accountTypes UMA_ADDRESS is for OUT alone",
    ],
    [
      "other types beside",
      { ...addresses, accountTypes: ["USD_ACCOUNT", "UMA_ADDRESS"], ...late },
      {},
      "accountTypes must hold nothing beside UMA_ADDRESS",
    ],
    [
      "a rail",
      { direction: "INVOICE", paymentRails: ["ACH"], ...late },
      { connections: [desk] },
      "paymentRails must not be given for INVOICE",
    ],
    [
      "a rail of UMA addresses",
      { ...addresses, paymentRails: ["ACH"] },
      {},
      "paymentRails must not be given for UMA_ADDRESS",
    ],
    [
      "a fallback",
      { ...invoices, ...late },
      { connections: [desk] },
      "fallbackAfterSeconds must not be given for INVOICE",
    ],
    [
      "a fallback of UMA addresses",
      { ...addresses, ...late },
      {},
      "fallbackAfterSeconds must not be given for UMA_ADDRESS",
    ],
    [
      "a desk",
      { ...invoices, ...crossed },
      { connections: [desk] },
      "connectionId is of the kind MANUAL; only HTTP settles invoices",
    ],
    [
      "limits that are crossed",
      { ...addresses, ...crossed },
      {},
      "minAmount must not be above maxAmount",
    ],
  ])("is refused with %s, in this order", (_what, change, rows, refused) => {
    const { refusal } = decided(createRailRoute, { ...terms, ...change }, rows);
    expect(`${refusal?.details?.field} ${refusal?.details?.reason}`).toBe(refused);
  });

  it.each<readonly [what: string, change: Partial<CreateRailRouteInput>]>([
    ["for invoices", invoices],
    ["for UMA addresses", addresses],
  ])("%s is taken", (_what, change) => {
    const { refusal, routing } = decided(createRailRoute, { ...terms, ...change });
    expect(refusal).toBeUndefined();
    expect(routing.routes).toMatchObject([change]);
  });

  it("is refused when a change would make one of what it is not", () => {
    const out = routeRow(1, addresses);
    const fieldOf = (change: object, row: RailRoute) =>
      decided(updateRailRoute, { routeId: row.id, change }, { routes: [row] }).refusal?.details
        ?.field;
    expect(fieldOf({ fallbackAfterSeconds: 60 }, out)).toBe("fallbackAfterSeconds");
    expect(fieldOf({ paymentRails: ["ACH"] }, out)).toBe("paymentRails");
    expect(fieldOf({ accountTypes: ["UMA_ADDRESS"] }, routeRow(1, { ...invoices }))).toBe(
      "accountTypes",
    );
    expect(fieldOf({ accountTypes: null, paymentRails: ["ACH"] }, out)).toBeUndefined();
  });

  it("finds the layers of its connection in the routing row, and none where there are none", () => {
    const settlement: RailConnection["settlement"] = [
      {
        layer: "bank.example",
        send: true,
        receive: true,
        assets: [{ identifier: "USD", currency: "USD", decimals: 2 }],
        invoiceSeconds: { min: 60, max: 600 },
        exactAmounts: true,
        partialPayments: false,
      },
    ];
    const connections = [{ ...bank, settlement }];
    const settling = decided(createRailRoute, { ...terms, ...invoices }, { connections });
    expect(settling.routing.connections[0]?.settlement).toEqual(settlement);
    const other = decided(createRailRoute, terms).routing.connections[0];
    expect(Object.keys(other ?? {})).not.toContain("settlement");
  });
});

describe("a change of a route", () => {
  const route = routeRow(1);
  const change = (of: object) => ({ routeId: route.id, change: of });
  const second: RailConnection = { ...bank, id: OTHER };

  it.each<readonly [what: string, change: object, rows: Rows, code: string]>([
    ["an unknown route", { connectionId: OTHER }, { routes: [] }, "REFERENCE_NOT_FOUND"],
    ["a deleted one", crossed, { routes: [{ ...route, deletedAt: 1 }] }, "REFERENCE_NOT_FOUND"],
    ["an unknown connection", { connectionId: OTHER, ...crossed }, {}, "REFERENCE_NOT_FOUND"],
    [
      "an archived one",
      { connectionId: OTHER, ...crossed },
      { connections: [bank, { ...archived, id: OTHER, currencies: ["EUR"] }] },
      "CONFLICT",
    ],
    [
      "a connection without its currency",
      { connectionId: OTHER, ...crossed },
      { connections: [bank, { ...second, currencies: ["EUR"] }] },
      "INVALID_INPUT currency",
    ],
    ["a minimum above the maximum that stays", { minMinor: 501n }, {}, "INVALID_INPUT minAmount"],
    ["a maximum below the minimum", crossed, {}, "INVALID_INPUT minAmount"],
  ])("is refused with %s, in this order", (_what, of, rows, code) => {
    const { refusal } = decided(updateRailRoute, change(of), { routes: [route], ...rows });
    const field = refusal?.details?.field;
    expect([refusal?.code, ...(field === undefined ? [] : [field])].join(" ")).toBe(code);
  });

  it("keeps what it does not name, and takes away what it names as null", () => {
    const { output } = decided(updateRailRoute, change({ maxMinor: null, priority: 7 }), {
      routes: [route],
    });
    expect(output).toEqual({ ...route, maxMinor: null, priority: 7, updatedAt: DECIDED_AT });
  });

  it("touches the connection that it leaves, and is written to the routing row", () => {
    const { routing, touched } = decided(updateRailRoute, change({ connectionId: OTHER }), {
      routes: [route],
      connections: [bank, second],
    });
    expect(routing.routes).toMatchObject([{ id: route.id, connectionId: OTHER }]);
    expect([touched(bank.id), touched(OTHER)]).toEqual([DECIDED_AT, null]);
  });
});

describe("a route that is deleted", () => {
  const route = routeRow(1);
  const input = { routeId: route.id };

  it("is disabled, leaves the routing row, and touches its connection", () => {
    const { output, routing, touched } = decided(deleteRailRoute, input, {
      routes: [route, routeRow(2)],
    });
    expect(output).toMatchObject({ enabled: false, deletedAt: DECIDED_AT });
    expect(routing.routes.map(({ id }) => id)).toEqual([idOf(2)]);
    expect(touched(bank.id)).toBe(DECIDED_AT);
  });

  it.each<readonly [what: string, routes: readonly RailRoute[]]>([
    ["unknown", []],
    ["deleted before", [{ ...route, deletedAt: 1 }]],
  ])("is not found where it is %s", (_what, routes) => {
    expect(decided(deleteRailRoute, input, { routes }).refusal?.code).toBe("REFERENCE_NOT_FOUND");
  });
});
