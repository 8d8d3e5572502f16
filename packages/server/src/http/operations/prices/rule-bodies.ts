/** The currencies and rails of a table of rules exist. Fields of the wrong type are left to the schema. */
import { accountTypes, railsOfType } from "../../../domain/accounts/external/account-types.ts";
import { ANY } from "../../../domain/prices/price-rules/price-rules.ts";
import type { FieldError } from "../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../money/currency.ts";
import { isJsonObject, type Json } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";

const rails: ReadonlySet<string> = new Set(accountTypes.flatMap(railsOfType));

export function judgeRules(field: string, rules: Json | undefined): Judgement<undefined> {
  const errors = (Array.isArray(rules) ? rules : []).flatMap((rule: Json, index) =>
    isJsonObject(rule) ? faultsOf(`${field}.${index}`, rule) : [],
  );
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

function faultsOf(
  field: string,
  { from, to, paymentRail }: { readonly [name: string]: Json },
): readonly FieldError[] {
  const currencies = Object.entries({ from, to }).flatMap(([member, code]) =>
    typeof code !== "string" || code === ANY || isCurrencyCode(code)
      ? []
      : [{ field: `${field}.${member}`, message: `is no currency: ${code}` }],
  );
  const isRail = typeof paymentRail !== "string" || rails.has(paymentRail);
  return isRail
    ? currencies
    : [...currencies, { field: `${field}.paymentRail`, message: `is no rail: ${paymentRail}` }];
}
