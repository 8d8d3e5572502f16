/** What the operations of the operators need beside the services of all operations. */
import type {
  OrderedPlatform,
  OrderedWorkspace,
} from "../../domain/platforms/system/orders-of-operators.ts";
import type { RequestedRun } from "../../domain/platforms/system/verify-run.ts";
import type { ActNote, Actor } from "../../engine/command.ts";

export interface SettingInEffect {
  readonly name: string;
  readonly meaning: string;
  /** Of a secret, whether it is set. */
  readonly value: string;
  readonly isSet: boolean;
}

/** Who makes a partition: the entry of its own log names the person. */
export interface Maker {
  readonly actor: Actor;
  readonly act: ActNote;
}

export interface SystemServices {
  /** This server among those of the deployment. */
  readonly serverId: string;
  /** False when another run is under way. */
  beginVerify(run: RequestedRun): Promise<boolean>;
  /** False when the run is not under way. */
  cancelVerify(id: string): Promise<boolean>;
  settings(): readonly SettingInEffect[];
  /** For what a start would refuse the database now, and what it would warn of; found out once a minute at most. */
  startFaults(): Promise<StartFaults>;
  /** Does nothing when it is there. */
  makeWorkspace(ordered: OrderedWorkspace, by: Maker): Promise<void>;
  /** Likewise; false when another platform has the UMA domain by now. */
  makePlatform(ordered: OrderedPlatform, by: Maker): Promise<boolean>;
}

export interface StartFaults {
  readonly refusals: readonly string[];
  readonly warnings: readonly string[];
}
