import { type CodedFault, invalid } from "../../engine/refusal.ts";
import type { CustomerProfile } from "./customer.ts";
import {
  type CustomerField,
  INDIVIDUAL_ISSUER,
  individualFields,
  OTHER,
} from "./customer-fields.ts";

/** Field values by name, as sent or stored. */
export type FieldValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The members of `sent` that the table has, in the table's order. Duplicates in a list are dropped. */
export function knownFields<Known extends object>(
  fields: readonly CustomerField[],
  sent: object,
): Partial<Known> {
  const values = sent as FieldValues;
  const known: Record<string, string | readonly string[]> = {};
  for (const { name } of fields) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) continue;
    known[name] = typeof value === "string" ? value : [...new Set(value)];
  }
  return known as Partial<Known>;
}

/** A fault for each OTHER of a person without an explanation. Accepts values that are not validated yet. */
export function unexplainedFaults(values: object): readonly CodedFault[] {
  const sent = values as Readonly<Record<string, unknown>>;
  return individualFields.flatMap(({ name, explains }) => {
    if (explains === undefined || !isOther(sent[explains]) || sent[name] !== undefined) return [];
    return [invalid(name, `is required when ${explains} is OTHER`)];
  });
}

/** The stored values with the sent ones applied. An explanation is removed together with its OTHER. */
export function withFields<Known extends object>(
  fields: readonly CustomerField[],
  stored: Known,
  sent: Partial<Known>,
): Known {
  const merged: FieldValues = { ...(stored as FieldValues), ...(sent as FieldValues) };
  const idle = new Set(
    fields.flatMap(({ name, explains }) =>
      explains === undefined || isOther(merged[explains]) ? [] : [name],
    ),
  );
  const kept = Object.fromEntries(Object.entries(merged).filter(([name]) => !idle.has(name)));
  return knownFields<Known>(fields, kept) as Known;
}

/** Like `withFields`, for a person. The identifier's country has only one possible value, so it is filled in. */
export function withProfile(stored: CustomerProfile, sent: CustomerProfile): CustomerProfile {
  const merged = withFields(individualFields, stored, sent);
  if (merged.idType === undefined || merged.countryOfIssuance !== undefined) return merged;
  return withFields(individualFields, merged, { countryOfIssuance: INDIVIDUAL_ISSUER });
}

function isOther(value: unknown): boolean {
  return Array.isArray(value) ? value.includes(OTHER) : value === OTHER;
}
