/**
 * Mails to the people who may decide about an order that waits. The commit that stores the order schedules one job. That job finds the
 * people, and its commit schedules one job for each of them, so no crash loses a mail and a retry of one mail repeats no other.
 */
import type { Command, World } from "../../../engine/command.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { MailOutcome } from "../../wallets/credentials/otp-mail.port.ts";
import type { Shown } from "../approvals/shown/shown.ts";

/** A mail is retried for this long while the mail server does not accept it. */
const TRIED_FOR_MS = 24 * 60 * 60 * 1000;

export interface ApprovalMail {
  /** The idempotency key of the message, the same for every retry. */
  readonly key: string;
  readonly to: string;
  readonly workspaceName: string;
  /** The order as the person is shown it in the console. */
  readonly shown: Shown;
  /** Where the person decides; undefined for a server that does not know its own address. */
  readonly url: string | undefined;
}

export interface ApprovalMailer {
  readonly canSend: boolean;
  sendApproval(mail: ApprovalMail): Promise<MailOutcome>;
}

/** Reads of an order that waits, in its partition. */
export interface MailedOrders {
  /** The people who are to be mailed of it. */
  recipientsOf(platformId: string, approvalId: string): Promise<readonly string[]>;
  /** Undefined when the order was decided, or the person may no longer decide. */
  mailTo(
    platformId: string,
    mail: { readonly approvalId: string; readonly recipientId: string },
  ): Promise<Omit<ApprovalMail, "key"> | undefined>;
}

/** Schedules the job that finds the people. */
export function mailApprovers(world: World, approvalId: string): void {
  scheduleJob(world, { kind: "mail-approvers", payload: { approvalId }, dueAt: world.at });
}

interface EndApprovalMailInput {
  readonly jobId: string;
  readonly approvalId: string;
  /** The people who get a mail each. */
  readonly recipientIds: readonly string[];
}

/** Ends a job of these mails, and schedules the mails to the people who were found. Refuses nothing. */
export const endApprovalMail: Command<EndApprovalMailInput, undefined> = {
  name: "end-approval-mail",
  needs: () => [],
  decide(world, { jobId, approvalId, recipientIds }) {
    for (const recipientId of recipientIds) {
      const payload = { approvalId, recipientId, until: world.at + TRIED_FOR_MS };
      scheduleJob(world, { kind: "mail-approver", payload, dueAt: world.at });
    }
    world.cancel(jobId);
    return undefined;
  },
};
