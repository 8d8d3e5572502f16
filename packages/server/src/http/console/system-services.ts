/** Services for the operations of operators, in addition to the services of all operations. */
import type {
  OrderedPlatform,
  OrderedWorkspace,
} from "../../domain/platforms/system/orders-of-operators.ts";
import type { RequestedRun } from "../../domain/platforms/system/verify-run.ts";
import type { ActNote, Actor } from "../../engine/command.ts";

export interface SettingInEffect {
  readonly name: string;
  readonly meaning: string;
  /** For a secret, only whether it is set. */
  readonly value: string;
  readonly isSet: boolean;
}

/** The person who makes a partition, as the log of the new partition records it. */
export interface Maker {
  readonly actor: Actor;
  readonly act: ActNote;
}

export interface SystemServices {
  /** The id of this server within the deployment. */
  readonly serverId: string;
  /** False when another run is under way. */
  beginVerify(run: RequestedRun): Promise<boolean>;
  /** False when the run is not under way. */
  cancelVerify(id: string): Promise<boolean>;
  settings(): readonly SettingInEffect[];
  /** The reasons why a start would refuse the database now, and its warnings. Determined once a minute at most. */
  startFaults(): Promise<StartFaults>;
  /** Does nothing when the workspace exists. */
  makeWorkspace(ordered: OrderedWorkspace, by: Maker): Promise<void>;
  /** Does nothing when the platform exists. False when another platform has taken the UMA domain meanwhile. */
  makePlatform(ordered: OrderedPlatform, by: Maker): Promise<boolean>;
}

export interface StartFaults {
  readonly refusals: readonly string[];
  readonly warnings: readonly string[];
}
