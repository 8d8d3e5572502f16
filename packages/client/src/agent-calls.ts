import type {
  InternalAccount,
  InternalAccountType,
  PlatformExternalAccountQuery,
} from "./account-types.ts";
import type {
  Agent,
  AgentAction,
  AgentActionQuery,
  AgentApprovalQuery,
  AgentChanges,
  AgentDeviceCode,
  AgentExternalAccount,
  AgentPolicyChanges,
  AgentQuery,
  AgentTransactionQuery,
  AgentTransferIn,
  AgentTransferOut,
  CreatedAgent,
  DeviceCodeStatus,
  NewAgent,
  NewAgentExternalAccount,
} from "./agent-types.ts";
import { list } from "./calls.ts";
import { type ExecuteOptions, executionOf } from "./quote-calls.ts";
import type { NewQuote, Quote } from "./quote-types.ts";
import { secretPart } from "./request.ts";
import type { Transaction } from "./transaction-types.ts";
import type { ReadOptions, RequestOptions, Send } from "./transport.ts";
import type { PageQuery } from "./types.ts";

/** What a platform does about its agents. */
export function agentCalls(send: Send) {
  const action = (agentId: string, actionId: string, word: string) => [
    "agents",
    agentId,
    "actions",
    actionId,
    word,
  ];
  return {
    create: (body: NewAgent, options?: RequestOptions): Promise<CreatedAgent> =>
      send({ method: "POST", path: ["agents"], body }, options),
    list: (query?: AgentQuery, options?: ReadOptions) =>
      list<Agent>(send, { path: ["agents"], query, options }),
    get: (id: string, options?: ReadOptions): Promise<Agent> =>
      send({ method: "GET", path: ["agents", id] }, options),
    update: (id: string, body: AgentChanges, options?: ReadOptions): Promise<Agent> =>
      send({ method: "PATCH", path: ["agents", id], body }, options),
    delete: (id: string, options?: ReadOptions): Promise<void> =>
      send({ method: "DELETE", path: ["agents", id] }, options),
    updatePolicy: (id: string, body: AgentPolicyChanges, options?: ReadOptions): Promise<Agent> =>
      send({ method: "PATCH", path: ["agents", id, "policy"], body }, options),
    createDeviceCode: (id: string, options?: RequestOptions): Promise<AgentDeviceCode> =>
      send({ method: "POST", path: ["agents", id, "device-codes"] }, options),
    deviceCodeStatus: (code: string, options?: ReadOptions): Promise<DeviceCodeStatus> =>
      send(
        { method: "GET", path: ["agents", "device-codes", secretPart(code), "status"] },
        options,
      ),
    listApprovals: (query?: AgentApprovalQuery, options?: ReadOptions) =>
      list<AgentAction>(send, { path: ["agents", "approvals"], query, options }),
    approve: (agentId: string, actionId: string, options?: RequestOptions): Promise<AgentAction> =>
      send({ method: "POST", path: action(agentId, actionId, "approve") }, options),
    reject: (
      agentId: string,
      actionId: string,
      body: { readonly reason?: string } = {},
      options?: RequestOptions,
    ): Promise<AgentAction> =>
      send({ method: "POST", path: action(agentId, actionId, "reject"), body }, options),
  };
}

export interface AgentAccountQuery extends PageQuery {
  readonly currency?: string;
  readonly type?: InternalAccountType;
}

/** What an agent itself can do, for its customer and within its policy. */
export function ownCalls(send: Send) {
  const me = (...rest: readonly string[]) => ["agents", "me", ...rest];
  return {
    me: (options?: ReadOptions): Promise<Agent> => send({ method: "GET", path: me() }, options),
    listActions: (query?: AgentActionQuery, options?: ReadOptions) =>
      list<AgentAction>(send, { path: me("actions"), query, options }),
    getAction: (id: string, options?: ReadOptions): Promise<AgentAction> =>
      send({ method: "GET", path: me("actions", id) }, options),
    listInternalAccounts: (query?: AgentAccountQuery, options?: ReadOptions) =>
      list<InternalAccount>(send, { path: me("internal-accounts"), query, options }),
    listTransactions: (query?: AgentTransactionQuery, options?: ReadOptions) =>
      list<Transaction>(send, { path: me("transactions"), query, options }),
    getTransaction: (id: string, options?: ReadOptions): Promise<Transaction> =>
      send({ method: "GET", path: me("transactions", id) }, options),
    createQuote: (body: NewQuote, options?: RequestOptions): Promise<Quote> =>
      send({ method: "POST", path: me("quotes"), body }, options),
    getQuote: (id: string, options?: ReadOptions): Promise<Quote> =>
      send({ method: "GET", path: me("quotes", id) }, options),
    executeQuote: (id: string, options: ExecuteOptions = {}): Promise<AgentAction> => {
      const { walletSignature, ...rest } = options;
      return send(executionOf(me("quotes", id), walletSignature), rest);
    },
    transferOut: (body: AgentTransferOut, options?: RequestOptions): Promise<AgentAction> =>
      send({ method: "POST", path: me("transfer-out"), body }, options),
    transferIn: (body: AgentTransferIn, options?: RequestOptions): Promise<AgentAction> =>
      send({ method: "POST", path: me("transfer-in"), body }, options),
    listExternalAccounts: (query?: PlatformExternalAccountQuery, options?: ReadOptions) =>
      list<AgentExternalAccount>(send, { path: me("external-accounts"), query, options }),
    createExternalAccount: (
      body: NewAgentExternalAccount,
      options?: RequestOptions,
    ): Promise<AgentExternalAccount> =>
      send({ method: "POST", path: me("external-accounts"), body }, options),
    getExternalAccount: (id: string, options?: ReadOptions): Promise<AgentExternalAccount> =>
      send({ method: "GET", path: me("external-accounts", id) }, options),
    deleteExternalAccount: (id: string, options?: ReadOptions): Promise<void> =>
      send({ method: "DELETE", path: me("external-accounts", id) }, options),
  };
}
