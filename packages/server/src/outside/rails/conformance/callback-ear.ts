/** Listens for the callbacks of a connector during a conformance run, on the loopback address only. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { present } from "../../../std/assert.ts";
import { isJsonObject, readJsonObject } from "../../../std/json.ts";
import { isSignedRequest, RAIL_SIGNATURE, readSignature } from "../connector/rail-signature.ts";

export interface HeardCallback {
  readonly eventId: string;
  readonly paymentId: string;
  readonly body: string;
  readonly isSigned: boolean;
  /** Whether it was answered 204, not 503. */
  readonly wasTaken: boolean;
}

export interface CallbackEar {
  readonly port: number;
  heard(): readonly HeardCallback[];
  /** The first callback about this payment is answered 503. */
  refuseFirst(paymentId: string): void;
  close(): Promise<void>;
}

const MOST_HEARD = 10_000;
const MOST_BYTES = 256 * 1024;

export async function listenForCallbacks(port: number, secret: string): Promise<CallbackEar> {
  const heard: HeardCallback[] = [];
  const refusing = new Set<string>();
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const callback = toCallback(request, body, secret);
        const wasTaken = !refusing.delete(callback.paymentId);
        if (heard.length < MOST_HEARD) heard.push({ ...callback, wasTaken });
        response.writeHead(wasTaken ? 204 : 503).end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address: AddressInfo | string | null = server.address();
  const { port: bound } = present(address, "the address of a listening server") as AddressInfo;
  return {
    port: bound,
    heard: () => heard,
    refuseFirst: (paymentId) => void refusing.add(paymentId),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MOST_BYTES) throw new Error("a callback is too large");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function toCallback(request: IncomingMessage, body: Buffer, secret: string) {
  const header = request.headers[RAIL_SIGNATURE];
  const signature = readSignature(typeof header === "string" ? header : undefined);
  const { method = "", url: path = "" } = request;
  const signed = { method, path, idempotencyKey: "", body };
  const read = readJsonObject(body);
  const payment = read?.payment;
  return {
    eventId: String(read?.eventId),
    paymentId: isJsonObject(payment) ? String(payment.id) : "",
    body: body.toString("utf8"),
    isSigned: signature !== undefined && isSignedRequest([secret], signed, signature),
  };
}
