import type {
  AdvanceClockBody,
  ClaimInvitationBody,
  CreateKycLinkBody,
  CreateVerificationBody,
  CreateWebhookEndpointBody,
  FundInternalAccountBody,
  ListDeliveryAttemptsQuery,
  ListWebhookDeliveriesQuery,
  ListWebhookEndpointsQuery,
  PayUmaInvoiceBody,
  ResendEventBody,
  ResendEventsBody,
  RotateWebhookEndpointKeyBody,
  RotateWebhookKeyBody,
  SearchQuery,
  SetUmaFaultsBody,
  UpdateWebhookEndpointBody,
} from "./api-types.ts";
import type * as Names from "./names.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import { secretPart } from "./request.ts";
import {
  type ExpandOptions,
  expanding,
  type ReadOptions,
  type RequestOptions,
} from "./transport.ts";

export function configCalls(send: Send) {
  return {
    get: (options?: ReadOptions) => send<"getConfig">({ method: "GET", path: ["config"] }, options),
    update: (body: Names.PlatformConfigChanges, options?: ReadOptions) =>
      send<"updateConfig">({ method: "PATCH", path: ["config"], body }, options),
  };
}

export function tokenCalls(send: Send) {
  return {
    create: (body: Names.NewToken, options?: RequestOptions) =>
      send<"createToken">({ method: "POST", path: ["tokens"], body }, options),
    list: (query?: Names.TokenQuery, options?: ReadOptions) =>
      list<"listTokens">(send, { method: "GET", path: ["tokens"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getToken">({ method: "GET", path: ["tokens", id] }, options),
    delete: (id: string, options?: ReadOptions) =>
      send<"deleteToken">({ method: "DELETE", path: ["tokens", id] }, options),
  };
}

export function customerCalls(send: Send) {
  return {
    create: (body: Names.NewCustomer, options?: RequestOptions) =>
      send<"createCustomer">({ method: "POST", path: ["customers"], body }, options),
    list: (query?: Names.CustomerQuery, options?: ReadOptions) =>
      list<"listCustomers">(send, { method: "GET", path: ["customers"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getCustomer">({ method: "GET", path: ["customers", id] }, options),
    update: (id: string, body: Names.CustomerChanges, options?: ReadOptions) =>
      send<"updateCustomer">({ method: "PATCH", path: ["customers", id], body }, options),
    delete: (id: string, options?: ReadOptions) =>
      send<"deleteCustomer">({ method: "DELETE", path: ["customers", id] }, options),
    freeze: (id: string, body: Names.NewFreeze, options?: RequestOptions) =>
      send<"freezeCustomer">({ method: "POST", path: ["customers", id, "freeze"], body }, options),
    unfreeze: (id: string, options?: RequestOptions) =>
      send<"unfreezeCustomer">({ method: "POST", path: ["customers", id, "unfreeze"] }, options),
    /** Verification links, which open pages for the customer. */
    createKycLink: (id: string, body: CreateKycLinkBody = {}, options?: RequestOptions) =>
      send<"createKycLink">({ method: "POST", path: ["customers", id, "kyc-link"], body }, options),
  };
}

export function beneficialOwnerCalls(send: Send) {
  return {
    create: (body: Names.NewBeneficialOwner, options?: RequestOptions) =>
      send<"createBeneficialOwner">({ method: "POST", path: ["beneficial-owners"], body }, options),
    list: (query: Names.BeneficialOwnerQuery, options?: ReadOptions) =>
      list<"listBeneficialOwners">(
        send,
        { method: "GET", path: ["beneficial-owners"], query },
        options,
      ),
    get: (id: string, options?: ReadOptions) =>
      send<"getBeneficialOwner">({ method: "GET", path: ["beneficial-owners", id] }, options),
    update: (id: string, body: Names.BeneficialOwnerChanges, options?: ReadOptions) =>
      send<"updateBeneficialOwner">(
        { method: "PATCH", path: ["beneficial-owners", id], body },
        options,
      ),
  };
}

export function verificationCalls(send: Send) {
  return {
    /** Submits a customer for verification; the answer's `errors` lists missing information. */
    create: (body: CreateVerificationBody, options?: RequestOptions) =>
      send<"createVerification">({ method: "POST", path: ["verifications"], body }, options),
    list: (query?: Names.VerificationQuery, options?: ReadOptions) =>
      list<"listVerifications">(send, { method: "GET", path: ["verifications"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getVerification">({ method: "GET", path: ["verifications", id] }, options),
    decide: (id: string, body: Names.VerificationDecision, options?: RequestOptions) =>
      send<"decideVerification">(
        { method: "POST", path: ["verifications", id, "decide"], body },
        options,
      ),
  };
}

export function discoveryCalls(send: Send) {
  return {
    list: (query?: Names.DiscoveryQuery, options?: ReadOptions) =>
      send<"listDiscoveries">(
        { method: "GET", path: ["discoveries"], query, isList: true },
        options,
      ),
  };
}

export function umaProviderCalls(send: Send) {
  return {
    list: (query?: Names.UmaProviderQuery, options?: ReadOptions) =>
      list<"listUmaProviders">(send, { method: "GET", path: ["uma-providers"], query }, options),
  };
}

export function invitationCalls(send: Send) {
  return {
    create: (body: Names.NewInvitation, options?: RequestOptions) =>
      send<"createInvitation">({ method: "POST", path: ["invitations"], body }, options),
    get: (code: string, options?: ReadOptions) =>
      send<"getInvitation">({ method: "GET", path: ["invitations", secretPart(code)] }, options),
    claim: (code: string, body: ClaimInvitationBody, options?: RequestOptions) =>
      send<"claimInvitation">(
        { method: "POST", path: ["invitations", secretPart(code), "claim"], body },
        options,
      ),
    cancel: (code: string, options?: RequestOptions) =>
      send<"cancelInvitation">(
        { method: "POST", path: ["invitations", secretPart(code), "cancel"] },
        options,
      ),
  };
}

export function transferCalls(send: Send) {
  return {
    create: (body: Names.BookTransfer, options?: RequestOptions) =>
      send<"createTransfer">({ method: "POST", path: ["transfers"], body }, options),
    out: (body: Names.TransferOut, options?: RequestOptions) =>
      send<"transferOut">({ method: "POST", path: ["transfer-out"], body }, options),
    in: (body: Names.TransferIn, options?: RequestOptions) =>
      send<"transferIn">({ method: "POST", path: ["transfer-in"], body }, options),
  };
}

export function holdCalls(send: Send) {
  return {
    create: (accountId: string, body: Names.NewHold, options?: RequestOptions) =>
      send<"createHold">(
        { method: "POST", path: ["internal-accounts", accountId, "holds"], body },
        options,
      ),
    list: (query?: Names.HoldQuery, options?: ReadOptions) =>
      list<"listHolds">(send, { method: "GET", path: ["holds"], query }, options),
    get: (id: string, { expand, ...options }: ExpandOptions = {}) =>
      send<"getHold">({ method: "GET", path: ["holds", id], ...expanding(expand) }, options),
    /** Answers the payer's transaction. */
    capture: (id: string, body: Names.HoldCapture, options?: RequestOptions) =>
      send<"captureHold">({ method: "POST", path: ["holds", id, "capture"], body }, options),
    release: (id: string, options?: RequestOptions) =>
      send<"releaseHold">({ method: "POST", path: ["holds", id, "release"] }, options),
  };
}

export function transactionCalls(send: Send) {
  return {
    list: (query?: Names.TransactionQuery, options?: ReadOptions) =>
      list<"listTransactions">(send, { method: "GET", path: ["transactions"], query }, options),
    get: (id: string, { expand, ...options }: ExpandOptions = {}) =>
      send<"getTransaction">(
        { method: "GET", path: ["transactions", id], ...expanding(expand) },
        options,
      ),
    /** Replaces the metadata; `{}` removes it. */
    update: (id: string, body: Names.TransactionChanges, options?: ReadOptions) =>
      send<"updateTransaction">({ method: "PATCH", path: ["transactions", id], body }, options),
    timeline: (id: string, { expand, ...options }: ExpandOptions = {}) =>
      send<"getTransactionTimeline">(
        { method: "GET", path: ["transactions", id, "timeline"], ...expanding(expand) },
        options,
      ),
    approve: (id: string, body?: Names.ApprovePayment, options?: RequestOptions) =>
      send<"approveTransaction">(
        { method: "POST", path: ["transactions", id, "approve"], body: body ?? {} },
        options,
      ),
    reject: (id: string, body?: Names.RejectPayment, options?: RequestOptions) =>
      send<"rejectTransaction">(
        { method: "POST", path: ["transactions", id, "reject"], body: body ?? {} },
        options,
      ),
    refund: (id: string, body: Names.RefundPayment, options?: RequestOptions) =>
      send<"refundTransaction">(
        { method: "POST", path: ["transactions", id, "refund"], body },
        options,
      ),
  };
}

export function receiverCalls(send: Send) {
  return {
    atUmaAddress: (umaAddress: string, query?: Names.PayerQuery, options?: ReadOptions) =>
      send<"lookupUmaReceiver">(
        { method: "GET", path: ["receiver", "uma", umaAddress], query },
        options,
      ),
    atExternalAccount: (accountId: string, query?: Names.PayerQuery, options?: ReadOptions) =>
      send<"lookupExternalAccountReceiver">(
        { method: "GET", path: ["receiver", "external-account", accountId], query },
        options,
      ),
  };
}

export function sandboxCalls(send: Send) {
  return {
    fund: (accountId: string, body: FundInternalAccountBody, options?: RequestOptions) =>
      send<"fundInternalAccount">(
        { method: "POST", path: ["sandbox", "internal-accounts", accountId, "fund"], body },
        options,
      ),
    /** Simulates the funding of a quote. Without an amount, the quote's total is paid in. */
    send: (body: Names.SandboxSend, options?: RequestOptions) =>
      send<"sendSandboxFunds">({ method: "POST", path: ["sandbox", "send"], body }, options),
    receiveUmaPayment: (body: Names.AnnouncedUmaPayment, options?: RequestOptions) =>
      send<"receiveUmaPayment">(
        { method: "POST", path: ["sandbox", "uma", "receive"], body },
        options,
      ),
    /** Books what arrives for the invoice of an incoming payment from another sandbox. */
    payUmaInvoice: (transactionId: string, body: PayUmaInvoiceBody, options?: RequestOptions) =>
      send<"payUmaInvoice">(
        { method: "POST", path: ["sandbox", "uma", "invoices", transactionId, "pay"], body },
        options,
      ),
    umaFaults: (options?: ReadOptions) =>
      send<"getUmaFaults">({ method: "GET", path: ["sandbox", "uma", "faults"] }, options),
    /** The next answers to other institutions have the fault. */
    setUmaFaults: (body: SetUmaFaultsBody, options?: ReadOptions) =>
      send<"setUmaFaults">({ method: "PUT", path: ["sandbox", "uma", "faults"], body }, options),
    advanceClock: (body: AdvanceClockBody, options?: RequestOptions) =>
      send<"advanceClock">(
        { method: "POST", path: ["sandbox", "clock", "advance"], body },
        options,
      ),
    clock: (options?: ReadOptions) =>
      send<"getClock">({ method: "GET", path: ["sandbox", "clock"] }, options),
    testWebhook: (options?: ReadOptions) =>
      send<"testWebhook">({ method: "POST", path: ["sandbox", "webhooks", "test"] }, options),
  };
}

export function eventCalls(send: Send) {
  return {
    list: (query?: Names.EventQuery, options?: ReadOptions) =>
      list<"listEvents">(send, { method: "GET", path: ["events"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getEvent">({ method: "GET", path: ["events", id] }, options),
    /** Makes one more delivery attempt to each endpoint that subscribes to the event, or to one endpoint. */
    resend: (id: string, body: ResendEventBody = {}, options?: RequestOptions) =>
      send<"resendEvent">({ method: "POST", path: ["events", id, "resend"], body }, options),
    /** Orders one more delivery of all events that match a filter; `getResend` returns the progress. */
    resendMany: (body: ResendEventsBody, options?: RequestOptions) =>
      send<"resendEvents">({ method: "POST", path: ["events", "resend"], body }, options),
    getResend: (id: string, options?: ReadOptions) =>
      send<"getEventResend">({ method: "GET", path: ["event-resends", id] }, options),
    cancelResend: (id: string, options?: ReadOptions) =>
      send<"cancelEventResend">({ method: "DELETE", path: ["event-resends", id] }, options),
  };
}

export function exportCalls(send: Send) {
  return {
    create: (body: Names.NewExport, options?: RequestOptions) =>
      send<"createExport">({ method: "POST", path: ["exports"], body }, options),
    list: (query?: Names.ExportQuery, options?: ReadOptions) =>
      list<"listExports">(send, { method: "GET", path: ["exports"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getExport">({ method: "GET", path: ["exports", id] }, options),
  };
}

export function statementCalls(send: Send) {
  return {
    create: (body: Names.NewStatement, options?: RequestOptions) =>
      send<"createStatement">({ method: "POST", path: ["statements"], body }, options),
    list: (query?: Names.StatementQuery, options?: ReadOptions) =>
      list<"listStatements">(send, { method: "GET", path: ["statements"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getStatement">({ method: "GET", path: ["statements", id] }, options),
  };
}

export function searchCall(send: Send) {
  return (query: SearchQuery, options?: ReadOptions) =>
    send<"search">({ method: "GET", path: ["search"], query }, options);
}

export function ledgerCalls(send: Send) {
  return {
    accounts: (query?: Names.LedgerAccountQuery, options?: ReadOptions) =>
      list<"listLedgerAccounts">(
        send,
        { method: "GET", path: ["ledger", "accounts"], query },
        options,
      ),
    entries: (accountId: string, query?: Names.LedgerEntryQuery, options?: ReadOptions) =>
      list<"listLedgerEntries">(
        send,
        { method: "GET", path: ["ledger", "accounts", accountId, "entries"], query },
        options,
      ),
    postings: (query?: Names.PostingQuery, options?: ReadOptions) =>
      list<"listPostings">(send, { method: "GET", path: ["ledger", "postings"], query }, options),
    posting: (id: string, options?: ReadOptions) =>
      send<"getPosting">({ method: "GET", path: ["ledger", "postings", id] }, options),
    balances: (query?: Names.LedgerBalanceQuery, options?: ReadOptions) =>
      send<"getLedgerBalances">({ method: "GET", path: ["ledger", "balances"], query }, options),
    trialBalance: (query?: Names.TrialBalanceQuery, options?: ReadOptions) =>
      send<"getTrialBalance">({ method: "GET", path: ["ledger", "trial-balance"], query }, options),
    command: (seq: string, options?: ReadOptions) =>
      send<"getLedgerCommand">({ method: "GET", path: ["ledger", "commands", seq] }, options),
    proof: (seq: string, options?: ReadOptions) =>
      send<"getCommandProof">(
        { method: "GET", path: ["ledger", "commands", seq, "proof"] },
        options,
      ),
    chain: (query: Names.ChainQuery, options?: ReadOptions) =>
      send<"getChain">({ method: "GET", path: ["ledger", "chain"], query }, options),
    checkpoints: (query?: Names.CheckpointQuery, options?: ReadOptions) =>
      list<"listCheckpoints">(
        send,
        { method: "GET", path: ["ledger", "checkpoints"], query },
        options,
      ),
    createCheckpoint: (options?: RequestOptions) =>
      send<"createCheckpoint">({ method: "POST", path: ["ledger", "checkpoints"] }, options),
  };
}

export function requestLogCalls(send: Send) {
  return {
    list: (query?: Names.RequestLogQuery, options?: ReadOptions) =>
      list<"listRequestLogs">(send, { method: "GET", path: ["request-logs"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getRequestLog">({ method: "GET", path: ["request-logs", id] }, options),
  };
}

export function auditCalls(send: Send) {
  return {
    list: (query?: Names.AuditQuery, options?: ReadOptions) =>
      list<"listAuditEntries">(send, { method: "GET", path: ["audit-entries"], query }, options),
    people: (query?: Names.PeopleQuery, options?: ReadOptions) =>
      list<"listPeople">(send, { method: "GET", path: ["people"], query }, options),
  };
}

export function webhookCalls(send: Send) {
  return {
    publicKey: (options?: ReadOptions) =>
      send<"getWebhookPublicKey">({ method: "GET", path: ["webhooks", "public-key"] }, options),
    rotateKey: (body: RotateWebhookKeyBody = {}, options?: RequestOptions) =>
      send<"rotateWebhookKey">(
        { method: "POST", path: ["webhooks", "public-key", "rotate"], body },
        options,
      ),
    listDeliveries: (query?: ListWebhookDeliveriesQuery, options?: ReadOptions) =>
      list<"listWebhookDeliveries">(
        send,
        { method: "GET", path: ["webhook-deliveries"], query },
        options,
      ),
    getDelivery: (id: string, options?: ReadOptions) =>
      send<"getWebhookDelivery">({ method: "GET", path: ["webhook-deliveries", id] }, options),
    listAttempts: (id: string, query?: ListDeliveryAttemptsQuery, options?: ReadOptions) =>
      list<"listDeliveryAttempts">(
        send,
        { method: "GET", path: ["webhook-deliveries", id, "attempts"], query },
        options,
      ),
    retryDelivery: (id: string, options?: RequestOptions) =>
      send<"retryWebhookDelivery">(
        { method: "POST", path: ["webhook-deliveries", id, "retry"] },
        options,
      ),
    listEndpoints: (query?: ListWebhookEndpointsQuery, options?: ReadOptions) =>
      list<"listWebhookEndpoints">(
        send,
        { method: "GET", path: ["webhook-endpoints"], query },
        options,
      ),
    createEndpoint: (body: CreateWebhookEndpointBody, options?: RequestOptions) =>
      send<"createWebhookEndpoint">({ method: "POST", path: ["webhook-endpoints"], body }, options),
    getEndpoint: (id: string, options?: ReadOptions) =>
      send<"getWebhookEndpoint">({ method: "GET", path: ["webhook-endpoints", id] }, options),
    updateEndpoint: (id: string, body: UpdateWebhookEndpointBody, options?: ReadOptions) =>
      send<"updateWebhookEndpoint">(
        { method: "PATCH", path: ["webhook-endpoints", id], body },
        options,
      ),
    deleteEndpoint: (id: string, options?: ReadOptions) =>
      send<"deleteWebhookEndpoint">({ method: "DELETE", path: ["webhook-endpoints", id] }, options),
    rotateEndpointKey: (
      id: string,
      body: RotateWebhookEndpointKeyBody = {},
      options?: RequestOptions,
    ) =>
      send<"rotateWebhookEndpointKey">(
        { method: "POST", path: ["webhook-endpoints", id, "rotate-key"], body },
        options,
      ),
    testEndpoint: (id: string, options?: ReadOptions) =>
      send<"testWebhookEndpoint">(
        { method: "POST", path: ["webhook-endpoints", id, "test"] },
        options,
      ),
  };
}
