import Type from "typebox";
import type { IdKind } from "../../domain/id-kinds.ts";
import {
  type LongWork,
  type LongWorkKind,
  longWorkKinds,
  longWorkStates,
} from "../../domain/reading/long-work/long-work.sql.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema } from "../fields.ts";

const ID_KINDS: Readonly<Record<LongWorkKind, IdKind>> = {
  IMPORT: "Job",
  EXPORT: "Export",
  STATEMENT: "Statement",
  RESEND: "EventResend",
};

export const LongWorkSchema = Type.Object(
  {
    id: Type.String({ description: "Of the import, the export, the statement or the order." }),
    kind: Type.Enum([...longWorkKinds]),
    state: Type.Enum([...longWorkStates]),
    done: Type.Integer({ description: "Rows, entries or deliveries so far." }),
    total: Type.Optional(Type.Integer({ description: "Absent while it is not known." })),
    startedAt: DateTimeSchema,
    endedAt: Type.Optional(DateTimeSchema),
    resultId: Type.Optional(Type.String({ description: "What can be read now that it is done." })),
    isCancellable: Type.Boolean({ description: "Whether you may cancel it now." }),
  },
  { $id: "LongWork" },
);

export const longWorkExample = {
  id: "Export:019a4f00-0000-7000-8000-000000000035",
  kind: "EXPORT",
  state: "DONE",
  done: 1204,
  startedAt: "2026-11-21T11:00:00.000Z",
  endedAt: "2026-11-21T11:00:04.000Z",
  resultId: "Export:019a4f00-0000-7000-8000-000000000035",
  isCancellable: false,
};

export function longWorkToWire(work: LongWork, { mayCancel }: { readonly mayCancel: boolean }) {
  const { kind, state, done, total, startedAt, endedAt } = work;
  const id = toWireId(ID_KINDS[kind], work.id);
  return {
    id,
    kind,
    state,
    done,
    ...(total === null ? {} : { total }),
    startedAt: toIso(startedAt),
    ...(endedAt === null ? {} : { endedAt: toIso(endedAt) }),
    ...(state === "DONE" ? { resultId: id } : {}),
    isCancellable: kind === "RESEND" && state === "RUNNING" && mayCancel,
  };
}
