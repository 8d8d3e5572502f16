import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import { type Document, type DocumentContent, documents, scheduleDrop } from "./document.ts";
import { refuseUnknownHolder } from "./document-holder.ts";
import { documentUseNeeds, holderIn, isContentUsedByVerification } from "./document-use.ts";
import { refuseShownLogo, refuseUnfit } from "./logo-rules.ts";

export interface ReplaceDocumentInput {
  readonly documentId: string;
  readonly content: DocumentContent;
}

/**
 * Replaces a document's file and description. A version that a verification has used stays, as a row of its own that the API
 * does not show; the file of any other version is deleted. Refuses, in this order: an unknown document, one whose
 * customer was deleted, a type or a file that does not fit the holder, the logo of the hosted pages.
 */
export const replaceDocument: Command<ReplaceDocumentInput, Document> = {
  name: "replace-document",
  needs: (world, { documentId }) => [
    platforms.ref(world.platformId),
    ...documentUseNeeds(world, documentId),
  ],
  decide(world, { documentId, content }) {
    const document = world.find(documents.ref(documentId));
    if (document === undefined || document.deletedAt !== null) {
      throw new Refusal("REFERENCE_NOT_FOUND");
    }
    refuseUnknownHolder(world, holderIn(document));
    refuseUnfit(document.holderKind, content);
    refuseShownLogo(world, document);

    if (isContentUsedByVerification(world, document)) {
      const id = world.newId();
      world.put(documents, { ...document, id, deletedAt: world.at, supersededBy: documentId });
    } else {
      scheduleDrop(world, document.fileId);
    }
    return world.put(documents, { ...document, ...content, updatedAt: world.at });
  },
};
