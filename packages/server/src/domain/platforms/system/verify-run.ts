/** Checks of the books that operators ask for in the console; a server carries them out (jobs/system). */
import type { Command } from "../../../engine/command.ts";

/**
 * RUNNING    leaves to any other state
 * DONE       final; the books add up, or the run lists what does not
 * FAILED     final; the check itself could not be made
 * CANCELLED  final; an operator has ended it
 */
export const verifyStates = ["RUNNING", "DONE", "FAILED", "CANCELLED"] as const;

export type VerifyState = (typeof verifyStates)[number];

export interface VerifyCounts {
  readonly platforms: number;
  readonly workspaces: number;
  readonly commands: number;
  readonly entries: number;
  readonly events: number;
  readonly accounts: number;
  readonly problemCount: number;
}

export const NOTHING_COUNTED: VerifyCounts = {
  platforms: 0,
  workspaces: 0,
  commands: 0,
  entries: 0,
  events: 0,
  accounts: 0,
  problemCount: 0,
};

/** Where the books do not add up. The difference is left out, because it may be an amount; operators read it at the command line. */
export interface ProblemPlace {
  readonly platformId: string;
  readonly table: string;
  readonly row: string;
}

export interface VerifyRun {
  readonly id: string;
  readonly state: VerifyState;
  /** The name of the operator. */
  readonly requestedBy: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly total: number;
  readonly done: number;
  readonly counts: VerifyCounts;
  readonly problems: readonly ProblemPlace[];
  readonly failure: string | null;
}

export interface RequestedRun {
  readonly id: string;
  readonly requestedBy: string;
  readonly startedAt: number;
  readonly total: number;
}

/** Records in the workspace of an operator that a check was asked for. The run itself belongs to no platform. */
export const startVerify: Command<RequestedRun, RequestedRun> = {
  name: "start-verify",
  isNoted: true,
  needs: () => [],
  decide: (_world, run) => run,
};

export const cancelVerify: Command<undefined, undefined> = {
  name: "cancel-verify",
  isNoted: true,
  needs: () => [],
  decide: () => undefined,
};
