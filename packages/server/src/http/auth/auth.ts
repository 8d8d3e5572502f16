/**
 * HTTP Basic: who asks, proved by the secret of a token.
 *
 * Steps: a header that was verified less than a second ago is known by its digest and costs one look-up. Any other is
 * taken apart, its token is read, and the SHA-256 of the presented secret is compared in constant time; an unknown
 * client is compared too, with a digest that nothing hashes to, and costs the same read.
 *
 * Bounds: a verdict lives one second from the moment its read began, so a deleted token is refused a second later at
 * most, on every server; `forget` drops all verdicts at once, and what is being read serves no later request. Reads of
 * one client that happen together are one read. Failures are limited per address; a header that was right before is not
 * held up by the failures of its neighbours. Memory keeps salted digests, never a secret, and is lost with the process,
 * which then reads again.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { messageOfCode, Refusal } from "../../engine/refusal.ts";
import type { Clock } from "../../std/clock.ts";
import type { Principal } from "../request/operation.ts";
import { addressKey } from "./address-key.ts";
import { type BasicCredentials, parseBasic } from "./basic-header.ts";
import type { FailedTries } from "./failed-tries.ts";

export interface TokenRecord extends Principal {
  /** SHA-256 of the client secret, 32 bytes. */
  readonly secretHash: Buffer;
}

/** Reads the token of a client id; undefined when there is none or it was deleted. */
export type Authenticate = (clientId: string) => Promise<TokenRecord | undefined>;

export interface Gate {
  /** The principal, when this very header was verified within the last second. */
  known(header: string | undefined): Principal | undefined;
  /** The principal, from the database. Throws UNAUTHORIZED or RATE_LIMITED. */
  verify(header: string | undefined, address: string): Promise<Principal>;
  /** Drops what is known; call it when a token was changed or deleted. */
  forget(): void;
}

const MAX_HEADER_LENGTH = 700;
const VERDICT_MS = 1000;
const MAX_VERDICTS = 10_000;
const NO_SECRET_HASH = Buffer.alloc(32);

export function createGate(options: {
  readonly authenticate: Authenticate;
  readonly clock: Clock;
  readonly failures: FailedTries;
}): Gate {
  const { clock, failures } = options;
  const verdicts = createVerdicts();
  const reads = createReads(options.authenticate, clock);
  const underWay = new Map<string, Promise<Principal>>();

  return {
    known(header) {
      if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
      const verdict = verdicts.get(verdicts.digestOf(header));
      if (verdict === undefined) return undefined;
      const ageMs = clock.now() - verdict.readAt;
      return ageMs >= 0 && ageMs < VERDICT_MS ? verdict.principal : undefined;
    },

    async verify(header, address) {
      if (header === undefined || header.length > MAX_HEADER_LENGTH) throw unauthorized();
      const credentials = parseBasic(header);
      if (credentials === undefined) throw unauthorized();
      const digest = verdicts.digestOf(header);
      // One header that comes over many connections at once is one try.
      const shared = underWay.get(digest);
      if (shared !== undefined) return shared;
      const check = judge(credentials, digest, addressKey(address)).finally(() => {
        if (underWay.get(digest) === check) underWay.delete(digest);
      });
      underWay.set(digest, check);
      return check;
    },

    forget() {
      underWay.clear();
      verdicts.expire();
      reads.forget();
    },
  };

  async function judge(
    credentials: BasicCredentials,
    digest: string,
    source: string,
  ): Promise<Principal> {
    const isNewcomer = verdicts.get(digest) === undefined;
    const check = () => compare(credentials, digest);
    return isNewcomer ? failures.run(source, check) : check();
  }

  async function compare(credentials: BasicCredentials, digest: string): Promise<Principal> {
    const read = await reads.of(credentials.clientId);
    const presented = hash("sha256", credentials.clientSecret, "buffer");
    const equal = timingSafeEqual(presented, read.record?.secretHash ?? NO_SECRET_HASH);
    if (!equal || read.record === undefined) {
      verdicts.drop(digest);
      throw unauthorized();
    }
    const principal = toPrincipal(read.record);
    if (reads.isCurrent(read)) verdicts.keep(digest, { principal, readAt: read.readAt });
    return principal;
  }
}

interface Verdict {
  readonly principal: Principal;
  readonly readAt: number;
}

/** What is known of headers, by salted digest; the oldest gives way. */
function createVerdicts() {
  const salt = randomBytes(16).toString("hex");
  const verdicts = new Map<string, Verdict>();
  return {
    digestOf: (header: string): string => hash("sha256", salt + header, "base64"),
    get: (digest: string): Verdict | undefined => verdicts.get(digest),
    drop: (digest: string): boolean => verdicts.delete(digest),
    /** All are to be read again, and none is a newcomer for it. */
    expire(): void {
      for (const [digest, { principal }] of verdicts) {
        verdicts.set(digest, { principal, readAt: Number.NEGATIVE_INFINITY });
      }
    },
    keep(digest: string, verdict: Verdict): void {
      verdicts.delete(digest);
      if (verdicts.size >= MAX_VERDICTS) {
        const oldest = verdicts.keys().next();
        if (oldest.done !== true) verdicts.delete(oldest.value);
      }
      verdicts.set(digest, verdict);
    },
  };
}

interface TokenRead {
  readonly record: TokenRecord | undefined;
  readonly readAt: number;
  readonly generation: number;
}

/** Token reads under way, one a client id. A read that began before `forget` leaves no verdict behind. */
function createReads(authenticate: Authenticate, clock: Clock) {
  const underWay = new Map<string, Promise<TokenRead>>();
  let generation = 0;

  async function start(clientId: string): Promise<TokenRead> {
    const begun = { readAt: clock.now(), generation };
    return { ...begun, record: await authenticate(clientId) };
  }

  return {
    of(clientId: string): Promise<TokenRead> {
      const shared = underWay.get(clientId);
      if (shared !== undefined) return shared;
      const read = start(clientId).finally(() => {
        if (underWay.get(clientId) === read) underWay.delete(clientId);
      });
      underWay.set(clientId, read);
      return read;
    },
    isCurrent: (read: TokenRead): boolean => read.generation === generation,
    forget(): void {
      generation += 1;
      underWay.clear();
    },
  };
}

function toPrincipal(record: TokenRecord): Principal {
  const { platformId, environment, tokenId, permissions } = record;
  return Object.freeze({ platformId, environment, tokenId, permissions });
}

/** The same whatever is wrong; which kind of credentials is asked for is no secret. */
function unauthorized(): Refusal {
  const wanted = "HTTP Basic with a token's clientId and clientSecret is asked for.";
  return new Refusal("UNAUTHORIZED", undefined, `${messageOfCode("UNAUTHORIZED")} ${wanted}`);
}
