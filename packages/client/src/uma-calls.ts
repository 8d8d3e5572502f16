import type {
  AcceptUmaCounterpartyKeyBody,
  ListUmaCounterpartiesQuery,
  ListUmaDomainsQuery,
  ListUmaExchangesQuery,
  SetUmaCounterpartyBody,
  SetUmaPolicyBody,
  UpdateUmaDomainBody,
} from "./api-types.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import type { ReadOptions, RequestOptions } from "./transport.ts";

export function umaDomainCalls(send: Send) {
  const path = ["uma", "domains"] as const;
  return {
    list: (query?: ListUmaDomainsQuery, options?: ReadOptions) =>
      list<"listUmaDomains">(send, { method: "GET", path, query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getUmaDomain">({ method: "GET", path: [...path, id] }, options),
    update: (id: string, body: UpdateUmaDomainBody, options?: ReadOptions) =>
      send<"updateUmaDomain">({ method: "PATCH", path: [...path, id], body }, options),
    /** Asks the domain from outside; takes some seconds. */
    check: (id: string, options?: RequestOptions) =>
      send<"checkUmaDomain">({ method: "POST", path: [...path, id, "check"] }, options),
  };
}

/** What the platform wants of other institutions. */
export function umaPolicyCalls(send: Send) {
  const path = ["uma", "policy"] as const;
  return {
    get: (options?: ReadOptions) => send<"getUmaPolicy">({ method: "GET", path }, options),
    /** Replaces all of it. */
    set: (body: SetUmaPolicyBody, options?: ReadOptions) =>
      send<"setUmaPolicy">({ method: "PUT", path, body }, options),
  };
}

/** Other institutions, by their domains. */
export function umaCounterpartyCalls(send: Send) {
  const path = ["uma", "counterparties"] as const;
  return {
    list: (query?: ListUmaCounterpartiesQuery, options?: ReadOptions) =>
      list<"listUmaCounterparties">(send, { method: "GET", path, query }, options),
    set: (domain: string, body: SetUmaCounterpartyBody, options?: ReadOptions) =>
      send<"setUmaCounterparty">({ method: "PUT", path: [...path, domain], body }, options),
    /** Accepts the key that a counterparty has now, where keys are pinned. */
    acceptKey: (
      domain: string,
      body: AcceptUmaCounterpartyKeyBody = {},
      options?: RequestOptions,
    ) =>
      send<"acceptUmaCounterpartyKey">(
        { method: "POST", path: [...path, domain, "accept-key"], body },
        options,
      ),
  };
}

/** What was exchanged with other institutions in the last 30 days. */
export function umaExchangeCalls(send: Send) {
  const path = ["uma", "exchanges"] as const;
  return {
    list: (query?: ListUmaExchangesQuery, options?: ReadOptions) =>
      list<"listUmaExchanges">(send, { method: "GET", path, query }, options),
  };
}

/** What UMA says of payments of other institutions. */
export function umaPaymentCalls(send: Send) {
  return {
    get: (transactionId: string, options?: ReadOptions) =>
      send<"getUmaPayment">({ method: "GET", path: ["uma", "payments", transactionId] }, options),
    /** What the payer's institution has told under the travel rule. Each read is in the audit log. */
    travelRule: (transactionId: string, options?: ReadOptions) =>
      send<"getUmaTravelRule">(
        { method: "GET", path: ["uma", "payments", transactionId, "travel-rule"] },
        options,
      ),
  };
}
