import { invalidFields, Refusal, type RefusalCode } from "../engine/refusal.ts";
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

/** The uuid in a field of a body that names nothing but such an object; a malformed one is named. */
export function bodyId(kind: IdKind, raw: string, field: string): string {
  const id = fromWireId(kind, raw);
  if (id === undefined) throw notAnId(kind, field);
  return id;
}

function notAnId(kind: IdKind, field: string): Refusal {
  return invalidFields([{ field, message: `must be a ${kind} id` }]);
}

/** The uuid in a query parameter; a malformed one is named. */
export function queryId(kind: IdKind, raw: string | undefined, field: string): string | undefined {
  if (raw === undefined) return undefined;
  const id = fromWireId(kind, raw);
  if (id === undefined) throw notAnId(kind, field);
  return id;
}
