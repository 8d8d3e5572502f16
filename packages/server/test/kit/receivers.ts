/** Real HTTP receivers on this machine, and an outbound client to call them with. */
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
  type OutboundPost,
} from "../../src/outside/outbound-http/outbound-client.ts";
import { systemClock } from "../../src/std/clock.ts";

const cleanups: (() => unknown)[] = [];

/** Closes the receivers and clients of a test, for `afterEach`. */
export async function endReceivers(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** One promise per accepted socket, resolved when the socket is closed. */
  readonly accepted: Promise<void>[];
}

export function started(server: Server): Promise<Receiver> {
  const accepted: Promise<void>[] = [];
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => {});
    accepted.push(
      new Promise((resolve) => {
        socket.once("close", () => {
          open.delete(socket);
          resolve();
        });
      }),
    );
  });
  cleanups.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${port}/hook`, port, accepted });
    });
  });
}

export const httpReceiver = (listener: RequestListener) => started(createHttpServer(listener));
/** Calls `speak` for each socket when its request arrives. */
export const rawReceiver = (speak: (socket: Socket) => void) =>
  started(createServer((socket) => socket.once("data", () => speak(socket))));

export function outbound(options: Partial<OutboundClientOptions> = {}): OutboundClient {
  const client = createOutboundClient({ clock: systemClock, ...options });
  cleanups.push(() => client.close());
  return client;
}

export const request = (url: string, more: Partial<OutboundPost> = {}): OutboundPost => ({
  url,
  headers: { "content-type": "application/json" },
  body: Buffer.from('{"a":1}'),
  // Long, so that only tests of deadlines reach it.
  deadlineMs: 20_000,
  maxAnswerBytes: 16_384,
  allowLoopback: true,
  ...more,
});
