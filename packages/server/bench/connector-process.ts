/**
 * A rail connector as a process of its own, which reports every order as settled at once. Its feed is endless: full pages of the
 * largest size, whose texts contain the start of a reference at every second character. It also serves a large document of rates.
 * Prints its port; the argument is the signing secret. Ends when its standard input ends.
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

/** One page of the feed: 100 entries, 250 kB. */
function feedPage(after: number): unknown {
  const entries = Array.from({ length: 100 }, (_, index) => ({
    id: `E-${after + index}`,
    currency: "USD",
    amount: "100",
    direction: "CREDIT",
    bookedAt: new Date().toISOString(),
    reference: "FL".repeat(70),
    remittance: "FL".repeat(500),
    payer: { name: "n".repeat(140), account: "1".repeat(64) },
    note: "x".repeat(1_000),
  }));
  return { entries, nextCursor: String(after + 100), hasMore: true };
}

/** A rate document with 255 kB of empty objects before the rate. */
const RATES = `{${Array.from({ length: 21_000 }, (_, n) => `"k${n}":{},`).join("")}"rates":{"USD":1.0850}}`;

function bodyOf(url: URL): unknown {
  if (url.pathname === "/florin-rail") return DESCRIPTION;
  if (url.pathname === "/entries") return feedPage(Number(url.searchParams.get("after") ?? 0));
  return { status: "settled" };
}

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
    const url = new URL(request.url ?? "/", "http://connector");
    if (url.pathname === "/rates") response.end(RATES);
    else reply(request, response, bodyOf(url));
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on("end", () => process.exit(0));
