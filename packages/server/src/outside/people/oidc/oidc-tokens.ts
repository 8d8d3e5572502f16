/**
 * Verifies ID tokens. Order of checks: structure and issuer → header → times → audience and subject → nonce → signature with
 * a key of the issuer and an allowed algorithm. The signature comes last, because its check may fetch keys.
 */
import { compactVerify, errors, type LocalJWKSet } from "jose";
import type { Environment } from "../../../domain/platform.ts";
import {
  isSameIdentity,
  type OidcTokens,
  type ProvenToken,
} from "../../../domain/wallets/credentials/oidc.port.ts";
import { sha256Hex } from "../../../std/digest.ts";
import {
  claimsOf,
  headerProblem,
  type IdToken,
  nonceProblem,
  readIdToken,
  timeProblem,
  unusable,
} from "./id-token.ts";
import type { IssuerRequest } from "./issuer-documents.ts";
import { createIssuerKeys, type IssuerKeys, type IssuerKeysOptions } from "./issuer-keys.ts";
import { isPlainHttp } from "./issuers.ts";

export interface OidcTokensOptions extends IssuerKeysOptions {
  readonly issuers: readonly string[];
  allowsLoopback(environment: Environment): boolean;
}

const ALGORITHMS = ["RS256", "ES256"];
/** Longer than a token is valid: one minute and the tolerated difference of clocks. */
const REMEMBER_MS = 120_000;

export function createOidcTokens({
  issuers,
  allowsLoopback,
  ...options
}: OidcTokensOptions): OidcTokens {
  const known = new Set(issuers);
  const issuerKeys = createIssuerKeys(options);
  return {
    read(token) {
      const read = readIdToken(token, known);
      if ("kind" in read) return read;
      if (read.signature === "") return unusable("structure", "The token has no signature.");
      return { kind: "read", claims: claimsOf(read) };
    },
    async prove({ token, environment, at, clientPublicKey, owner }) {
      const read = readIdToken(token, known);
      if ("kind" in read) return read;
      const allowLoopback = allowsLoopback(environment);
      if (isPlainHttp(read.issuer) && !allowLoopback) {
        return unusable("issuer", "The token's issuer is not one that is recognised here.");
      }
      const reason =
        headerProblem(read) ??
        timeProblem(read, at) ??
        (clientPublicKey === undefined ? undefined : nonceProblem(read, clientPublicKey));
      if (reason !== undefined) return { kind: "unproven", reason };
      const proven = provenOf(read, at);
      if (proven.kind !== "proven") return proven;
      if (owner !== undefined && !isSameIdentity(owner, proven.identity)) {
        return { kind: "unproven", reason: "The token names somebody else." };
      }
      const request = { issuer: read.issuer, allowLoopback };
      return (await isSignedByIssuer(token, issuerKeys, request))
        ? proven
        : { kind: "unproven", reason: "The token's signature is not its issuer's." };
    },
  };
}

/** The result for the token, valid only if the signature verifies. */
function provenOf(token: IdToken, at: number): ProvenToken {
  const { issuer, audience, subject, email, providerName } = claimsOf(token);
  if (audience === null) return { kind: "unproven", reason: "The token is not for one audience." };
  if (subject === null) return { kind: "unproven", reason: "The token has no subject." };
  return {
    kind: "proven",
    identity: { issuer, audience, subject },
    email,
    providerName,
    token: { digest: sha256Hex(token.signed), rememberUntil: at + REMEMBER_MS },
  };
}

async function isSignedByIssuer(
  token: string,
  issuerKeys: IssuerKeys,
  request: IssuerRequest,
): Promise<boolean> {
  const keys = await issuerKeys.current(request);
  const outcome = await check(token, keys);
  if (outcome !== "unknown key") return outcome === "right";
  const newer = await issuerKeys.newerThan(keys, request);
  return newer !== undefined && (await check(token, newer)) === "right";
}

/** The library throws its own error for every invalid token and every unusable key. */
async function check(token: string, keys: LocalJWKSet): Promise<"right" | "wrong" | "unknown key"> {
  try {
    await compactVerify(token, keys, { algorithms: ALGORITHMS });
    return "right";
  } catch (error) {
    return error instanceof errors.JWKSNoMatchingKey ? "unknown key" : "wrong";
  }
}
