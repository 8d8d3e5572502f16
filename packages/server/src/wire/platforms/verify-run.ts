import Type from "typebox";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { type VerifyRun, verifyStates } from "../../domain/platforms/system/verify-run.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const count = Type.Integer({ minimum: 0 });

const CountsSchema = Type.Object({
  platforms: count,
  workspaces: count,
  commands: count,
  entries: count,
  events: count,
  accounts: count,
});

const ProblemsSchema = Type.Array(
  Type.Object({ platformId: Type.String(), table: Type.String(), row: Type.String() }),
  {
    description:
      "Where the first discrepancies are, of a platform or a workspace. `florin verify` says what they are.",
  },
);

export const wireVerifyRun = wireObject("VerifyRun", ({ of, maybe }: Kit<VerifyRun>) => ({
  id: of.id("VerifyRun", { description: "`VerifyRun:<uuid>`", example: 34 }),
  state: of.enum(verifyStates, {
    description: "`FAILED` means that the check could not be made.",
    example: "DONE",
  }),
  requestedBy: of.text({ description: "The name of the operator.", example: "Olga Owner" }),
  done: of.integer({ description: "Commands that were checked.", example: 120934 }),
  total: of.integer({
    description: "Commands that were logged when the run began.",
    example: 120930,
  }),
  startedAt: of.time({ example: "2026-11-21T11:00:00.000Z" }),
  endedAt: maybe.time({ example: "2026-11-21T11:01:12.000Z" }),
  ok: maybe.boolean({
    from: ({ state, counts }) => (state === "DONE" ? counts.problemCount === 0 : undefined),
    description: "With `DONE`: whether everything adds up.",
    example: true,
  }),
  counts: of.json(CountsSchema, {
    from: ({ counts: { problemCount: _, ...counts } }) => counts,
    example: {
      platforms: 2,
      workspaces: 1,
      commands: 120934,
      entries: 300112,
      events: 240101,
      accounts: 812,
    },
  }),
  problemCount: of.integer({ from: ({ counts }) => counts.problemCount, minimum: 0, example: 0 }),
  problems: of.json(ProblemsSchema, {
    from: ({ problems }) =>
      problems.map(({ platformId, ...place }) => ({
        platformId: toPlatformConfigId(platformId),
        ...place,
      })),
    example: [],
  }),
  failure: maybe.text(),
}));
