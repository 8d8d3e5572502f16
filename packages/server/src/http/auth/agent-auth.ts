/**
 * HTTP Bearer: which agent asks, proved by its access token.
 *
 * Nothing is remembered about an agent from one request to the next: each request reads it, so one that was deleted is
 * refused at once on every server, and a policy holds from the moment it was changed. The token has 160 random bits; the
 * agent is found by its SHA-256, and the two are compared in constant time.
 *
 * Bounds: failures are limited per address, together with those of tokens. Memory keeps salted digests of headers that were
 * right, at most so many, for one purpose: their requests are not held up by the failures of neighbours.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { hashOf } from "../../domain/agents/agent.ts";
import { messageOfCode, Refusal } from "../../engine/refusal.ts";
import type { AgentPrincipal } from "../request/operation.ts";
import { addressKey } from "./address-key.ts";
import type { FailedTries } from "./failed-tries.ts";

export interface AgentRecord extends AgentPrincipal {
  /** SHA-256 of the access token, in hexadecimal digits. */
  readonly accessTokenHash: string;
}

/** Reads the agent of an access token; undefined when there is none or it was deleted. */
export type AuthenticateAgent = (accessTokenHash: string) => Promise<AgentRecord | undefined>;

export interface AgentGate {
  /** Throws UNAUTHORIZED or RATE_LIMITED. */
  verify(header: string | undefined, address: string): Promise<AgentPrincipal>;
}

/** The scheme in any case, the token in one. */
const HEADER = /^[Bb][Ee][Aa][Rr][Ee][Rr] (sat_[0-9a-f]{40})$/;
const MAX_KNOWN = 10_000;

export function createAgentGate(options: {
  readonly authenticate: AuthenticateAgent;
  readonly failures: FailedTries;
}): AgentGate {
  const { authenticate, failures } = options;
  const known = createKnown();

  return {
    async verify(header, address) {
      const token = HEADER.exec(header ?? "")?.[1];
      if (token === undefined) throw unauthorized();
      const digest = known.digestOf(token);
      const source = addressKey(address);
      const isNewcomer = known.isNew(digest);
      // One token that comes over many connections at once is one try.
      known.keep(digest);
      const found = isNewcomer ? failures.run(source, () => find(token)) : find(token);
      const record = await found.catch((error: unknown) => {
        known.drop(digest);
        throw error;
      });
      const { platformId, environment, agentId, customerId, policy } = record;
      return { platformId, environment, agentId, customerId, policy };
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

/** Salted digests of tokens that were right or are being looked at; the oldest gives way. */
function createKnown() {
  const salt = randomBytes(16).toString("hex");
  const digests = new Set<string>();
  return {
    digestOf: (token: string): string => hash("sha256", salt + token, "base64"),
    isNew: (digest: string): boolean => !digests.has(digest),
    drop: (digest: string): boolean => digests.delete(digest),
    keep(digest: string): void {
      if (digests.has(digest)) return;
      if (digests.size >= MAX_KNOWN) {
        const oldest = digests.values().next();
        if (oldest.done !== true) digests.delete(oldest.value);
      }
      digests.add(digest);
    },
  };
}

/** The same whatever is wrong; which kind of credentials is asked for is no secret. */
function unauthorized(): Refusal {
  const wanted = "An agent's access token is asked for, as Bearer.";
  return new Refusal("UNAUTHORIZED", undefined, `${messageOfCode("UNAUTHORIZED")} ${wanted}`);
}
