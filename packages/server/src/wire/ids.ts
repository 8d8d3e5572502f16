import { Refusal, type RefusalCode } from "../engine/refusal.ts";
import { present } from "../std/assert.ts";
import { fromWireId } from "../std/ids.ts";

export type IdKind =
  | "Agent"
  | "AgentAction"
  | "AuthMethod"
  | "BeneficialOwner"
  | "Customer"
  | "Document"
  | "ExternalAccount"
  | "InternalAccount"
  | "Job"
  | "Lookup"
  | "PlatformConfig"
  | "Quote"
  | "Request"
  | "RequestLog"
  | "Session"
  | "Token"
  | "Transaction"
  | "Verification"
  | "Webhook";

/** The uuid in a wire id of this kind; undefined for another kind or any other spelling. */
export function parseId(kind: IdKind, raw: string): string | undefined {
  return fromWireId(kind, raw);
}

/** The uuid in a wire id, or the refusal that the operation gives for an object that does not exist. */
export function requireId(kind: IdKind, raw: string, refusal: RefusalCode): string {
  const id = fromWireId(kind, raw);
  if (id === undefined) throw new Refusal(refusal);
  return id;
}

/** The uuid in an `idField`, whose schema has validated it. */
export function soundId(kind: IdKind, raw: string): string {
  return present(fromWireId(kind, raw), `the ${kind} id that a schema let in`);
}

/** The same for an optional query parameter. */
export function queryId(kind: IdKind, raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : soundId(kind, raw);
}

/** The uuid in an `accountIdField`, whose schema has validated it. */
export function soundAccountId(raw: string): string {
  const id = parseId("InternalAccount", raw) ?? parseId("ExternalAccount", raw);
  return present(id, "the account id that a schema let in");
}
