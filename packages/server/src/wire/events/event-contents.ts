/**
 * One row for each content of an event's `data`. The bodies that are sent, the schemas and examples of the reference, and who is notified
 * in the console follow from it.
 */
import Type, { type TSchema } from "typebox";
import type { InternalAccountSubject } from "../../domain/accounts/internal/internal-account.ts";
import type { BulkJobSubject } from "../../domain/customers/bulk-jobs/bulk-job.ts";
import type { VerificationSubject } from "../../domain/customers/verification/verification.ts";
import { type EventContent, type EventType, eventCatalogue } from "../../domain/event-catalogue.ts";
import type { EndpointSubject } from "../../domain/events/webhook-endpoint.ts";
import type { AdjustmentSubject } from "../../domain/payments/adjustments/adjustment.ts";
import type { PaymentBatchSubject } from "../../domain/payments/batches/payment-batch.ts";
import type { ScheduleSubject } from "../../domain/payments/schedules/payment-schedule.ts";
import type { ApprovalSubject } from "../../domain/people/approvals/approval.ts";
import type { Capability } from "../../domain/people/role.ts";
import type { SourceSubject } from "../../domain/prices/rate-sources/rate-source.ts";
import type { RailStatementSubject } from "../../domain/rails/books/rail-statement.ts";
import type { ConnectionSubject } from "../../domain/rails/connections/rail-connection.ts";
import type { RailItemSubject } from "../../domain/rails/entries/rail-item.ts";
import type { RailPaymentSubject } from "../../domain/rails/orders/rail-payment.ts";
import type { CheckpointSubject } from "../../domain/reading/proofs/checkpoint.ts";
import type { UmaDomainSubject } from "../../domain/uma/domains/uma-domain-row.ts";
import type { InvitationSubject } from "../../domain/uma/invitations/invitation.ts";
import type { UmaKeySubject } from "../../domain/uma/keys/uma-key.ts";
import type { UmaCounterpartySubject } from "../../domain/uma/policy/uma-counterparty.ts";
import type { Subject } from "../../engine/command.ts";
import { alertedBalance } from "../accounts/balance-alert.ts";
import { InternalAccountSchema, internalAccountJson } from "../accounts/internal-account.ts";
import { AgentActionSchema, agentActionExample, agentActionJson } from "../agents/agent-action.ts";
import { BulkJobSchema, bulkJobJson } from "../customers/bulk-job.ts";
import { CustomerSchema, customerJson } from "../customers/customer.ts";
import { VerificationSchema, verificationJson } from "../customers/verification.ts";
import { holdJson, wireHold } from "../payments/hold.ts";
import { endedBatchExample, wirePaymentBatch } from "../payments/payment-batch.ts";
import { wirePaymentSchedule } from "../payments/payment-schedule.ts";
import { TransactionSchema, transactionSubjectJson } from "../payments/transaction.ts";
import { AdjustmentSchema, adjustmentExample, adjustmentJson } from "../people/adjustment.ts";
import { ApprovalSchema, approvalJson } from "../people/approval.ts";
import { RateSourceSchema, sourceJson } from "../prices/rate-source.ts";
import { connectionJson, RailConnectionSchema } from "../rails/rail-connection.ts";
import { RailItemSchema, railItemJson } from "../rails/rail-item.ts";
import { RailPaymentSchema, railPaymentJson } from "../rails/rail-payment.ts";
import {
  RailStatementSchema,
  railStatementExample,
  railStatementJson,
} from "../rails/rail-statement.ts";
import { CheckpointSchema, checkpointExample, checkpointJson } from "../reading/checkpoint.ts";
import { claimedInvitationExample, InvitationSchema, invitationJson } from "../uma/invitation.ts";
import { wireUmaCounterparty } from "../uma/uma-counterparty.ts";
import { wireUmaDomain } from "../uma/uma-domain.ts";
import { wireUmaKey } from "../uma/uma-key.ts";
import {
  accountAt,
  approvalAt,
  bulkJobAt,
  connectionAt,
  customerAt,
  holdAt,
  railItemAt,
  railPaymentAt,
  rateSourceAt,
  scheduleAt,
  transactionAt,
  umaCounterpartyAt,
  umaDomainAt,
  umaKeyAt,
  verificationAt,
} from "./event-examples.ts";
import {
  disabledEndpointExample,
  endpointJson,
  WebhookEndpointSchema,
} from "./webhook-endpoint.ts";

type SubjectOf<Kind extends EventContent> = Subject & { readonly kind: Kind };

interface ContentRow<Kind extends EventContent> {
  /** The schema of `data`. */
  readonly schema: TSchema;
  /** The `data` of an event: what the GET of its subject would answer at this moment. */
  json(subject: SubjectOf<Kind>, platformId: string): string;
  /** One example for all events with this content, or one for each type. */
  readonly example: object | ((type: EventType) => object);
  /** The capability that a person needs to be notified in the console when the object changes. */
  readonly told: Kind extends "nothing" ? undefined : Capability;
}

export const eventContents: { readonly [Kind in EventContent]: ContentRow<Kind> } = {
  Transaction: {
    schema: TransactionSchema,
    json: transactionSubjectJson,
    example: transactionAt,
    told: "payments.read",
  },
  InternalAccount: {
    schema: InternalAccountSchema,
    json: (subject: InternalAccountSubject) => internalAccountJson(subject),
    example: accountAt,
    told: "accounts.read",
  },
  PaymentSchedule: {
    schema: wirePaymentSchedule.schema,
    json: ({ schedule }: ScheduleSubject) => wirePaymentSchedule.json(schedule),
    example: scheduleAt,
    told: "payments.read",
  },
  AlertedBalance: { ...alertedBalance, told: "accounts.read" },
  UmaDomain: {
    schema: wireUmaDomain.schema,
    json: ({ umaDomain }: UmaDomainSubject) => wireUmaDomain.json(umaDomain),
    example: umaDomainAt,
    told: "settings.read",
  },
  UmaCounterparty: {
    schema: wireUmaCounterparty.schema,
    json: ({ umaCounterparty }: UmaCounterpartySubject) =>
      wireUmaCounterparty.json(umaCounterparty),
    example: umaCounterpartyAt,
    told: "settings.read",
  },
  Hold: { schema: wireHold.schema, json: holdJson, example: holdAt, told: "payments.read" },
  Customer: {
    schema: CustomerSchema,
    json: customerJson,
    example: customerAt,
    told: "customers.read",
  },
  Invitation: {
    schema: InvitationSchema,
    json: ({ invitation, link }: InvitationSubject) =>
      invitationJson(invitation, link, invitation.updatedAt),
    example: claimedInvitationExample,
    told: "invitations.read",
  },
  Verification: {
    schema: VerificationSchema,
    json: ({ verification }: VerificationSubject) => verificationJson(verification),
    example: verificationAt,
    told: "customers.read",
  },
  PaymentBatch: {
    ...wirePaymentBatch,
    json: ({ batch }: PaymentBatchSubject) => wirePaymentBatch.json(batch),
    example: endedBatchExample,
    told: "payments.read",
  },
  BulkJob: {
    schema: BulkJobSchema,
    json: ({ job, errors }: BulkJobSubject) => bulkJobJson(job, errors, { hasRows: false }),
    example: bulkJobAt,
    told: "customers.read",
  },
  AgentAction: {
    schema: AgentActionSchema,
    json: agentActionJson,
    example: agentActionExample,
    told: "agents.read",
  },
  WebhookEndpoint: {
    schema: WebhookEndpointSchema,
    json: ({ endpoint }: EndpointSubject) => endpointJson(endpoint),
    example: disabledEndpointExample,
    told: "webhooks.read",
  },
  RailConnection: {
    schema: RailConnectionSchema,
    json: ({ connection }: ConnectionSubject) => connectionJson(connection),
    example: connectionAt,
    told: "rails.read",
  },
  RailPayment: {
    schema: RailPaymentSchema,
    json: ({ payment }: RailPaymentSubject) => railPaymentJson(payment),
    example: railPaymentAt,
    told: "rails.read",
  },
  RailItem: {
    schema: RailItemSchema,
    json: ({ item }: RailItemSubject) => railItemJson(item),
    example: railItemAt,
    told: "rails.read",
  },
  RailStatement: {
    schema: RailStatementSchema,
    json: ({ statement }: RailStatementSubject) => railStatementJson(statement),
    example: railStatementExample,
    told: "rails.read",
  },
  RateSource: {
    schema: RateSourceSchema,
    json: ({ source }: SourceSubject) => sourceJson(source),
    example: rateSourceAt,
    told: "rates.read",
  },
  UmaKey: {
    schema: wireUmaKey.schema,
    json: ({ key }: UmaKeySubject) => wireUmaKey.json(key),
    example: umaKeyAt,
    told: "settings.read",
  },
  Approval: {
    schema: ApprovalSchema,
    json: ({ approval }: ApprovalSubject, platformId: string) =>
      approvalJson(approval, { platformId, content: undefined, isBlocked: false }),
    example: approvalAt,
    told: "payments.read",
  },
  Adjustment: {
    schema: AdjustmentSchema,
    json: ({ adjustment }: AdjustmentSubject) => adjustmentJson(adjustment),
    example: adjustmentExample,
    told: "ledger.read",
  },
  Checkpoint: {
    schema: CheckpointSchema,
    json: ({ checkpoint }: CheckpointSubject, platformId: string) =>
      checkpointJson(checkpoint, platformId),
    example: checkpointExample,
    told: "ledger.read",
  },
  nothing: { schema: Type.Object({}), json: () => "{}", example: {}, told: undefined },
};

export function eventJson(subject: Subject, platformId: string): string {
  const known = subject as SubjectOf<EventContent>;
  const row: ContentRow<EventContent> = eventContents[known.kind];
  return row.json(known, platformId);
}

/** A whole webhook body of this type, for the reference. */
export function eventExample(type: EventType): object {
  const { example } = eventContents[eventCatalogue[type].data];
  return {
    id: "Webhook:019a4f00-0000-7000-8000-000000000005",
    type,
    timestamp: "2026-11-21T10:00:00.000Z",
    data: typeof example === "function" ? example(type) : example,
  };
}
