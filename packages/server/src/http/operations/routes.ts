/** Every operation of the API. */

import type { Operation } from "../request/operation.ts";
import type { Services } from "../request/services.ts";
import { additionalAccountOperations } from "./accounts/additional-accounts.ts";
import { balanceAlertOperations } from "./accounts/balance-alerts.ts";
import { listDiscoveries } from "./accounts/discoveries.ts";
import { externalAccountOperations } from "./accounts/external-accounts.ts";
import { freezeOperations } from "./accounts/freezes.ts";
import { internalAccountOperations } from "./accounts/internal-accounts.ts";
import { statementOperations } from "./accounts/statements.ts";
import { approveAgentAction, listAgentActions, rejectAgentAction } from "./agents/agent-actions.ts";
import { agentPolicyOperations } from "./agents/agent-policies.ts";
import { agentOperations } from "./agents/agents.ts";
import { deviceCodeOperations } from "./agents/device-codes.ts";
import { ownOperations } from "./agents/me.ts";
import { ownExternalAccountOperations } from "./agents/me-external-accounts.ts";
import { ownPaymentOperations } from "./agents/me-payments.ts";
import { beneficialOwnerOperations } from "./customers/beneficial-owners.ts";
import { bulkJobOperations } from "./customers/bulk-jobs.ts";
import { customerOperations } from "./customers/customers.ts";
import { documentOperations } from "./customers/documents.ts";
import { createKycLink } from "./customers/kyc-links.ts";
import { verificationOperations } from "./customers/verifications.ts";
import { deliveryOperations } from "./events/deliveries.ts";
import { endpointOperations } from "./events/endpoints.ts";
import { eventOperations } from "./events/events.ts";
import { resendOperations } from "./events/resends.ts";
import { webhookKeyOperations } from "./events/webhook-keys.ts";
import { adjustmentOperations } from "./payments/adjustments.ts";
import { holdOperations } from "./payments/holds.ts";
import { paymentBatchOperations } from "./payments/payment-batches.ts";
import { paymentScheduleOperations } from "./payments/payment-schedules.ts";
import { quoteOperations } from "./payments/quotes.ts";
import { transactionOperations } from "./payments/transactions.ts";
import { transferOperations } from "./payments/transfers.ts";
import { approvalOperations } from "./people/approvals.ts";
import { auditOperations } from "./people/audit-entries.ts";
import { tokenOperations } from "./people/tokens.ts";
import { configOperations } from "./platforms/config.ts";
import { sandboxOperations } from "./platforms/sandbox.ts";
import { sandboxUmaOperations } from "./platforms/sandbox-uma.ts";
import { listExchangeRates } from "./prices/exchange-rates.ts";
import { fxPositionOperations } from "./prices/fx-positions.ts";
import { priceRuleOperations } from "./prices/price-rules.ts";
import { rateSourceOperations } from "./prices/rate-sources.ts";
import { sourceRateOperations } from "./prices/source-rates.ts";
import { bookOperations } from "./rails/books.ts";
import { takeRailCallback } from "./rails/callbacks.ts";
import { connectionActs } from "./rails/connection-acts.ts";
import { connectionOperations } from "./rails/connections.ts";
import { entryOperations } from "./rails/entries.ts";
import { itemOperations } from "./rails/items.ts";
import { markOperations } from "./rails/marks.ts";
import { orderChanges } from "./rails/order-changes.ts";
import { orderOperations } from "./rails/orders.ts";
import { receivableOperations } from "./rails/receivables.ts";
import { routeOperations } from "./rails/routes.ts";
import { exportOperations } from "./reading/exports.ts";
import { ledgerOperations } from "./reading/ledger.ts";
import { proofOperations } from "./reading/proofs.ts";
import { requestLogOperations } from "./reading/request-logs.ts";
import { search } from "./reading/search.ts";
import { umaCounterpartyOperations } from "./uma/counterparties.ts";
import { umaDomainOperations } from "./uma/domains.ts";
import { umaExchangeOperations } from "./uma/exchanges.ts";
import { invitationOperations } from "./uma/invitations.ts";
import { umaKeyOperations } from "./uma/keys.ts";
import { umaPaymentOperations } from "./uma/payments.ts";
import { umaPolicyOperations } from "./uma/policy.ts";
import { listUmaProviders } from "./uma/providers.ts";
import { receiverOperations } from "./uma/receivers.ts";
import { credentialOperations } from "./wallets/credentials.ts";
import { walletExportOperations } from "./wallets/exports.ts";
import { sessionOperations } from "./wallets/sessions.ts";

export const operations: readonly Operation<Services>[] = [
  ...configOperations,
  ...tokenOperations,
  ...customerOperations,
  createKycLink,
  ...beneficialOwnerOperations,
  ...verificationOperations,
  ...bulkJobOperations,
  ...documentOperations,
  ...internalAccountOperations,
  ...externalAccountOperations,
  listDiscoveries,
  ...freezeOperations,
  ...additionalAccountOperations,
  ...balanceAlertOperations,
  ...transferOperations,
  ...holdOperations,
  ...paymentBatchOperations,
  ...paymentScheduleOperations,
  listExchangeRates,
  ...quoteOperations,
  ...transactionOperations,
  ...receiverOperations,
  listUmaProviders,
  ...umaKeyOperations,
  ...umaDomainOperations,
  ...umaPaymentOperations,
  ...umaPolicyOperations,
  ...umaCounterpartyOperations,
  ...umaExchangeOperations,
  ...invitationOperations,
  ...sandboxOperations,
  ...sandboxUmaOperations,
  ...webhookKeyOperations,
  ...eventOperations,
  ...resendOperations,
  ...ledgerOperations,
  search,
  ...proofOperations,
  ...endpointOperations,
  ...deliveryOperations,
  ...statementOperations,
  ...exportOperations,
  ...requestLogOperations,
  ...auditOperations,
  ...connectionOperations,
  ...connectionActs,
  ...routeOperations,
  ...orderOperations,
  ...markOperations,
  ...orderChanges,
  ...entryOperations,
  ...bookOperations,
  ...receivableOperations,
  ...itemOperations,
  takeRailCallback,
  ...rateSourceOperations,
  ...sourceRateOperations,
  ...priceRuleOperations,
  ...fxPositionOperations,
  ...adjustmentOperations,
  ...approvalOperations,
  ...agentOperations,
  ...agentPolicyOperations,
  listAgentActions,
  ...deviceCodeOperations,
  approveAgentAction,
  rejectAgentAction,
  ...ownOperations,
  ...ownPaymentOperations,
  ...ownExternalAccountOperations,
  ...credentialOperations,
  ...sessionOperations,
  ...walletExportOperations,
];
