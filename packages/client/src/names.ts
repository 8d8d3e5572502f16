/** Names for parts of the generated types. */
import type * as Api from "./api-types.ts";
import type { Answer } from "./operations.ts";

export type PageQuery = Pick<Api.ListTokensQuery, "limit" | "cursor">;

export type PlatformConfigChanges = Api.UpdateConfigBody;
export type SupportedCurrencySettings = Api.NewSupportedCurrency;
export type CounterpartyFieldDefinition = Api.RequestedField;
export type CustomerInfoFieldName = Api.RequestedField["name"];
export type Permission = Api.Token["permissions"][number];
export type NewToken = Api.CreateTokenBody;
export type TokenQuery = Api.ListTokensQuery;

export type CustomerType = Api.Customer["customerType"];
export type VerificationState = NonNullable<Api.Customer["kycStatus"]>;
export type NewCustomer = Api.CreateCustomerBody;
export type NewIndividual = Extract<NewCustomer, { readonly customerType: "INDIVIDUAL" }>;
export type NewBusiness = Extract<NewCustomer, { readonly customerType: "BUSINESS" }>;
export type CustomerChanges = Api.UpdateCustomerBody;
export type IndividualChanges = Extract<CustomerChanges, { readonly customerType: "INDIVIDUAL" }>;
export type BusinessChanges = Extract<CustomerChanges, { readonly customerType: "BUSINESS" }>;
export type CustomerQuery = Api.ListCustomersQuery;
export type KycLink = Api.VerificationLink;
export type OwnerRole = Api.BeneficialOwner["roles"][number];
export type NewBeneficialOwner = Api.CreateBeneficialOwnerBody;
export type BeneficialOwnerChanges = Api.UpdateBeneficialOwnerBody;
export type BeneficialOwnerQuery = Api.ListBeneficialOwnersQuery;
export type VerificationStatus = Api.Verification["verificationStatus"];
export type VerificationIssue = Api.VerificationError;
export type VerificationIssueType = VerificationIssue["type"];
export type VerificationQuery = Api.ListVerificationsQuery;

export type DocumentType = Api.Document["documentType"];
export type DocumentQuery = Api.ListDocumentsQuery;
export type BulkUpload = Answer<"uploadCustomersCsv">;
export type BulkJobStatus = Api.BulkJob["status"];

export type InternalAccountType = Api.InternalAccount["type"];
export type InternalAccountStatus = Api.InternalAccount["status"];
export type InternalAccountQuery = Api.ListCustomerInternalAccountsQuery;
export type PlatformInternalAccountQuery = Api.ListPlatformInternalAccountsQuery;
export type InstructionTarget = Api.PaymentInstruction["accountOrWalletInfo"];

export type ExternalAccountType = Api.AccountInfo["accountType"];
export type ExternalAccountStatus = Api.ExternalAccount["status"];
export type BeneficiaryVerificationStatus = NonNullable<
  Api.ExternalAccount["beneficiaryVerificationStatus"]
>;
export type NewExternalAccount = Api.CreateCustomerExternalAccountBody;
export type NewPlatformExternalAccount = Api.CreatePlatformExternalAccountBody;
export type ExternalAccountQuery = Api.ListCustomerExternalAccountsQuery;
export type PlatformExternalAccountQuery = Api.ListPlatformExternalAccountsQuery;
export type RequestLogQuery = Api.ListRequestLogsQuery;
export type VerificationDecision = Api.DecideVerificationBody;
export type AuditQuery = Api.ListAuditEntriesQuery;
export type PeopleQuery = Api.ListPeopleQuery;

export type DiscoveryQuery = Api.ListDiscoveriesQuery;
export type DiscoveryList = Answer<"listDiscoveries">;

export type NewInternalAccount = Api.CreateInternalAccountBody;
export type BalanceQuery = Api.GetInternalAccountBalanceQuery;
export type InternalAccountChanges = Api.UpdateInternalAccountBody;
export type NewBalanceAlert = Api.CreateBalanceAlertBody;
export type BalanceAlertQuery = Api.ListBalanceAlertsQuery;
/** A freeze of a customer or of an internal account. */
export type NewHold = Api.CreateHoldBody;
export type HoldQuery = Api.ListHoldsQuery;
export type HoldCapture = Api.CaptureHoldBody;
export type NewFreeze = Api.FreezeCustomerBody;
export type BookTransfer = Api.CreateTransferBody;
export type NewPaymentBatch = Api.CreatePaymentBatchBody;
export type NewPaymentBatchFile = Api.CreatePaymentBatchFromCsvBody & {
  readonly fileName?: string;
};
export type PaymentBatchQuery = Api.ListPaymentBatchesQuery;
export type PaymentBatchItemQuery = Api.ListPaymentBatchItemsQuery;
export type EventQuery = Api.ListEventsQuery;
export type LedgerAccountQuery = Api.ListLedgerAccountsQuery;
export type LedgerEntryQuery = Api.ListLedgerEntriesQuery;
export type NewExport = Api.CreateExportBody;
export type ExportQuery = Api.ListExportsQuery;
export type NewStatement = Api.CreateStatementBody;
export type StatementQuery = Api.ListStatementsQuery;
export type PostingQuery = Api.ListPostingsQuery;
export type LedgerBalanceQuery = Api.GetLedgerBalancesQuery;
export type ChainQuery = Api.GetChainQuery;
export type CheckpointQuery = Api.ListCheckpointsQuery;
/** Without `format`, because the client reads JSON only, not CSV. */
export type TrialBalanceQuery = Omit<Api.GetTrialBalanceQuery, "format">;

export type TransferOut = Api.TransferOutBody;
export type TransferIn = Api.TransferInBody;
export type TransactionType = Api.Transaction["type"];
export type TransactionStatus = Api.Transaction["status"];
export type TransactionQuery = Api.ListTransactionsQuery;

export type NewQuote = Api.QuoteRequest;
export type QuoteStatus = Api.Quote["status"];
export type QuoteQuery = Api.ListQuotesQuery;
export type ExchangeRateQuery = Api.ListExchangeRatesQuery;

export type PayerQuery = Api.LookupUmaReceiverQuery;
export type ReceivableCurrency = Api.UmaReceiver["supportedCurrencies"][number];
export type ApprovePayment = Api.ApproveTransactionBody;
export type CustomerInfo = NonNullable<ApprovePayment["receiverCustomerInfo"]>;
export type TransactionChanges = Api.UpdateTransactionBody;
export type RefundPayment = Api.RefundTransactionBody;
export type RejectPayment = Api.RejectTransactionBody;
export type UmaProviderQuery = Api.ListUmaProvidersQuery;
export type InvitationStatus = Api.Invitation["status"];
export type NewInvitation = Api.CreateInvitationBody;

export type AgentPermission = Api.AgentPolicy["permissions"][number];
export type ExecutionMode = Api.AgentPolicy["defaultExecutionMode"];
export type SpendingLimits = Api.AgentPolicy["spendingLimits"];
export type ApprovalThresholds = NonNullable<Api.AgentPolicy["approvalThresholds"]>;
export type NewAgent = Api.CreateAgentBody;
export type AgentChanges = Api.UpdateAgentBody;
export type AgentQuery = Api.ListAgentsQuery;
export type CreatedAgent = Answer<"createAgent">;
export type DeviceCodeStatus = Answer<"getAgentDeviceCodeStatus">;
export type RedeemedDeviceCode = Answer<"redeemAgentDeviceCode">;
export type AgentActionStatus = Api.AgentAction["status"];
export type AgentActionType = Api.AgentAction["type"];
export type AgentActionQuery = Api.AgentListActionsQuery;
export type AgentApprovalQuery = Api.ListAgentApprovalsQuery;
export type AgentAccountQuery = Api.AgentListInternalAccountsQuery;
export type AgentTransactionQuery = Api.AgentListTransactionsQuery;
export type AgentTransferOut = Api.AgentTransferOutBody;
export type AgentTransferIn = Api.AgentTransferInBody;
export type AgentExternalAccount = Api.ExternalAccount;
export type NewAgentExternalAccount = Api.AgentCreateExternalAccountBody;

export type CredentialType = Api.AuthMethod["type"];
export type NewCredential = Api.CreateCredentialBody;
export type CredentialProof = Api.VerifyCredentialBody;
export type WalletQuery = Api.ListCredentialsQuery;

export type SandboxSend = Api.SendSandboxFundsBody;
export type SandboxClock = Answer<"getClock">;
export type AnnouncedUmaPayment = Api.ReceiveUmaPaymentBody;
export type WebhookTest = Answer<"testWebhook">;
export type WebhookPublicKey = Answer<"getWebhookPublicKey">;
export type NewWebhookEndpoint = Api.CreateWebhookEndpointBody;
export type WebhookEndpointPatch = Api.UpdateWebhookEndpointBody;
