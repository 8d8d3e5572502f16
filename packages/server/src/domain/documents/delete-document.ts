import type { Command, Loaded } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type AnyRef, defineLookup } from "../../storage/tables.ts";
import { scheduleDrop } from "../files/drop-file.ts";
import { verifications } from "../verification/verification.ts";
import { type Document, documents } from "./document.ts";
import { customerIdOf, holderNeeds } from "./document-holder.ts";

/** Those that took up what they were given: under way, or decided. */
const acceptedOfCustomer = defineLookup(verifications, {
  by: "customerId",
  where: {
    sql: "t.status <> 'RESOLVE_ERRORS'",
    holds: ({ status }) => status !== "RESOLVE_ERRORS",
  },
});

/**
 * Deletes a document and lets go of its file. Refuses, in this order: an unknown document, one that a verification has
 * taken up.
 */
export const deleteDocument: Command<{ readonly documentId: string }, Document> = {
  name: "delete-document",
  needs: (world, { documentId }) => deletionNeeds(world, documentId),
  decide(world, { documentId }) {
    const document = world.find(documents.ref(documentId));
    if (document === undefined || document.deletedAt !== null) {
      throw new Refusal("REFERENCE_NOT_FOUND");
    }
    if (isSubmitted(world, document)) {
      const reason = "a verification has taken the document up";
      throw new Refusal("CONFLICT", { reason }, "A verification has taken the document up.");
    }

    scheduleDrop(world, document.fileId);
    return world.put(documents, { ...document, updatedAt: world.at, deletedAt: world.at });
  },
};

function holderIn({ holderKind, holderId }: Document) {
  return { kind: holderKind, id: holderId };
}

/** Whether it was there, as it is, when a verification was begun or went on. */
function isSubmitted(world: Loaded, document: Document): boolean {
  const customerId = customerIdOf(world, holderIn(document));
  if (customerId === undefined) return false;
  return world
    .all(acceptedOfCustomer.of(customerId))
    .some(({ updatedAt }) => document.updatedAt <= updatedAt);
}

function deletionNeeds(world: Loaded, documentId: string): readonly AnyRef[] {
  const document = world.find(documents.ref(documentId));
  if (document === undefined) return [documents.ref(documentId)];
  const customerId = customerIdOf(world, holderIn(document));
  const accepted = customerId === undefined ? [] : [acceptedOfCustomer.of(customerId)];
  return [documents.ref(documentId), ...holderNeeds(world, holderIn(document)), ...accepted];
}
