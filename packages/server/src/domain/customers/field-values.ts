import { type CodedFault, invalid } from "../../engine/refusal.ts";
import type { CustomerProfile } from "./customer.ts";
import {
  type CustomerField,
  INDIVIDUAL_ISSUER,
  individualFields,
  OTHER,
} from "./customer-fields.ts";

/** The fields of a table as they were sent or stored, by name. */
export type FieldValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The members of `sent` that the table knows, in the table's order; a list keeps each value once. */
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

/** Every OTHER of a person that is not explained, also among values that are not validated yet. */
export function unexplainedFaults(values: object): readonly CodedFault[] {
  const sent = values as Readonly<Record<string, unknown>>;
  return individualFields.flatMap(({ name, explains }) => {
    if (explains === undefined || !isOther(sent[explains]) || sent[name] !== undefined) return [];
    return [invalid(name, `is required when ${explains} is OTHER`)];
  });
}

/** The values with what was sent in their place; an explanation goes with the OTHER that it explained. */
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

/** The same for a person, whose identifier comes from the one country that it can come from. */
export function withProfile(stored: CustomerProfile, sent: CustomerProfile): CustomerProfile {
  const merged = withFields(individualFields, stored, sent);
  if (merged.idType === undefined || merged.countryOfIssuance !== undefined) return merged;
  return withFields(individualFields, merged, { countryOfIssuance: INDIVIDUAL_ISSUER });
}

function isOther(value: unknown): boolean {
  return Array.isArray(value) ? value.includes(OTHER) : value === OTHER;
}
