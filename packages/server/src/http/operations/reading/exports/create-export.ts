import Type from "typebox";
import {
  createExport as command,
  MOST_UNFINISHED,
} from "../../../../domain/reading/exports/create-export.ts";
import {
  type ExportKind,
  exportFormats,
  exportKinds,
  MOST_BYTES,
  MOST_ROWS,
} from "../../../../domain/reading/exports/export.ts";
import { invalidFields, Refusal } from "../../../../engine/refusal.ts";
import type { JsonObject } from "../../../../std/json.ts";
import { taggedUnion } from "../../../../validation/schema.ts";
import { ExportSchema, exportExample, exportJson } from "../../../../wire/reading/export.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { exportSources } from "./export-kinds.ts";
import { refuseKind } from "./get-export-file.ts";

const variant = (kind: ExportKind) =>
  Type.Object({
    kind: Type.Literal(kind),
    filter: Type.Optional(exportSources[kind].filters),
    format: Type.Enum([...exportFormats]),
  });

export const createExport = defineOperation({
  id: "createExport",
  method: "POST",
  path: "/exports",
  access: "VIEW",
  capability: "exports.create",
  opensPersonalData: true,
  tag: "Exports",
  summary: "Create an export",
  description:
    "The rows of a list as CSV or as one JSON object a line (`JSONL`), which is what the list answers. `filter` takes the " +
    "filters of the list: `LEDGER` those of the postings, `REQUESTS` those of the calls without `idempotencyKey`. `REQUESTS` " +
    "needs `MANAGE`. The file is written afterwards; read the export until its `state` is `READY`. The rows are those of the " +
    "moment `asOf`, after command `commandSeq` and event `sequence`: an export of the same moment has the same rows. Customers " +
    "have no history: `changedRows` counts those that changed while they were read. `DELIVERIES` are those of the events up to the " +
    "moment, each as it is when it is read. " +
    `At most ${MOST_ROWS} rows and ${MOST_BYTES / 1024 ** 3} GiB; an export beyond them becomes \`FAILED\`. ` +
    `A platform may have ${MOST_UNFINISHED} unfinished ones. The file is deleted after 7 days.`,
  body: taggedUnion("kind", exportKinds.map(variant)),
  requestExample: {
    kind: "TRANSACTIONS",
    filter: exportExample.filter,
    format: "CSV",
  },
  answers: {
    202: {
      description: "The export, without its rows yet.",
      schema: ExportSchema,
      example: pendingExample(),
    },
  },
  refusals: ["INVALID_INPUT", "FORBIDDEN", "CONFLICT"],
  async handle({ principal, body, idempotency }, services: Services) {
    const { kind, format, filter = {} } = body;
    refuseKind(kind, principal);
    await exportSources[kind]
      .prepare(filter as JsonObject, principal.platformId, services)
      .catch(throwAsOfFilter);
    return submitForCaller(services.engine, principal, {
      command,
      input: { kind, format, filter: filter as JsonObject },
      toAnswer: (created) => ({ status: 202, body: exportJson(created) }),
      idempotency,
    });
  },
});

/** The refusals of a list name a query parameter, which is a member of `filter` here. */
function throwAsOfFilter(thrown: unknown): never {
  if (!(thrown instanceof Refusal) || thrown.code !== "INVALID_INPUT") throw thrown;
  const { field, reason } = thrown.details ?? {};
  throw invalidFields([{ field: `filter.${field}`, message: String(reason) }]);
}

function pendingExample() {
  const { id, kind, format, filter, createdAt } = exportExample;
  return { id, kind, format, filter, state: "PENDING", rows: 0, bytes: 0, createdAt };
}
