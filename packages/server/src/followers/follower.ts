/**
 * A follower keeps something up to date beside the commits: it reads the log of each platform behind a position of its own, in batches, and
 * applies a batch in the commit that moves the position. A process that dies in between leaves both as they were, and the batch is applied
 * again. The commit does not wait for the disk: a crash of the database may undo the last batches whole, position included.
 */
import type { Database } from "../postgres/database.ts";
import type { Step, StepResult } from "../postgres/pipeline.ts";
import type { SerialLane } from "../postgres/serial-lane.ts";
import type { Clock } from "../std/clock.ts";
import type { Log } from "../std/log.ts";

/** The right of one server to apply batches of a platform until a time. */
export interface Lease {
  readonly platformId: string;
  readonly workerId: string;
  /** New for each batch: an earlier attempt whose answer was lost may still commit. */
  readonly attemptId: string;
  readonly now: number;
  readonly until: number;
}

/** Where a follower's positions are stored, a row a platform with its lease. */
export interface Positions<Position> {
  /** Finds platforms after this one, by id, with entries behind their positions. */
  behind(page: {
    readonly after: string;
    readonly now: number;
    readonly workerId: string;
    readonly limit: number;
  }): Step;
  /** Leases the platform unless another server has; the last step answers the position. */
  take(lease: Lease): readonly Step[];
  /** Undefined when another server has the lease. */
  decode(taken: StepResult): Position | undefined;
  /** Moves the position, unless another server has moved it. Then it fails, or it changes nothing and neither does `apply`. */
  move(lease: Lease, from: Position, to: Position): Step;
}

export interface Batch<Position, Entries> {
  readonly entries: Entries;
  /** The position behind these entries. */
  readonly next: Position;
  readonly hasMore: boolean;
}

/** What a commit of this server has added to a platform's log: the entries behind `after`, up to `upTo`. */
export interface Stretch {
  readonly platformId: string;
  readonly after: bigint;
  readonly upTo: bigint;
}

/** Builds entries from commits in memory, so that the log is read only where a commit is missing. */
export interface Feed<Position, Entries, Commit extends Stretch> {
  readonly open: () => Entries;
  /** False when the commit does not hold all that reading its entries would find. */
  readonly add: (entries: Entries, commit: Commit) => boolean;
  /** The last entry that is applied; undefined while the position is not a place in the log. */
  readonly placeOf: (position: Position) => bigint | undefined;
  /** The batch of these entries, which end at `upTo`. What follows comes with the next commit, or a scan finds it. */
  readonly batchOf: (
    lane: SerialLane,
    from: { readonly platformId: string; readonly position: Position; readonly upTo: bigint },
    entries: Entries,
  ) => Promise<Batch<Position, Entries>>;
}

export interface Follower<Position, Entries, Commit extends Stretch = Stretch> {
  /** The name of its connection, also used in the log of the server. */
  readonly name: string;
  readonly positions: Positions<Position>;
  /** Entries behind the position, and none behind `upTo`. Undefined when there are none. */
  read(
    lane: SerialLane,
    platformId: string,
    position: Position,
    upTo?: bigint,
  ): Promise<Batch<Position, Entries> | undefined>;
  readonly feed?: Feed<Position, Entries, Commit>;
  /** The steps that apply the entries. They follow the step that moves the position, in the same commit. */
  apply(lease: Lease, from: Position, entries: Entries): readonly Step[];
}

export interface FollowTools {
  readonly database: Pick<Database, "openLane">;
  readonly clock: Clock;
  readonly log: Log;
}

/** First step of a commit that does not wait for the disk. */
export const commitWithoutWaiting: Step = {
  statement: { name: "followers/no-wait", text: "set synchronous_commit = off" },
  parameters: [],
};
