/**
 * Keeps the search index up to date. Its position is the last event of a platform that is in the index; the rows of other tables that
 * changed are told of by `row_changes`, which a batch deletes. The first time it reads all objects of a platform, kind by kind.
 */
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
import type { Indexed } from "../../domain/reading/search/index-rows.ts";
import { searchedKinds } from "../../domain/reading/search/searched-kinds.ts";
import { rowChanges } from "../../engine/records.ts";
import { type FollowerLoop, followLog } from "../../followers/follow-log.ts";
import type { Batch, Follower, FollowTools } from "../../followers/follower.ts";
import { arrayParameter, parameter } from "../../postgres/columns.ts";
import type { SerialLane } from "../../postgres/serial-lane.ts";
import { groupBy } from "../../std/group.ts";
import { BEFORE_ALL_IDS } from "../../std/ids.ts";

const ROWS_AT_ONCE = 2_000;
const EVENTS_AT_ONCE = 20_000;

const searchIndex: Follower<SearchPosition, SearchNews> = {
  name: "search",
  positions: { behind: lookStep, take: takeSteps, decode: decodePosition, move: moveStep },
  read: (lane, platformId, position) =>
    position.buildKind === null
      ? readNews(lane, platformId, position)
      : readPage(lane, platformId, position),
  apply: takeUpSteps,
};

export function createSearchFollower(tools: FollowTools): FollowerLoop {
  const pace = { gatherMs: 1_000, scanMs: 1_000, platformsAScan: 500 };
  return followLog(searchIndex, { ...tools, pace });
}

type SearchBatch = Batch<SearchPosition, SearchNews>;

/** The next page of all objects, kind by kind. What is committed after the build began is news afterwards. */
async function readPage(
  lane: SerialLane,
  platformId: string,
  position: SearchPosition,
): Promise<SearchBatch> {
  const at = searchedKinds.findIndex(({ kind }) => kind === position.buildKind);
  const kind = searchedKinds[at];
  const eventSeq = position.eventSeq === 0n ? position.headEventSeq : position.eventSeq;
  const begun = { ...position, eventSeq, buildAfter: BEFORE_ALL_IDS };
  const nothing = { indexed: [], changes: [] };
  if (kind === undefined)
    return { entries: nothing, next: { ...begun, buildKind: null }, hasMore: true };
  const page = { kind: kind.kind, after: position.buildAfter, limit: ROWS_AT_ONCE };
  const rows = decodeRows(kind.table, await lane.run(pageStep(platformId, page)));
  const last = rows.at(-1);
  const isFull = last !== undefined && rows.length === ROWS_AT_ONCE;
  const next = isFull
    ? { ...begun, buildKind: kind.kind, buildAfter: last.id }
    : { ...begun, buildKind: searchedKinds[at + 1]?.kind ?? null };
  return { entries: { ...nothing, indexed: [{ kind, rows }] }, next, hasMore: true };
}

async function readNews(
  lane: SerialLane,
  platformId: string,
  position: SearchPosition,
): Promise<SearchBatch> {
  const { eventSeq, headEventSeq } = position;
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
  const next = { ...position, eventSeq: upTo, buildAfter: BEFORE_ALL_IDS };
  const hasMore = upTo < headEventSeq || changes.length > 0;
  return { entries: { indexed, changes }, next, hasMore };
}
