import type { ListUmaDomainsQuery, UpdateUmaDomainBody } from "./api-types.ts";
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
