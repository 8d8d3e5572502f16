import type { ListUmaKeysQuery, RotateUmaKeyBody, SetUmaKeyChainBody } from "./api-types.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import type { ReadOptions, RequestOptions } from "./transport.ts";

/** The keys by which other institutions know the platform. */
export function umaKeyCalls(send: Send) {
  const at = <const Part extends string>(id: string, part: Part) =>
    ["uma", "keys", id, part] as const;
  return {
    list: (query?: ListUmaKeysQuery, options?: ReadOptions) =>
      list<"listUmaKeys">(send, { method: "GET", path: ["uma", "keys"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getUmaKey">({ method: "GET", path: ["uma", "keys", id] }, options),
    /** What an authority needs to issue a certificate. */
    request: (id: string, options?: ReadOptions) =>
      send<"getUmaKeyRequest">({ method: "GET", path: at(id, "csr") }, options),
    setChain: (id: string, body: SetUmaKeyChainBody, options?: ReadOptions) =>
      send<"setUmaKeyChain">({ method: "PUT", path: at(id, "chain"), body }, options),
    rotate: (body: RotateUmaKeyBody, options?: RequestOptions) =>
      send<"rotateUmaKey">({ method: "POST", path: ["uma", "keys", "rotate"], body }, options),
    destroy: (id: string, options?: RequestOptions) =>
      send<"destroyUmaKey">({ method: "POST", path: at(id, "destroy") }, options),
  };
}
