import { invalidField } from "../../../engine/refusal.ts";
import type { RailConnection } from "../connections/rail-connection.ts";
import type { RailRoute } from "./rail-route.ts";

/** Refuses, in this order: a currency that the connection does not have, a minimum above the maximum. */
export function refuseRoute(
  { currencies }: RailConnection,
  { currency, minMinor, maxMinor }: Pick<RailRoute, "currency" | "minMinor" | "maxMinor">,
): void {
  if (!currencies.includes(currency)) {
    throw invalidField(
      "currency",
      `is no currency of the connection, which has ${currencies.join(", ")}`,
    );
  }
  if (minMinor !== null && maxMinor !== null && minMinor > maxMinor) {
    throw invalidField("minAmount", "must not be above maxAmount");
  }
}
