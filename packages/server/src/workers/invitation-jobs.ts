/** The job that ends an invitation when its time has passed. */
import { expireInvitation } from "../domain/invitations/expire-invitation.ts";
import type { Engine } from "../engine/engine.ts";
import type { JobRunner } from "./due-jobs.ts";

const ASK_AGAIN_MS = 1_000;

export function invitationJobRunners(engine: Engine): Readonly<Record<string, JobRunner>> {
  return {
    async "expire-invitation"({ platformId, id, payload }) {
      const { invitationId } = payload as { readonly invitationId: string };
      const { body } = await engine.submit({
        platformId,
        actor: { kind: "worker", id: "expire-invitation" },
        command: expireInvitation,
        input: { invitationId, jobId: id },
        toAnswer: (isDone) => ({ status: 200, body: isDone ? "done" : "" }),
      });
      return body === "done" ? { kind: "done" } : { kind: "again", inMs: ASK_AGAIN_MS };
    },
  };
}
