import type { Command } from "../../engine/command.ts";
import {
  type Checkpoint,
  type CheckpointFacts,
  checkpoints,
  toCheckpointId,
} from "./checkpoint.ts";

export interface RecordCheckpointInput extends CheckpointFacts {
  readonly publicKey: string;
  readonly keyId: string;
  readonly signature: string;
  /** Of the checkpoint of a day; the one that exists is the result then. */
  readonly id?: string;
}

/** Stores a checkpoint that the caller has signed, and tells of it. The command that it names is committed, so it is final. */
export const recordCheckpoint: Command<RecordCheckpointInput, Checkpoint> = {
  name: "record-checkpoint",
  needs: (_world, { id }) => (id === undefined ? [] : [checkpoints.ref(id)]),
  decide(world, { id, ...facts }) {
    const known = id === undefined ? undefined : world.find(checkpoints.ref(id));
    if (known !== undefined) return known;
    const checkpoint = world.put(checkpoints, {
      id: id ?? world.newId(),
      ...facts,
      createdAt: world.at,
    });
    const subject = { kind: "checkpoint", id: toCheckpointId(checkpoint.id), checkpoint };
    world.emit("LEDGER.CHECKPOINT", subject);
    return checkpoint;
  },
};
