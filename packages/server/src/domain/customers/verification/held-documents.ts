/** The documents that a check reads. */
import type { Loaded } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { type Document, documentsOfHolder } from "../documents/document.ts";
import type { HeldDocument } from "./document-rules.ts";

/** Rows to load for the documents of these holders, customers or owners. */
export function documentNeeds(holderIds: readonly string[]): readonly AnyRef[] {
  return holderIds.map((id) => documentsOfHolder.of(id));
}

/** The documents of these holders. The age of a replaced document counts from its replacement. */
export function documentsOf(world: Loaded, holderIds: readonly string[]): readonly HeldDocument[] {
  return holderIds.flatMap((holderId) =>
    world.all(documentsOfHolder.of(holderId)).map(toHeldDocument),
  );
}

export function toHeldDocument(document: Document): HeldDocument {
  const { id, documentType, holderId, side, documentNumber, issuingAuthority, updatedAt } =
    document;
  return {
    id,
    type: documentType,
    holderId,
    side,
    documentNumber,
    issuingAuthority,
    broughtAt: updatedAt,
  };
}
