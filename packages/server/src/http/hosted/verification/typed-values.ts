/** Converts stored values to form values and back. */
import type { Address } from "../../../domain/customers/customer.ts";
import { isSsn } from "../../../domain/customers/customer-faults.ts";
import type { Language } from "../language/language.ts";
import { checkboxName, type FormField, type ReadFields, type Value } from "./form-fields.ts";

/** Flattens an object to form values by path. A list becomes one joined text, and a checked box for each of its members. */
export function typedFrom(values: object, prefix = ""): Map<string, string> {
  const typed = new Map<string, string>();
  for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
    const path = prefix + name;
    if (Array.isArray(value)) {
      typed.set(path, value.join(", "));
      for (const item of value) typed.set(checkboxName(path, String(item)), "on");
    } else if (typeof value === "object" && value !== null) {
      for (const [inner, text] of typedFrom(value, `${path}.`)) typed.set(inner, text);
    } else if (value !== null && value !== undefined) typed.set(path, String(value));
  }
  return typed;
}

/** The values below a path, by the rest of the path; deeper values are left out. */
export function valuesBelow(
  values: ReadonlyMap<string, Value>,
  prefix: string,
): Readonly<Record<string, Value>> {
  const own = [...values]
    .filter(([name]) => name.startsWith(prefix) && !name.slice(prefix.length).includes("."))
    .map(([name, value]) => [name.slice(prefix.length), value]);
  return Object.fromEntries(own);
}

/** The values below a path as changes of the stored object: undefined for each emptied field. */
export function changesBelow(
  fields: readonly FormField[],
  values: ReadonlyMap<string, Value>,
  prefix: string,
): Readonly<Record<string, Value | undefined>> {
  const emptied = fields
    .filter(({ name, isKeptWhenEmpty }) => isKeptWhenEmpty !== true && !values.has(name))
    .filter(({ name }) => name.startsWith(prefix) && !name.slice(prefix.length).includes("."))
    .map(({ name }) => [name.slice(prefix.length), undefined]);
  return { ...Object.fromEntries(emptied), ...valuesBelow(values, prefix) };
}

/** The address that was entered; the form requires the members that an address needs. */
export function addressFrom(values: ReadonlyMap<string, Value>, prefix = ""): Address {
  return valuesBelow(values, `${prefix}address.`) as unknown as Address;
}

/** Adds a fault when the social security number is invalid. */
export function withSsnChecked(read: ReadFields, language: Language, prefix = ""): ReadFields {
  const identifier = read.values.get(`${prefix}identifier`);
  if (read.values.get(`${prefix}idType`) !== "SSN" || typeof identifier !== "string") return read;
  if (isSsn(identifier)) return read;
  const fault = language.text("writeSsn");
  return { ...read, faults: new Map([...read.faults, [`${prefix}identifier`, fault]]) };
}

export function textOf(values: ReadonlyMap<string, Value>, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === "string" ? value : undefined;
}
