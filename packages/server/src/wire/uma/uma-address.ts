import Type from "typebox";
import { normalizeUmaAddress } from "../../domain/customers/uma-address.ts";
import { type CodedFault, type FieldError, invalidFields } from "../../engine/refusal.ts";
import type { Json } from "../../std/json.ts";

/** A UMA address in a request; whether it is well formed is judged by `requireUmaAddress`. */
export const umaAddressField = (description: string) =>
  Type.String({ minLength: 1, maxLength: 320, description, examples: ["$ana@florin.test"] });

/** Whether it is a string and not a valid UMA address; the schema reports other types. */
export function isNoUmaAddress(value: Json | undefined): boolean {
  return typeof value === "string" && normalizeUmaAddress(value) === undefined;
}

/** A field that should hold a UMA address and does not. */
export function umaAddressFault(field: string): CodedFault {
  return { code: "INVALID_UMA_ADDRESS", error: badUmaAddress(field) };
}

/** The canonical address; INVALID_UMA_ADDRESS for a malformed one. */
export function requireUmaAddress(field: string, text: string): string {
  const address = normalizeUmaAddress(text);
  if (address !== undefined) return address;
  throw invalidFields([badUmaAddress(field)], "INVALID_UMA_ADDRESS");
}

/** The error message for a field that should hold a UMA address and does not. */
export function badUmaAddress(field: string): FieldError {
  return { field, message: "must be a UMA address, $user@domain" };
}
