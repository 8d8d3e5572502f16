import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import { type Document, documents, scheduleDrop } from "./document.ts";
import { documentUseNeeds, isUsedByVerification } from "./document-use.ts";
import { refuseShownLogo } from "./logo-rules.ts";

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
