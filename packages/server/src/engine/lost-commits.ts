/**
 * A commit that was acknowledged must be in the database. It is missing when a standby was promoted without it, when a primary that was
 * cut off came back, or when an older backup was restored under a running server. The engine then commits nothing any more: an answer
 * that callers got is not in the books, so a person has to decide. A restart accepts the database as it is.
 *
 * Each server knows the last commit of its own that it acknowledged, for each platform in its memory.
 */
import type { StepResult } from "../postgres/pipeline.ts";
import { Fault } from "../std/errors.ts";

/** A place in the log of a platform. */
export interface LoggedPlace {
  readonly seq: bigint;
  /** The random id of the command: a different history has a different id at the same `seq`. */
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

/** Throws when `findLogged` did not find the acknowledged command at its place. */
export function refuseLost(platformId: string, place: LoggedPlace, found: StepResult | undefined) {
  if (found?.rows[0]?.[0] !== place.id) throw new LostCommits(platformId, place);
}
