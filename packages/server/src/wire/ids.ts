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
  | "LedgerAccount"
  | "Lookup"
  | "PlatformConfig"
  | "Quote"
  | "Request"
  | "Session"
  | "Statement"
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

/** The uuid in a field that is an `idField`: its schema has let in nothing else. */
export function soundId(kind: IdKind, raw: string): string {
  return present(fromWireId(kind, raw), `the ${kind} id that a schema let in`);
}

/** The same in a query, where it may be absent. */
export function queryId(kind: IdKind, raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : soundId(kind, raw);
}

/** The uuid in a field that is an `accountIdField`. */
export function soundAccountId(raw: string): string {
  const id = parseId("InternalAccount", raw) ?? parseId("ExternalAccount", raw);
  return present(id, "the account id that a schema let in");
}
