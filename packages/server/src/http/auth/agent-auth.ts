/**
 * HTTP Bearer authentication: finds the agent that an access token belongs to.
 *
 * The agent is read from the database at each request. A deleted agent is therefore refused at once on every server,
 * and a changed policy takes effect at once. The token has 160 random bits. The agent is found by the token's SHA-256,
 * which is compared in constant time.
 *
 * Bounds: failures are limited per address, in the same buckets as failures of tokens. At most `MAX_ACCEPTED` salted
 * digests of accepted headers are kept. A request with an accepted header is exempt from the limit of its address.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { hashOf } from "../../domain/agents/agent.ts";
import { messageOfCode, Refusal } from "../../engine/refusal.ts";
import type { AgentPrincipal } from "../request/operation.ts";
import { addressKey } from "./address-key.ts";
import type { FailedAttemptLimiter } from "./failed-attempts.ts";

export interface AgentRecord extends AgentPrincipal {
  /** SHA-256 of the access token, in hexadecimal digits. */
  readonly accessTokenHash: string;
}

/** Reads the agent of an access token; undefined when the token is unknown or the agent was deleted. */
export type ReadAgent = (accessTokenHash: string) => Promise<AgentRecord | undefined>;

export interface AgentAuth {
  /** Throws UNAUTHORIZED or RATE_LIMITED. */
  verify(header: string | undefined, address: string): Promise<AgentPrincipal>;
}

/** The scheme is case-insensitive; the token is not. */
const HEADER = /^[Bb][Ee][Aa][Rr][Ee][Rr] (sat_[0-9a-f]{40})$/;
const MAX_ACCEPTED = 10_000;

export function createAgentAuth(options: {
  readonly authenticate: ReadAgent;
  readonly failures: FailedAttemptLimiter;
}): AgentAuth {
  const { authenticate, failures } = options;
  const accepted = createAcceptedTokens();

  return {
    async verify(header, address) {
      const token = HEADER.exec(header ?? "")?.[1];
      if (token === undefined) throw unauthorized();
      const digest = accepted.digestOf(token);
      const source = addressKey(address);
      const isNewToken = accepted.isNew(digest);
      // The same token on many connections at once counts as one attempt.
      accepted.keep(digest);
      const found = isNewToken ? failures.run(source, () => find(token)) : find(token);
      const record = await found.catch((error: unknown) => {
        accepted.drop(digest);
        throw error;
      });
      const { accessTokenHash: _, ...principal } = record;
      return principal;
    },
  };

  async function find(token: string): Promise<AgentRecord> {
    const presented = hashOf(token);
    const record = await authenticate(presented);
    if (record === undefined || !isSame(presented, record.accessTokenHash)) throw unauthorized();
    return record;
  }
}

function isSame(presented: string, stored: string): boolean {
  const [left, right] = [Buffer.from(presented), Buffer.from(stored)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Salted digests of tokens that were accepted or are being checked. The oldest is evicted first. */
function createAcceptedTokens() {
  const salt = randomBytes(16).toString("hex");
  const digests = new Set<string>();
  return {
    digestOf: (token: string): string => hash("sha256", salt + token, "base64"),
    isNew: (digest: string): boolean => !digests.has(digest),
    drop: (digest: string): boolean => digests.delete(digest),
    keep(digest: string): void {
      if (digests.has(digest)) return;
      if (digests.size >= MAX_ACCEPTED) {
        const oldest = digests.values().next();
        if (oldest.done !== true) digests.delete(oldest.value);
      }
      digests.add(digest);
    },
  };
}

/** Every cause gets the same answer, so that it does not reveal which part was wrong. */
function unauthorized(): Refusal {
  const wanted = "An agent's access token is asked for, as Bearer.";
  return new Refusal("UNAUTHORIZED", undefined, `${messageOfCode("UNAUTHORIZED")} ${wanted}`);
}
