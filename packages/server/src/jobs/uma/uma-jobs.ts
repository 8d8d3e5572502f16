/** Jobs of incoming UMA payments: announcing one of a customer of the same platform, asking the platform, crediting one that settles late. */
import { findQuote } from "../../domain/payments/quotes/quote.ts";
import { creditUmaPayment } from "../../domain/uma/credit-payment.ts";
import { payInHouse } from "../../domain/uma/in-house/pay-in-house.ts";
import { listPendingFrom } from "../../domain/uma/invitations/invitation.sql.ts";
import {
  cancelInvitations,
  expireInvitation,
} from "../../domain/uma/invitations/invitation-end.ts";
import { findCustomerAt } from "../../domain/uma/receiver.sql.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import { present } from "../../std/assert.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";
import type { ApprovalCalls } from "./approval-calls.ts";

export function umaJobRunners({
  engine,
  reads,
  approvals,
}: {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly approvals: ApprovalCalls;
}): Pick<JobRunners, "pay-in-house" | "ask-approval" | "credit-uma-payment"> {
  return {
    async "pay-in-house"(job) {
      const { quoteId, transactionId } = job.payload;
      const quote = present(await findQuote(reads, job.platformId, quoteId), "the quote of a job");
      const address = present(quote.destinationUma ?? undefined, "the address that is paid");
      const customer = await findCustomerAt(reads, job.platformId, address);
      const input = { quoteId, transactionId, jobId: job.id, customerId: customer?.id };
      await submitForJob(engine, job, { command: payInHouse, input });
      return { kind: "done" };
    },
    "ask-approval": (job) => approvals.run(job),
    async "credit-uma-payment"(job) {
      const { transactionId } = job.payload;
      const input = { transactionId, jobId: job.id };
      await submitForJob(engine, job, { command: creditUmaPayment, input });
      return { kind: "done" };
    },
  };
}

const TOO_EARLY_MS = 1_000;
/** Bounds the rows of one command. */
const INVITATIONS_AT_ONCE = 200;

interface InvitationJobs {
  readonly engine: Engine;
  readonly reads: Reads;
}

export function invitationJobRunners({
  engine,
  reads,
}: InvitationJobs): Pick<JobRunners, "expire-invitation" | "cancel-invitations-at"> {
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
    async "cancel-invitations-at"(job) {
      const { domain, after } = job.payload;
      const limit = INVITATIONS_AT_ONCE;
      const invitationIds = await listPendingFrom(reads, job.platformId, { domain, after, limit });
      await submitForJob(engine, job, {
        command: cancelInvitations,
        input: { jobId: job.id, domain, invitationIds, hasMore: invitationIds.length === limit },
        onceAs: job.id,
      });
      return { kind: "done" };
    },
  };
}
