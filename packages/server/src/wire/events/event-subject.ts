import type { AlertSubject } from "../../domain/accounts/alerts/balance-alert.ts";
import type { InternalAccountSubject } from "../../domain/accounts/internal/internal-account.ts";
import type { AgentActionSubject } from "../../domain/agents/actions/agent-action.ts";
import type { BulkJobSubject } from "../../domain/customers/bulk-jobs/bulk-job.ts";
import type { CustomerSubject } from "../../domain/customers/customer-subject.ts";
import type { VerificationSubject } from "../../domain/customers/verification/verification.ts";
import type { EndpointSubject } from "../../domain/events/webhook-endpoint.ts";
import type { AdjustmentSubject } from "../../domain/payments/adjustments/adjustment.ts";
import type { TransactionSubject } from "../../domain/payments/transactions/transaction.ts";
import type { ApprovalSubject as OrderApprovalSubject } from "../../domain/people/approvals/approval.ts";
import type { SourceSubject } from "../../domain/prices/rate-sources/rate-source.ts";
import type { RailStatementSubject } from "../../domain/rails/books/rail-statement.ts";
import type { ConnectionSubject } from "../../domain/rails/connections/rail-connection.ts";
import type { RailItemSubject } from "../../domain/rails/entries/rail-item.ts";
import type { RailPaymentSubject } from "../../domain/rails/orders/rail-payment.ts";
import type { CheckpointSubject } from "../../domain/reading/proofs/checkpoint.ts";
import type { InvitationSubject } from "../../domain/uma/invitations/invitation.ts";
import type { ApprovalSubject } from "../../domain/uma/payment-approval.ts";

/** A TEST event has no data. */
export interface TestSubject {
  readonly kind: "test";
  readonly id: string;
}

/** Everything an event can be about. */
export type EventSubject =
  | AlertSubject
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
