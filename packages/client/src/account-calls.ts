import type * as Names from "./names.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import type { ReadOptions, RequestOptions } from "./transport.ts";

export function internalAccountCalls(send: Send) {
  return {
    /** Opens an account beside the default one of the customer, or of the platform. */
    create: (body: Names.NewInternalAccount, options?: RequestOptions) =>
      send<"createInternalAccount">({ method: "POST", path: ["internal-accounts"], body }, options),
    update: (id: string, body: Names.InternalAccountChanges, options?: ReadOptions) =>
      send<"updateInternalAccount">(
        { method: "PATCH", path: ["internal-accounts", id], body },
        options,
      ),
    close: (id: string, options?: RequestOptions) =>
      send<"closeInternalAccount">(
        { method: "POST", path: ["internal-accounts", id, "close"] },
        options,
      ),
    /** Without `at`: now. */
    balance: (id: string, query?: Names.BalanceQuery, options?: ReadOptions) =>
      send<"getInternalAccountBalance">(
        { method: "GET", path: ["internal-accounts", id, "balance"], query },
        options,
      ),
    requestFunding: (id: string, options?: RequestOptions) =>
      send<"requestFundingInstructions">(
        { method: "POST", path: ["internal-accounts", id, "funding-instructions"] },
        options,
      ),
    /** An alert sends one event when the balance goes beyond its amount, and the next one only after the balance was back. */
    createAlert: (id: string, body: Names.NewBalanceAlert, options?: RequestOptions) =>
      send<"createBalanceAlert">(
        { method: "POST", path: ["internal-accounts", id, "alerts"], body },
        options,
      ),
    alerts: (id: string, query?: Names.BalanceAlertQuery, options?: ReadOptions) =>
      list<"listBalanceAlerts">(
        send,
        { method: "GET", path: ["internal-accounts", id, "alerts"], query },
        options,
      ),
    deleteAlert: (id: string, alertId: string, options?: ReadOptions) =>
      send<"deleteBalanceAlert">(
        { method: "DELETE", path: ["internal-accounts", id, "alerts", alertId] },
        options,
      ),
    freeze: (id: string, body: Names.NewFreeze, options?: RequestOptions) =>
      send<"freezeInternalAccount">(
        { method: "POST", path: ["internal-accounts", id, "freeze"], body },
        options,
      ),
    unfreeze: (id: string, options?: RequestOptions) =>
      send<"unfreezeInternalAccount">(
        { method: "POST", path: ["internal-accounts", id, "unfreeze"] },
        options,
      ),
    listForCustomers: (query?: Names.InternalAccountQuery, options?: ReadOptions) =>
      list<"listCustomerInternalAccounts">(
        send,
        { method: "GET", path: ["customers", "internal-accounts"], query },
        options,
      ),
    listForPlatform: (query?: Names.PlatformInternalAccountQuery, options?: ReadOptions) =>
      list<"listPlatformInternalAccounts">(
        send,
        { method: "GET", path: ["platform", "internal-accounts"], query },
        options,
      ),
    get: (id: string, options?: ReadOptions) =>
      send<"getInternalAccount">({ method: "GET", path: ["internal-accounts", id] }, options),
  };
}

export function externalAccountCalls(send: Send) {
  const customers = ["customers", "external-accounts"] as const;
  const platform = ["platform", "external-accounts"] as const;
  return {
    createForCustomer: (body: Names.NewExternalAccount, options?: RequestOptions) =>
      send<"createCustomerExternalAccount">({ method: "POST", path: customers, body }, options),
    listForCustomers: (query?: Names.ExternalAccountQuery, options?: ReadOptions) =>
      list<"listCustomerExternalAccounts">(
        send,
        { method: "GET", path: customers, query },
        options,
      ),
    getForCustomer: (id: string, options?: ReadOptions) =>
      send<"getCustomerExternalAccount">({ method: "GET", path: [...customers, id] }, options),
    deleteForCustomer: (id: string, options?: ReadOptions) =>
      send<"deleteCustomerExternalAccount">(
        { method: "DELETE", path: [...customers, id] },
        options,
      ),
    createForPlatform: (body: Names.NewPlatformExternalAccount, options?: RequestOptions) =>
      send<"createPlatformExternalAccount">({ method: "POST", path: platform, body }, options),
    listForPlatform: (query?: Names.PlatformExternalAccountQuery, options?: ReadOptions) =>
      list<"listPlatformExternalAccounts">(send, { method: "GET", path: platform, query }, options),
    getForPlatform: (id: string, options?: ReadOptions) =>
      send<"getPlatformExternalAccount">({ method: "GET", path: [...platform, id] }, options),
    deleteForPlatform: (id: string, options?: ReadOptions) =>
      send<"deletePlatformExternalAccount">({ method: "DELETE", path: [...platform, id] }, options),
  };
}
