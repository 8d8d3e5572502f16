/** A document about a customer or an owner: its description and its file. The API never returns the file. */
import type { Command, World } from "../../../engine/command.ts";
import { defineLookup, defineTable, fixed, mutable } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { HolderKind } from "./document-holder.ts";
import type { DocumentSide, DocumentType, MediaType } from "./document-types.ts";

export interface Document {
  readonly id: string;
  readonly holderKind: HolderKind;
  readonly holderId: string;
  readonly documentType: DocumentType;
  readonly side: DocumentSide | null;
  readonly country: string;
  readonly documentNumber: string | null;
  readonly issuingAuthority: string | null;
  readonly fileName: string;
  readonly fileId: string;
  readonly fileBytes: number;
  readonly mediaType: MediaType;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
  /** The current document, when this row is a former version that a verification has used; such a row counts as deleted. */
  readonly supersededBy: string | null;
}

export const documents = defineTable<Document>("documents", {
  id: fixed("uuid"),
  holderKind: fixed("text"),
  holderId: fixed("uuid"),
  documentType: mutable("text"),
  side: mutable("text"),
  country: mutable("text"),
  documentNumber: mutable("text"),
  issuingAuthority: mutable("text"),
  fileName: mutable("text"),
  fileId: mutable("uuid"),
  fileBytes: mutable("int4"),
  mediaType: mutable("text"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable("time"),
  supersededBy: fixed("uuid"),
});

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

/** Ends the job of a file whose chunks are gone. Refuses nothing. */
export const recordFileDropped: Command<{ readonly jobId: string }, undefined> = {
  name: "record-file-dropped",
  needs: () => [],
  decide(world, { jobId }) {
    world.cancel(jobId);
    return undefined;
  },
};
