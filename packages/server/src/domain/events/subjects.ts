import type { InternalAccountSubject } from "../accounts/internal/internal-account.ts";
import type { AgentActionSubject } from "../agents/actions/agent-action.ts";
import type { BeneficialOwner } from "../customers/beneficial-owners/beneficial-owner.ts";
import type { BulkJobSubject } from "../customers/bulk-jobs/bulk-job.ts";
import type { Customer } from "../customers/customer.ts";
import type { Verification } from "../customers/verification/verification.ts";
import type { AdjustmentSubject } from "../payments/adjustments/adjustment.ts";
import type { TransactionSubject } from "../payments/transactions/transaction.ts";
import type { ApprovalSubject as OrderApprovalSubject } from "../people/approvals/approval.ts";
import type { SourceSubject } from "../prices/rate-sources/rate-source.ts";
import type { RailStatementSubject } from "../rails/books/rail-statement.ts";
import type { ConnectionSubject } from "../rails/connections/rail-connection.ts";
import type { RailItemSubject } from "../rails/entries/rail-item.ts";
import type { RailPaymentSubject } from "../rails/orders/rail-payment.ts";
import type { CheckpointSubject } from "../reading/proofs/checkpoint.ts";
import type { InvitationSubject } from "../uma/invitations/invitation.ts";
import type { ApprovalSubject } from "../uma/payment-approval.ts";
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
