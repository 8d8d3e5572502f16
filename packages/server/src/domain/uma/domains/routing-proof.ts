/**
 * The proof that the paths of a UMA domain lead to this deployment, and what it received of a request.
 *
 * A check sends a challenge of 32 random bytes, in the query and in a header. Each answer below `/.well-known/` carries MACs of it under a
 * key that is derived from the master key, so any server of the deployment makes them and no other deployment can. They hold for any host:
 * what an answer says is that this deployment received the challenge for that host, and the domain of a check is in its URL and in its TLS.
 * An answer that was recorded has MACs of another challenge.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** The names of headers, as Node reads them. */
export const CHALLENGE_HEADER = "florin-uma-challenge";
export const PROOF_HEADER = "florin-uma-proof";
export const SEEN_HEADER = "florin-uma-seen";

export const CHALLENGE_BYTES = 32;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** A request as this deployment received it. */
export interface ReceivedRequest {
  /** The normalized host; undefined for a text that is no host name. */
  readonly host: string | undefined;
  /** As it stands in the request line. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Whether a trusted proxy says that it came by plain http. */
  readonly isMarkedHttp: boolean;
}

/** Which parts of an answer show that this deployment received what was sent. */
export interface JudgedProof {
  readonly isOurs: boolean;
  readonly host: boolean;
  readonly path: boolean;
  readonly query: boolean;
  readonly scheme: boolean;
}

export interface ProofHeaders {
  readonly proof: string;
  readonly seen: string;
}

export interface RoutingProofs {
  make(challenge: string, received: ReceivedRequest): ProofHeaders;
  judge(challenge: string, sent: ReceivedRequest, headers: Partial<ProofHeaders>): JudgedProof;
}

export function isChallenge(text: unknown): text is string {
  return typeof text === "string" && CHALLENGE.test(text);
}

export function createRoutingProofs(key: Buffer): RoutingProofs {
  const mac = (challenge: string, part: string, value: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([challenge, part, value]))
      .digest("base64url");

  function make(challenge: string, received: ReceivedRequest): ProofHeaders {
    const { host = "", path, query, isMarkedHttp } = received;
    const seen = [
      mac(challenge, "deployment", ""),
      mac(challenge, "path", path),
      mac(challenge, "query", query),
      mac(challenge, "scheme", isMarkedHttp ? "http" : ""),
    ];
    return { proof: mac(challenge, "host", host), seen: seen.join(".") };
  }

  return {
    make,
    judge(challenge, sent, { proof = "", seen = "" }) {
      const wanted = make(challenge, sent);
      const parts = seen.split(".");
      const [isOurs, path, query, scheme] = wanted.seen
        .split(".")
        .map((one, index) => isSame(one, parts[index] ?? ""));
      return {
        isOurs: isOurs === true,
        host: isSame(wanted.proof, proof),
        path: path === true,
        query: query === true,
        scheme: scheme === true,
      };
    },
  };
}

function isSame(wanted: string, given: string): boolean {
  const [a, b] = [Buffer.from(wanted), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
