/**
 * Mails the people who may decide about an order that waits: find them → a job for each → read the order as that person is shown it → hand
 * the mail to the mail server → end the job. An order that was decided, and a person who may no longer decide, lead to no mail. If the
 * process dies after the mail was handed over, it is sent again under the same key.
 */
import {
  type ApprovalMailer,
  endApprovalMail,
  type MailedOrders,
} from "../../domain/people/notices/approval-mail.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Log } from "../../std/log.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobOf, JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";
import { pauseAfter } from "./mail-pause.ts";

export interface ApprovalMailOptions {
  readonly engine: Engine;
  readonly mailer: ApprovalMailer;
  readonly orders: MailedOrders;
  readonly log: Log;
}

export function approvalMailRunners(
  options: ApprovalMailOptions,
): Pick<JobRunners, "mail-approvers" | "mail-approver"> {
  return {
    "mail-approvers": (job) => findRecipients(job, options),
    "mail-approver": (job) => mailOne(job, options),
  };
}

async function findRecipients(
  job: JobOf<"mail-approvers">,
  { engine, mailer, orders }: ApprovalMailOptions,
): Promise<JobResult> {
  const { approvalId } = job.payload;
  const recipientIds = mailer.canSend ? await orders.recipientsOf(job.platformId, approvalId) : [];
  await submitForJob(engine, job, {
    command: endApprovalMail,
    input: { jobId: job.id, approvalId, recipientIds },
    onceAs: job.id,
  });
  return { kind: "done" };
}

async function mailOne(
  job: JobOf<"mail-approver">,
  { engine, mailer, orders, log }: ApprovalMailOptions,
): Promise<JobResult> {
  const { approvalId, until } = job.payload;
  const mail = mailer.canSend ? await orders.mailTo(job.platformId, job.payload) : undefined;
  const outcome = mail && (await mailer.sendApproval({ ...mail, key: job.id })).kind;
  if (outcome === "failed" && job.platformTime < until)
    return { kind: "again", inMs: pauseAfter(job.attempts) };
  if (outcome === "failed" || outcome === "refused")
    log.warn({ job: job.id, outcome }, "a person was not mailed of an order that waits");
  await submitForJob(engine, job, {
    command: endApprovalMail,
    input: { jobId: job.id, approvalId, recipientIds: [] },
  });
  return { kind: "done" };
}
