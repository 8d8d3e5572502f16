/** Sends calls of the public API for one platform through the session. Retries and errors are the client's. */
import { createTransport, type RequestOptions, type SendCall } from "@florin/client/transport";
import type { AnswerOf, Call, OperationId } from "./operations.ts";
import { sessionFetch } from "./session-fetch.ts";

export type PlatformSend = <Id extends OperationId>(
  call: Call<Id>,
  options?: RequestOptions,
) => Promise<AnswerOf<Id>>;

export const OWN_BASE = "/console/api";
const TIMEOUT_MS = 30_000;

/** First path segments that are not below a platform. The public API uses none of these names. */
const OWN_PATHS: ReadonlySet<unknown> = new Set(["workspace", "me", "system"]);

export function platformSend(platformId: string): PlatformSend {
  const [own, atPlatform] = [transportTo(OWN_BASE), transportTo(`${OWN_BASE}/p/${platformId}`)];
  const send: SendCall = (call, options) =>
    (OWN_PATHS.has(call.path[0]) ? own : atPlatform)(call, options);
  return send as PlatformSend;
}

/** Sends calls below this base URL through the session. */
export function transportTo(baseUrl: string): SendCall {
  const send = createTransport({
    baseUrl,
    fetch: sessionFetch,
    authorization: undefined,
    isStrict: true,
    retries: 1,
    onRetry: undefined,
    sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
  });
  return (call, options = {}) => send(call, { timeoutMs: TIMEOUT_MS, ...options });
}
