/** The calls of rails, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

const CONNECTION = "/rails/connections/RailConnection%3A1";
const ROUTE = "/rails/routes/RailRoute%3A1";
const ORDER = "/rails/payments/RailPayment%3A1";
const connection = { name: "bank", kind: "MANUAL", currencies: ["USD"] } as const;
const route = {
  name: "dollars",
  direction: "OUT",
  currency: "USD",
  connectionId: "RailConnection:1",
} as const;
const wanted = {
  direction: "OUT",
  currency: "USD",
  accountType: "USD_ACCOUNT",
  amount: 5,
} as const;
const mark = { outcome: "SETTLED" } as const;

const line = {
  bankReference: "L-1",
  direction: "CREDIT",
  amount: 100,
  currency: "USD",
  bookedOn: "2026-11-21",
} as const;
const resolution = {
  parts: [{ kind: "OWN_FUNDS", amount: 100, label: "interest" }],
  note: "January",
} as const;

export const railRows: readonly Row[] = [
  [
    "railConnections.create",
    (c) => c.railConnections.create(connection),
    "POST /rails/connections",
  ],
  [
    "railConnections.list",
    (c) => c.railConnections.list({ kind: "HTTP" }),
    "GET /rails/connections?kind=HTTP",
  ],
  ["railConnections.get", (c) => c.railConnections.get("RailConnection:1"), `GET ${CONNECTION}`],
  [
    "railConnections.update",
    (c) => c.railConnections.update("RailConnection:1", { name: "b" }),
    `PATCH ${CONNECTION}`,
  ],
  [
    "railConnections.test",
    (c) => c.railConnections.test("RailConnection:1"),
    `POST ${CONNECTION}/test`,
  ],
  [
    "railConnections.activate",
    (c) => c.railConnections.activate("RailConnection:1"),
    `POST ${CONNECTION}/activate`,
  ],
  [
    "railConnections.pause",
    (c) => c.railConnections.pause("RailConnection:1", { newPayments: "QUEUE" }),
    `POST ${CONNECTION}/pause`,
  ],
  [
    "railConnections.resume",
    (c) => c.railConnections.resume("RailConnection:1"),
    `POST ${CONNECTION}/resume`,
  ],
  [
    "railConnections.archive",
    (c) => c.railConnections.archive("RailConnection:1"),
    `DELETE ${CONNECTION}`,
  ],
  ["railRoutes.create", (c) => c.railRoutes.create(route), "POST /rails/routes"],
  [
    "railRoutes.list",
    (c) => c.railRoutes.list({ currency: "USD" }),
    "GET /rails/routes?currency=USD",
  ],
  ["railRoutes.resolve", (c) => c.railRoutes.resolve(wanted), "POST /rails/routes/resolve"],
  ["railRoutes.get", (c) => c.railRoutes.get("RailRoute:1"), `GET ${ROUTE}`],
  [
    "railRoutes.update",
    (c) => c.railRoutes.update("RailRoute:1", { priority: 1 }),
    `PATCH ${ROUTE}`,
  ],
  ["railRoutes.delete", (c) => c.railRoutes.delete("RailRoute:1"), `DELETE ${ROUTE}`],
  [
    "railEntries.create",
    (c) => c.railEntries.create("RailConnection:1", line),
    `POST ${CONNECTION}/entries`,
  ],
  [
    "railEntries.list",
    (c) => c.railEntries.list({ direction: "DEBIT" }),
    "GET /rails/entries?direction=DEBIT",
  ],
  ["railEntries.get", (c) => c.railEntries.get("RailEntry:1"), "GET /rails/entries/RailEntry%3A1"],
  ["railItems.list", (c) => c.railItems.list({ state: "OPEN" }), "GET /rails/items?state=OPEN"],
  ["railItems.get", (c) => c.railItems.get("RailItem:1"), "GET /rails/items/RailItem%3A1"],
  [
    "railItems.resolve",
    (c) => c.railItems.resolve("RailItem:1", resolution),
    "POST /rails/items/RailItem%3A1/resolve",
  ],
  [
    "railPayments.list",
    (c) => c.railPayments.list({ state: "QUEUED" }),
    "GET /rails/payments?state=QUEUED",
  ],
  ["railPayments.get", (c) => c.railPayments.get("RailPayment:1"), `GET ${ORDER}`],
  ["railPayments.mark", (c) => c.railPayments.mark("RailPayment:1", mark), `POST ${ORDER}/mark`],
  [
    "railPayments.markAll",
    (c) => c.railPayments.markAll({ marks: [{ paymentId: "RailPayment:1", ...mark }] }),
    "POST /rails/marks",
  ],
  ["railPayments.reroute", (c) => c.railPayments.reroute("RailPayment:1"), `POST ${ORDER}/reroute`],
  [
    "railPayments.recall",
    (c) => c.railPayments.recall("RailPayment:1", { reason: "OTHER" }),
    `POST ${ORDER}/recall`,
  ],
];
