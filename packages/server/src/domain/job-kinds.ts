/**
 * Every kind of job that a command schedules, with what its payload holds. The runners are one table over the same kinds
 * (jobs/job-runners.ts), so a kind without a runner does not compile. Payloads are stored: a new member is optional,
 * because jobs of an earlier version may be due after an upgrade.
 */
import type { NewJob, World } from "../engine/command.ts";

/** What a mail is about. */
export type NoticeAbout =
  /** An invitation with its link. */
  | "INVITATION"
  /** A link for a new passkey. */
  | "RE_ENROLMENT"
  /** A link for a new passkey was issued, and is not mailed. */
  | "RE_ENROLMENT_ISSUED"
  /** A new passkey took the place of the old ones. */
  | "RE_ENROLLED"
  /** The first passkey was added under a sign-in at an issuer. */
  | "FIRST_PASSKEY"
  /** The counter of a passkey went back. */
  | "COUNTER_BACK"
  /** The person asks for a change of single sign-on that may let more people in. */
  | "ISSUER_ASKED"
  /** Such a change was made; the person is the one who asked for it. */
  | "ISSUER_SET"
  /** The person will stop or resume being an owner if another owner agrees. */
  | "OWNER_CHANGE_ASKED"
  /** The person will stop being an owner in a day, unless the change is rejected. */
  | "OWNER_CHANGE_TIMED"
  /** The change of owners has taken effect. */
  | "OWNER_CHANGED";

/** What a rail needs: see `RailInstruction`. */
export type RailPayload = {
  readonly transactionId: string;
  readonly quoteId?: string;
  readonly minor: string;
  readonly currency: string;
  readonly accountType: string;
  readonly primaryIdentifier: string;
  /** Platform time. */
  readonly acceptedAt: number;
  /** The name of the rail; absent for the simulated rail. */
  readonly rail?: string;
  /** Set when the payment returns an incoming payment. */
  readonly isRefund?: true;
};

/** A channel, and what of a payment went over it. The amount is text, because JSON has no whole numbers of this size. */
export type PaidChannel = { readonly utxo: string; readonly amountMsats: string };

export type JobPayloads = {
  "send-payout": RailPayload;
  "pull-funds": RailPayload;
  "pull-quote-funds": RailPayload;
  "pay-quote": RailPayload;
  "refund-quote": RailPayload;
  "pay-in-house": { readonly quoteId: string; readonly transactionId: string };
  "send-uma-deposit": RailPayload;
  "expire-quote": { readonly quoteId: string; readonly graceMs?: number };
  "expire-hold": { readonly holdId: string };
  "expire-invitation": { readonly invitationId: string };
  "cancel-invitations-at": { readonly domain: string; readonly after: string | null };
  "decide-verification": { readonly verificationId: string };
  "conclude-name-check": { readonly accountId: string };
  "extend-customer-currencies": { readonly after: string | null };
  "ask-approval": {
    readonly transactionId: string;
    readonly eventSeq: string;
    readonly deadlineAt: number;
  };
  "credit-uma-payment": { readonly transactionId: string };
  "follow-agent-payment": { readonly transactionId: string };
  "expire-agent-action": { readonly actionId: string };
  "drop-file": { readonly fileId: string };
  "send-code": { readonly credentialId: string; readonly codeId: string };
  "resend-event": { readonly endpointId: string; readonly eventSeq: string };
  "resend-events": { readonly resendId: string; readonly endpointId: string };
  "index-metadata": { readonly since: string };
  "make-statement": { readonly statementId: string };
  "import-customers": { readonly bulkJobId: string };
  "run-payment-batch": { readonly batchId: string };
  "make-export": { readonly exportId: string };
  "drop-export": { readonly exportId: string };
  "carry-rail-payment": { readonly paymentId: string; readonly transactionId?: string };
  "cancel-rail-payment": { readonly paymentId: string };
  "fall-back-rail-payment": { readonly paymentId: string; readonly connectionId: string };
  /** At the moment when the invoice lapses that the order pays. */
  "lapse-rail-payment": { readonly paymentId: string };
  "send-rail-queue": { readonly connectionId: string };
  "watch-rail-connection": { readonly connectionId: string };
  "read-rail-feed": { readonly connectionId: string };
  "ask-funding-address": { readonly addressId: string };
  "release-rail-pull": { readonly paymentId: string };
  "expire-rail-mark": { readonly markId: string };
  "expire-approval": { readonly approvalId: string };
  "carry-out-approval": { readonly approvalId: string };
  "mail-person": {
    readonly recipientId: string;
    readonly personId: string;
    readonly about: NoticeAbout;
    readonly linkId?: string;
    /** Platform time. */
    readonly until: number;
  };
  "mail-approvers": { readonly approvalId: string };
  "mail-approver": {
    readonly approvalId: string;
    readonly recipientId: string;
    /** Platform time. */
    readonly until: number;
  };
  "age-rail-item": { readonly itemId: string };
  "check-uma-domain": {
    readonly domainId: string;
    /** Platform time. */
    readonly dueAt: number;
  };
  "refresh-rate-source": { readonly sourceId: string };
  "note-stale-rates": { readonly sourceId: string };
  "run-payment-schedule": {
    readonly scheduleId: string;
    /** Platform time. */
    readonly dueAt: number;
  };
  "end-uma-invoice": {
    readonly invoiceId: string;
    /** Set when the account takes no money: the connector is asked to cancel it, whenever it ends. */
    readonly isUndeliverable?: true;
  };
  /** Of an account, or of all accounts of a customer. */
  "stop-uma-invoices": { readonly holderId: string; readonly after: string | null };
  "forward-uma-deposit": { readonly transactionId: string };
  /** Tells the other institution of a payment that has settled. */
  "send-uma-hook": {
    readonly transactionId: string;
    /** How often it was tried before. */
    readonly tries: number;
    /** Absent where the connector has told none. */
    readonly channels?: readonly PaidChannel[];
  };
  "tend-uma-key": { readonly keyId: string };
  "retry-schedule-run": { readonly scheduleId: string; readonly runId: string };
};

export type JobKind = keyof JobPayloads;

/** Schedules a job in the commit of this command and returns its id. `dueAt` is platform time. */
export function scheduleJob<Kind extends JobKind>(
  world: World,
  job: { readonly kind: Kind; readonly payload: JobPayloads[Kind]; readonly dueAt: number },
): string {
  return world.schedule(job satisfies NewJob);
}

/** The first try to tell another institution of a payment that has settled. */
export function scheduleHook(
  world: World,
  {
    transactionId,
    channels,
  }: { readonly transactionId: string; readonly channels: readonly PaidChannel[] },
): void {
  const told = channels.length === 0 ? {} : { channels };
  const payload = { transactionId, tries: 0, ...told };
  scheduleJob(world, { kind: "send-uma-hook", payload, dueAt: world.at });
}
