import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import {
  type Document,
  type DocumentContent,
  documents,
  documentsOfHolder,
  scheduleDrop,
} from "./document.ts";
import { type DocumentHolder, holderNeeds, refuseUnknownHolder } from "./document-holder.ts";
import {
  documentUseNeeds,
  holderIn,
  isContentUsedByVerification,
  isUsedByVerification,
} from "./document-use.ts";
import { refuseShownLogo, refuseUnfit } from "./logo-rules.ts";

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

interface ReplaceDocumentInput {
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

/**
 * Deletes a document and schedules the deletion of its file. Refuses, in this order: an unknown document, a document that a
 * verification has used, replaced or not, the logo of the hosted pages.
 */
export const deleteDocument: Command<{ readonly documentId: string }, Document> = {
  name: "delete-document",
  needs: (world, { documentId }) => [
    platforms.ref(world.platformId),
    ...documentUseNeeds(world, documentId),
  ],
  decide(world, { documentId }) {
    const document = world.find(documents.ref(documentId));
    if (document === undefined || document.deletedAt !== null) {
      throw new Refusal("REFERENCE_NOT_FOUND");
    }
    if (isUsedByVerification(world, document)) {
      const reason = "a verification has taken the document up";
      throw new Refusal(
        "CONFLICT",
        { reason },
        "A verification has taken the document up; only one that no verification has can be deleted.",
      );
    }
    refuseShownLogo(world, document);

    scheduleDrop(world, document.fileId);
    return world.put(documents, { ...document, updatedAt: world.at, deletedAt: world.at });
  },
};
