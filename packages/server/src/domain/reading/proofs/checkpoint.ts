/**
 * A checkpoint: the hash of a command, which covers all commands before it, signed with the platform's webhook key. A copy that is kept
 * elsewhere shows whether anything up to that command was changed later. The row has the public key, because the platform's key may have
 * been rotated when the checkpoint is checked.
 */

import { toIso } from "../../../std/clock.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { toWireId, uuidOfDigest } from "../../../std/ids.ts";
import { defineTable, fixed, type RowOf } from "../../../tables/tables.ts";
import { toPlatformConfigId } from "../../platform.ts";

const columns = {
  id: fixed("uuid"),
  seq: fixed("int8"),
  chainHash: fixed("bytes"),
  /** The time of the command. */
  at: fixed("time"),
  /** PEM */
  publicKey: fixed("text"),
  keyId: fixed("text"),
  /** The signature of `checkpointText`: ECDSA P-256 with SHA-256, DER in base64. */
  signature: fixed("text"),
  createdAt: fixed("time"),
};

export interface Checkpoint extends RowOf<typeof columns> {}

/** What is signed. */
export type CheckpointFacts = Pick<Checkpoint, "seq" | "chainHash" | "at">;

export const checkpoints = defineTable<Checkpoint>("chain_checkpoints", columns);

export interface CheckpointSubject {
  readonly kind: "Checkpoint";
  readonly id: string;
  readonly checkpoint: Checkpoint;
}

export function toCheckpointId(id: string): string {
  return toWireId("Checkpoint", id);
}

/** The text that is signed. Its first line is not JSON, so its signature is never valid for an event. */
export function checkpointText(
  platformId: string,
  { seq, chainHash, at }: CheckpointFacts,
): string {
  const platform = toPlatformConfigId(platformId);
  return `florin checkpoint v1\n${platform}\n${seq}\n${chainHash.toString("hex")}\n${toIso(at)}\n`;
}

export const CHECKPOINT_EVERY_MS = 60_000;

/** The id of a checkpoint that a caller asks for: at most one per minute of platform time, because checkpoints are kept for good. */
export function askedCheckpointId(platformId: string, at: number): string {
  const minute = Math.floor(at / CHECKPOINT_EVERY_MS);
  return uuidOfDigest(sha256Hex(`asked checkpoint\n${platformId}\n${minute}`));
}

/** The id of the scheduled checkpoint of a day (`YYYY-MM-DD`) of the platform: there is one at most. */
export function dailyCheckpointId(platformId: string, day: string): string {
  return uuidOfDigest(sha256Hex(`daily checkpoint\n${platformId}\n${day}`));
}
