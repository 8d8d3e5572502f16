/**
 * Charges of orders, such as the routing fee of a network: a debit of which the connector says whose charge it is.
 *
 *   own-funds.fee  clearing + the charge; own-funds − the charge
 *
 * Each debit is judged by itself, up to the greater ceiling of the connection's settings. Every other one goes to suspense.
 */
import type { World } from "../../../engine/command.ts";
import { mulDiv } from "../../../money/rounding.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { type ConnectionSettings, railConnections } from "../connections/rail-connection.ts";
import { railPayments } from "../orders/rail-payment.ts";
import type { RailEntry, ToldEntry } from "./rail-entry.ts";
import type { NewItem } from "./rail-item.ts";

interface Charge {
  readonly connectionId: string;
  readonly told: Pick<ToldEntry, "direction" | "currency" | "amountMinor" | "feeOf">;
}

export type FeePlace = { readonly bookedAs: "FEE" } | ({ readonly bookedAs: "SUSPENSE" } & NewItem);

/** The order whose charge the entry is; undefined for any other entry. A credit is no charge. */
function chargedOrder({ direction, feeOf }: Charge["told"]): string | undefined {
  return direction === "DEBIT" && feeOf !== null ? feeOf : undefined;
}

/** Whether booking the entry may move own funds: as a charge, or with a small rest beyond its invoice. */
export function mayMoveOwnFunds(told: Charge["told"] & Pick<ToldEntry, "invoiceId">): boolean {
  return isCharge(told) || told.invoiceId !== null;
}

/** Whether the entry is told as a charge. It then settles and returns no order, whatever else it names. */
export function isCharge(told: Charge["told"]): boolean {
  return chargedOrder(told) !== undefined;
}

export function feeNeeds(told: Charge["told"]): readonly AnyRef[] {
  const orderId = chargedOrder(told);
  return orderId === undefined ? [] : [railPayments.ref(orderId)];
}

/** Undefined for an entry that is no charge. */
export function placeFee(world: World, { connectionId, told }: Charge): FeePlace | undefined {
  const orderId = chargedOrder(told);
  if (orderId === undefined) return undefined;
  const { settings, currencies } = world.get(railConnections.ref(connectionId));
  if (!currencies.includes(told.currency)) return { bookedAs: "SUSPENSE", reason: "CURRENCY" };
  const order = world.find(railPayments.ref(orderId));
  const isOurs = order?.connectionId === connectionId && order.currency === told.currency;
  if (order === undefined || !isOurs) return { bookedAs: "SUSPENSE", reason: "UNREFERENCED" };
  const isCovered = told.amountMinor <= feeCeilingOf(settings, order);
  return isCovered ? { bookedAs: "FEE" } : { bookedAs: "SUSPENSE", reason: "FEE_ABOVE_CEILING" };
}

/** In basis points of the order. */
export const USUAL_FEE_CEILING_BPS = 100;
/** By currency, in the smallest unit; 0 for the others. Ten units of BTC. */
const USUAL_FEE_CEILINGS: Readonly<Record<string, number>> = { MSAT: 10_000 };

/** The largest charge of the order that is booked without a person. */
export function feeCeilingOf(
  { feeCeilingBps = USUAL_FEE_CEILING_BPS, feeCeilingMinor }: ConnectionSettings,
  order: { readonly currency: string; readonly amountMinor: bigint },
): bigint {
  const share = mulDiv(order.amountMinor, BigInt(feeCeilingBps), 10_000n, "down");
  const least = smallRestOf({ feeCeilingMinor }, order.currency);
  return share > least ? share : least;
}

/** What is small enough in this currency to be own funds, whatever the amount of the payment. */
export function smallRestOf(
  { feeCeilingMinor = {} }: { readonly feeCeilingMinor?: ConnectionSettings["feeCeilingMinor"] },
  currency: string,
): bigint {
  const set = Object.hasOwn(feeCeilingMinor, currency) ? feeCeilingMinor[currency] : undefined;
  return BigInt(set ?? USUAL_FEE_CEILINGS[currency] ?? 0);
}

/** Books the charge. A debit that is no charge within the ceiling does not come here. */
export function bookFee(world: World, { connectionId, currency, amountMinor }: RailEntry): void {
  world.post({
    reason: "own-funds.fee",
    legs: [
      { system: "clearing", currency, connectionId, minor: amountMinor },
      { system: "own-funds", currency, connectionId, minor: -amountMinor },
    ],
  });
}
