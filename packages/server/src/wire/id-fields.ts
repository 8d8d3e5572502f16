/** Schemas of id fields, whose errors are reported with all other field errors. */
import Type from "typebox";
import type { IdKind } from "../domain/id-kinds.ts";
import { uuidPattern } from "../std/ids.ts";
import { formedText } from "../validation/schema.ts";

interface Words {
  readonly description?: string;
  /** The error message for any other text. */
  readonly complaint?: string;
}

/** An id for examples; `end` is the end of its uuid. */
export const exampleId = (kind: IdKind, end = "2") =>
  `${kind}:019a4f00-0000-7000-8000-${end.padStart(12, "0")}`;

/** An id in a path: a malformed one is answered like an unknown one. */
export function pathId(kind: IdKind) {
  return Type.String({ description: `\`${kind}:<uuid>\``, examples: [exampleId(kind)] });
}

export const deviceCodeInPath = Type.String({
  description: "As the platform got it for its agent.",
  examples: ["SERVICE-AGENT-7Q2K-9DXM-4T8A-VB3N-0H6R-ZC1J-W5EP"],
});

export const invitationCodeInPath = Type.String({
  description: "The `code` of the invitation.",
  examples: ["5f0c2a9be47d1836c0a1f7e95b2d4c68"],
});

export const umaAddressInPath = Type.String({
  description: "`$user@domain`, percent-encoded where a path asks for it.",
  examples: ["$success.eur@sandbox.florin.test"],
});

/** An id of this kind. Use a plain string where a malformed id is answered like an unknown one. */
export function idField(
  kind: IdKind,
  { complaint = `must be ${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind} id`, ...more }: Words = {},
) {
  return formedText(`^${kind}:${uuidPattern}$`, complaint, {
    examples: [exampleId(kind)],
    idKinds: [kind],
    ...more,
  });
}

const account = `(?:InternalAccount|ExternalAccount):${uuidPattern}`;

/** An id of an account of either kind. */
export function accountIdField({ complaint = "must be an account id", ...more }: Words = {}) {
  return formedText(`^${account}$`, complaint, {
    examples: [exampleId("InternalAccount")],
    idKinds: ["InternalAccount", "ExternalAccount"],
    ...more,
  });
}

/** An id of an account, or text that begins like a UMA address. */
export function partyField(description: string) {
  return formedText(`^(?:\\$|${account}$)`, "must be an account id or a UMA address", {
    maxLength: 320,
    description,
    examples: [exampleId("InternalAccount")],
    idKinds: ["InternalAccount", "ExternalAccount"],
  });
}

/** The id of the customer or owner that a document is about, or of the platform that holds it. */
export function holderField(description: string) {
  const pattern = `^(?:Customer|BeneficialOwner|PlatformConfig):${uuidPattern}$`;
  return formedText(pattern, "must be a customer, owner or platform id", {
    description,
    examples: [exampleId("Customer")],
    idKinds: ["Customer", "BeneficialOwner", "PlatformConfig"],
  });
}

/** The id of a customer, or of the platform itself. */
export function ownerField(description: string) {
  const pattern = `^(?:Customer|PlatformConfig):${uuidPattern}$`;
  return formedText(pattern, "must be a Customer id", {
    description,
    examples: [exampleId("Customer")],
    idKinds: ["Customer"],
  });
}

export const customerIdParameter = (description?: string) =>
  Type.Optional(idField("Customer", description === undefined ? {} : { description }));
