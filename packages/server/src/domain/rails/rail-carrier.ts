/** Implements `carrierPort`: the choice of a connection, orders, addresses for payers, and the return of money. */
import type { Loaded } from "../../engine/command.ts";
import { present } from "../../std/assert.ts";
import type { Carrier, Routes } from "../payments/carrier/carrier.port.ts";
import { afterBankingDays, type RailCalendar } from "./connections/calendar.ts";
import type { ExchangeRoom } from "./orders/exchange-room.port.ts";
import { addRailPayment } from "./orders/new-rail-payment.ts";
import { giveBack, giveBackNeeds } from "./quotes/give-back.ts";
import { isPayInPaused, quotePayIn } from "./quotes/quote-addresses.ts";
import {
  clearingNeeds,
  connectionEntryOf,
  type RailRouting,
  railRoutings,
  resolveRoute,
  routingOf,
} from "./routes/routing.ts";

export const railCarrier = (hasRoom: ExchangeRoom): Carrier => ({
  routeNeeds: ({ platformId }) => [railRoutings.ref(platformId)],
  orderNeeds: (world, currency) => [
    railRoutings.ref(world.platformId),
    ...clearingNeeds(world, currency),
  ],
  routes: (world: Loaded) => routesOf(routingOf(world)),
  order: (world, order) => addRailPayment(world, order, hasRoom),
  expectedAt(world, { paymentRail, connectionId }, type) {
    const connection = connectionEntryOf(world, connectionId);
    const { calendar, holdDays } = present(connection, "the connection of a route that was taken");
    const heldDays = type === "INCOMING" ? holdDays : 0;
    return expectedSettlementAt({ paymentRail, heldDays }, calendar, world.at);
  },
  giveBackNeeds,
  giveBack,
});

/** The routes of a routing row; undefined for a platform without a connection. */
export function routesOf(routing: RailRouting | undefined): Routes {
  return {
    choose: (wanted) => resolveRoute(routing, wanted),
    payIn: (wanted) => quotePayIn(routing, wanted),
    isPayInPaused: (currency) => isPayInPaused(routing, currency),
    pays: (currency, paymentRail) => paysBy(routing, currency, paymentRail),
  };
}

function paysBy(routing: RailRouting | undefined, currency: string, paymentRail: string): boolean {
  const capabilities = (routing?.connections ?? []).flatMap(
    (connection) => connection.capabilities,
  );
  return capabilities.some(
    (capability) =>
      capability.direction === "OUT" &&
      capability.currency === currency &&
      capability.paymentRails.includes(paymentRail),
  );
}

/** Banking days from the order to the settlement; 0: on the same day. Rails that are not listed settle at once, on every day. */
const BANKING_DAYS: Readonly<Record<string, number>> = {
  ACH: 1,
  BANK_TRANSFER: 1,
  SEPA: 1,
  SWIFT: 1,
  NEFT: 0,
  RTGS: 0,
  WIRE: 0,
};

/** When a payment is expected to have settled, by its rail and the calendar of its connection. */
export function expectedSettlementAt(
  { paymentRail, heldDays = 0 }: { readonly paymentRail: string; readonly heldDays?: number },
  calendar: RailCalendar,
  orderedAt: number,
): number {
  const days = BANKING_DAYS[paymentRail];
  if (days === undefined && heldDays === 0) return orderedAt;
  return afterBankingDays({ calendar }, orderedAt, (days ?? 0) + heldDays);
}
