/**
 * Entries from commits of this server that a follower has not applied: one stretch without a gap for each platform. When a stretch begins
 * after the follower's position, the log is read up to its beginning, so an entry is applied once whatever its source.
 *
 * Bounds: the entries of a platform, and of all. Beyond either bound a stretch is dropped, and its entries are read from the log.
 */
import type { SerialLane } from "../postgres/serial-lane.ts";
import type { Batch, Follower, Stretch } from "./follower.ts";

interface Fed<Entries> {
  readonly after: bigint;
  upTo: bigint;
  readonly entries: Entries;
}

const MOST_OF_A_PLATFORM = 20_000;
const MOST_OF_ALL = 100_000;

export class FedEntries<Position, Entries, Commit extends Stretch> {
  readonly #follower: Follower<Position, Entries, Commit>;
  readonly #fed = new Map<string, Fed<Entries>>();
  #count = 0;

  constructor(follower: Follower<Position, Entries, Commit>) {
    this.#follower = follower;
  }

  /** Adds the entries of a commit; answers how many entries of the platform wait. */
  add(commit: Commit): number {
    const { feed } = this.#follower;
    if (feed === undefined) return 0;
    const { platformId, after, upTo } = commit;
    const found = this.#fed.get(platformId);
    const goesOn = found?.upTo === after && upTo - found.after <= MOST_OF_A_PLATFORM;
    if (!goesOn) this.forget(platformId);
    const fed = goesOn ? found : { after, upTo: after, entries: feed.open() };
    if (this.#count + Number(upTo - after) > MOST_OF_ALL || !feed.add(fed.entries, commit)) {
      this.forget(platformId);
      return 0;
    }
    fed.upTo = upTo;
    this.#count += Number(upTo - after);
    this.#fed.set(platformId, fed);
    return Number(upTo - fed.after);
  }

  forget(platformId: string): void {
    const fed = this.#fed.get(platformId);
    if (fed === undefined) return;
    this.#fed.delete(platformId);
    this.#count -= Number(fed.upTo - fed.after);
  }

  /** The next batch after the position. Entries of commits in it are no longer held, even if it is not applied. */
  async batch(
    lane: SerialLane,
    platformId: string,
    position: Position,
  ): Promise<Batch<Position, Entries> | undefined> {
    const { read, feed } = this.#follower;
    const fed = this.#fed.get(platformId);
    const place = feed?.placeOf(position);
    if (feed === undefined || fed === undefined || place === undefined)
      return read(lane, platformId, position);
    const { after, upTo, entries } = fed;
    if (place < after) return read(lane, platformId, position, after);
    this.forget(platformId);
    if (place === after) return feed.batchOf(lane, { platformId, position, upTo }, entries);
    // The log was read past a commit that was not added yet. This batch ends where the next stretch can begin: all commits up to here
    // were added.
    return read(lane, platformId, position, place < upTo ? upTo : place);
  }
}
