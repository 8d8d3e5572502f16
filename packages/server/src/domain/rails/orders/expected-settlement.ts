/** When a payment is expected to have settled, by its rail and the calendar of its connection. */
import { afterBankingDays, type RailCalendar } from "../connections/calendar.ts";

/** Banking days after the order; 0: on the same one. Rails that are not listed settle at once, on every day. */
const BANKING_DAYS: Readonly<Record<string, number>> = {
  ACH: 1,
  BANK_TRANSFER: 1,
  SEPA: 1,
  SWIFT: 1,
  NEFT: 0,
  RTGS: 0,
  WIRE: 0,
};

export function expectedSettlementAt(
  { paymentRail, heldDays = 0 }: { readonly paymentRail: string; readonly heldDays?: number },
  calendar: RailCalendar,
  orderedAt: number,
): number {
  const days = BANKING_DAYS[paymentRail];
  if (days === undefined && heldDays === 0) return orderedAt;
  return afterBankingDays({ calendar }, orderedAt, (days ?? 0) + heldDays);
}
