import Type from "typebox";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { type VerifyRun, verifyStates } from "../../domain/platforms/system/verify-run.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema } from "../fields.ts";

const count = Type.Integer({ minimum: 0 });

export const VerifyRunSchema = Type.Object(
  {
    id: Type.String({ description: "`VerifyRun:<uuid>`" }),
    state: Type.Enum([...verifyStates], {
      description: "`FAILED` means that the check could not be made.",
    }),
    requestedBy: Type.String({ description: "The name of the operator." }),
    done: Type.Integer({ description: "Commands that were checked." }),
    total: Type.Integer({ description: "Commands that were logged when the run began." }),
    startedAt: DateTimeSchema,
    endedAt: Type.Optional(DateTimeSchema),
    ok: Type.Optional(Type.Boolean({ description: "With `DONE`: whether everything adds up." })),
    counts: Type.Object({
      platforms: count,
      workspaces: count,
      commands: count,
      entries: count,
      events: count,
      accounts: count,
    }),
    problemCount: count,
    problems: Type.Array(
      Type.Object({ platformId: Type.String(), table: Type.String(), row: Type.String() }),
      {
        description:
          "Where the first discrepancies are, of a platform or a workspace. `florin verify` says what they are.",
      },
    ),
    failure: Type.Optional(Type.String()),
  },
  { $id: "VerifyRun" },
);

export const verifyRunExample = {
  id: "VerifyRun:019a4f00-0000-7000-8000-000000000034",
  state: "DONE",
  requestedBy: "Olga Owner",
  done: 120934,
  total: 120930,
  startedAt: "2026-11-21T11:00:00.000Z",
  endedAt: "2026-11-21T11:01:12.000Z",
  ok: true,
  counts: {
    platforms: 2,
    workspaces: 1,
    commands: 120934,
    entries: 300112,
    events: 240101,
    accounts: 812,
  },
  problemCount: 0,
  problems: [],
};

export function verifyRunToWire(run: VerifyRun) {
  const { id, state, requestedBy, done, total, startedAt, endedAt, failure } = run;
  const { problemCount, ...counts } = run.counts;
  return {
    id: toWireId("VerifyRun", id),
    state,
    requestedBy,
    done,
    total,
    startedAt: toIso(startedAt),
    ...(endedAt === null ? {} : { endedAt: toIso(endedAt) }),
    ...(state === "DONE" ? { ok: problemCount === 0 } : {}),
    counts,
    problemCount,
    problems: run.problems.map(({ platformId, ...place }) => ({
      platformId: toPlatformConfigId(platformId),
      ...place,
    })),
    ...(failure === null ? {} : { failure }),
  };
}
