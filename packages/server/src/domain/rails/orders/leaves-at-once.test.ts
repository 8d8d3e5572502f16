/** Which orders the commit that accepts a payment marks as possibly sent, so that their job sends them without a commit of its own. */
import { expect, it } from "vitest";
import { rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { external, PLATFORM, quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import { connection } from "../../../../test/kit/rail-rows.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { type ConnectionEntry, railRoutings } from "../routes/routing.ts";
import type { ExchangeRoom } from "./exchange-room.port.ts";
import { addRailPayment } from "./new-rail-payment.ts";
import { ORDER_SENT } from "./rail-payment.ts";

const { id, kind, account, newPayments, capabilities, calendar } = connection;
const ENTRY: ConnectionEntry = {
  id,
  kind,
  account,
  newPayments,
  capabilities,
  calendar,
  status: "ACTIVE",
  payoutCeiling: null,
  holdDays: 0,
  baseUrl: "https://bank.test",
};
const hasRoom: ExchangeRoom = () => true;

function accepted(entry: ConnectionEntry, room: ExchangeRoom) {
  const command = {
    needs: () => [
      railRoutings.ref(PLATFORM),
      transactions.ref(quoteTransaction.id),
      railConnections.ref(id),
    ],
  };
  const tables = [
    rowsOf(railRoutings, { id: PLATFORM, routes: [], connections: [entry] }),
    rowsOf(transactions, quoteTransaction),
    rowsOf(railConnections, connection),
  ];
  const world = worldFor({ command, input: undefined, platformId: PLATFORM, tables });
  const payment = addRailPayment(
    world,
    {
      transactionId: quoteTransaction.id,
      direction: "OUT",
      choice: { paymentRail: "ACH", routeId: id, connectionId: id, fallbackAfterSeconds: 60 },
      external,
      amountMinor: 700n,
      remittance: undefined,
    },
    room,
  );
  return { payment, jobs: world.jobs.map(({ kind }) => kind), at: world.at };
}

it("an order to an active connector with room is marked and needs no fallback", () => {
  const { payment, jobs, at } = accepted(ENTRY, hasRoom);
  expect(payment).toMatchObject({ state: "SENDING", sentTo: "https://bank.test", sentAt: at });
  expect(payment.history.map(({ state, why }) => [state, why])).toEqual([
    ["QUEUED", "accepted"],
    ["SENDING", ORDER_SENT],
  ]);
  expect(jobs).toEqual(["carry-rail-payment"]);
});

it.each<[string, Partial<ConnectionEntry>, ExchangeRoom, string[]]>([
  ["whose connector has no room", {}, () => false, ["carry-rail-payment"]],
  ["at a degraded connection", { status: "DEGRADED" }, hasRoom, []],
  ["at a paused connection", { status: "PAUSED" }, hasRoom, []],
  ["that people send", { kind: "MANUAL" }, hasRoom, []],
])("an order %s is queued with its fallback", (_which, change, room, jobs) => {
  const { payment, jobs: scheduled } = accepted({ ...ENTRY, ...change }, room);
  expect(payment).toMatchObject({ state: "QUEUED", sentAt: null, sentTo: null });
  expect(scheduled).toEqual([...jobs, "fall-back-rail-payment"]);
});

it("an order by a routing row without addresses, which an earlier version wrote, is queued", () => {
  const { baseUrl: _baseUrl, ...earlier } = ENTRY;
  expect(accepted(earlier, hasRoom).payment.state).toBe("QUEUED");
});

it("an order above the ceiling is held and not sent", () => {
  const { payment } = accepted({ ...ENTRY, payoutCeiling: "699" }, hasRoom);
  expect(payment).toMatchObject({ state: "HELD", sentAt: null, jobId: null });
});

it("asks for room with the number of exchanges that the settings allow", () => {
  const asked: unknown[] = [];
  const room: ExchangeRoom = (wanted) => asked.push(wanted) > 0;
  accepted({ ...ENTRY, concurrency: 3 }, room);
  accepted(ENTRY, room);
  expect(asked).toEqual([
    { id, concurrency: 3 },
    { id, concurrency: 8 },
  ]);
});
