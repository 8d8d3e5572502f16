/**
 * HTTP Basic authentication with the client id and secret of an API token.
 *
 * A header that was verified less than a second ago is answered from a cache, by its digest. Otherwise the header is parsed, the token is
 * read, and the SHA-256 of the presented secret is compared in constant time. For an unknown client id the same read and the same
 * comparison run against a dummy hash, so the timing does not reveal which ids exist.
 *
 * Bounds: a cached verdict expires one second after its read began, so a deleted token is refused after one second at most, on every
 * server. A token that expires is refused from that moment on. `forget` expires all verdicts at once, and a read that began before it is
 * not cached. Concurrent reads of one client id share one query. Failures are limited per address. A header that was accepted before is
 * exempt from that limit. Memory holds salted digests, never a secret. The cache is lost with the process, which then reads again.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { messageOfCode, Refusal } from "../../engine/refusal.ts";
import type { Clock } from "../../std/clock.ts";
import type { TokenPrincipal } from "../request/operation.ts";
import { addressKey } from "./address-key.ts";
import type { FailedAttemptLimiter } from "./failed-attempts.ts";

interface BasicCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const MAX_PART_LENGTH = 200;
const SCHEME = "basic ";
// Matches groups of four characters, so that the expression never backtracks.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Parses the client id and secret from an `Authorization: Basic` header; undefined for any other header. */
export function parseBasic(header: string): BasicCredentials | undefined {
  if (header.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  const encoded = header.slice(SCHEME.length).trim();
  if (!BASE64.test(encoded)) return undefined;
  const decoded = Buffer.from(encoded, "base64").toString("latin1");
  if (!PRINTABLE.test(decoded)) return undefined;
  const colon = decoded.indexOf(":");
  if (colon < 1 || colon > MAX_PART_LENGTH) return undefined;
  const secretLength = decoded.length - colon - 1;
  if (secretLength < 1 || secretLength > MAX_PART_LENGTH) return undefined;
  return { clientId: decoded.slice(0, colon), clientSecret: decoded.slice(colon + 1) };
}

export interface TokenRecord extends TokenPrincipal {
  /** SHA-256 of the client secret, 32 bytes. */
  readonly secretHash: Buffer;
  /** Host time from which the token is refused; undefined for a token that does not expire. */
  readonly expiresAt: number | undefined;
}

/** Reads the token of a client id; undefined when the client id is unknown or the token was deleted. */
export type ReadToken = (clientId: string) => Promise<TokenRecord | undefined>;

export interface TokenAuth {
  /** The principal, when this exact header was verified within the last second. */
  cached(header: string | undefined): TokenPrincipal | undefined;
  /** The principal, from the database. Throws UNAUTHORIZED or RATE_LIMITED. */
  verify(header: string | undefined, address: string): Promise<TokenPrincipal>;
  /** Expires the cache. Call it when a token was changed or deleted. */
  forget(): void;
}

const MAX_HEADER_LENGTH = 700;
const VERDICT_MS = 1000;
const MAX_VERDICTS = 10_000;
const NO_SECRET_HASH = Buffer.alloc(32);

export function createTokenAuth(options: {
  readonly authenticate: ReadToken;
  readonly clock: Clock;
  readonly failures: FailedAttemptLimiter;
  /** Called each time a presented secret was compared and matched. */
  readonly noteUse?: (token: TokenPrincipal) => void;
}): TokenAuth {
  const { clock, failures, noteUse = () => undefined } = options;
  const verdicts = createVerdicts();
  const reads = createReads(options.authenticate, clock);
  const inProgress = new Map<string, Promise<TokenPrincipal>>();

  return {
    cached(header) {
      if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
      const verdict = verdicts.get(verdicts.digestOf(header));
      if (verdict === undefined) return undefined;
      return isFresh(verdict, clock.now()) ? verdict.principal : undefined;
    },

    async verify(header, address) {
      if (header === undefined || header.length > MAX_HEADER_LENGTH) throw unauthorized();
      const credentials = parseBasic(header);
      if (credentials === undefined) throw unauthorized();
      const digest = verdicts.digestOf(header);
      // The same header on many connections at once counts as one attempt.
      const shared = inProgress.get(digest);
      if (shared !== undefined) return shared;
      const check = judge(credentials, digest, addressKey(address)).finally(() => {
        if (inProgress.get(digest) === check) inProgress.delete(digest);
      });
      inProgress.set(digest, check);
      return check;
    },

    forget() {
      inProgress.clear();
      verdicts.expire();
      reads.forget();
    },
  };

  async function judge(
    credentials: BasicCredentials,
    digest: string,
    source: string,
  ): Promise<TokenPrincipal> {
    const isNewHeader = verdicts.get(digest) === undefined;
    const check = () => compare(credentials, digest);
    return isNewHeader ? failures.run(source, check) : check();
  }

  async function compare(credentials: BasicCredentials, digest: string): Promise<TokenPrincipal> {
    const read = await reads.of(credentials.clientId);
    const presented = hash("sha256", credentials.clientSecret, "buffer");
    const { record } = read;
    const equal = timingSafeEqual(presented, record?.secretHash ?? NO_SECRET_HASH);
    if (!equal || record === undefined || hasExpired(record, clock.now())) {
      verdicts.drop(digest);
      throw unauthorized();
    }
    const principal = toPrincipal(record);
    const { expiresAt } = record;
    if (reads.isCurrent(read)) verdicts.keep(digest, { principal, readAt: read.readAt, expiresAt });
    noteUse(principal);
    return principal;
  }
}

interface Verdict {
  readonly principal: TokenPrincipal;
  readonly readAt: number;
  readonly expiresAt: number | undefined;
}

function isFresh(verdict: Verdict, now: number): boolean {
  const ageMs = now - verdict.readAt;
  return ageMs >= 0 && ageMs < VERDICT_MS && !hasExpired(verdict, now);
}

function hasExpired({ expiresAt }: Pick<TokenRecord, "expiresAt">, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** Verdicts by the salted digest of the header. The oldest is evicted first. */
function createVerdicts() {
  const salt = randomBytes(16).toString("hex");
  const verdicts = new Map<string, Verdict>();
  return {
    digestOf: (header: string): string => hash("sha256", salt + header, "base64"),
    get: (digest: string): Verdict | undefined => verdicts.get(digest),
    drop: (digest: string): boolean => verdicts.delete(digest),
    /** Makes the next use of each header read its token again. Known headers stay exempt from the limit of failures. */
    expire(): void {
      for (const [digest, verdict] of verdicts) {
        verdicts.set(digest, { ...verdict, readAt: Number.NEGATIVE_INFINITY });
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

/** Token reads in progress, at most one per client id. A read that began before `forget` is not cached. */
function createReads(authenticate: ReadToken, clock: Clock) {
  const inProgress = new Map<string, Promise<TokenRead>>();
  let generation = 0;

  async function start(clientId: string): Promise<TokenRead> {
    const begun = { readAt: clock.now(), generation };
    return { ...begun, record: await authenticate(clientId) };
  }

  return {
    of(clientId: string): Promise<TokenRead> {
      const shared = inProgress.get(clientId);
      if (shared !== undefined) return shared;
      const read = start(clientId).finally(() => {
        if (inProgress.get(clientId) === read) inProgress.delete(clientId);
      });
      inProgress.set(clientId, read);
      return read;
    },
    isCurrent: (read: TokenRead): boolean => read.generation === generation,
    forget(): void {
      generation += 1;
      inProgress.clear();
    },
  };
}

function toPrincipal(record: TokenRecord): TokenPrincipal {
  const { secretHash: _, expiresAt: __, ...principal } = record;
  return Object.freeze(principal);
}

/** Every cause gets the same answer, so that it does not reveal which part was wrong. */
function unauthorized(): Refusal {
  const wanted = "HTTP Basic with a token's clientId and clientSecret is asked for.";
  return new Refusal("UNAUTHORIZED", undefined, `${messageOfCode("UNAUTHORIZED")} ${wanted}`);
}
