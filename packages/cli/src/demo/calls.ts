/** Calls of a demo: many side by side, refusals that a lively platform has are counted, all others end the demo. */
import type { Connection } from "../connection/connection.ts";
import { accepted, send } from "../connection/send.ts";
import { Refused } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, type JsonObject, parseJson } from "../json.ts";

export interface Calls {
  /** `as`: the access token of an agent. */
  post(path: string, body?: object, as?: string): Promise<JsonObject>;
  get(path: string): Promise<JsonObject>;
  patch(path: string, body: object): Promise<JsonObject>;
  /** The answer, or undefined when the API refused with one of the codes that are no fault of the demo. */
  ask(path: string, body?: object, as?: string): Promise<JsonObject | undefined>;
  /** How often each code was refused. */
  readonly refused: Map<string, number>;
}

/** A customer spends more than there is, or something was frozen or closed since. */
const USUAL_REFUSALS = new Set([
  "INSUFFICIENT_BALANCE",
  "INSUFFICIENT_FUNDS",
  "ACCOUNT_FROZEN",
  "CUSTOMER_FROZEN",
  "CONFLICT",
  "QUOTE_EXPIRED",
  "LIMIT_EXCEEDED",
]);

export function callsOf(host: Host, { url, authorization }: Connection): Calls {
  async function call(
    method: "GET" | "POST" | "PATCH",
    path: string,
    { body, as }: { readonly body?: object | undefined; readonly as?: string | undefined } = {},
  ): Promise<JsonObject> {
    const endpoint = { url, authorization: as === undefined ? authorization : `Bearer ${as}` };
    const answer = await send(host, endpoint, {
      method,
      target: path,
      body: body === undefined ? undefined : JSON.stringify(body),
      idempotencyKey: method === "POST" ? host.newKey() : undefined,
    });
    return asObject(parseJson(accepted(answer).text)) ?? {};
  }
  const refused = new Map<string, number>();
  return {
    refused,
    post: (path, body, as) => call("POST", path, { body, as }),
    get: (path) => call("GET", path),
    patch: (path, body) => call("PATCH", path, { body }),
    async ask(path, body, as) {
      try {
        return await call("POST", path, { body, as });
      } catch (error) {
        if (!(error instanceof Refused) || !USUAL_REFUSALS.has(error.code)) throw error;
        refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
        return undefined;
      }
    },
  };
}

/** At most this many calls side by side, so that the server's queue never refuses one. */
const SIDE_BY_SIDE = 32;

/** Runs the work for each item. The first failure ends it, after the calls that had begun. */
export async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  let taken = 0;
  const failures: unknown[] = [];
  async function run(): Promise<void> {
    while (taken < items.length && failures.length === 0) {
      const index = taken;
      taken += 1;
      await work(items[index] as Item, index).catch((error: unknown) => failures.push(error));
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, run));
  if (failures.length > 0) throw failures[0];
}
