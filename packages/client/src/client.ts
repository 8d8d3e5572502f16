import { externalAccountCalls, internalAccountCalls } from "./account-calls.ts";
import { agentCalls, ownCalls } from "./agent-calls.ts";
import { adjustmentCalls, approvalCalls } from "./approval-calls.ts";
import { paymentBatchCalls } from "./batch-calls.ts";
import {
  auditCalls,
  beneficialOwnerCalls,
  configCalls,
  customerCalls,
  discoveryCalls,
  eventCalls,
  exportCalls,
  holdCalls,
  invitationCalls,
  ledgerCalls,
  receiverCalls,
  requestLogCalls,
  sandboxCalls,
  searchCall,
  statementCalls,
  tokenCalls,
  transactionCalls,
  transferCalls,
  umaProviderCalls,
  verificationCalls,
  webhookCalls,
} from "./calls.ts";
import { bulkCustomerCalls, documentCalls } from "./document-calls.ts";
import { dryRunCalls } from "./dry-run-calls.ts";
import { sleep } from "./host.ts";
import type { Send } from "./operations.ts";
import { quoteCalls, rateCalls } from "./quote-calls.ts";
import {
  railBookCalls,
  railConnectionCalls,
  railEntryCalls,
  railItemCalls,
  railMarkCalls,
  railPaymentCalls,
  railRouteCalls,
  receivableCalls,
} from "./rail-calls.ts";
import { fxCalls, pricingCalls, rateSourceCalls } from "./rate-calls.ts";
import { secretPart } from "./request.ts";
import { paymentScheduleCalls } from "./schedule-calls.ts";
import { createTransport, type Fetch, type RequestOptions, type RetryNotice } from "./transport.ts";
import {
  umaCounterpartyCalls,
  umaDomainCalls,
  umaExchangeCalls,
  umaPaymentCalls,
  umaPolicyCalls,
} from "./uma-calls.ts";
import { umaKeyCalls } from "./uma-key-calls.ts";
import { credentialCalls, sessionCalls, walletCalls } from "./wallet-calls.ts";

/** Connection settings of the clients for a platform and for an agent. */
export interface ConnectionSettings {
  /** With the version segment: `http://127.0.0.1:8080/2025-10-13`. */
  readonly baseUrl: string;
  /** The global `fetch` when absent. */
  readonly fetch?: Fetch;
  /** The number of retries; 2 when absent. */
  readonly retries?: number;
  readonly onRetry?: (notice: RetryNotice) => void;
  /**
   * Has the server refuse a body with a field that it does not know, instead of ignoring the field; `true` when absent. Turn
   * it off to call a server that is older than the fields that you send.
   */
  readonly strict?: boolean;
  /** Replaces the pause between tries. */
  readonly sleep?: (delayMs: number, signal?: AbortSignal) => Promise<void>;
}

export interface ClientSettings extends ConnectionSettings {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface AgentClientSettings extends ConnectionSettings {
  readonly accessToken: string;
}

export type Client = ReturnType<typeof createClient>;
export type AgentClient = ReturnType<typeof createAgentClient>;

/** All calls of a platform, grouped by resource. */
export function createClient(settings: ClientSettings) {
  const { clientId, clientSecret } = settings;
  const send = transportFor(settings, basicAuthorization(clientId, clientSecret));
  return {
    config: configCalls(send),
    tokens: tokenCalls(send),
    customers: customerCalls(send),
    beneficialOwners: beneficialOwnerCalls(send),
    verifications: verificationCalls(send),
    bulkCustomers: bulkCustomerCalls(send),
    documents: documentCalls(send),
    internalAccounts: internalAccountCalls(send),
    externalAccounts: externalAccountCalls(send),
    discoveries: discoveryCalls(send),
    umaProviders: umaProviderCalls(send),
    umaKeys: umaKeyCalls(send),
    umaDomains: umaDomainCalls(send),
    umaPolicy: umaPolicyCalls(send),
    umaCounterparties: umaCounterpartyCalls(send),
    umaExchanges: umaExchangeCalls(send),
    umaPayments: umaPaymentCalls(send),
    invitations: invitationCalls(send),
    transfers: transferCalls(send),
    holds: holdCalls(send),
    dryRuns: dryRunCalls(send),
    paymentSchedules: paymentScheduleCalls(send),
    rates: rateCalls(send),
    railConnections: railConnectionCalls(send),
    railBooks: railBookCalls(send),
    railMarks: railMarkCalls(send),
    receivables: receivableCalls(send),
    railRoutes: railRouteCalls(send),
    railPayments: railPaymentCalls(send),
    railEntries: railEntryCalls(send),
    railItems: railItemCalls(send),
    rateSources: rateSourceCalls(send),
    pricing: pricingCalls(send),
    fx: fxCalls(send),
    approvals: approvalCalls(send),
    adjustments: adjustmentCalls(send),
    quotes: quoteCalls(send),
    paymentBatches: paymentBatchCalls(send),
    transactions: transactionCalls(send),
    receivers: receiverCalls(send),
    agents: agentCalls(send),
    credentials: credentialCalls(send),
    sessions: sessionCalls(send),
    wallets: walletCalls(send),
    sandbox: sandboxCalls(send),
    webhooks: webhookCalls(send),
    events: eventCalls(send),
    ledger: ledgerCalls(send),
    search: searchCall(send),
    statements: statementCalls(send),
    exports: exportCalls(send),
    requestLogs: requestLogCalls(send),
    auditEntries: auditCalls(send),
  };
}

/** All calls of an agent. */
export function createAgentClient(settings: AgentClientSettings) {
  return ownCalls(transportFor(settings, bearerAuthorization(settings.accessToken)));
}

/** Exchanges a device code for an access token. The code works once; a call without an answer is retried under its key. */
export function redeemDeviceCode(
  settings: ConnectionSettings,
  code: string,
  options?: RequestOptions,
) {
  const send = transportFor(settings, undefined);
  return send<"redeemAgentDeviceCode">(
    { method: "POST", path: ["agents", "device-codes", secretPart(code), "redeem"] },
    options,
  );
}

function transportFor(settings: ConnectionSettings, authorization: string | undefined): Send {
  return createTransport({
    baseUrl: readBaseUrl(settings.baseUrl),
    authorization,
    isStrict: settings.strict ?? true,
    fetch: settings.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    retries: readRetries(settings.retries ?? 2),
    onRetry: settings.onRetry,
    sleep: settings.sleep ?? sleep,
  });
}

function readBaseUrl(text: string): string {
  const url = new URL(text);
  const isPlain =
    url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!/^https?:$/.test(url.protocol) || !isPlain) {
    throw new TypeError("baseUrl must be an http or https URL without user, query or fragment");
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, "");
}

function readRetries(retries: number): number {
  if (!Number.isInteger(retries) || retries < 0) {
    throw new TypeError("retries must be a whole number, 0 or more");
  }
  return retries;
}

/** The errors omit the value, which may be a secret. A common fault is the line break at the end of a file. */
function basicAuthorization(clientId: string, clientSecret: string): string {
  if (!isPlainText(clientId) || clientId === "" || clientId.includes(":")) {
    throw new TypeError("clientId must not be empty and holds no colon and no control characters");
  }
  if (!isPlainText(clientSecret)) {
    throw new TypeError("clientSecret must be a text without control characters");
  }
  const bytes = new TextEncoder().encode(`${clientId}:${clientSecret}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** Checked here, because the error of `fetch` would contain an invalid value. */
function bearerAuthorization(accessToken: string): string {
  if (typeof accessToken !== "string" || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw new TypeError(
      "accessToken must be visible ASCII characters, without a space or line end",
    );
  }
  return `Bearer ${accessToken}`;
}

function isPlainText(text: string): boolean {
  return typeof text === "string" && !/\p{Cc}/u.test(text);
}
