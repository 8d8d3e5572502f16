/** Fields that hold an id and are refused by name when they do not, together with whatever else is wrong. */
import Type from "typebox";
import { uuidPattern } from "../../std/ids.ts";
import type { IdKind } from "../ids.ts";
import { formedText } from "../schema.ts";

interface Words {
  readonly description?: string;
  /** What is said of anything else. */
  readonly complaint?: string;
}

/** An id of this kind. Where a malformed id is answered like an object that is not there, a plain string does. */
export function idField(
  kind: IdKind,
  { complaint = `must be ${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind} id`, ...more }: Words = {},
) {
  return formedText(`^${kind}:${uuidPattern}$`, complaint, more);
}

const account = `(?:InternalAccount|ExternalAccount):${uuidPattern}`;

/** An id of an account of either kind. */
export function accountIdField({ complaint = "must be an account id", ...more }: Words = {}) {
  return formedText(`^${account}$`, complaint, more);
}

/** An id of an account, or what begins like a UMA address. */
export function partyField(description: string) {
  return formedText(`^(?:\\$|${account}$)`, "must be an account id or a UMA address", {
    maxLength: 320,
    description,
  });
}

/** The id of the customer or owner that a document is about. */
export function holderField(description: string) {
  const pattern = `^(?:Customer|BeneficialOwner):${uuidPattern}$`;
  return formedText(pattern, "must be the id of a customer or an owner", { description });
}

/** The id of a customer, or of a platform among its customers. */
export function ownerField(description: string) {
  const pattern = `^(?:Customer|PlatformConfig):${uuidPattern}$`;
  return formedText(pattern, "must be a Customer id", { description });
}

export const customerIdParameter = (description?: string) =>
  Type.Optional(idField("Customer", description === undefined ? {} : { description }));
