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
    archive: (id: string, options?: ReadOptions) =>
      send<"archiveRailConnection">(
        { method: "DELETE", path: ["rails", "connections", id] },
        options,
      ),
  };
}

/** Which payments a connection carries. */
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
