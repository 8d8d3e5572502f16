/**
 * The keys of other institutions. They are kept for all servers until their document expires: at least a minute, at most a day, never longer
 * than its certificates.
 *
 * A fetch: claim the domain in the table, so that one server fetches → fetch → judge → keep, or release. Other servers wait for the row. If
 * the process dies in between, the claim ends with its lease, and the next reader fetches. A fetch that fails is remembered for a minute in
 * this process and leaves no row; keys that have not expired stay in use.
 *
 * Bounds: one fetch of a domain at a time; `MOST_DOMAINS` in memory, the oldest goes first.
 */
import type { X509Certificate } from "node:crypto";
import type {
  CounterpartyKeySource,
  CounterpartyKeyStore,
  CounterpartyKeys,
  FoundKeys,
  JudgedSignature,
  KeptDocument,
  VerifySignature,
} from "../../domain/uma/keys/counterparty-keys.port.ts";
import { type KeyDocument, readKeyDocument } from "../../formats/uma/key-document.ts";
import { MessageFault } from "../../formats/uma/message-fault.ts";
import { isSignatureOf } from "../../formats/uma/signatures.ts";
import { type Clock, pause } from "../../std/clock.ts";
import { FETCH_MS, type FetchedDocument } from "./fetch-key-document.ts";

type Fault = Extract<FoundKeys, { readonly kind: "fault" }>;

const LEAST_KEPT_MS = 60_000;
const MOST_KEPT_MS = 24 * 60 * 60_000;
const FAILED_FOR_MS = 60_000;
/** Keys that are younger are not fetched again for a signature that is wrong. */
const FRESH_MS = 30_000;
/** Longer than a fetch, so that a claim ends before its lease unless the server has died. */
const LEASE_MS = FETCH_MS + 2_000;
const WAIT_MS = 100;
const MOST_DOMAINS = 1_000;

interface Held {
  readonly keys: CounterpartyKeys;
  readonly expiresAt: number;
}

interface Tools {
  readonly store: CounterpartyKeyStore;
  readonly fetch: (domain: string) => Promise<FetchedDocument>;
  readonly clock: Clock;
}

export function createCounterpartyKeys(tools: Tools): CounterpartyKeySource {
  return new Source(tools);
}

class Source implements CounterpartyKeySource {
  readonly #tools: Tools;
  readonly #held = new BoundedMap<Held>();
  readonly #failures = new BoundedMap<{ readonly at: number; readonly fault: Fault }>();
  readonly #underway = new Map<string, Promise<Held | Fault>>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async find(domain: string): Promise<FoundKeys> {
    const found = await this.#current(domain);
    return "keys" in found ? { kind: "keys", keys: found.keys } : found;
  }

  async judge(
    domain: string,
    { text, signature }: { readonly text: string; readonly signature: string },
    verify: VerifySignature = isSignatureOf,
  ): Promise<JudgedSignature> {
    const found = await this.#current(domain);
    if (!("keys" in found)) return found;
    const { keys } = found;
    if (await verify(text, signature, keys.signingKey)) return { kind: "good", keys };
    const again = (await this.#newer(domain, keys))?.keys;
    if (again === undefined) return { kind: "wrong" };
    const isGood = await verify(text, signature, again.signingKey);
    return isGood ? { kind: "good", keys: again } : { kind: "wrong" };
  }

  async #current(domain: string): Promise<Held | Fault> {
    const here = this.#held.get(domain);
    if (here !== undefined && this.#tools.clock.now() < here.expiresAt) return here;
    return this.#shared(domain, Number.NEGATIVE_INFINITY);
  }

  /** Newer keys than these; undefined when there are none. */
  async #newer(domain: string, { fetchedAt }: CounterpartyKeys): Promise<Held | undefined> {
    if (this.#tools.clock.now() - fetchedAt <= FRESH_MS) return undefined;
    const obtained = await this.#shared(domain, fetchedAt);
    return "keys" in obtained ? obtained : undefined;
  }

  /** Callers of one domain share a fetch. */
  #shared(domain: string, newerThan: number): Promise<Held | Fault> {
    const key = `${newerThan} ${domain}`;
    const begun = this.#underway.get(key);
    if (begun !== undefined) return begun;
    const obtained = this.#obtain(domain, newerThan)
      .then((found) => {
        if ("keys" in found) this.#held.set(domain, found);
        return found;
      })
      .finally(() => this.#underway.delete(key));
    this.#underway.set(key, obtained);
    return obtained;
  }

  /** Keys that were fetched after `newerThan`. A fault leaves what is kept as it is. */
  async #obtain(domain: string, newerThan: number): Promise<Held | Fault> {
    const { store, clock } = this.#tools;
    const giveUpAt = clock.now() + LEASE_MS;
    for (;;) {
      const found = this.#usable((await store.find(domain))?.kept, newerThan);
      if (found !== undefined) return found;
      const failure = this.#failures.get(domain);
      const now = clock.now();
      if (failure !== undefined && now - failure.at < FAILED_FOR_MS) return failure.fault;
      if (await store.claim(domain, { now, until: now + LEASE_MS })) return this.#fetched(domain);
      if (now >= giveUpAt) return STILL_FETCHED;
      await pause(clock, WAIT_MS);
    }
  }

  /** The keys of a document that is kept; undefined when it has expired, or is older than wanted. */
  #usable(kept: KeptDocument | undefined, newerThan: number): Held | undefined {
    const now = this.#tools.clock.now();
    if (kept === undefined || kept.expiresAt <= now || kept.fetchedAt <= newerThan)
      return undefined;
    const read = attempt(kept.document, now);
    return "fault" in read ? undefined : toHeld(read.document, kept);
  }

  /** The caller has claimed the domain. */
  async #fetched(domain: string): Promise<Held | Fault> {
    const { store, fetch, clock } = this.#tools;
    const answer = await fetch(domain);
    const now = clock.now();
    if (answer.kind === "fault") return this.#failed(domain, answer);
    const { document } = answer;
    const read = attempt(document, now);
    if ("fault" in read) return this.#failed(domain, read.fault);
    const kept = { document, fetchedAt: now, expiresAt: expiryOf(read.document, now) };
    await store.keep(domain, kept);
    this.#failures.delete(domain);
    return toHeld(read.document, kept);
  }

  async #failed(domain: string, fault: Fault): Promise<Fault> {
    this.#failures.set(domain, { at: this.#tools.clock.now(), fault });
    await this.#tools.store.release(domain);
    return fault;
  }
}

const STILL_FETCHED: Fault = {
  kind: "fault",
  code: "COUNTERPARTY_PUBKEY_FETCH_ERROR",
  reason: "another server is fetching the keys",
};

function attempt(
  document: string,
  now: number,
): { readonly document: KeyDocument } | { readonly fault: Fault } {
  try {
    return { document: readKeyDocument(Buffer.from(document, "utf8"), now) };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    const code = error.code as Fault["code"];
    return { fault: { kind: "fault", code, reason: error.message } };
  }
}

function toHeld(
  { signing, encryption }: KeyDocument,
  { fetchedAt, expiresAt }: KeptDocument,
): Held {
  const keys = {
    signingKey: signing.key,
    encryptionPoint: encryption.point,
    signingChain: signing.chain,
    encryptionChain: encryption.chain,
    fetchedAt,
  };
  return { keys, expiresAt };
}

function expiryOf({ signing, encryption, expirationTimestamp }: KeyDocument, now: number): number {
  const stated = expirationTimestamp === undefined ? now : Number(expirationTimestamp) * 1_000;
  const ends = [...signing.chain, ...encryption.chain].map(({ validTo }: X509Certificate) =>
    Date.parse(validTo),
  );
  const kept = Math.min(Math.max(stated, now + LEAST_KEPT_MS), now + MOST_KEPT_MS);
  return Math.min(kept, ...ends);
}

/** The oldest entry goes when there is no room. */
class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= MOST_DOMAINS) this.#entries.delete(oldest);
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
