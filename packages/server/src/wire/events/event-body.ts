import type { Subject } from "../../engine/command.ts";
import { alertedBalanceJson } from "../accounts/balance-alert.ts";
import { internalAccountJson } from "../accounts/internal-account.ts";
import { agentActionJson } from "../agents/agent-action.ts";
import { bulkJobJson } from "../customers/bulk-job.ts";
import { customerJson } from "../customers/customer.ts";
import { verificationJson } from "../customers/verification.ts";
import { approvalJson, transactionJson } from "../payments/transaction.ts";
import { adjustmentJson } from "../people/adjustment.ts";
import { approvalJson as approvalOrderJson } from "../people/approval.ts";
import { sourceJson } from "../prices/rate-source.ts";
import { connectionJson } from "../rails/rail-connection.ts";
import { railItemJson } from "../rails/rail-item.ts";
import { railPaymentJson } from "../rails/rail-payment.ts";
import { railStatementJson } from "../rails/rail-statement.ts";
import { checkpointJson } from "../reading/checkpoint.ts";
import { invitationJson } from "../uma/invitation.ts";
import type { EventSubject } from "./event-subject.ts";
import { endpointJson } from "./webhook-endpoint.ts";

/** The `data` of an event: what the GET of its subject would answer at this moment. */
export function eventJson(subject: Subject, platformId: string): string {
  const known = subject as EventSubject;
  switch (known.kind) {
    case "transaction":
      return transactionJson(known.transaction, platformId);
    case "approval":
      return approvalJson(known, platformId);
    case "order-approval":
      return approvalOrderJson(known.approval, {
        platformId,
        content: undefined,
        isBlocked: false,
      });
    case "adjustment":
      return adjustmentJson(known.adjustment);
    case "internal-account":
      return internalAccountJson(known);
    case "balance-alert":
      return alertedBalanceJson(known);
    case "customer":
      return customerJson(known);
    case "invitation":
      return invitationJson(known.invitation, known.link, known.invitation.updatedAt);
    case "verification":
      return verificationJson(known.verification);
    case "bulk-job":
      return bulkJobJson(known.job, known.errors, { hasRows: false });
    case "agent-action":
      return agentActionJson(known, platformId);
    case "webhook-endpoint":
      return endpointJson(known.endpoint);
    case "rail-connection":
      return connectionJson(known.connection);
    case "rail-payment":
      return railPaymentJson(known.payment);
    case "rail-item":
      return railItemJson(known.item);
    case "rail-statement":
      return railStatementJson(known.statement);
    case "rate-source":
      return sourceJson(known.source);
    case "checkpoint":
      return checkpointJson(known.checkpoint, platformId);
    case "test":
      return "{}";
  }
}
