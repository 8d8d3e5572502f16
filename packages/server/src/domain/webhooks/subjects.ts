import type { AdjustmentSubject } from "../adjustments/adjustment.ts";
import type { AgentActionSubject } from "../agents/actions/agent-action.ts";
import type { ApprovalSubject as OrderApprovalSubject } from "../approvals/approval.ts";
import type { BeneficialOwner } from "../beneficial-owners/beneficial-owner.ts";
import type { BulkJobSubject } from "../bulk-jobs/bulk-job.ts";
import type { Customer } from "../customers/customer.ts";
import type { InternalAccountSubject } from "../internal-accounts/internal-account.ts";
import type { InvitationSubject } from "../invitations/invitation.ts";
import type { CheckpointSubject } from "../proofs/checkpoint.ts";
import type { RailStatementSubject } from "../rail-books/rail-statement.ts";
import type { ConnectionSubject } from "../rail-connections/rail-connection.ts";
import type { RailItemSubject } from "../rail-entries/rail-item.ts";
import type { RailPaymentSubject } from "../rail-payments/rail-payment.ts";
import type { SourceSubject } from "../rate-sources/rate-source.ts";
import type { TransactionSubject } from "../transactions/transaction.ts";
import type { ApprovalSubject } from "../uma/payment-approval.ts";
import type { Verification } from "../verification/verification.ts";
import type { WebhookEndpoint } from "./webhook-endpoint.ts";

export interface CustomerSubject {
  readonly kind: "customer";
  readonly id: string;
  readonly customer: Customer;
  /** Of a business. */
  readonly owners: readonly BeneficialOwner[];
}

export interface VerificationSubject {
  readonly kind: "verification";
  readonly id: string;
  readonly verification: Verification;
}

export interface EndpointSubject {
  readonly kind: "webhook-endpoint";
  readonly id: string;
  readonly endpoint: WebhookEndpoint;
}

/** A TEST event has no data. */
export interface TestSubject {
  readonly kind: "test";
  readonly id: string;
}

/** Everything an event can be about. */
export type EventSubject =
  | InternalAccountSubject
  | TransactionSubject
  | ApprovalSubject
  | OrderApprovalSubject
  | AdjustmentSubject
  | CustomerSubject
  | InvitationSubject
  | VerificationSubject
  | BulkJobSubject
  | AgentActionSubject
  | EndpointSubject
  | ConnectionSubject
  | RailPaymentSubject
  | RailItemSubject
  | RailStatementSubject
  | SourceSubject
  | CheckpointSubject
  | TestSubject;
