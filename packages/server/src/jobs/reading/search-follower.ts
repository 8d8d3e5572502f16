/**
 * Keeps the search index up to date, beside the commits: once a second it looks for platforms of which something is new, and takes it up
 * in batches. The first time it reads all objects of a platform.
 *
 * One connection and one batch at a time, with a rest as long as the batch took: under load the index falls behind, and payments do
 * not wait for it. A platform is leased for a batch, so one server works on it. The rows of a batch and the position are one commit,
 * which fails when the lease was lost: a process that dies, or is frozen in between, leaves out nothing and adds nothing twice. Its lease ends
 * after ten seconds.
 */
import {
  changesStep,
  commitSoon,
  decodePosition,
  decodeRows,
  lookStep,
  pageStep,
  type SearchPosition,
  type TakenUp,
  takeSteps,
  takeUpSteps,
  toldStep,
} from "../../domain/reading/search/follow.sql.ts";
import { type Indexed, indexRows } from "../../domain/reading/search/index-rows.ts";
import { searchedKinds } from "../../domain/reading/search/searched-kinds.ts";
import { rowChanges } from "../../engine/records.ts";
import { arrayParameter, parameter } from "../../postgres/columns.ts";
import type { Database } from "../../postgres/database.ts";
import { createSerialLane, type SerialLane } from "../../postgres/serial-lane.ts";
import type { Cancel, Clock } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import { groupBy } from "../../std/group.ts";
import { BEFORE_ALL_IDS, randomIds } from "../../std/ids.ts";
import type { Log } from "../../std/log.ts";
import { WakeSignal } from "../../std/wake-signal.ts";

export interface SearchFollower {
  start(): void;
  /** Until nothing is left to take up. */
  runOnce(): Promise<void>;
  /** Takes up the next batch of a platform; false when there is none, or another server has the lease. */
  step(platformId: string): Promise<boolean>;
  stop(): Promise<void>;
}

const LOOK_MS = 1_000;
/** The clock may have been set, or the machine asleep, during a batch. */
const LONGEST_REST_MS = 10_000;
const LEASE_MS = 10_000;
const PLATFORMS_AT_ONCE = 500;
const ROWS_AT_ONCE = 2_000;
const EVENTS_AT_ONCE = 20_000;

interface FollowerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export function createSearchFollower(options: FollowerOptions): SearchFollower {
  const { database, clock, log } = options;
  const lane = createSerialLane(database, "search");
  const workerId = randomIds().next(clock.now());
  let cancel: Cancel | undefined;
  let underway: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const rest = new WakeSignal(clock);

  async function step(platformId: string): Promise<boolean> {
    const now = clock.now();
    const lease = { platformId, workerId, now, until: now + LEASE_MS };
    const position = decodePosition(await lane.run(commitSoon, ...takeSteps(lease)));
    if (position === undefined) return false;
    const found = await read(lane, platformId, position);
    const { indexed, changes, next } = found;
    const rows = indexRows(-(position.batches + 1n), indexed);
    await lane.run(
      commitSoon,
      ...takeUpSteps({ platformId, workerId }, position, { rows, changes, next }),
    );
    return found.hasMore || changes.length > 0;
  }

  /** Each platform gets a batch in turn, so that a large one holds up no other. */
  async function follow(rests: boolean): Promise<void> {
    let due = await look(lane);
    while (due.length > 0 && !isStopped) {
      const again: string[] = [];
      for (const platformId of due) {
        if (isStopped) return;
        const began = clock.now();
        if (await step(platformId)) again.push(platformId);
        const tookMs = clock.now() - began;
        const restMs = Math.min(tookMs, LONGEST_REST_MS);
        if (rests && restMs > 0 && !isStopped) await rest.waitUntil(clock.now() + restMs);
      }
      due = again;
    }
  }

  function later(): void {
    if (isStopped) return;
    cancel = clock.after(LOOK_MS, () => {
      underway = follow(true)
        .catch((error: unknown) => {
          log.warn({ err: messageOf(error) }, "the search index was not brought up to date");
        })
        .finally(later);
    });
  }

  return {
    start: later,
    step,
    async runOnce() {
      await follow(false);
    },
    async stop() {
      isStopped = true;
      cancel?.();
      rest.set();
      await underway;
      await lane.close();
    },
  };
}

/** The platforms of which something is new. */
async function look(lane: SerialLane): Promise<readonly string[]> {
  const found = await lane.run(lookStep(PLATFORMS_AT_ONCE));
  return found.rows.map(([platformId]) => platformId ?? "");
}

interface Found extends Pick<TakenUp, "changes" | "next"> {
  readonly indexed: readonly Indexed[];
  readonly hasMore: boolean;
}

function read(lane: SerialLane, platformId: string, position: SearchPosition): Promise<Found> {
  return position.buildKind === null
    ? readNews(lane, platformId, position)
    : readPage(lane, platformId, position);
}

/** The next page of all objects, kind by kind. What is committed after the build began is news afterwards. */
async function readPage(
  lane: SerialLane,
  platformId: string,
  position: SearchPosition,
): Promise<Found> {
  const at = searchedKinds.findIndex(({ kind }) => kind === position.buildKind);
  const kind = searchedKinds[at];
  const eventSeq = position.eventSeq === 0n ? position.headEventSeq : position.eventSeq;
  const begun = { eventSeq, buildAfter: BEFORE_ALL_IDS };
  if (kind === undefined)
    return { indexed: [], changes: [], hasMore: true, next: { ...begun, buildKind: null } };
  const page = { kind: kind.kind, after: position.buildAfter, limit: ROWS_AT_ONCE };
  const rows = decodeRows(kind.table, await lane.run(pageStep(platformId, page)));
  const last = rows.at(-1);
  const isFull = last !== undefined && rows.length === ROWS_AT_ONCE;
  const next = isFull
    ? { eventSeq, buildKind: kind.kind, buildAfter: last.id }
    : { ...begun, buildKind: searchedKinds[at + 1]?.kind ?? null };
  return { indexed: [{ kind, rows }], changes: [], next, hasMore: true };
}

async function readNews(
  lane: SerialLane,
  platformId: string,
  { eventSeq, headEventSeq }: SearchPosition,
): Promise<Found> {
  const last = eventSeq + BigInt(EVENTS_AT_ONCE);
  const upTo = last < headEventSeq ? last : headEventSeq;
  const [changed, told] = await lane.runAll([
    changesStep(platformId, ROWS_AT_ONCE),
    toldStep(platformId, { after: eventSeq, upTo }),
  ]);
  const changes = (changed?.rows ?? []).map((cells) => rowChanges.decode(cells));
  const lists = groupBy(changes, ({ list }) => list);
  const indexed: Indexed[] = [];
  for (const kind of searchedKinds) {
    const { table } = kind;
    const ids = [...new Set(lists.get(table.name)?.map(({ id }) => id))];
    if (ids.length > 0) {
      const parameters = [parameter("uuid", platformId), arrayParameter("uuid", ids)];
      const rows = await lane.run({ statement: table.selectByIds, parameters });
      indexed.push({ kind, rows: decodeRows(table, rows) });
    }
    if (kind.kind === "Transaction") indexed.push({ kind, rows: decodeRows(table, told) });
  }
  const next = { eventSeq: upTo, buildKind: null, buildAfter: BEFORE_ALL_IDS };
  return { indexed, changes, next, hasMore: upTo < headEventSeq };
}
