/** A real OpenID issuer on this machine, with key rotation and configurable wrong answers. */
import { createSign, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { ServerResponse } from "node:http";
import { httpReceiver } from "./receivers.ts";

export interface IssuerKeyPair {
  readonly kid: string;
  readonly alg: "RS256" | "ES256";
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export interface TestIssuer {
  readonly issuer: string;
  readonly key: IssuerKeyPair;
  /** Published keys; a test may change them. */
  published: readonly Readonly<Record<string, unknown>>[];
  /** Publishes a new key, in addition to the older ones or instead of them. */
  rotate(alg?: IssuerKeyPair["alg"], how?: "beside" | "instead"): IssuerKeyPair;
  readonly keyFetches: number;
  /** Overrides answers; returns false to let the issuer answer. */
  answerInstead: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** A token that is signed with the newest key, or with a given one. */
  token(claims: object, options?: TokenOptions): string;
}

export interface TokenOptions {
  readonly key?: IssuerKeyPair;
  readonly header?: object;
}

/** Ends with `endReceivers`. */
export async function startIssuer(): Promise<TestIssuer> {
  const keys: IssuerKeyPair[] = [newKeyPair("ES256", "key-1")];
  let keyFetches = 0;
  const receiver = await httpReceiver((request, response) => {
    const path = request.url ?? "";
    if (path === "/keys") keyFetches++;
    if (testIssuer.answerInstead?.(path, response) === true) return;
    response.setHeader("content-type", "application/json");
    if (path === "/.well-known/openid-configuration") {
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    } else if (path === "/keys") response.end(JSON.stringify({ keys: testIssuer.published }));
    else response.writeHead(404).end();
  });
  const url = new URL(receiver.url).origin;
  const newest = () => keys.at(-1) ?? newKeyPair("ES256", "none");
  const testIssuer: TestIssuer = {
    issuer: url,
    get key() {
      return newest();
    },
    published: [newest().jwk],
    rotate(alg = "ES256", how = "beside") {
      const key = newKeyPair(alg, `key-${keys.length + 1}`);
      keys.push(key);
      testIssuer.published = how === "beside" ? [...testIssuer.published, key.jwk] : [key.jwk];
      return key;
    },
    get keyFetches() {
      return keyFetches;
    },
    answerInstead: undefined,
    token: (claims, { key = newest(), header = {} } = {}) =>
      signToken(
        key,
        { alg: key.alg, kid: key.kid, typ: "JWT", ...header },
        { iss: url, ...claims },
      ),
  };
  return testIssuer;
}

export function newKeyPair(alg: IssuerKeyPair["alg"], kid: string): IssuerKeyPair {
  const { privateKey, publicKey } =
    alg === "RS256"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    kid,
    alg,
    privateKey,
    jwk: { ...publicKey.export({ format: "jwk" }), kid, alg, use: "sig" },
  };
}

/** Signs header and payload with the algorithm of the key, without checks. */
export function signToken(
  { alg, privateKey }: IssuerKeyPair,
  header: object,
  claims: object,
): string {
  const signed = `${part(header)}.${part(claims)}`;
  const signature =
    alg === "RS256"
      ? createSign("sha256").update(signed).sign(privateKey)
      : sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

export function part(value: object): string {
  return Buffer.from(JSON.stringify(value), "utf8").toString("base64url");
}
