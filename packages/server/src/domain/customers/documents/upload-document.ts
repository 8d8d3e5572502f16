import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { type Document, type DocumentContent, documents, documentsOfHolder } from "./document.ts";
import { type DocumentHolder, holderNeeds, refuseUnknownHolder } from "./document-holder.ts";
import { refuseUnfit } from "./logo-rules.ts";

export interface UploadDocumentInput {
  readonly holder: DocumentHolder;
  readonly content: DocumentContent;
}

/** The largest number of documents of a holder. */
const MOST_OF_HOLDER = 100;

/**
 * Creates a document whose bytes are already written. Refuses, in this order: an unknown holder, a deleted one, a type or a
 * file that does not fit the holder, a holder with the largest number of documents.
 */
export const uploadDocument: Command<UploadDocumentInput, Document> = {
  name: "upload-document",
  needs: (world, { holder }) => [...holderNeeds(world, holder), documentsOfHolder.of(holder.id)],
  decide(world, { holder, content }) {
    refuseUnknownHolder(world, holder);
    refuseUnfit(holder.kind, content);
    if (world.all(documentsOfHolder.of(holder.id)).length >= MOST_OF_HOLDER) {
      const message = `A holder can have ${MOST_OF_HOLDER} documents; delete one first.`;
      throw new Refusal("CONFLICT", { field: "documentHolder", most: MOST_OF_HOLDER }, message);
    }

    return world.put(documents, {
      id: world.newId(),
      holderKind: holder.kind,
      holderId: holder.id,
      ...content,
      createdAt: world.at,
      updatedAt: world.at,
      deletedAt: null,
      supersededBy: null,
    });
  },
};
