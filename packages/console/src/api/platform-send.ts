/** Calls of the public API on one platform, through the session. Retries and errors are those of the client. */
import { createTransport, type RequestOptions, type SendCall } from "@florin/client/transport";
import type { AnswerOf, Call, OperationId } from "./operations.ts";
import { sessionFetch } from "./session-fetch.ts";

export type PlatformSend = <Id extends OperationId>(
  call: Call<Id>,
  options?: RequestOptions,
) => Promise<AnswerOf<Id>>;

const TIMEOUT_MS = 30_000;

export function platformSend(platformId: string): PlatformSend {
  return transportTo(`/console/api/p/${platformId}`) as PlatformSend;
}

/** For the console's own operations. */
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
