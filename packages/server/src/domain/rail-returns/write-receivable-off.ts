import type { Command } from "../../engine/command.ts";
import { systemAccount } from "../../ledger/chart.ts";
import type { SystemMove } from "../internal-accounts/system-room.ts";
import { refuseWithoutRoom } from "../internal-accounts/system-room.ts";
import { type RailReceivable, railReceivables, requireOpenReceivable } from "./rail-receivable.ts";

export interface WriteReceivableOffInput {
  readonly receivableId: string;
  readonly note: string;
}

/**
 * Pays what is open of a receivable from the platform's own funds at the connection: own-funds → receivables. Refuses, in this order: an
 * unknown receivable, one that is not open, books without room.
 */
export const writeReceivableOff: Command<WriteReceivableOffInput, RailReceivable> = {
  name: "write-receivable-off",
  needs(world, { receivableId }) {
    const receivable = world.find(railReceivables.ref(receivableId));
    if (receivable === undefined) return [railReceivables.ref(receivableId)];
    const { currency, connectionId } = receivable;
    return [
      railReceivables.ref(receivableId),
      systemAccount("receivables", currency),
      systemAccount("own-funds", currency, connectionId),
    ];
  },
  decide(world, { receivableId, note }) {
    const receivable = requireOpenReceivable(world, receivableId, "written off");
    const { currency, connectionId, openMinor } = receivable;
    const ownFunds: SystemMove = {
      system: "own-funds",
      currency,
      connectionId,
      minor: -openMinor,
    };
    refuseWithoutRoom(world, [ownFunds]);

    world.post({
      reason: "receivable.write-off",
      legs: [ownFunds, { system: "receivables", currency, minor: openMinor }],
    });
    return world.put(railReceivables, {
      ...receivable,
      openMinor: 0n,
      writtenOffMinor: openMinor,
      state: "WRITTEN_OFF",
      note,
      decidedBy: `${world.actor.kind} ${world.actor.id}`,
      updatedAt: world.at,
    });
  },
};
