import type * as Api from "./api-types.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import type { ReadOptions, RequestOptions } from "./transport.ts";

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
    /** Numbers of the bank for the payers of internal accounts. */
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

/** Which payments a connection carries. */
/** The books of a connection beside its statements. */
export function railBookCalls(send: Send) {
  return {
    /** What the account at the bank has at the end of a day. */
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
    /** Which route a payment would take, and why not the others. */
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

/** Orders that were given to connections. */
export function railPaymentCalls(send: Send) {
  return {
    list: (query?: Api.ListRailPaymentsQuery, options?: ReadOptions) =>
      list<"listRailPayments">(
        send,
        { method: "GET", path: ["rails", "payments"], query },
        options,
      ),
    get: (id: string, options?: ReadOptions) =>
      send<"getRailPayment">({ method: "GET", path: ["rails", "payments", id] }, options),
    mark: (id: string, body: Api.MarkRailPaymentBody, options?: RequestOptions) =>
      send<"markRailPayment">(
        { method: "POST", path: ["rails", "payments", id, "mark"], body },
        options,
      ),
    /** Up to 500 at once, all or none. */
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

/** Lines of the accounts outside. */
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

/** Acts that one token asked for and another one decides. */
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

/** What holders owe because collected payments were taken back. */
export function receivableCalls(send: Send) {
  return {
    list: (query?: Api.ListReceivablesQuery, options?: ReadOptions) =>
      list<"listReceivables">(
        send,
        { method: "GET", path: ["rails", "receivables"], query },
        options,
      ),
    get: (id: string, options?: ReadOptions) =>
      send<"getReceivable">({ method: "GET", path: ["rails", "receivables", id] }, options),
    /** Takes what the account has. */
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

/** Money of unknown purpose. */
export function railItemCalls(send: Send) {
  return {
    list: (query?: Api.ListRailItemsQuery, options?: ReadOptions) =>
      list<"listRailItems">(send, { method: "GET", path: ["rails", "items"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getRailItem">({ method: "GET", path: ["rails", "items", id] }, options),
    resolve: (id: string, body: Api.ResolveRailItemBody, options?: RequestOptions) =>
      send<"resolveRailItem">(
        { method: "POST", path: ["rails", "items", id, "resolve"], body },
        options,
      ),
  };
}
