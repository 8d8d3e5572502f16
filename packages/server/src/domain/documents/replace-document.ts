import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { scheduleDrop } from "../files/drop-file.ts";
import { type Document, type DocumentContent, documents } from "./document.ts";

export interface ReplaceDocumentInput {
  readonly documentId: string;
  readonly content: DocumentContent;
}

/** Puts another file and all that is said of it in the place of what was. Refuses an unknown document. */
export const replaceDocument: Command<ReplaceDocumentInput, Document> = {
  name: "replace-document",
  needs: (_, { documentId }) => [documents.ref(documentId)],
  decide(world, { documentId, content }) {
    const document = world.find(documents.ref(documentId));
    if (document === undefined || document.deletedAt !== null) {
      throw new Refusal("REFERENCE_NOT_FOUND");
    }

    scheduleDrop(world, document.fileId);
    return world.put(documents, { ...document, ...content, updatedAt: world.at });
  },
};
