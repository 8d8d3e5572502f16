import { type IdKind, otherKindComplaint, otherKindInPath } from "../domain/id-kinds.ts";
import { messageOfCode, Refusal, type RefusalCode } from "../engine/refusal.ts";
import { present } from "../std/assert.ts";
import { fromWireId } from "../std/ids.ts";

/** The uuid in a wire id of this kind; undefined for another kind or any other spelling. */
export function parseId(kind: IdKind, raw: string): string | undefined {
  return fromWireId(kind, raw);
}

/**
 * The uuid in a wire id of a path, or else the operation's refusal for an object that does not exist, which mentions it when the id is of
 * another kind.
 */
export function requireId(kind: IdKind, raw: string, refusal: RefusalCode): string {
  const id = fromWireId(kind, raw);
  if (id !== undefined) return id;
  const complaint = otherKindInPath(raw, kind);
  if (complaint === undefined) throw new Refusal(refusal);
  throw new Refusal(refusal, undefined, `${messageOfCode(refusal)} ${complaint}`);
}

/** Like `requireId`, for an id in a body. */
export function requireIdField(
  kind: IdKind,
  { field, raw }: { readonly field: string; readonly raw: string },
  refusal: RefusalCode,
): string {
  const id = fromWireId(kind, raw);
  if (id !== undefined) return id;
  const complaint = otherKindComplaint(raw, [kind]);
  if (complaint === undefined) throw new Refusal(refusal);
  throw new Refusal(refusal, { field, reason: complaint }, `${field}: ${complaint}`);
}

/** The uuid in an `idField`, whose schema has validated it. */
export function soundId(kind: IdKind, raw: string): string {
  return present(fromWireId(kind, raw), `the ${kind} id that a schema let in`);
}

/** Like `soundId`, for an optional query parameter. */
export function queryId(kind: IdKind, raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : soundId(kind, raw);
}

/** The uuid in an `accountIdField`, whose schema has validated it. */
export function soundAccountId(raw: string): string {
  const id = parseId("InternalAccount", raw) ?? parseId("ExternalAccount", raw);
  return present(id, "the account id that a schema let in");
}
