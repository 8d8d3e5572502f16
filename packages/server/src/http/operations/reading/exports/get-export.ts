import Type from "typebox";
import { findExport } from "../../../../domain/reading/exports/export.sql.ts";
import type { Export } from "../../../../domain/reading/exports/export.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import type { Reads } from "../../../../postgres/database.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { ExportSchema, exportExample, exportJson } from "../../../../wire/reading/export.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const exportInPath = Type.Object({ exportId: pathId("Export") });

export const getExport = defineOperation({
  id: "getExport",
  method: "GET",
  path: "/exports/{exportId}",
  access: "VIEW",
  capability: "exports.create",
  tag: "Exports",
  summary: "Get an export",
  params: exportInPath,
  answers: {
    200: { description: "The export.", schema: ExportSchema, example: exportExample },
  },
  refusals: ["EXPORT_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    return { status: 200, body: exportJson(await requireExport(reads, platformId, params)) };
  },
});

export async function requireExport(
  reads: Reads,
  platformId: string,
  { exportId }: { readonly exportId: string },
): Promise<Export> {
  const id = requireId("Export", exportId, "EXPORT_NOT_FOUND");
  const found = await findExport(reads, platformId, id);
  if (found === undefined) throw new Refusal("EXPORT_NOT_FOUND");
  return found;
}
