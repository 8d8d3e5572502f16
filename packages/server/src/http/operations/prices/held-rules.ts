/** Tables of rules and limits as orders that may wait for another owner: their inputs from bodies that were validated. */
import type { Static } from "typebox";
import type { SetFxLimitsInput } from "../../../domain/prices/fx-positions/set-fx-limits.ts";
import type { SetFeesInput } from "../../../domain/prices/price-rules/set-fees.ts";
import type { SetSpreadsInput } from "../../../domain/prices/price-rules/set-spreads.ts";
import type { limitsBody } from "../../../wire/prices/fx-position.ts";
import { type feesBody, type spreadsBody, toFeeRule } from "../../../wire/prices/price-rules.ts";

export function feesInput({ rules }: Static<typeof feesBody>): SetFeesInput {
  return { rules: rules.map(toFeeRule) };
}

export function spreadsInput({ spreads }: Static<typeof spreadsBody>): SetSpreadsInput {
  return { spreads: spreads.map(({ from, to, bps }) => ({ from, to, bps })) };
}

export function limitsInput({ limits }: Static<typeof limitsBody>): SetFxLimitsInput {
  return {
    limits: limits.map(({ currency, maxLong, maxShort }) => ({
      currency,
      maxLong: minorOf(maxLong),
      maxShort: minorOf(maxShort),
    })),
  };
}

function minorOf(amount: number | null | undefined): bigint | null {
  return amount === null || amount === undefined ? null : BigInt(amount);
}
