/** An institution that answers on purpose in ways that none should, for every domain whose place it is. */
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { pointOf } from "../../src/formats/uma/signatures.ts";
import { present } from "../../src/std/assert.ts";

export type Answer = (response: ServerResponse) => void;

export interface HostileVasp {
  readonly port: number;
  /** How keys and lookups of a domain are answered; those that are not named are answered as they should be. */
  readonly keys: Map<string, Answer>;
  readonly lookups: Map<string, Answer>;
  /** `host path`, oldest first. */
  readonly asked: string[];
  /** The bytes that the last connections took before they ended or were ended. */
  taken(): number;
  document(): string;
  /** The answer to a lookup, as it should be. */
  found(receiver: string): string;
  close(): Promise<void>;
}

const FOUND = /^\/\.well-known\/lnurlp\/([^?]+)/;

/** `now` is the time of its messages, in milliseconds. */
export async function openHostile(now: () => number): Promise<HostileVasp> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const point = present(pointOf(publicKey), "the point").toString("hex");
  let nonces = 0;
  let taken = 0;
  const server = createServer((request, response) => {
    const { host = "" } = request.headers;
    const path = request.url ?? "";
    vasp.asked.push(`${host} ${path.split("?")[0]}`);
    const user = FOUND.exec(path)?.[1];
    const special = (user === undefined ? vasp.keys : vasp.lookups).get(host);
    if (special !== undefined) return special(response);
    response.setHeader("content-type", "application/json");
    if (path === "/.well-known/lnurlpubkey") return response.end(vasp.document());
    if (user === undefined) return response.writeHead(404).end();
    response.end(vasp.found(`${decodeURIComponent(user)}@${host}`));
  });
  server.on("connection", (socket) => {
    socket.once("close", () => {
      taken += socket.bytesWritten;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const vasp: HostileVasp = {
    port: (server.address() as AddressInfo).port,
    keys: new Map(),
    lookups: new Map(),
    asked: [],
    taken: () => taken,
    document: () =>
      JSON.stringify({
        signingPubKey: point,
        encryptionPubKey: point,
        expirationTimestamp: Math.floor(now() / 1_000) + 3_600,
      }),
    found(receiver) {
      const stamp = [`${++nonces}`, Math.floor(now() / 1_000)] as const;
      const signature = sign("sha256", Buffer.from([receiver, ...stamp].join("|")), privateKey);
      return JSON.stringify({
        callback: `https://${receiver.split("@")[1]}/pay/1`,
        minSendable: 1_000,
        maxSendable: 10_000_000_000,
        metadata: '[["text/plain","Pay"]]',
        currencies: [
          {
            code: "EUR",
            name: "Euro",
            symbol: "",
            decimals: 2,
            multiplier: 12_500,
            convertible: { min: 1, max: 1_000_000 },
          },
        ],
        payerData: {},
        compliance: {
          kycStatus: "VERIFIED",
          isSubjectToTravelRule: true,
          receiverIdentifier: receiver,
          signature: signature.toString("hex"),
          signatureNonce: stamp[0],
          signatureTimestamp: stamp[1],
        },
        umaVersion: "1.0",
        tag: "payRequest",
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return vasp;
}

const GIGABYTE = 1 << 30;
const CHUNK = Buffer.alloc(65_536, "x");

export const neverAnswers: Answer = () => undefined;

export const drips: Answer = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write("x"), 5);
  response.once("close", () => clearInterval(timer));
};

/** As fast as it is taken. */
const pours =
  (headers: Readonly<Record<string, string>>): Answer =>
  (response) => {
    response.writeHead(200, headers);
    let left = GIGABYTE;
    const more = () => {
      while (!response.destroyed && left > 0) {
        left -= CHUNK.length;
        if (!response.write(CHUNK)) return;
      }
      response.end();
    };
    response.on("drain", more);
    more();
  };

export const poursGigabyte = pours({});
export const announcesGigabyte = pours({ "content-length": String(GIGABYTE) });

/** 64 MB of zeros in 64 kB. */
const BOMB = gzipSync(Buffer.alloc(64 << 20));
export const sendsBomb: Answer = (response) => {
  response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB);
};

export const sendsHeadsForEver: Answer = ({ socket }) => {
  if (socket === null) return;
  socket.write("HTTP/1.1 200 OK\r\n");
  const line = `x-more: ${"y".repeat(1_000)}\r\n`;
  const more = () => {
    while (!socket.destroyed && socket.write(line));
  };
  socket.on("drain", more).on("error", () => undefined);
  more();
};

export const says =
  (text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(text);
  };

export const breaksOff: Answer = (response) => {
  response.writeHead(200, { "content-length": "100" }).write("{");
  setTimeout(() => response.destroy(), 5);
};

/** A message with one member replaced by a text that need not be JSON; a member is named by its path. */
export function withMember(text: string, path: string, value: string): string {
  const message = JSON.parse(text);
  const names = path.split(".");
  const last = names.pop() ?? "";
  let part = message;
  for (const name of names) part = part[name];
  part[last] = "\u0000";
  return JSON.stringify(message).replace('"\\u0000"', () => value);
}
