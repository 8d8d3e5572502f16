import { Refusal } from "../../../engine/refusal.ts";
import {
  connectionKinds,
  isOfInvoice,
  type MissingPart,
  missingParts,
  type Wanted,
} from "./carrier.port.ts";

/** The requirements of a payment that nothing carries, with the one rail that it needs. */
export interface Unserved extends Omit<Wanted, "paymentRails" | "asset"> {
  readonly rail: string;
}

/** NOT_IMPLEMENTED; it names the missing part and the API call that attaches it. */
export function noRail(wanted: Unserved, missing: MissingPart): Refusal {
  const { rail, direction, currency, accountType } = wanted;
  const towards = `${direction === "PULL" ? "from" : "to"} ${accountType} by ${rail}`;
  const payment = direction === "INVOICE" ? `invoices in ${currency}` : `${currency} ${towards}`;
  const attach = isOfInvoice(wanted) ? (["HTTP"] as const) : connectionKinds;
  return new Refusal(
    "NOT_IMPLEMENTED",
    { rail, direction, currency, accountType, missing, attach: [...attach] },
    MESSAGES[missing](payment, attach.join(" or ")),
  );
}

const MESSAGES: Readonly<Record<MissingPart, (payment: string, kinds: string) => string>> = {
  CONNECTION: (payment, kinds) =>
    `No rail carries ${payment}. Attach one: POST /rails/connections (${kinds}), then POST /rails/routes.`,
  ROUTE: (payment) =>
    `A connection carries ${payment}, and no route leads to it. Add one: POST /rails/routes.`,
  SETTLEMENT: (payment) =>
    `A route of ${payment} leads to connections that do not settle it. GET /rails/connections lists the settlement layers of each.`,
  AMOUNT: (payment) =>
    `No route carries this amount of ${payment}. PATCH /rails/routes/{id} changes the limits of a route.`,
};

/** Throws the refusal whose missing part comes first in `missingParts`; RAIL_PAUSED comes last. */
export function refuseFirst(refusals: readonly (Refusal | undefined)[]): void {
  const [first] = refusals
    .filter((refusal) => refusal !== undefined)
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  if (first !== undefined) throw first;
}

const PLACES: readonly unknown[] = missingParts;

function placeOf({ details }: Refusal): number {
  const place = PLACES.indexOf(details?.missing);
  return place < 0 ? PLACES.length : place;
}

/** Every route that would take the payment leads to a connection that is paused and refuses new payments. */
export function railPaused({
  direction,
  currency,
  accountType,
  paymentRails,
}: Omit<Wanted, "amountMinor">): Refusal {
  return new Refusal(
    "RAIL_PAUSED",
    { rail: paymentRails[0] ?? accountType, direction, currency, accountType },
    "The connection for this payment is paused; POST /rails/connections/{id}/resume ends the pause.",
  );
}
