/** A real OpenID issuer on this machine, with keys that rotate and answers that can be made wrong. */
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
  /** Its name: the value of `iss`. */
  readonly issuer: string;
  /** The newest key. */
  readonly key: IssuerKeyPair;
  /** Published keys; change it as you like. */
  published: readonly Readonly<Record<string, unknown>>[];
  /** A new key, published beside or in place of the older ones. */
  rotate(alg?: IssuerKeyPair["alg"], how?: "beside" | "instead"): IssuerKeyPair;
  /** How often the key set was asked for. */
  readonly keyFetches: number;
  /** Answers in place of the issuer; undefined leaves it to answer. */
  answerInstead: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** A token of the newest key, unless another is given. */
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

/** Signs whatever it is given, with the algorithm of the key. */
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
