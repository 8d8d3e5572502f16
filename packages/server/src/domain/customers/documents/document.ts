/** A document about a customer or an owner: its description and its file. The API never returns the file. */
import type { Command, World } from "../../../engine/command.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { HolderKind } from "./document-holder.ts";
import type { DocumentSide, DocumentType, MediaType } from "./document-types.ts";

const columns = {
  id: fixed("uuid"),
  holderKind: fixed<HolderKind>("text"),
  holderId: fixed("uuid"),
  documentType: mutable<DocumentType>("text"),
  side: mutable<DocumentSide | null>("text"),
  country: mutable("text"),
  documentNumber: mutable<string | null>("text"),
  issuingAuthority: mutable<string | null>("text"),
  fileName: mutable("text"),
  fileId: mutable("uuid"),
  fileBytes: mutable("int4"),
  mediaType: mutable<MediaType>("text"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable<number | null>("time"),
  /** The current document, when this row is a former version that a verification has used; such a row counts as deleted. */
  supersededBy: fixed<string | null>("uuid"),
};

export interface Document extends RowOf<typeof columns> {}

export const documents = defineTable<Document>("documents", columns);

/** The description and the file of a document: what is sent when it is uploaded or replaced. */
export type DocumentContent = Omit<
  Document,
  "id" | "holderKind" | "holderId" | "createdAt" | "updatedAt" | "deletedAt" | "supersededBy"
>;

/** The documents of one holder; ids of holders are unique over all kinds. */
export const documentsOfHolder = defineLookup(documents, {
  by: "holderId",
  where: { sql: "t.deleted_at is null", holds: (document) => document.deletedAt === null },
});

export function scheduleDrop(world: World, fileId: string): void {
  scheduleJob(world, { kind: "drop-file", payload: { fileId }, dueAt: world.at });
}

/** Ends the deletion job of a file after its chunks were deleted. Refuses nothing. */
export const recordFileDropped: Command<{ readonly jobId: string }, undefined> = {
  name: "record-file-dropped",
  needs: () => [],
  decide(world, { jobId }) {
    world.cancel(jobId);
    return undefined;
  },
};
