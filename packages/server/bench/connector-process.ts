/**
 * A connector in a process of its own: it reports every order as settled at once. Prints its port; the signing secret is its argument.
 * It stops when its input ends.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const [secret = ""] = process.argv.slice(2);

const DESCRIPTION = {
  protocol: 1,
  name: "bench",
  environment: "SANDBOX",
  capabilities: [
    {
      direction: "OUT",
      currency: "USD",
      accountTypes: ["USD_ACCOUNT"],
      paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
    },
  ],
};

function reply(request: IncomingMessage, response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  const [, time, nonce] = /^t=(\d+),n=([^,]+),/.exec(signatureOf(request)) ?? [];
  const digest = createHash("sha256").update(text).digest("hex");
  const lines = ["v1", time, nonce, 200, digest].join("\n");
  const mac = createHmac("sha256", secret).update(lines).digest("hex");
  const signature = `t=${time},n=${nonce},v1=${mac}`;
  response.writeHead(200, {
    "content-type": "application/json",
    "florin-rail-signature": signature,
  });
  response.end(text);
}

function signatureOf({ headers }: IncomingMessage): string {
  return String(headers["florin-rail-signature"] ?? "");
}

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const isOrder = request.url !== "/florin-rail";
    reply(request, response, isOrder ? { status: "settled" } : DESCRIPTION);
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on("end", () => process.exit(0));
