/**
 * Sends events again that a platform has asked for, beside its streams and retries, which go first.
 *
 * An order of many events is carried out in portions: lease the order → read a page behind its position → rounds of attempts, each with
 * at most one event of a resource → in one transaction record the outcomes of a round and move the position → free the order. A portion
 * starts only when no retry of the endpoint is due, no event waits too long for its first attempt, and the last attempt of the previous
 * portion is a second ago: so any second has at most `PORTION` attempts, on all servers together.
 *
 * Bounds: the attempts of a portion, those under way, the pages read without one. If the process dies, the lease expires, and another
 * server goes on behind the position; an event that was accepted meanwhile has no parked row any more, so an order of failed events skips
 * it. A run that lost its lease starts no further round.
 */

import { resendPage, type SelectedEvent } from "../../domain/events/resends/event-resend.sql.ts";
import type { EventResend, PartState } from "../../domain/events/resends/event-resend.ts";
import {
  decodeHasLate,
  decodeHeld,
  decodeOrder,
  dropOrderStep,
  ensureStreamStep,
  freeOrderStep,
  hasLateStep,
  hastenFirstStep,
  holdOrderStep,
  type ResendLease,
  setTurnStep,
  takeOrderStep,
} from "../../domain/events/resends/resend.sql.ts";
import {
  bookkeepingSettings,
  type DeliveryTarget,
  decodeTarget,
  lockStreamStep,
  type StreamKey,
  targetStep,
} from "../../domain/events/stream.sql.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Ids } from "../../std/ids.ts";
import type { DeliveryContext } from "../delivery-context.ts";
import { ATTEMPT_DEADLINE_MS } from "../post-event.ts";
import {
  claimResends,
  endpointSteps,
  judgeEndpoint,
  type Outcome,
  outcomeSteps,
  postResends,
} from "./attempt-resends.ts";

/** The most attempts in a second. */
export const PORTION = 100;
const PORTION_MS = 1_000;
/** Attempts of an order under way. */
const ROUND = 16;
/** Pages read in a portion: the endpoint may take only few of many events. */
const PAGES = 20;
/** Longer than an attempt, so that its outcome can still be written down. */
const LEASE_MS = ATTEMPT_DEADLINE_MS + 5_000;
const LATER_MS = 1_000;
/** How soon to check again whether an endpoint that is down was set or has answered. */
const DOWN_MS = 5_000;

/** `again`: there is more to send, or it cannot be sent yet. */
export type ResendEnd =
  | { readonly kind: "again"; readonly inMs: number }
  | { readonly kind: "over"; readonly state: Exclude<PartState, "RUNNING"> };

export interface SingleResend {
  /** The id of the job. */
  readonly orderId: string;
  readonly eventSeq: bigint;
}

export interface ResendTools {
  readonly context: DeliveryContext;
  readonly ids: Ids;
  readonly reads: Reads;
  /** Called with each answer to a single event. */
  readonly heed: (
    key: StreamKey,
    target: DeliveryTarget,
    answer: Outcome["answer"],
  ) => Promise<void>;
  /** Makes an endpoint that is down due for a probe at once. */
  readonly probeNow: (key: StreamKey) => Promise<void>;
}

const again = (inMs: number): ResendEnd => ({ kind: "again", inMs });
const over = (state: Exclude<PartState, "RUNNING">): ResendEnd => ({ kind: "over", state });

export class Resends {
  readonly #tools: ResendTools;
  readonly #abandoned: Promise<undefined>;
  #abandon: () => void = () => undefined;
  #isStopping = false;

  constructor(tools: ResendTools) {
    this.#tools = tools;
    this.#abandoned = new Promise((resolve) => {
      this.#abandon = () => resolve(undefined);
    });
  }

  /** Starts no further attempt. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Stops waiting for attempts under way: another run repeats them. */
  abandon(): void {
    this.stop();
    this.#abandon();
  }

  /** Makes one attempt of an event, unless another attempt is under way or due; false when another run has the order. */
  async one(key: StreamKey, { orderId, eventSeq }: SingleResend): Promise<boolean> {
    if (this.#isStopping) return false;
    const { context, probeNow } = this.#tools;
    const { books } = context;
    const lease = this.#lease(key, orderId);
    const [, , , order] = await books.run([
      bookkeepingSettings,
      ensureStreamStep(key),
      lockStreamStep(key),
      takeOrderStep(lease, { position: 0n, isSingle: true }),
      hastenFirstStep(key, eventSeq, lease.now),
    ]);
    if (decodeOrder(order) === undefined) {
      // Without an endpoint there is no stream either.
      const [target] = await books.run([targetStep(key, lease.now)]);
      return decodeTarget(target) === undefined;
    }
    context.wakeRetries(key);
    const { target, events } = await claimResends(context, lease, {
      seqs: [eventSeq],
      withTaken: true,
    });
    const [event] = events;
    if (target !== undefined && event !== undefined) {
      const outcomes = await this.#orAbandoned(postResends(context, { lease, target }, [event]));
      const [outcome] = outcomes ?? [];
      if (outcome === undefined) return false;
      await this.#tools.heed(key, target, outcome.answer);
      await books.run([
        bookkeepingSettings,
        lockStreamStep(key),
        ...outcomeSteps(lease, [outcome]),
        dropOrderStep(lease),
      ]);
      context.wakeRetries(key);
      return true;
    }
    if (target?.down !== undefined) await probeNow(key);
    await books.run([bookkeepingSettings, dropOrderStep(lease)]);
    return true;
  }

  /** Sends the next portion of an order to an endpoint. */
  async portion(key: StreamKey, resend: EventResend): Promise<ResendEnd> {
    if (this.#isStopping) return again(LATER_MS);
    const { books } = this.#tools.context;
    const lease = this.#lease(key, resend.id);
    const [, , , order, , late, found] = await books.run([
      bookkeepingSettings,
      ensureStreamStep(key),
      lockStreamStep(key),
      takeOrderStep(lease, { position: BigInt(resend.selection.after), isSingle: false }),
      setTurnStep(lease, lease.until),
      hasLateStep(key, lease.now),
      targetStep(key, lease.now),
    ]);
    const target = decodeTarget(found);
    const position = decodeOrder(order);
    if (position === undefined) return target === undefined ? over("STOPPED") : again(LATER_MS);
    const wait = waitOf({ target, isLate: decodeHasLate(late), now: lease.now });
    if (wait !== undefined) return this.#free(lease, { end: wait, turnAt: lease.now });
    return new Portion(this.#tools, {
      lease,
      resend,
      position,
      // A receiver that is down gets one event, as a probe.
      size: target?.down === undefined ? PORTION : 1,
      isStopping: () => this.#isStopping,
      orAbandoned: (work) => this.#orAbandoned(work),
    }).run();
  }

  #free(lease: ResendLease, ended: { readonly end: ResendEnd; readonly turnAt: number }) {
    return freeOrder(this.#tools.context, lease, ended);
  }

  #lease(key: StreamKey, resendId: string): ResendLease {
    const { context, ids } = this.#tools;
    const now = context.clock.now();
    return { ...key, resendId, leaseId: ids.next(now), now, until: now + LEASE_MS };
  }

  #orAbandoned<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.#abandoned]);
  }
}

/** Why no portion starts now; undefined when it does. */
function waitOf({
  target,
  isLate,
  now,
}: {
  readonly target: DeliveryTarget | undefined;
  readonly isLate: boolean;
  readonly now: number;
}): ResendEnd | undefined {
  if (target === undefined) return over("STOPPED");
  const { down } = target;
  // While other events wait for the endpoint, one of those is its probe.
  if (down !== undefined && (isLate || target.hasNews || down.probeAt > now)) return again(DOWN_MS);
  return isLate ? again(LATER_MS) : undefined;
}

async function freeOrder(
  { books }: DeliveryContext,
  lease: ResendLease,
  { end, turnAt }: { readonly end: ResendEnd; readonly turnAt: number },
): Promise<ResendEnd> {
  await books.run([
    bookkeepingSettings,
    lockStreamStep(lease),
    setTurnStep(lease, turnAt),
    freeOrderStep(lease),
  ]);
  return end;
}

interface PortionOptions {
  readonly lease: ResendLease;
  readonly resend: EventResend;
  readonly position: bigint;
  /** The most attempts of the portion. */
  readonly size: number;
  readonly isStopping: () => boolean;
  /** Undefined when the server no longer waits for attempts under way. */
  readonly orAbandoned: <T>(work: Promise<T>) => Promise<T | undefined>;
}

/** How the order continues after a round. `left`: the server stopped waiting for the attempts. */
type RoundEnd = { readonly kind: "next" } | ResendEnd | { readonly kind: "left" };

class Portion {
  readonly #tools: ResendTools;
  readonly #options: PortionOptions;
  #lease: ResendLease;
  #position: bigint;
  #attempts = 0;
  #lastAttemptAt: number;

  constructor(tools: ResendTools, options: PortionOptions) {
    this.#tools = tools;
    this.#options = options;
    this.#lease = options.lease;
    this.#position = options.position;
    this.#lastAttemptAt = options.lease.now - PORTION_MS;
  }

  async run(): Promise<ResendEnd> {
    const { context } = this.#tools;
    const end = await this.#pages();
    // The lease expires; another run repeats what was under way.
    if (end.kind === "left") return again(LATER_MS);
    const turnAt = this.#lastAttemptAt + PORTION_MS;
    const inMs = Math.max(0, turnAt - context.clock.now());
    const told = end.kind === "next" ? again(inMs) : end;
    return freeOrder(context, this.#renewed(), { end: told, turnAt });
  }

  async #pages(): Promise<RoundEnd> {
    const { resend, size } = this.#options;
    for (let pages = 0; pages < PAGES && this.#attempts < size; pages++) {
      const { platformId, endpointId } = this.#lease;
      const { selection } = resend;
      const limit = size - this.#attempts;
      const wish = { endpointId, selection, position: this.#position, limit };
      const page = await resendPage(this.#tools.reads, platformId, wish);
      if (page.length === 0) return over("COMPLETED");
      for (let left = page; left.length > 0; ) {
        if (this.#options.isStopping()) return again(LATER_MS);
        const round = roundOf(left);
        left = left.filter((event) => !round.includes(event));
        const end = await this.#round(round, { left, last: page.at(-1)?.seq ?? 0n });
        if (end.kind !== "next") return end;
      }
    }
    return { kind: "next" };
  }

  /** `left`: the events of the page that come after this round. */
  async #round(
    round: readonly SelectedEvent[],
    { left, last }: { readonly left: readonly SelectedEvent[]; readonly last: bigint },
  ): Promise<RoundEnd> {
    const { context } = this.#tools;
    const { resend, orAbandoned } = this.#options;
    const seqs = round.map(({ seq }) => seq);
    const withTaken = !resend.selection.isFailedOnly;
    this.#lease = this.#renewed();
    const { target, events } = await claimResends(context, this.#lease, { seqs, withTaken });
    if (target === undefined) return over("STOPPED");
    const lease = this.#lease;
    if (events.length > 0) {
      this.#attempts += events.length;
      this.#lastAttemptAt = context.clock.now();
    }
    const outcomes = await orAbandoned(postResends(context, { lease, target }, events));
    if (outcomes === undefined) return { kind: "left" };
    const endpoint = judgeEndpoint(context, lease, { target, outcomes });
    // An event that found the endpoint down has not failed: the position stays before it. A probe counts, so that the next takes another
    // event.
    const isFound = endpoint.outage !== undefined && target.down === undefined;
    const kept = isFound ? [] : outcomes;
    const open = [...left.map(({ seq }) => seq), ...(isFound ? seqs : [])];
    const position = open.reduce((least, seq) => (seq <= least ? seq - 1n : least), last);
    const isOurs = await this.#record(kept, {
      position,
      steps: endpointSteps(lease, { ...endpoint, target }),
    });
    if (endpoint.isUp) context.wakeRetries(lease);
    if (endpoint.isGone) return over("STOPPED");
    // Cancelled, or another run has it.
    if (!isOurs) return again(LATER_MS);
    if (endpoint.outage !== undefined) return again(DOWN_MS);
    return { kind: "next" };
  }

  /** Records a round; answers whether this run still has the order, and the order was not cancelled. */
  async #record(
    outcomes: readonly Outcome[],
    {
      position,
      steps,
    }: {
      readonly position: bigint;
      readonly steps: Parameters<DeliveryContext["books"]["run"]>[0];
    },
  ): Promise<boolean> {
    const { books, wakeRetries } = this.#tools.context;
    const sent = outcomes.filter(({ verdict }) => verdict.state === "DELIVERED").length;
    const lease = this.#renewed();
    const results = await books.run([
      bookkeepingSettings,
      lockStreamStep(lease),
      ...outcomeSteps(lease, outcomes),
      ...steps,
      setTurnStep(lease, lease.until),
      holdOrderStep(lease, { position, sent, failed: outcomes.length - sent }),
    ]);
    this.#position = position;
    if (outcomes.some(({ event }) => event.parked?.state === "WAITING")) wakeRetries(lease);
    return decodeHeld(results.at(-1));
  }

  #renewed(): ResendLease {
    const now = this.#tools.context.clock.now();
    return { ...this.#lease, now, until: now + LEASE_MS };
  }
}

/** The first event of each resource, in order: the next event of a resource is sent when the one before has ended. */
function roundOf(events: readonly SelectedEvent[]): readonly SelectedEvent[] {
  const bySubject = new Map<string, SelectedEvent>();
  for (const event of events) {
    if (bySubject.size >= ROUND) break;
    if (!bySubject.has(event.subject)) bySubject.set(event.subject, event);
  }
  return [...bySubject.values()];
}
