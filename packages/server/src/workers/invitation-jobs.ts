/** The job that ends an invitation when its time has passed. */
import { expireInvitation } from "../domain/invitations/expire-invitation.ts";
import type { Engine } from "../engine/engine.ts";
import type { JobRunners } from "./job-runners.ts";
import { submitForJob } from "./submit-for-job.ts";

const TOO_EARLY_MS = 1_000;

export function invitationJobRunners(engine: Engine): Pick<JobRunners, "expire-invitation"> {
  return {
    async "expire-invitation"(job) {
      const { invitationId } = job.payload;
      const outcome = await submitForJob(engine, job, {
        command: expireInvitation,
        input: { invitationId, jobId: job.id },
        tell: (isOver) => (isOver ? "over" : "too early"),
      });
      return outcome === "over" ? { kind: "done" } : { kind: "again", inMs: TOO_EARLY_MS };
    },
  };
}
