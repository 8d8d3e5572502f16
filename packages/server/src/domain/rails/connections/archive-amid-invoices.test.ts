/** A pay request, the deletion of its route and the archiving of its connection at the same time, in every order of their steps. */
import { expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import {
  bank,
  feeRules,
  layer,
  payRequest,
  rateSource,
  toBank,
} from "../../../../test/kit/pay-request-rows.ts";
import { customer, internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { connection } from "../../../../test/kit/rail-rows.ts";
import { production } from "../../../../test/kit/uma-invoice-rows.ts";
import { present } from "../../../std/assert.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { priceRules } from "../../prices/price-rules/price-rules.ts";
import { rateSources } from "../../prices/rate-sources/rate-source.ts";
import { approvePayment } from "../../uma/decide-payment.ts";
import { receivePayRequest } from "../../uma/incoming/receive-pay-request.ts";
import { isUnderWay, umaInvoices } from "../../uma/incoming/uma-invoice.ts";
import { type RailRoute, railRoutes } from "../routes/rail-route.ts";
import { deleteRailRoute } from "../routes/route-commands.ts";
import { railRoutings } from "../routes/routing.ts";
import { archiveRailConnection } from "./archive-rail-connection.ts";
import { railConnections } from "./rail-connection.ts";

const AS = { actor: { kind: "worker", id: "uma" }, at: DECIDED_AT } as const;
const route: RailRoute = {
  ...{ id: toBank.id, name: "invoices", priority: 100, direction: "INVOICE", currency: "EUR" },
  ...{ accountTypes: null, paymentRails: null, minMinor: null, maxMinor: null, enabled: true },
  ...{ connectionId: connection.id, fallbackAfterSeconds: null, deletedAt: null },
  ...{ createdAt: DECIDED_AT, updatedAt: DECIDED_AT },
};

function opened(): DecidedRows {
  return new DecidedRows(PLATFORM, [
    rowsOf(platforms, production),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, internal),
    rowsOf(rateSources, rateSource),
    rowsOf(priceRules, feeRules),
    rowsOf(railConnections, { ...connection, currencies: ["EUR"], settlement: [layer] }),
    rowsOf(railRoutes, route),
    rowsOf(railRoutings, { id: PLATFORM, routes: [toBank], connections: [bank] }),
  ]);
}

const connectionIn = (rows: DecidedRows) => present(rows.all(railConnections)[0], "the connection");
const openIn = (rows: DecidedRows) => rows.all(umaInvoices).filter(isUnderWay);

/** What two callers do: each step reads, or is one commit. */
function callersOf(rows: DecidedRows) {
  let counted = { touchedAt: null as number | null, openInvoices: 0 };
  const others = { openPayments: 0, openItems: 0, waitingMarks: 0 };
  const archiving = [
    ["delete route", () => rows.run(deleteRailRoute, { routeId: route.id }, AS)],
    [
      "count",
      () => {
        const { touchedAt } = connectionIn(rows);
        counted = { touchedAt, openInvoices: openIn(rows).length };
      },
    ],
    [
      "archive",
      () => {
        const input = { connectionId: connection.id, ...others, ...counted };
        return rows.run(archiveRailConnection, input, AS);
      },
    ],
  ] as const;
  const paying = [
    ["pay request", () => rows.run(receivePayRequest, payRequest, AS)],
    [
      "approval",
      () => {
        const [invoice] = rows.all(umaInvoices);
        const call = { isUnanswered: false, receiverCustomerInfo: { EMAIL: "a@b.test" } };
        return invoice && rows.run(approvePayment, { transactionId: invoice.id, ...call }, AS);
      },
    ],
  ] as const;
  return { archiving, paying };
}

type Step = readonly [name: string, run: () => unknown];

/** Every order of the steps that keeps those of each caller in their own. A caller may also count before it deletes the route. */
function ordersOf(one: readonly Step[], other: readonly Step[]): readonly (readonly Step[])[] {
  const [first, ...rest] = one;
  const [second, ...remains] = other;
  if (first === undefined || second === undefined) return [[...one, ...other]];
  return [
    ...ordersOf(rest, other).map((order) => [first, ...order]),
    ...ordersOf(one, remains).map((order) => [second, ...order]),
  ];
}

const places = [0, 1, 2];
const ordersAt = (rows: DecidedRows, deletedAt: number) => {
  const { archiving, paying } = callersOf(rows);
  const [deletion, ...counts] = archiving;
  const moved = [...counts.slice(0, deletedAt), deletion, ...counts.slice(deletedAt)];
  return ordersOf(moved, paying);
};
const all = places.flatMap((deletedAt) =>
  ordersAt(opened(), deletedAt).map((order, index) => ({
    ...{ deletedAt, index },
    name: order.map(([name]) => name).join(", "),
  })),
);

it.each(all)("$name: no invoice is open at an archived connection", ({ deletedAt, index }) => {
  const rows = opened();
  for (const [, run] of present(ordersAt(rows, deletedAt)[index], "the order")) run();
  const isArchived = connectionIn(rows).status === "ARCHIVED";
  expect([isArchived, openIn(rows).length]).not.toEqual([true, 1]);
});

it("the orders are all that there are, and end in each way that is right", () => {
  expect(all).toHaveLength(30);
  const ends = all.map(({ deletedAt, index }) => {
    const rows = opened();
    for (const [, run] of present(ordersAt(rows, deletedAt)[index], "the order")) run();
    return `${connectionIn(rows).status} ${rows.all(umaInvoices)[0]?.state ?? "none"}`;
  });
  expect(new Set(ends)).toEqual(new Set(["ARCHIVED none", "ACTIVE WANTED", "ACTIVE none"]));
});
