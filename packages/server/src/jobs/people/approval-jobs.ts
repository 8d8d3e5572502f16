/** Ends approvals that were not decided in time, and carries out those that needed no agreement. */
import {
  type Approval,
  contentIdentity,
  findApproval,
} from "../../domain/people/approvals/approval.ts";
import { carryOutInTime } from "../../domain/people/approvals/carry-out-in-time.ts";
import { expireApproval, type OpenedOrder } from "../../domain/people/approvals/decide-approval.ts";
import { changePersonOrder, removePersonOrder } from "../../domain/people/approvals/held-people.ts";
import type { HoldableOrder } from "../../domain/people/approvals/hold-order.ts";
import type { ChangePersonInput } from "../../domain/people/change-person.ts";
import { platformsOfWorkspace } from "../../domain/people/workspaces/workspace.sql.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { present } from "../../std/assert.ts";
import type { JsonObject } from "../../std/json.ts";
import { requireId } from "../../wire/ids.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

/** The delay before another try when the time has not come, because the clocks of hosts differ. */
const TOO_EARLY_MS = 100;

interface ApprovalJobs {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly sealer: Sealer;
}

export function approvalJobRunners({
  engine,
  reads,
  sealer,
}: ApprovalJobs): Pick<JobRunners, "expire-approval" | "carry-out-approval"> {
  return {
    async "expire-approval"(job) {
      const outcome = await submitForJob(engine, job, {
        command: expireApproval,
        input: { approvalId: job.payload.approvalId, jobId: job.id },
        tell: toOutcome,
      });
      return resultOf(outcome);
    },
    async "carry-out-approval"(job) {
      const { platformId, payload } = job;
      const found = await findApproval(reads, platformId, payload.approvalId);
      const approval = present(found, "the approval of a job");
      const { contentSealed, sealId } = approval;
      const bytes = sealer.open(contentSealed, contentIdentity(platformId, sealId));
      const content = JSON.parse(bytes.toString("utf8")) as JsonObject;
      const platforms = await platformsOfWorkspace(reads, platformId);
      const production = platforms.filter(({ environment }) => environment === "PRODUCTION");
      const productionIds = new Set(production.map(({ id }) => id));
      const outcome = await submitForJob(engine, job, {
        command: carryOutInTime,
        input: { ...payload, jobId: job.id, order: openChange(approval, content, productionIds) },
        tell: toOutcome,
      });
      return resultOf(outcome);
    },
  };
}

const toOutcome = (isOver: boolean) => (isOver ? "over" : "too early");

function resultOf(outcome: string): JobResult {
  return outcome === "over" ? { kind: "done" } : { kind: "again", inMs: TOO_EARLY_MS };
}

type ChangeContent = Omit<ChangePersonInput, "by">;

/** A change of a person, judged by what the person who asked may do now. */
function openChange(
  { act, requesterId }: Approval,
  content: JsonObject,
  productionIds: ReadonlySet<string>,
): OpenedOrder {
  const { personId: raw, ...change } = content as unknown as ChangeContent;
  const personId = requireId("Person", raw, "REFERENCE_NOT_FOUND");
  const by = present(requesterId, "the person who asked");
  const input = { ...change, personId, by, productionIds };
  const order: HoldableOrder<typeof input, unknown> =
    act === removePersonOrder.act ? removePersonOrder : changePersonOrder;
  const { command } = order;
  return {
    content,
    needs: (world) => command.needs(world, input),
    carryOut: (world) => order.resultOf(command.decide(world, input)),
  };
}
