/** Another institution that speaks UMA: it publishes its keys on a server of its own, and signs lookups as it is told. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pointOf } from "../../src/formats/uma/signatures.ts";
import { present } from "../../src/std/assert.ts";
import { askHost, type HostAnswer } from "./uma-proxy.ts";

export interface TestVasp {
  readonly port: number;
  /** The 32 bytes of the signing key, and its key. */
  readonly secret: Buffer;
  readonly signingKey: KeyObject;
  readonly encryptionKey: KeyObject;
  /** The hosts whose keys were asked for, oldest first. */
  readonly asked: string[];
  /** Answers in place of the keys; undefined gives the keys. */
  /** The document that it publishes. */
  document: string;
  answer: ((request: IncomingMessage, response: ServerResponse) => true | undefined) | undefined;
  close(): Promise<void>;
}

export async function openVasp(): Promise<TestVasp> {
  const [signing, encryption] = [1, 2].map(
    () => generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey,
  ) as [KeyObject, KeyObject];
  const hex = (key: KeyObject) => present(pointOf(key), "a point").toString("hex");
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.host ?? "");
    if (vasp.answer?.(request, response) === true) return;
    response.setHeader("content-type", "application/json");
    response.end(vasp.document);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const vasp: TestVasp = {
    port: (server.address() as AddressInfo).port,
    secret: Buffer.from(present(signing.export({ format: "jwk" }).d, "d"), "base64url"),
    signingKey: signing,
    encryptionKey: encryption,
    document: JSON.stringify({
      signingPubKey: hex(signing),
      encryptionPubKey: hex(encryption),
      expirationTimestamp: Math.floor(Date.now() / 1_000) + 3_600,
    }),
    asked,
    answer: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return vasp;
}

export interface LookupWish {
  /** As it is in the path. */
  readonly user?: string;
  readonly host?: string;
  readonly vaspDomain?: string;
  readonly nonce?: string;
  readonly timestamp?: number;
  /** What is signed in place of the address. */
  readonly signedAddress?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SignedLookup {
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

let nonces = 0;

/** Of `$ana@bank.test` by `vasp.test`, unless it is told otherwise. */
export function signedLookup({ signingKey }: TestVasp, wish: LookupWish = {}): SignedLookup {
  const { user = "$ana", host = "bank.test", vaspDomain = "vasp.test", headers = {} } = wish;
  const { nonce = String(++nonces), timestamp = Math.floor(Date.now() / 1_000) } = wish;
  const { signedAddress = `${decodeURIComponent(user)}@${host}` } = wish;
  const text = Buffer.from(`${signedAddress}|${nonce}|${timestamp}`);
  const given = {
    signature: sign("sha256", text, signingKey).toString("hex"),
    vaspDomain,
    nonce,
    isSubjectToTravelRule: "true",
    timestamp: String(timestamp),
    umaVersion: "1.0",
    ...wish.query,
  };
  const query = new URLSearchParams(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { host, path: `/.well-known/lnurlp/${user}?${query}`, headers };
}

export function send(port: number, lookup: SignedLookup): Promise<HostAnswer> {
  return askHost(port, lookup);
}
