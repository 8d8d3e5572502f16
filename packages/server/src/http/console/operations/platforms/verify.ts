import Type, { type Static } from "typebox";
import {
  cancelVerify as cancelVerifyCommand,
  NOTHING_COUNTED,
  type RequestedRun,
  startVerify as startVerifyCommand,
} from "../../../../domain/platforms/system/verify-run.ts";
import {
  countLoggedCommands,
  findVerifyRun,
  listVerifyRuns,
} from "../../../../domain/platforms/system/verify-runs.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { toWireId } from "../../../../std/ids.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId, soundId } from "../../../../wire/ids.ts";
import { wireVerifyRun } from "../../../../wire/platforms/verify-run.ts";
import { shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitFound } from "../../../request/submit-for-caller.ts";
import { OPERATORS_SHARE } from "./deployment.ts";

/** The length of the list; older runs are stored but not listed. */
const RUNS_SHOWN = 20;

const listVerifyRunsOperation = defineOperation({
  id: "listVerifyRuns",
  ...route("GET /system/verify", "PERSON", "system.read"),
  tag: "System",
  summary: "List the checks of the books",
  answers: {
    200: {
      description: "The last 20, the newest first.",
      schema: Type.Object({ data: Type.Array(wireVerifyRun.schema) }),
      example: { data: [wireVerifyRun.example] },
    },
  },
  refusals: [],
  async handle(_request, { reads }: Services) {
    const runs = await reads.withPermit(OPERATORS_SHARE, (cells) =>
      listVerifyRuns(cells, RUNS_SHOWN),
    );
    return { status: 200, body: `{"data":[${runs.map(wireVerifyRun.json).join(",")}]}` };
  },
});

const underWay = (id?: string) =>
  new Refusal(
    "CONFLICT",
    id === undefined ? undefined : { runId: toWireId("VerifyRun", id) },
    "A check of the books is under way; wait for its end, or cancel it.",
  );

const startVerify = defineOperation({
  id: "startVerify",
  ...route("POST /system/verify", "PERSON", "system.write"),
  tag: "System",
  summary: "Check the books now",
  description:
    "Does what `florin verify` does, on one server of the deployment, in slices that leave the processor to payments. After a kill another " +
    "server goes on. Refused with 409 while a check is under way.",
  answers: { 202: shown(wireVerifyRun, "The run.") },
  refusals: ["CONFLICT"],
  async handle({ principal, idempotency }, services: Services) {
    const { engine, reads, clock, ids, system } = services;
    const answered = await submitFound(engine, principal, {
      command: startVerifyCommand,
      async find() {
        const found = await reads.withPermit(OPERATORS_SHARE, async (cells) => ({
          last: (await listVerifyRuns(cells, 1))[0],
          total: await countLoggedCommands(cells),
        }));
        if (found.last?.state === "RUNNING") throw underWay(found.last.id);
        const startedAt = clock.now();
        const requestedBy = principal.act.actorName ?? "";
        return { id: ids.next(startedAt), requestedBy, startedAt, total: found.total };
      },
      toAnswer: (run) => ({ status: 202, body: wireVerifyRun.json(asRun(run)) }),
      idempotency,
    });
    if (answered.status !== 202) return answered;
    // A repeated call also begins the run, because the first call may have died before it did so.
    const isAdded = await system.beginVerify(runIn(answered.body));
    if (!isAdded && !answered.replayed) throw underWay();
    return answered;
  },
});

function runIn(body: string): RequestedRun {
  const { id, requestedBy, startedAt, total } = JSON.parse(body) as Static<
    typeof wireVerifyRun.schema
  >;
  return { id: soundId("VerifyRun", id), requestedBy, startedAt: Date.parse(startedAt), total };
}

function asRun(requested: RequestedRun) {
  return {
    ...requested,
    state: "RUNNING",
    endedAt: null,
    done: 0,
    counts: NOTHING_COUNTED,
    problems: [],
    failure: null,
  } as const;
}

const cancelVerify = defineOperation({
  id: "cancelVerify",
  ...route("POST /system/verify/{runId}/cancel", "PERSON", "system.write"),
  tag: "System",
  summary: "Cancel a check of the books",
  description: "It stops within seconds, or at the end of the balances that it reads.",
  params: Type.Object({ runId: pathId("VerifyRun") }),
  answers: { 200: shown(wireVerifyRun, "The run.") },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, idempotency }, { engine, reads, system }: Services) {
    const id = requireId("VerifyRun", params.runId, "REFERENCE_NOT_FOUND");
    const find = async () => {
      const run = await reads.withPermit(OPERATORS_SHARE, (cells) => findVerifyRun(cells, id));
      if (run === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
      return run;
    };
    const answered = await submitFound(
      engine,
      { ...principal, act: targetOf(principal, id) },
      {
        command: cancelVerifyCommand,
        async find() {
          const { state } = await find();
          if (state !== "RUNNING")
            throw new Refusal(
              "CONFLICT",
              { state },
              `The check is ${state}; nothing is left to cancel.`,
            );
          return undefined;
        },
        toAnswer: () => ({ status: 200, body: "" }),
        idempotency,
      },
    );
    if (answered.status !== 200) return answered;
    await system.cancelVerify(id);
    return { ...answered, body: wireVerifyRun.json(await find()) };
  },
});

function targetOf<Act extends object>({ act }: { readonly act: Act }, id: string) {
  return { ...act, target: toWireId("VerifyRun", id) };
}

export const verifyOperations = [listVerifyRunsOperation, startVerify, cancelVerify];
