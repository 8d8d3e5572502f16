/**
 * A commit that was acknowledged must be in the database. A standby that was promoted without it, a primary that was cut off and came
 * back, and an older backup under a running server lack it. The engine then commits nothing any more: what callers were told is not in the
 * books, so a person has to decide. A restart takes the database as it is.
 *
 * Each server knows the last commit of its own that it acknowledged, for each platform in its memory.
 */
import type { StepResult } from "../postgres/pipeline.ts";
import { Fault } from "../std/errors.ts";

/** A place in the log of a platform. */
export interface LoggedPlace {
  readonly seq: bigint;
  /** Of the command, a random one: another history has another id at the same place. */
  readonly id: string;
}

export class LostCommits extends Fault {
  readonly platformId: string;
  readonly seq: bigint;

  constructor(platformId: string, { seq }: LoggedPlace) {
    super("the database lacks a commit that was acknowledged");
    this.platformId = platformId;
    this.seq = seq;
  }
}

/** Judges what `findLogged` has found at the place. */
export function refuseLost(platformId: string, place: LoggedPlace, found: StepResult | undefined) {
  if (found?.rows[0]?.[0] !== place.id) throw new LostCommits(platformId, place);
}
