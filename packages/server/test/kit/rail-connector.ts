/** A connector in the test's process: it keeps the orders that it got, and answers as a test says. */

import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  isSignedRequest,
  RAIL_SIGNATURE,
  readSignature,
  signAnswer,
  signRequest,
} from "../../src/outside/rails/connector/rail-signature.ts";

export const SIGNING_SECRET = "a signing secret of thirty-two bytes";
export const CALLBACK_SECRET = "a callback secret of thirty-two bytes";

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads orders of every shape
  readonly body: any;
}

/** An answer, or what is done to the connection in place of one. */
export type ConnectorReply =
  | { readonly status: number; readonly body: unknown; readonly signature?: "none" | "wrong" }
  | "reset"
  | "hang";

export interface TestConnector {
  readonly port: number;
  readonly baseUrl: string;
  /** By id, the body of the first order. */
  readonly orders: Map<string, ReceivedCall["body"]>;
  readonly calls: ReceivedCall[];
  /** Decides the answer to a call; undefined gives the usual one. */
  reply: (call: ReceivedCall) => ConnectorReply | undefined;
  /** What it reports of each order; `accepted` when nothing is said. */
  report: (id: string) => Readonly<Record<string, unknown>>;
  capabilities: readonly unknown[];
  /** What it says that it can do; undefined: nothing of that. */
  features: unknown;
  /** The layers on which it says that it settles invoices. */
  settlement?: unknown;
  environment: string;
  close(): Promise<void>;
}

export const USD_CAPABILITIES = [
  {
    direction: "OUT",
    currency: "USD",
    accountTypes: ["USD_ACCOUNT"],
    paymentRails: ["ACH", "WIRE"],
    maxAmount: "500000",
  },
  { direction: "PULL", currency: "USD", accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH"] },
];

export async function openConnector(): Promise<TestConnector> {
  const server = createServer((request, response) => {
    void readAll(request).then((bytes) => answer(connector, { request, response, bytes }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connector: TestConnector = {
    port,
    baseUrl: `http://127.0.0.1:${port}/bank`,
    orders: new Map(),
    calls: [],
    reply: () => undefined,
    report: () => ({ status: "accepted" }),
    capabilities: USD_CAPABILITIES,
    features: undefined,
    environment: "PRODUCTION",
    close: () => closed(server),
  };
  return connector;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bytes: Buffer;
}

function answer(connector: TestConnector, { request, response, bytes }: Arrived): void {
  const header = request.headers[RAIL_SIGNATURE];
  const signature = readSignature(typeof header === "string" ? header : undefined);
  const { method = "", url = "" } = request;
  const idempotencyKey = String(request.headers["idempotency-key"] ?? "");
  const signed = { method, path: url, idempotencyKey, body: bytes };
  if (signature === undefined || !isSignedRequest([SIGNING_SECRET], signed, signature)) {
    response.writeHead(401).end();
    return;
  }
  const path = url.replace(/^\/bank/, "");
  const body = bytes.length === 0 ? undefined : JSON.parse(bytes.toString("utf8"));
  const call = { method, path, body };
  connector.calls.push(call);
  const special = connector.reply(call);
  const reply = special ?? usualReply(connector, call);
  if (reply === "hang") return;
  if (reply === "reset") {
    request.socket.destroy();
    return;
  }
  const text = Buffer.from(
    typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body),
  );
  const secret = reply.signature === "wrong" ? CALLBACK_SECRET : SIGNING_SECRET;
  const mark = signAnswer(secret, { status: reply.status, body: text }, signature);
  const headers = reply.signature === "none" ? {} : { [RAIL_SIGNATURE]: mark };
  response.writeHead(reply.status, { "content-type": "application/json", ...headers }).end(text);
}

function usualReply(
  connector: TestConnector,
  { method, path, body }: ReceivedCall,
): ConnectorReply {
  if (path === "/florin-rail") {
    const { capabilities, environment, features, settlement } = connector;
    const told = { capabilities, features, settlement };
    const body = { protocol: 1, name: "test", environment, ...told };
    return { status: 200, body };
  }
  const id = /^\/payments\/([0-9a-f-]{36})/.exec(path)?.[1] ?? "";
  if (method === "PUT") {
    const known = connector.orders.get(id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(body)) {
      return { status: 409, body: { code: "conflict" } };
    }
    connector.orders.set(id, body);
  }
  if (!connector.orders.has(id)) return { status: 404, body: { code: "not_received" } };
  return { status: 200, body: connector.report(id) };
}

let events = 0;

/** The headers and the text of a callback, as a connector would send it. */
export function signedCallback(
  path: string,
  payment: unknown,
  more: {
    readonly eventId?: string;
    readonly secret?: string;
    readonly atMs?: number;
    readonly nonce?: string;
    /** In place of the payment. */
    readonly entry?: unknown;
  } = {},
): { readonly text: string; readonly headers: Readonly<Record<string, string>> } {
  const { eventId = `evt-${++events}`, secret = CALLBACK_SECRET, atMs = Date.now() } = more;
  const told = more.entry === undefined ? { payment } : { entry: more.entry };
  const type = more.entry === undefined ? "payment.updated" : "entry.booked";
  const text = JSON.stringify({ eventId, type, ...told });
  const stamp = {
    time: Math.floor(atMs / 1_000),
    nonce: more.nonce ?? randomBytes(16).toString("hex"),
  };
  const request = { method: "POST", path, idempotencyKey: "", body: Buffer.from(text) };
  return { text, headers: { [RAIL_SIGNATURE]: signRequest(secret, request, stamp) } };
}
