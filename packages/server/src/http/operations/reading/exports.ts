import Type from "typebox";
import { findPlatform } from "../../../domain/platform.sql.ts";
import {
  createExport as createExportCommand,
  MOST_UNFINISHED,
} from "../../../domain/reading/exports/create-export.ts";
import {
  findExport,
  listExports as loadExports,
  partsOfFile,
} from "../../../domain/reading/exports/export.sql.ts";
import {
  type Export,
  type ExportKind,
  type ExportPart,
  exportAudiences,
  exportFormats,
  exportKinds,
  hasPeopleForm,
  MOST_BYTES,
  MOST_ROWS,
  refuseUnready,
} from "../../../domain/reading/exports/export.ts";
import { invalid, invalidFields, Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import { present } from "../../../std/assert.ts";
import { isTimeZoneName } from "../../../std/calendar/time-zone.ts";
import { Fault } from "../../../std/errors.ts";
import type { JsonObject } from "../../../std/json.ts";
import { taggedUnion } from "../../../validation/schema.ts";
import { type Judgement, judgementOf } from "../../../validation/validation.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { exportTypes, wireExport } from "../../../wire/reading/export.ts";
import { fileAnswer } from "../../request/file-answer.ts";
import { defineNoun, getOne, listAll } from "../../request/noun.ts";
import { defineOperation, mayReadBodies, type Principal, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { exportSources } from "./export-kinds.ts";

const exportOrders = defineNoun({
  path: "/exports",
  tag: "Exports",
  capability: "exports.create",
  ...wireExport,
});

const peopleFields = {
  audience: Type.Optional(
    Type.Enum([...exportAudiences], {
      description:
        "`PEOPLE`: CSV with names of parties, decimal amounts, states in words, and times of `timeZone`. `PROGRAMS` when absent.",
    }),
  ),
  timeZone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "For people: the IANA name of the zone. That of statements when absent.",
      examples: ["Europe/Berlin"],
    }),
  ),
};

const variant = (kind: ExportKind) =>
  Type.Object({
    kind: Type.Literal(kind),
    filter: Type.Optional(exportSources[kind].filters),
    format: Type.Enum([...exportFormats]),
    ...(hasPeopleForm(kind) ? peopleFields : {}),
  });

/** A file for people is CSV, and only such a file has a zone. */
function judgeForm({ format, audience, timeZone: zone }: JsonObject): Judgement<undefined> {
  const isForPeople = audience === "PEOPLE";
  const isZone = typeof zone !== "string" || isTimeZoneName(zone);
  return judgementOf([
    ...(isForPeople && format !== "CSV" ? [invalid("format", "must be CSV for people")] : []),
    ...(isZone
      ? []
      : [invalid("timeZone", "must be the IANA name of a time zone, such as Europe/Berlin")]),
    ...(zone === undefined || isForPeople
      ? []
      : [invalid("timeZone", "needs the audience PEOPLE")]),
  ]);
}

const createExport = defineOperation({
  id: "createExport",
  ...route("POST /exports", "VIEW", "exports.create"),
  opensPersonalData: true,
  tag: "Exports",
  summary: "Create an export",
  description:
    "The rows of a list as CSV or as one JSON object a line (`JSONL`), which is what the list answers. `filter` takes the " +
    "filters of the list: `LEDGER` those of the postings, `REQUESTS` those of the calls without `idempotencyKey`. `REQUESTS` " +
    "needs `MANAGE`. The file is written afterwards; read the export until its `state` is `READY`. The rows are those of the " +
    "moment `asOf`, after command `commandSeq` and event `sequence`: an export of the same moment has the same rows. Customers " +
    "have no history: `changedRows` counts those that changed while they were read. `DELIVERIES` are those of the events up to the " +
    "moment, each as it is when it is read. `LEDGER`, `TRANSACTIONS` and `CUSTOMERS` have a form for people as well (`audience`). " +
    `At most ${MOST_ROWS} rows and ${MOST_BYTES / 1024 ** 3} GiB; an export beyond them becomes \`FAILED\`. ` +
    `A platform may have ${MOST_UNFINISHED} unfinished ones. The file is deleted after 7 days.`,
  body: taggedUnion("kind", exportKinds.map(variant)),
  judge: judgeForm,
  requestExample: {
    kind: "TRANSACTIONS",
    filter: wireExport.example.filter,
    format: "CSV",
  },
  answers: {
    202: {
      description: "The export, without its rows yet.",
      schema: wireExport.schema,
      example: pendingExample(),
    },
  },
  refusals: ["INVALID_INPUT", "FORBIDDEN", "CONFLICT"],
  async handle({ principal, body, idempotency }, services: Services) {
    const { kind, format, filter = {} } = body;
    const { audience = "PROGRAMS", timeZone } = body as PeopleBody;
    refuseKind(kind, principal);
    await exportSources[kind]
      .prepare(filter as JsonObject, principal.platformId, services)
      .catch(throwAsOfFilter);
    return submitForCaller(services.engine, principal, {
      command: createExportCommand,
      input: {
        ...{ kind, format, audience, filter: filter as JsonObject },
        timeZone: audience === "PEOPLE" ? (timeZone ?? (await zoneOf(services, principal))) : null,
      },
      toAnswer: (created) => ({ status: 202, body: wireExport.json(created) }),
      idempotency,
    });
  },
});

type PeopleBody = Partial<Pick<Export, "audience">> & { readonly timeZone?: string };

async function zoneOf({ reads }: Services, { platformId }: Principal): Promise<string> {
  return present(await findPlatform(reads, platformId), "the caller's platform").statementTimeZone;
}

/** The refusals of a list name a query parameter, which is a member of `filter` here. */
function throwAsOfFilter(thrown: unknown): never {
  if (!(thrown instanceof Refusal) || thrown.code !== "INVALID_INPUT") throw thrown;
  const { field, reason } = thrown.details ?? {};
  throw invalidFields([{ field: `filter.${field}`, message: String(reason) }]);
}

function pendingExample() {
  const { id, kind, format, filter, createdAt } = wireExport.example;
  return { id, kind, format, filter, state: "PENDING", rows: 0, bytes: 0, createdAt };
}

const listExports = listAll({
  ...exportOrders,
  id: "listExports",
  summary: "List exports",
  list: loadExports,
});

const exportInPath = Type.Object({ exportId: pathId("Export") });

const getExport = getOne({
  ...exportOrders,
  id: "getExport",
  summary: "Get an export",
  param: "exportId",
  kind: "Export",
  answer: "The export.",
  find: findExport,
  missing: "EXPORT_NOT_FOUND",
});

async function requireExport(
  reads: Reads,
  platformId: string,
  { exportId }: { readonly exportId: string },
): Promise<Export> {
  const id = requireId("Export", exportId, "EXPORT_NOT_FOUND");
  const found = await findExport(reads, platformId, id);
  if (found === undefined) throw new Refusal("EXPORT_NOT_FOUND");
  return found;
}

const getExportFile = defineOperation({
  id: "getExportFile",
  ...route("GET /exports/{exportId}/file", "VIEW", "exports.create"),
  opensPersonalData: true,
  notesRead: true,
  tag: "Exports",
  summary: "Download an export",
  description:
    "In the format that was asked for. CSV is as RFC 4180 has it, in UTF-8; a cell that a spreadsheet would run is prefixed with " +
    "an apostrophe; what has more than one value stands as JSON in one cell. A posting has a line for each of its legs. Amounts " +
    "are whole numbers of the currency's smallest unit. A file for people begins with a byte order mark and has decimals, and the id is its " +
    "last column. The file of `REQUESTS` needs `MANAGE`.",
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

/** Logged calls may be exported only by callers who may read their bodies. */
function refuseKind(kind: ExportKind, principal: Principal): void {
  if (kind !== "REQUESTS" || mayReadBodies(principal)) return;
  const message = "An export of REQUESTS needs a token with the permission MANAGE.";
  throw new Refusal("FORBIDDEN", { permission: "MANAGE" }, message);
}

/** Reads chunk by chunk. If the file is deleted meanwhile, the connection is cut, so that a partial file does not look complete. */
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

export const exportOperations = [createExport, listExports, getExport, getExportFile];
