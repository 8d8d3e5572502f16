import type { FirstAttempt } from "../domain/events/stream.sql.ts";
import { assert } from "../std/assert.ts";
import type { EventRoom } from "./delivery-context.ts";

/**
 * Events of one platform that were read and have no outcome yet. Of each subject one event, or one batch, at a time can be taken, in the
 * order of their sequence; subjects do not wait for each other. Counts its events in the room that all platforms share.
 */
export class EventQueue {
  readonly #room: EventRoom;
  /** In the order of their sequence, which is the order in which they were added. */
  readonly #open = new Map<bigint, FirstAttempt>();
  /** Open events that were not taken, by subject; a subject has an entry as long as one of its events is open. */
  readonly #waiting = new Map<string, FirstAttempt[]>();
  /** Subjects of which an event can be taken. */
  readonly #ready = new Set<string>();

  constructor(room: EventRoom) {
    this.#room = room;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Whether an event can be taken. */
  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** The lowest sequence of an open event. */
  get first(): bigint | undefined {
    const [first] = this.#open.keys();
    return first;
  }

  add(event: FirstAttempt): void {
    this.#open.set(event.seq, event);
    this.#room.take(1);
    const waiting = this.#waiting.get(event.subject);
    if (waiting !== undefined) {
      waiting.push(event);
      return;
    }
    this.#waiting.set(event.subject, [event]);
    this.#ready.add(event.subject);
  }

  /** Takes an event whose subject has none under way: of those subjects, the one at `place` modulo their number. */
  take(place = 0): FirstAttempt | undefined {
    let [subject] = this.#ready;
    if (place > 0) subject = [...this.#ready][place % this.#ready.size];
    if (subject === undefined) return undefined;
    this.#ready.delete(subject);
    return this.#waiting.get(subject)?.shift();
  }

  /** The events that can be taken together, in order: those of subjects that have none under way. */
  *takeable(): Generator<FirstAttempt> {
    for (const event of this.#open.values()) if (this.#ready.has(event.subject)) yield event;
  }

  /** Takes the first of the takeable events. */
  takeAll(events: readonly FirstAttempt[]): void {
    for (const event of events) {
      const next = this.#waiting.get(event.subject)?.shift();
      assert(next === event, "events of a subject are taken in order");
    }
    for (const { subject } of events) this.#ready.delete(subject);
  }

  /** Ends an event that was taken: the next one of its subject can be taken. */
  end(event: FirstAttempt): void {
    assert(this.#open.delete(event.seq), "an event ends once");
    this.#room.give(1);
    if ((this.#waiting.get(event.subject)?.length ?? 0) > 0) {
      this.#ready.add(event.subject);
      return;
    }
    this.#waiting.delete(event.subject);
    this.#ready.delete(event.subject);
  }

  /** Removes and answers the events that wait behind one that was taken. */
  removeBehind(event: FirstAttempt): readonly FirstAttempt[] {
    const removed = this.#waiting.get(event.subject)?.splice(0) ?? [];
    for (const { seq } of removed) this.#open.delete(seq);
    this.#room.give(removed.length);
    return removed;
  }

  clear(): void {
    this.#room.give(this.#open.size);
    this.#open.clear();
    this.#waiting.clear();
    this.#ready.clear();
  }
}
