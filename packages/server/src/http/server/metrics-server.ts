/**
 * Serves the Prometheus metrics on a port of their own: `GET /metrics` and nothing else. The text is cached for a
 * second and shared by concurrent callers, because rendering it takes milliseconds of the thread that processes
 * payments.
 *
 * Bounds: `MAX_CONNECTIONS` connections, a head of 4 kB, five seconds per request; requests of a connection run one at a time
 * and those of an address within `RATE`, as at the port of the API. It is closed with the server.
 */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Clock } from "../../std/clock.ts";
import { createGuestLimiter, type GuestLimiter } from "./guest-limiter.ts";
import type { Metrics } from "./metrics.ts";
import { createPipelining } from "./pipelining.ts";
import { createRateLimiter } from "./rate-limit.ts";

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

const TEXT_LIFE_MS = 1_000;
const MAX_CONNECTIONS = 16;
/** The rate limit per address. Several scrapers ask a few times a minute. */
const RATE = { perSecond: 10, burst: 100 };
const MAX_ADDRESSES = 1_000;

/** Rejects with the socket's error when the port is not available. */
export async function startMetricsServer(options: {
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly host: string;
  readonly port: number;
}): Promise<MetricsServer> {
  const { metrics, host, port } = options;
  const text = keptText(options);
  const guests = guestsOf(options);
  const pipelining = createPipelining({ onOverflow: guests.chargeConnection });
  const answer = (response: ServerResponse) => {
    const { req: raw } = response;
    const { method, url } = raw;
    if (guests.admit(raw) !== undefined) refuse(response);
    else if (method !== "GET" && method !== "HEAD")
      end(response, 405, "Only GET is answered here.\n");
    else if (url?.split("?")[0] !== "/metrics")
      end(response, 404, "The figures are at /metrics.\n");
    else {
      text().then(
        (body) => end(response, 200, body, metrics.contentType),
        () => end(response, 500, "The figures could not be collected.\n"),
      );
    }
  };
  const server = createServer(
    { maxHeaderSize: 4 * 1024, requestTimeout: 5_000, headersTimeout: 5_000 },
    (_request, response) => pipelining.take(response, () => answer(response)),
  );
  server.prependListener("connection", (socket: Socket) => {
    if (guests.isBlocked(socket)) socket.destroy();
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host, port });
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

function guestsOf({ clock }: { readonly clock: Clock }): GuestLimiter {
  return createGuestLimiter({
    limiter: createRateLimiter({ clock, rate: RATE, maxKeys: MAX_ADDRESSES }),
    addressOf: ({ socket }) => socket.remoteAddress ?? "",
    isTrustedProxy: () => false,
  });
}

/** The connection is closed, so requests pipelined behind this one are not answered. */
function refuse(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  end(response, 429, "Too many requests.\n");
}

function keptText({ metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock }) {
  let kept: { readonly text: Promise<string>; readonly at: number } | undefined;
  return (): Promise<string> => {
    const now = clock.now();
    if (kept === undefined || now - kept.at >= TEXT_LIFE_MS || now < kept.at) {
      kept = { text: metrics.text(), at: now };
    }
    return kept.text;
  };
}

function end(
  response: ServerResponse,
  status: number,
  body: string,
  contentType = "text/plain; charset=utf-8",
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { "Content-Type": contentType, "Content-Length": length });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
