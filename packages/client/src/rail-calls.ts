import type * as Api from "./api-types.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import {
  type ExpandOptions,
  expanding,
  type ReadOptions,
  type RequestOptions,
} from "./transport.ts";

/** Connections to banks and providers. */
export function railConnectionCalls(send: Send) {
  return {
    create: (body: Api.CreateRailConnectionBody, options?: RequestOptions) =>
      send<"createRailConnection">(
        { method: "POST", path: ["rails", "connections"], body },
        options,
      ),
    list: (query?: Api.ListRailConnectionsQuery, options?: ReadOptions) =>
      list<"listRailConnections">(
        send,
        { method: "GET", path: ["rails", "connections"], query },
        options,
      ),
    get: (id: string, options?: ReadOptions) =>
      send<"getRailConnection">({ method: "GET", path: ["rails", "connections", id] }, options),
    update: (id: string, body: Api.UpdateRailConnectionBody, options?: ReadOptions) =>
      send<"updateRailConnection">(
        { method: "PATCH", path: ["rails", "connections", id], body },
        options,
      ),
    /** A dry run, which changes nothing. */
    test: (id: string, options?: ReadOptions) =>
      send<"testRailConnection">(
        { method: "POST", path: ["rails", "connections", id, "test"] },
        options,
      ),
    activate: (id: string, options?: RequestOptions) =>
      send<"activateRailConnection">(
        { method: "POST", path: ["rails", "connections", id, "activate"] },
        options,
      ),
    pause: (id: string, body: Api.PauseRailConnectionBody = {}, options?: RequestOptions) =>
      send<"pauseRailConnection">(
        { method: "POST", path: ["rails", "connections", id, "pause"], body },
        options,
      ),
    resume: (id: string, options?: RequestOptions) =>
      send<"resumeRailConnection">(
        { method: "POST", path: ["rails", "connections", id, "resume"] },
        options,
      ),
    /** Adds account numbers of the bank, which payers use to pay into internal accounts. */
    addVirtualAccounts: (id: string, body: Api.AddVirtualAccountsBody, options?: RequestOptions) =>
      send<"addVirtualAccounts">(
        { method: "POST", path: ["rails", "connections", id, "virtual-accounts"], body },
        options,
      ),
    archive: (id: string, options?: ReadOptions) =>
      send<"archiveRailConnection">(
        { method: "DELETE", path: ["rails", "connections", id] },
        options,
      ),
  };
}

/** Statements and balances of a connection's bank account, and their comparison with the ledger. */
export function railBookCalls(send: Send) {
  return {
    /** Records the closing balance of the bank account for one day. */
    recordBalance: (
      connectionId: string,
      body: Api.CreateRailBalanceBody,
      options?: RequestOptions,
    ) =>
      send<"createRailBalance">(
        { method: "POST", path: ["rails", "connections", connectionId, "balances"], body },
        options,
      ),
    reconcile: (
      connectionId: string,
      query?: Api.GetRailReconciliationQuery,
      options?: ReadOptions,
    ) =>
      send<"getRailReconciliation">(
        { method: "GET", path: ["rails", "connections", connectionId, "reconciliation"], query },
        options,
      ),
  };
}

export function railRouteCalls(send: Send) {
  return {
    create: (body: Api.CreateRailRouteBody, options?: RequestOptions) =>
      send<"createRailRoute">({ method: "POST", path: ["rails", "routes"], body }, options),
    list: (query?: Api.ListRailRoutesQuery, options?: ReadOptions) =>
      list<"listRailRoutes">(send, { method: "GET", path: ["rails", "routes"], query }, options),
    /** Lists the routes in the order in which they are tried, and why each is taken or not. */
    resolve: (body: Api.ResolveRailRouteBody, options?: ReadOptions) =>
      send<"resolveRailRoute">(
        { method: "POST", path: ["rails", "routes", "resolve"], body },
        options,
      ),
    get: (id: string, options?: ReadOptions) =>
      send<"getRailRoute">({ method: "GET", path: ["rails", "routes", id] }, options),
    update: (id: string, body: Api.UpdateRailRouteBody, options?: ReadOptions) =>
      send<"updateRailRoute">({ method: "PATCH", path: ["rails", "routes", id], body }, options),
    delete: (id: string, options?: ReadOptions) =>
      send<"deleteRailRoute">({ method: "DELETE", path: ["rails", "routes", id] }, options),
  };
}

/** Payment orders that were passed to a connection. */
export function railPaymentCalls(send: Send) {
  return {
    list: (query?: Api.ListRailPaymentsQuery, options?: ReadOptions) =>
      list<"listRailPayments">(
        send,
        { method: "GET", path: ["rails", "payments"], query },
        options,
      ),
    get: (id: string, { expand, ...options }: ExpandOptions = {}) =>
      send<"getRailPayment">(
        { method: "GET", path: ["rails", "payments", id], ...expanding(expand) },
        options,
      ),
    mark: (id: string, body: Api.MarkRailPaymentBody, options?: RequestOptions) =>
      send<"markRailPayment">(
        { method: "POST", path: ["rails", "payments", id, "mark"], body },
        options,
      ),
    /** Marks up to 500 payments in one call. If one mark is refused, none is made. */
    markAll: (body: Api.MarkRailPaymentsBody, options?: RequestOptions) =>
      send<"markRailPayments">({ method: "POST", path: ["rails", "marks"], body }, options),
    reroute: (id: string, body: Api.RerouteRailPaymentBody = {}, options?: RequestOptions) =>
      send<"rerouteRailPayment">(
        { method: "POST", path: ["rails", "payments", id, "reroute"], body },
        options,
      ),
    recall: (id: string, body: Api.RecallRailPaymentBody, options?: RequestOptions) =>
      send<"recallRailPayment">(
        { method: "POST", path: ["rails", "payments", id, "recall"], body },
        options,
      ),
  };
}

/** Statement lines of the bank accounts behind the connections. */
export function railEntryCalls(send: Send) {
  return {
    /** Books a line that was read at the bank. */
    create: (connectionId: string, body: Api.CreateRailEntryBody, options?: RequestOptions) =>
      send<"createRailEntry">(
        { method: "POST", path: ["rails", "connections", connectionId, "entries"], body },
        options,
      ),
    list: (query?: Api.ListRailEntriesQuery, options?: ReadOptions) =>
      list<"listRailEntries">(send, { method: "GET", path: ["rails", "entries"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getRailEntry">({ method: "GET", path: ["rails", "entries", id] }, options),
  };
}

/** Changes that one token requested and another token confirms or refuses. */
export function railMarkCalls(send: Send) {
  return {
    list: (query?: Api.ListRailMarksQuery, options?: ReadOptions) =>
      list<"listRailMarks">(send, { method: "GET", path: ["rails", "marks"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getRailMark">({ method: "GET", path: ["rails", "marks", id] }, options),
    confirm: (id: string, options?: RequestOptions) =>
      send<"confirmRailMark">({ method: "POST", path: ["rails", "marks", id, "confirm"] }, options),
    refuse: (id: string, body: Api.RefuseRailMarkBody, options?: RequestOptions) =>
      send<"refuseRailMark">(
        { method: "POST", path: ["rails", "marks", id, "refuse"], body },
        options,
      ),
  };
}

/** Debts of account holders whose collected payments were taken back. */
export function receivableCalls(send: Send) {
  return {
    list: (query?: Api.ListReceivablesQuery, options?: ReadOptions) =>
      list<"listReceivables">(
        send,
        { method: "GET", path: ["rails", "receivables"], query },
        options,
      ),
    get: (id: string, { expand, ...options }: ExpandOptions = {}) =>
      send<"getReceivable">(
        { method: "GET", path: ["rails", "receivables", id], ...expanding(expand) },
        options,
      ),
    /** Collects as much of the debt as the account's balance covers. */
    collect: (id: string, options?: RequestOptions) =>
      send<"collectReceivable">(
        { method: "POST", path: ["rails", "receivables", id, "collect"] },
        options,
      ),
    writeOff: (id: string, body: Api.WriteReceivableOffBody, options?: RequestOptions) =>
      send<"writeReceivableOff">(
        { method: "POST", path: ["rails", "receivables", id, "write-off"], body },
        options,
      ),
  };
}

/** Items in suspense: entries that no order or account explains. */
export function railItemCalls(send: Send) {
  return {
    list: (query?: Api.ListRailItemsQuery, options?: ReadOptions) =>
      list<"listRailItems">(send, { method: "GET", path: ["rails", "items"], query }, options),
    get: (id: string, { expand, ...options }: ExpandOptions = {}) =>
      send<"getRailItem">(
        { method: "GET", path: ["rails", "items", id], ...expanding(expand) },
        options,
      ),
    resolve: (id: string, body: Api.ResolveRailItemBody, options?: RequestOptions) =>
      send<"resolveRailItem">(
        { method: "POST", path: ["rails", "items", id, "resolve"], body },
        options,
      ),
  };
}
