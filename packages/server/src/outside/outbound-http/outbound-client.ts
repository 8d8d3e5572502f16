/**
 * The client for all URLs that a platform or an issuer chose: webhooks, key sets, discovery.
 *
 * An exchange: judge the URL → take a connection (judged when it was made, outbound-connect.ts) → send → read the head → read the body up
 * to its bound. Redirects are answers, nothing is decompressed, the proxy variables of the environment are ignored.
 *
 * Bounds: one deadline over the whole exchange, after which the socket is gone; `maxAnswerBytes` of body; 16 kB of head;
 * the bytes on the wire (outbound-reading.ts); the pool's bounds. If the process dies in between, the other side may have
 * taken the request: callers that must not lose it send it again with the same id.
 */

import { type Dispatcher, errors } from "undici";
import { assert } from "../../std/assert.ts";
import type { Clock } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import { startSpan } from "../../std/tracing/spans.ts";
import { currentTrace } from "../../std/tracing/trace.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { connectJudged, realNetwork, type Surroundings } from "./outbound-connect.ts";
import { OutboundFailed, OutboundRefused } from "./outbound-errors.ts";
import { type Connection, OutboundPool } from "./outbound-pool.ts";
import { checkOutboundUrl } from "./outbound-url.ts";

/** How long the parts of an exchange took. The client fills them in as they end, also when the exchange fails later. */
export interface ExchangeTimes {
  /** Until the connection was made; undefined for a reused connection. */
  connectMs: number | undefined;
  /** From the beginning of the exchange to the head of the answer. */
  firstByteMs: number | undefined;
}

export interface OutboundGet {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  readonly maxAnswerBytes: number;
  /** This machine may be the target. */
  readonly allowLoopback: boolean;
  /** Hosts that may be the target although they are not public. */
  readonly allowed?: AllowedHosts | undefined;
  /** The name for SNI and in the certificate, where the URL is another place of that host; the host of the URL when absent. */
  readonly tlsName?: string | undefined;
  /** The owner of the exchange. Two owners share no connections, so one cannot delay the other. */
  readonly owner?: string;
  /** How many connections the owner may have to the target; the client's usual number when absent. */
  readonly connections?: number | undefined;
  readonly times?: ExchangeTimes;
}

export interface OutboundPost extends OutboundGet {
  readonly body: Buffer;
  /** Called with the status as soon as the head of the answer was read. */
  readonly onStatus?: ((status: number) => void) | undefined;
}

/** An exchange of one of our own protocols, which need the whole body of the answer. */
export interface OutboundSend extends OutboundGet {
  readonly method: "GET" | "POST" | "PUT";
  readonly body?: Buffer;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case; values of a repeated name joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** False when the body was cut at its bound, broke off or stalled. */
  readonly bodyComplete: boolean;
}

export interface OutboundClient {
  /** Once the head was read the exchange has a result, even when its body fails. */
  post(request: OutboundPost): Promise<OutboundAnswer>;
  /** Answers the whole body, or rejects with an `OutboundFailed`. */
  get(request: OutboundGet): Promise<OutboundAnswer>;
  /** Like `get`, for any method. */
  send(request: OutboundSend): Promise<OutboundAnswer>;
  /** Aborts exchanges under way and refuses new ones. */
  close(): Promise<void>;
  readonly openConnections: number;
}

export interface OutboundClientOptions extends Partial<Omit<Surroundings, "clock">> {
  readonly clock: Clock;
  readonly connectionsPerOrigin?: number;
  readonly maxIdleConnections?: number;
}

type Call = OutboundGet & {
  readonly method: OutboundSend["method"];
  readonly body?: Buffer;
  readonly onStatus?: ((status: number) => void) | undefined;
  /** Treats an incomplete body as a failure. */
  readonly whole: boolean;
};

interface Context {
  readonly world: Surroundings;
  readonly pool: OutboundPool;
  readonly url: URL;
  readonly beganAt: number;
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

const MAX_INFORMATIONAL_ANSWERS = 16;
/** Bound of the heads and the trailer of an answer together. */
const HEADS_BYTES = 262_144;
/** Bound on the wire for each byte of a body: a byte alone in its chunk takes six. */
const BYTES_ON_THE_WIRE = 8;

export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const world: Surroundings = { ...realNetwork, trustedRoots: undefined, ...options };
  const pool = new OutboundPool({
    perKey: options.connectionsPerOrigin ?? 16,
    maxIdle: options.maxIdleConnections ?? 256,
  });
  const underWay = new Map<AbortController, Promise<unknown>>();
  let closed = false;

  async function call(request: Call): Promise<OutboundAnswer> {
    if (closed) throw new OutboundFailed("closed");
    const checked = checkOutboundUrl(request.url, {
      allowLoopbackHttp: request.allowLoopback,
      allowed: request.allowed,
    });
    if (!checked.ok) throw new OutboundRefused(checked.reason);
    const controller = new AbortController();
    const { signal } = controller;
    const beganAt = world.clock.now();
    const deadlineAt = beganAt + request.deadlineMs;
    const cancel = world.clock.after(request.deadlineMs, () =>
      controller.abort(new OutboundFailed("timeout")),
    );
    const { traced, ended, failed } = traceCall(request, checked.url);
    const answer = exchange({ world, pool, url: checked.url, beganAt, deadlineAt, signal }, traced);
    underWay.set(controller, answer);
    try {
      return ended(await answer);
    } catch (error) {
      throw failed(error);
    } finally {
      cancel();
      underWay.delete(controller);
    }
  }

  return {
    post: (request) => call({ ...request, method: "POST", whole: false }),
    get: (request) => call({ ...request, method: "GET", whole: true }),
    send: (request) => call({ ...request, whole: true }),
    async close() {
      closed = true;
      const ending = [...underWay.values()];
      for (const controller of underWay.keys()) controller.abort(new OutboundFailed("closed"));
      await Promise.allSettled(ending);
      pool.close();
    },
    get openConnections() {
      return pool.openConnections;
    },
  };
}

/** A POST passes on the trace that it belongs to. A GET does not: it fetches public keys of an issuer that has no part in the trace. */
function traceCall(call: Call, url: URL) {
  const { method, headers } = call;
  const parent = currentTrace();
  const attributes = { "http.request.method": method, "server.address": url.hostname };
  const span = startSpan({ name: method, kind: "client", parent, attributes });
  const traceparent = span?.traceparent ?? parent;
  const isPassedOn = method !== "GET" && traceparent !== undefined;
  return {
    traced: isPassedOn ? { ...call, headers: { ...headers, traceparent } } : call,
    ended(answer: OutboundAnswer) {
      span?.end({ "http.response.status_code": answer.status });
      return answer;
    },
    failed(error: unknown) {
      span?.end({}, messageOf(error));
      return error;
    },
  };
}

async function exchange(context: Context, call: Call): Promise<OutboundAnswer> {
  const { world, pool, url, signal } = context;
  const { allowLoopback, allowed, connections, tlsName } = call;
  const policy = allowed === undefined ? (allowLoopback ? "loopback" : "public") : "listed";
  const key = [call.owner ?? "", policy, url.origin, tlsName ?? ""].join(" ");
  const connection = await pool.take(key, url.origin, { signal, connections });
  const { deadlineAt } = context;
  connection.connect = async () => {
    const beganAt = world.clock.now();
    const target = { url, allowLoopback, allowed, tlsName, deadlineAt, signal };
    const socket = await connectJudged(world, target);
    if (call.times !== undefined) call.times.connectMs = world.clock.now() - beganAt;
    return socket;
  };
  let reusable = false;
  try {
    const answer = await converse(connection, context, call);
    reusable = answer.bodyComplete;
    return answer;
  } finally {
    pool.release(connection, reusable);
  }
}

function converse(
  connection: Connection,
  { world: { clock }, url, signal, beganAt }: Context,
  call: Call,
): Promise<OutboundAnswer> {
  const { onStatus, times } = call;
  const onHead = (status: number) => {
    if (times !== undefined) times.firstByteMs = clock.now() - beganAt;
    onStatus?.(status);
  };
  return new Promise((resolve, reject) => {
    const reader = answerReader(call, onHead, (outcome) => {
      signal.removeEventListener("abort", abort);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    });
    const abort = () => reader.broken(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    connection.maxBytes = HEADS_BYTES + call.maxAnswerBytes * BYTES_ON_THE_WIRE;
    connection.expectAnswer();
    connection.client.dispatch(
      {
        path: `${url.pathname}${url.search}`,
        method: call.method,
        headers: { "accept-encoding": "identity", ...call.headers },
        body: call.body ?? null,
      },
      reader.handler,
    );
  });
}

/** Collects one answer and decides when it is complete; `done` is called once. */
function answerReader(
  call: Call,
  onHead: (status: number) => void,
  done: (outcome: OutboundAnswer | Error) => void,
) {
  let head: Pick<OutboundAnswer, "status" | "headers"> | undefined;
  let informational = 0;
  let size = 0;
  let settled = false;
  const chunks: Buffer[] = [];

  function settle(outcome: OutboundAnswer | Error): void {
    if (settled) return;
    settled = true;
    done(outcome);
  }
  function answer(bodyComplete: boolean): void {
    assert(head !== undefined, "an answer has a head");
    const body = Buffer.concat(chunks).subarray(0, call.maxAnswerBytes).toString("utf8");
    settle({ ...head, body, bodyComplete });
  }
  function broken(error: Error): void {
    if (head !== undefined && !call.whole) answer(false);
    else settle(error);
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {},
    onResponseStart(controller, status, headers) {
      if (status >= 200) {
        head = { status, headers: joined(headers) };
        onHead(status);
      } else if (++informational > MAX_INFORMATIONAL_ANSWERS) {
        controller.abort(new OutboundFailed("protocol"));
      }
    },
    onResponseData(controller, chunk) {
      if (settled) return;
      chunks.push(chunk);
      size += chunk.length;
      if (size > call.maxAnswerBytes) controller.abort(new OutboundFailed("too-large"));
    },
    onResponseEnd: () => answer(true),
    onResponseError: (_controller, error) => broken(toOutboundError(error)),
  };
  return { handler, broken };
}

function joined(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === "string" ? value : (value ?? []).join(", "),
  ]);
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}

/** Maps errors of undici to ours. An invalid argument is a bug and is rethrown. */
function toOutboundError(error: Error): Error {
  if (error instanceof OutboundRefused || error instanceof OutboundFailed) return error;
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError) {
    return error;
  }
  const unreadable =
    error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
  if (unreadable) return new OutboundFailed("protocol", error);
  return new OutboundFailed("reset", error);
}
