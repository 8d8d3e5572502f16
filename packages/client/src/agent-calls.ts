import type { AgentPolicyChanges, RejectAgentActionBody } from "./api-types.ts";
import { ownDryRunCalls } from "./dry-run-calls.ts";
import type * as Names from "./names.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import { type ExecuteOptions, stampHeaders } from "./quote-calls.ts";
import { secretPart } from "./request.ts";
import type { ReadOptions, RequestOptions } from "./transport.ts";

/** Calls of a platform that manage its agents. */
export function agentCalls(send: Send) {
  return {
    create: (body: Names.NewAgent, options?: RequestOptions) =>
      send<"createAgent">({ method: "POST", path: ["agents"], body }, options),
    list: (query?: Names.AgentQuery, options?: ReadOptions) =>
      list<"listAgents">(send, { method: "GET", path: ["agents"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getAgent">({ method: "GET", path: ["agents", id] }, options),
    update: (id: string, body: Names.AgentChanges, options?: ReadOptions) =>
      send<"updateAgent">({ method: "PATCH", path: ["agents", id], body }, options),
    delete: (id: string, options?: ReadOptions) =>
      send<"deleteAgent">({ method: "DELETE", path: ["agents", id] }, options),
    updatePolicy: (id: string, body: AgentPolicyChanges, options?: ReadOptions) =>
      send<"updateAgentPolicy">({ method: "PATCH", path: ["agents", id, "policy"], body }, options),
    /** Judges the orders of the last 30 days by the changed policy. Changes nothing. */
    previewPolicy: (id: string, body: AgentPolicyChanges, options?: ReadOptions) =>
      send<"previewAgentPolicy">(
        { method: "POST", path: ["agents", id, "policy", "preview"], body },
        options,
      ),
    listActions: (id: string, query?: Names.AgentActionQuery, options?: ReadOptions) =>
      list<"listAgentActions">(
        send,
        { method: "GET", path: ["agents", id, "actions"], query },
        options,
      ),
    createDeviceCode: (id: string, options?: RequestOptions) =>
      send<"createAgentDeviceCode">(
        { method: "POST", path: ["agents", id, "device-codes"] },
        options,
      ),
    deviceCodeStatus: (code: string, options?: ReadOptions) =>
      send<"getAgentDeviceCodeStatus">(
        { method: "GET", path: ["agents", "device-codes", secretPart(code), "status"] },
        options,
      ),
    listApprovals: (query?: Names.AgentApprovalQuery, options?: ReadOptions) =>
      list<"listAgentApprovals">(
        send,
        { method: "GET", path: ["agents", "approvals"], query },
        options,
      ),
    approve: (agentId: string, actionId: string, options?: RequestOptions) =>
      send<"approveAgentAction">(
        { method: "POST", path: ["agents", agentId, "actions", actionId, "approve"] },
        options,
      ),
    reject: (
      agentId: string,
      actionId: string,
      body: RejectAgentActionBody = {},
      options?: RequestOptions,
    ) =>
      send<"rejectAgentAction">(
        { method: "POST", path: ["agents", agentId, "actions", actionId, "reject"], body },
        options,
      ),
  };
}

const ME = ["agents", "me"] as const;

/** Calls of an agent, for its customer and within its policy. */
export function ownCalls(send: Send) {
  return {
    me: (options?: ReadOptions) => send<"agentMe">({ method: "GET", path: ME }, options),
    listActions: (query?: Names.AgentActionQuery, options?: ReadOptions) =>
      list<"agentListActions">(send, { method: "GET", path: [...ME, "actions"], query }, options),
    getAction: (id: string, options?: ReadOptions) =>
      send<"agentGetAction">({ method: "GET", path: [...ME, "actions", id] }, options),
    listInternalAccounts: (query?: Names.AgentAccountQuery, options?: ReadOptions) =>
      list<"agentListInternalAccounts">(
        send,
        { method: "GET", path: [...ME, "internal-accounts"], query },
        options,
      ),
    listTransactions: (query?: Names.AgentTransactionQuery, options?: ReadOptions) =>
      list<"agentListTransactions">(
        send,
        { method: "GET", path: [...ME, "transactions"], query },
        options,
      ),
    getTransaction: (id: string, options?: ReadOptions) =>
      send<"agentGetTransaction">({ method: "GET", path: [...ME, "transactions", id] }, options),
    createQuote: (body: Names.NewQuote, options?: RequestOptions) =>
      send<"agentCreateQuote">({ method: "POST", path: [...ME, "quotes"], body }, options),
    getQuote: (id: string, options?: ReadOptions) =>
      send<"agentGetQuote">({ method: "GET", path: [...ME, "quotes", id] }, options),
    executeQuote: (id: string, { walletSignature, ...options }: ExecuteOptions = {}) => {
      const headers = stampHeaders(walletSignature);
      return send<"agentExecuteQuote">(
        { method: "POST", path: [...ME, "quotes", id, "execute"], headers },
        options,
      );
    },
    transferOut: (body: Names.AgentTransferOut, options?: RequestOptions) =>
      send<"agentTransferOut">({ method: "POST", path: [...ME, "transfer-out"], body }, options),
    transferIn: (body: Names.AgentTransferIn, options?: RequestOptions) =>
      send<"agentTransferIn">({ method: "POST", path: [...ME, "transfer-in"], body }, options),
    dryRuns: ownDryRunCalls(send),
    listExternalAccounts: (query?: Names.PlatformExternalAccountQuery, options?: ReadOptions) =>
      list<"agentListExternalAccounts">(
        send,
        { method: "GET", path: [...ME, "external-accounts"], query },
        options,
      ),
    createExternalAccount: (body: Names.NewAgentExternalAccount, options?: RequestOptions) =>
      send<"agentCreateExternalAccount">(
        { method: "POST", path: [...ME, "external-accounts"], body },
        options,
      ),
    getExternalAccount: (id: string, options?: ReadOptions) =>
      send<"agentGetExternalAccount">(
        { method: "GET", path: [...ME, "external-accounts", id] },
        options,
      ),
    deleteExternalAccount: (id: string, options?: ReadOptions) =>
      send<"agentDeleteExternalAccount">(
        { method: "DELETE", path: [...ME, "external-accounts", id] },
        options,
      ),
  };
}
