/**
 * Makes the checkpoint of the day of each platform that has committed something since its last one. Run by the sweeper, on every server:
 * the id of a day's checkpoint is derived from the day, so a second server finds the first one's. A platform that fails is left to the
 * next sweep, as are those not reached when the process ends.
 */

import { clockOffsetOf, findPlatform } from "../../domain/platform.sql.ts";
import { dailyCheckpointId } from "../../domain/reading/proofs/checkpoint.ts";
import {
  decodeDueSignatures,
  dueSignaturesStep,
} from "../../domain/reading/proofs/due-checkpoints.sql.ts";
import { lastCommand } from "../../domain/reading/proofs/proofs.sql.ts";
import { recordCheckpoint, signCheckpoint } from "../../domain/reading/proofs/record-checkpoint.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Lane, Reads } from "../../postgres/database.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { type Clock, dayOf } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import { BEFORE_ALL_IDS } from "../../std/ids.ts";
import type { Log } from "../../std/log.ts";

export interface DailyCheckpointTools {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
}

const PLATFORMS_AT_ONCE = 100;

/** Answers how many were made. */
export async function makeDailyCheckpoints(
  lane: Lane,
  tools: DailyCheckpointTools,
  isStopped: () => boolean,
): Promise<number> {
  let made = 0;
  for (let after = BEFORE_ALL_IDS; ; ) {
    const page = { after, now: tools.clock.now(), limit: PLATFORMS_AT_ONCE };
    const [found] = await lane.run([dueSignaturesStep(page)]);
    const due = decodeDueSignatures(found);
    for (const platformId of due) {
      if (isStopped()) return made;
      if (await makeFor(platformId, tools)) made++;
    }
    after = due.at(-1) ?? after;
    if (due.length < PLATFORMS_AT_ONCE) return made;
  }
}

async function makeFor(platformId: string, tools: DailyCheckpointTools): Promise<boolean> {
  const { engine, reads, sealer, clock, log } = tools;
  try {
    const platform = await findPlatform(reads, platformId);
    if (platform === undefined) return false;
    const at = clock.now() + (await clockOffsetOf(reads, platformId));
    const facts = await lastCommand(reads, platformId);
    await engine.submit({
      platformId,
      actor: { kind: "worker", id: "checkpoints" },
      command: recordCheckpoint,
      input: {
        ...signCheckpoint(platform, facts, { sealer, at }),
        id: dailyCheckpointId(platformId, dayOf(at)),
        isAsked: false,
      },
      toAnswer: () => ({ status: 200, body: "" }),
      isBackground: true,
    });
    return true;
  } catch (error) {
    log.warn({ err: messageOf(error), platformId }, "the checkpoint of a platform was not made");
    return false;
  }
}
