/**
 * Documents that verifications have used: those that existed when a verification started, was submitted again or was
 * decided.
 */
import type { Loaded } from "../../../engine/command.ts";
import { type AnyRef, defineLookup } from "../../../tables/tables.ts";
import { verifications } from "../verification/verification.ts";
import { type Document, documents } from "./document.ts";
import { customerIdOf, holderNeeds } from "./document-holder.ts";

/** Verifications that used the customer's documents: in progress or decided. */
const acceptedOfCustomer = defineLookup(verifications, {
  by: "customerId",
  name: "accepted-by-customer_id",
  where: {
    sql: "t.status <> 'RESOLVE_ERRORS'",
    holds: ({ status }) => status !== "RESOLVE_ERRORS",
  },
});

/** Whether a verification has used the document, also with an earlier file or description. */
export function isUsedByVerification(world: Loaded, document: Document): boolean {
  return wasThere(world, document, document.createdAt);
}

/** Whether a verification used the document's current file and description. */
export function isContentUsedByVerification(world: Loaded, document: Document): boolean {
  return wasThere(world, document, document.updatedAt);
}

function wasThere(world: Loaded, document: Document, since: number): boolean {
  const customerId = customerIdOf(world, holderIn(document));
  if (customerId === undefined) return false;
  return world.all(acceptedOfCustomer.of(customerId)).some(({ updatedAt }) => since <= updatedAt);
}

/** Rows to load: the document, its holder, and the verifications that may have used the document. */
export function documentUseNeeds(world: Loaded, documentId: string): readonly AnyRef[] {
  const document = world.find(documents.ref(documentId));
  if (document === undefined) return [documents.ref(documentId)];
  const customerId = customerIdOf(world, holderIn(document));
  const accepted = customerId === undefined ? [] : [acceptedOfCustomer.of(customerId)];
  return [documents.ref(documentId), ...holderNeeds(world, holderIn(document)), ...accepted];
}

export function holderIn({ holderKind, holderId }: Document) {
  return { kind: holderKind, id: holderId };
}
