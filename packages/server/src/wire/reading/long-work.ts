import type { IdKind } from "../../domain/id-kinds.ts";
import {
  type LongWork,
  type LongWorkKind,
  longWorkKinds,
  longWorkStates,
} from "../../domain/reading/long-work/long-work.sql.ts";
import { toWireId } from "../../std/ids.ts";
import { exampleId } from "../id-fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const ID_KINDS: Readonly<Record<LongWorkKind, IdKind>> = {
  IMPORT: "Job",
  EXPORT: "Export",
  STATEMENT: "Statement",
  RESEND: "EventResend",
};

const idOf = ({ kind, id }: LongWork) => toWireId(ID_KINDS[kind], id);

export const wireLongWork = wireObject(
  "LongWork",
  ({ of, maybe }: Kit<LongWork, { readonly mayCancel: boolean }>) => ({
    id: of.text({
      from: idOf,
      description: "Of the import, the export, the statement or the order.",
      example: exampleId("Export", "35"),
    }),
    kind: of.enum(longWorkKinds, { example: "EXPORT" }),
    state: of.enum(longWorkStates, { example: "DONE" }),
    done: of.integer({ description: "Rows, entries or deliveries so far.", example: 1204 }),
    total: maybe.integer({ description: "Absent while it is not known." }),
    startedAt: of.time({ example: "2026-11-21T11:00:00.000Z" }),
    endedAt: maybe.time({ example: "2026-11-21T11:00:04.000Z" }),
    resultId: maybe.text({
      from: (work) => (work.state === "DONE" ? idOf(work) : undefined),
      description: "What can be read now that it is done.",
      example: exampleId("Export", "35"),
    }),
    isCancellable: of.boolean({
      from: ({ kind, state }, { mayCancel }) =>
        kind === "RESEND" && state === "RUNNING" && mayCancel,
      description: "Whether you may cancel it now.",
      example: false,
    }),
  }),
);
