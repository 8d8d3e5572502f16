/**
 * Which reported returns are accepted. A rail's report that a payout came back is accepted within the scheme's bounds: a charge is a small
 * part of the amount, and a return comes within some banking days. Beyond them the money becomes an item, which a person resolves.
 */
import type { World } from "../../../engine/command.ts";
import { priceReturn } from "../../payments/quotes/market/return-price.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { isAfterBankingDays } from "../connections/calendar.ts";
import { railConnections, USUAL_RETURN_DAYS } from "../connections/rail-connection.ts";
import type { ItemReason } from "../entries/rail-item.ts";
import type { RailPayment } from "../orders/rail-payment.ts";
import { WAYS_OUT } from "../orders/rail-report.ts";
import { canBeTakenBack } from "./return-collection.ts";

/** Banks keep only a small charge: less than this percentage of the amount is not taken for the payment. */
const LEAST_PERCENT = 90n;

export interface ToldReturn {
  readonly amountMinor: bigint;
  /** `YYYY-MM-DD`; undefined when a person confirms the return, so that the scheme's bounds do not apply. */
  readonly bookedOn: string | undefined;
}

/** Why this return is not accepted; undefined when it is, and when the state of the order allows no return. */
export function returnObstacle(
  world: World,
  payment: RailPayment,
  told: ToldReturn,
): ItemReason | undefined {
  if (WAYS_OUT[payment.state].returned !== "RETURNED") return undefined;
  const { direction, amountMinor, state } = payment;
  const isShort = told.amountMinor < amountMinor;
  if (told.amountMinor > amountMinor || told.amountMinor <= 0n) return "AMOUNT_DIFFERS";
  if (direction !== "OUT") {
    if (isShort) return "AMOUNT_DIFFERS";
    const isOwn = direction === "BACK" || state !== "SETTLED" || canBeTakenBack(world, payment);
    return isOwn ? undefined : "COLLECTION_RETURNED";
  }
  // Before a payout has settled, less than all of it may be another one's money.
  if (isShort && state !== "SETTLED") return "AMOUNT_DIFFERS";
  return schemeObstacle(world, payment, told) ?? priceObstacle(world, payment, told);
}

function schemeObstacle(
  world: World,
  { connectionId, amountMinor, settledOn }: RailPayment,
  told: ToldReturn,
): ItemReason | undefined {
  const { bookedOn } = told;
  if (bookedOn === undefined) return undefined;
  if (told.amountMinor * 100n < amountMinor * LEAST_PERCENT) return "AMOUNT_DIFFERS";
  if (settledOn === null) return undefined;
  const connection = world.get(railConnections.ref(connectionId));
  const { returnDays: days = USUAL_RETURN_DAYS } = connection.control;
  const isLate = isAfterBankingDays(connection, bookedOn, { from: settledOn, days });
  return isLate ? "LATE" : undefined;
}

/** Why the returned amount of a quote's payout has no price in the currency of its source. */
function priceObstacle(
  world: World,
  { transactionId }: RailPayment,
  { amountMinor }: ToldReturn,
): ItemReason | undefined {
  const { quoteId = null } =
    transactionId === null ? {} : world.get(transactions.ref(transactionId));
  if (quoteId === null) return undefined;
  const price = priceReturn(world, world.get(quotes.ref(quoteId)), amountMinor);
  return price.kind === "none" ? price.reason : undefined;
}
