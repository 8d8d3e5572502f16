import { partsOfFile } from "../../../../domain/reading/exports/export.sql.ts";
import {
  type ExportKind,
  type ExportPart,
  refuseUnready,
} from "../../../../domain/reading/exports/export.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { Fault } from "../../../../std/errors.ts";
import { exportTypes } from "../../../../wire/reading/export.ts";
import { fileAnswer } from "../../../request/file-answer.ts";
import { defineOperation, mayReadBodies, type Principal } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { exportInPath, requireExport } from "./get-export.ts";

export const getExportFile = defineOperation({
  id: "getExportFile",
  method: "GET",
  path: "/exports/{exportId}/file",
  access: "VIEW",
  capability: "exports.create",
  opensPersonalData: true,
  notesRead: true,
  tag: "Exports",
  summary: "Download an export",
  description:
    "In the format that was asked for. CSV is as RFC 4180 has it, in UTF-8; a cell that a spreadsheet would run is prefixed with " +
    "an apostrophe; what has more than one value stands as JSON in one cell. A posting has a line for each of its legs. Amounts " +
    "are whole numbers of the currency's smallest unit. The file of `REQUESTS` needs `MANAGE`.",
  params: exportInPath,
  answers: {
    200: {
      description: "The file.",
      contentType: "application/x-ndjson",
      example: '{"id":"Transaction:019a4f00-0000-7000-8000-000000000004","status":"COMPLETED"}\n',
      csv: "id,type,status\r\nTransaction:019a4f00-0000-7000-8000-000000000004,OUTGOING,COMPLETED\r\n",
    },
  },
  refusals: ["EXPORT_NOT_FOUND", "FORBIDDEN", "CONFLICT"],
  async handle({ principal, params }, { reads, files }: Services) {
    const { platformId } = principal;
    const found = await requireExport(reads, platformId, params);
    refuseKind(found.kind, principal);
    refuseUnready(found);
    const { id, kind, format } = found;
    const parts = await partsOfFile(reads, platformId, id);
    const name = `${kind.toLowerCase()}-${id}.${format.toLowerCase()}`;
    return fileAnswer(name, exportTypes[format], () => piecesOf(parts, platformId, files));
  },
});

/** The calls of a platform may be exported by those who may read their bodies. */
export function refuseKind(kind: ExportKind, principal: Principal): void {
  if (kind !== "REQUESTS" || mayReadBodies(principal)) return;
  const message = "An export of REQUESTS needs a token with the permission MANAGE.";
  throw new Refusal("FORBIDDEN", { permission: "MANAGE" }, message);
}

/** Chunk by chunk. When the file is deleted meanwhile, the connection is cut, so that the answer cannot be taken for whole. */
async function* piecesOf(
  parts: readonly ExportPart[],
  platformId: string,
  files: Services["files"],
): AsyncGenerator<Buffer, void> {
  for (const { id, bytes } of parts) {
    for (let at = 0; at < bytes; ) {
      const piece = await files.read({ platformId, fileId: id, at });
      if (piece === undefined)
        throw new Fault("the file of an export was deleted while it was read");
      yield piece;
      at += piece.length;
    }
  }
}
