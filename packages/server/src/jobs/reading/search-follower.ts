/**
 * Keeps the search index up to date. Its position is the last event of a platform that is in the index; changed rows of other tables are
 * listed in `row_changes`, whose rows a batch deletes. The first run reads all objects of a platform, kind by kind.
 */

import { transactions } from "../../domain/payments/transactions/transaction.ts";
import { addFirst } from "../../domain/reading/search/first-events.ts";
import {
  changesStep,
  decodePosition,
  decodeRows,
  lookStep,
  moveStep,
  pageStep,
  type SearchNews,
  type SearchPosition,
  takeSteps,
  takeUpSteps,
  toldStep,
} from "../../domain/reading/search/follow.sql.ts";
import { IndexedTerms } from "../../domain/reading/search/index-rows.ts";
import { searchedKinds, searchedTransaction } from "../../domain/reading/search/searched-kinds.ts";
import type { WrittenCommit } from "../../engine/engine.ts";
import { rowChanges } from "../../engine/records.ts";
import { type FollowerLoop, followLog } from "../../followers/follow-log.ts";
import type { Batch, Follower, FollowTools } from "../../followers/follower.ts";
import { arrayParameter, parameter } from "../../postgres/columns.ts";
import type { SerialLane } from "../../postgres/serial-lane.ts";
import { groupBy } from "../../std/group.ts";
import { BEFORE_ALL_IDS } from "../../std/ids.ts";

/** Batches of this size block the event loop for some milliseconds. */
const ROWS_AT_ONCE = 500;
const EVENTS_AT_ONCE = 2_000;
const FED_AT_ONCE = 6_000;

const searchIndex: Follower<SearchPosition, SearchNews, WrittenCommit> = {
  name: "search",
  positions: { behind: lookStep, take: takeSteps, decode: decodePosition, move: moveStep },
  read: (lane, platformId, position, upTo = position.headEventSeq) =>
    position.buildKind === null
      ? readNews(lane, { platformId, position, upTo })
      : readPage(lane, platformId, position),
  feed: {
    open: () => ({ terms: new IndexedTerms(), changes: [] }),
    add: ({ terms }, commit) => addFirst(terms, commit),
    placeOf: ({ buildKind, eventSeq }) => (buildKind === null ? eventSeq : undefined),
    batchOf: addChanges,
  },
  apply: takeUpSteps,
};

export function createSearchFollower(tools: FollowTools): FollowerLoop<WrittenCommit> {
  const pace = { gatherMs: 1_000, scanMs: 1_000, platformsAScan: 500, fedAtOnce: FED_AT_ONCE };
  return followLog(searchIndex, { ...tools, pace });
}

type SearchBatch = Batch<SearchPosition, SearchNews>;

/** The next page of all objects, kind by kind. Commits after the build began are read as events once it has ended. */
async function readPage(
  lane: SerialLane,
  platformId: string,
  position: SearchPosition,
): Promise<SearchBatch> {
  const at = searchedKinds.findIndex(({ kind }) => kind === position.buildKind);
  const kind = searchedKinds[at];
  const eventSeq = position.eventSeq === 0n ? position.headEventSeq : position.eventSeq;
  const begun = { ...position, eventSeq, buildAfter: BEFORE_ALL_IDS };
  const entries = { terms: new IndexedTerms(), changes: [] };
  if (kind === undefined) return { entries, next: { ...begun, buildKind: null }, hasMore: true };
  const page = { kind: kind.kind, after: position.buildAfter, limit: ROWS_AT_ONCE };
  const rows = decodeRows(kind.table, await lane.run(pageStep(platformId, page)));
  const last = rows.at(-1);
  const isFull = last !== undefined && rows.length === ROWS_AT_ONCE;
  const next = isFull
    ? { ...begun, buildKind: kind.kind, buildAfter: last.id }
    : { ...begun, buildKind: searchedKinds[at + 1]?.kind ?? null };
  for (const row of rows) entries.terms.add(kind, row);
  return { entries, next, hasMore: true };
}

interface From {
  readonly platformId: string;
  readonly position: SearchPosition;
  readonly upTo: bigint;
}

async function readNews(
  lane: SerialLane,
  { platformId, position, upTo }: From,
): Promise<SearchBatch> {
  const { eventSeq } = position;
  const last = eventSeq + BigInt(EVENTS_AT_ONCE);
  const end = last < upTo ? last : upTo;
  const terms = new IndexedTerms();
  const told = await lane.run(toldStep(platformId, { after: eventSeq, upTo: end }));
  for (const row of decodeRows(transactions, told)) terms.add(searchedTransaction, row);
  const batch = await addChanges(lane, { platformId, position, upTo: end }, { terms, changes: [] });
  return { ...batch, hasMore: batch.hasMore || end < position.headEventSeq };
}

/** Adds the terms of the changed rows of other tables to the batch. */
async function addChanges(
  lane: SerialLane,
  { platformId, position, upTo }: From,
  { terms }: SearchNews,
): Promise<SearchBatch> {
  const changed = await lane.run(changesStep(platformId, ROWS_AT_ONCE));
  const changes = changed.rows.map((cells) => rowChanges.decode(cells));
  const lists = groupBy(changes, ({ list }) => list);
  for (const kind of searchedKinds) {
    const { table } = kind;
    const ids = [...new Set(lists.get(table.name)?.map(({ id }) => id))];
    if (ids.length === 0) continue;
    const parameters = [parameter("uuid", platformId), arrayParameter("uuid", ids)];
    const rows = await lane.run({ statement: table.selectByIds, parameters });
    for (const row of decodeRows(table, rows)) terms.add(kind, row);
  }
  const next = { ...position, eventSeq: upTo, buildAfter: BEFORE_ALL_IDS };
  return { entries: { terms, changes }, next, hasMore: changes.length > 0 };
}
