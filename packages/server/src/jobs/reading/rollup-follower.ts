/**
 * Counts payments that have ended for the overview. Its position is the last event of a platform that is counted; correctness does not
 * depend on its lease.
 */
import {
  addSteps,
  behindStep,
  countStep,
  decodeStanding,
  decodeSums,
  EVENTS_AT_ONCE,
  moveStep,
  type Standing,
  takeSteps,
} from "../../domain/reading/overview/payment-rollups.sql.ts";
import { addEnded, type RollupSums } from "../../domain/reading/overview/payment-sums.ts";
import type { WrittenCommit } from "../../engine/engine.ts";
import { type FollowerLoop, followLog } from "../../followers/follow-log.ts";
import type { Follower, FollowTools } from "../../followers/follower.ts";

const rollups: Follower<Standing, RollupSums, WrittenCommit> = {
  name: "overview",
  positions: {
    behind: behindStep,
    take: takeSteps,
    decode: decodeStanding,
    move: (lease, from, to) => moveStep(lease, from.position, to.position),
  },
  async read(lane, platformId, { position, last: head }, upTo = head) {
    const last = upTo < head ? upTo : head;
    if (position >= last) return undefined;
    const end = position + BigInt(EVENTS_AT_ONCE);
    const to = end < last ? end : last;
    const entries = decodeSums(await lane.run(countStep(platformId, { from: position, to })));
    return { entries, next: { position: to, last: head }, hasMore: to < head };
  },
  feed: {
    open: () => new Map(),
    add: addEnded,
    placeOf: ({ position }) => position,
    batchOf: async (_lane, { position: { last }, upTo }, entries) => ({
      entries,
      next: { position: upTo, last },
      hasMore: false,
    }),
  },
  apply: (lease, _from, hours) => addSteps(lease, hours),
};

export function createRollupFollower(tools: FollowTools): FollowerLoop<WrittenCommit> {
  const pace = { gatherMs: 1_500, scanMs: 3_000, platformsAScan: 1_000, fedAtOnce: EVENTS_AT_ONCE };
  return followLog(rollups, { ...tools, pace });
}
