import type { Command, World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import { refuseWithoutRoom } from "../../accounts/internal/system-room.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { type Asked, askForMark, needsSecondToken } from "../marks/rail-mark.ts";
import { type RailReceivable, railReceivables, requireOpenReceivable } from "./rail-receivable.ts";

export interface WriteReceivableOffInput {
  readonly receivableId: string;
  readonly note: string;
}

/** The request as a waiting mark stores it. */
export type WriteOffRequest = { readonly receivableId: string; readonly note: string };

/**
 * Pays the open amount of a receivable from the platform's own funds at the connection: own-funds → receivables. At a connection with
 * FOUR_EYES it waits for another token. Refuses, in this order: an unknown receivable, one that is not open, books without room.
 */
export const writeReceivableOff: Command<WriteReceivableOffInput, Asked<RailReceivable>> = {
  name: "write-receivable-off",
  needs(world, { receivableId }) {
    const receivable = world.find(railReceivables.ref(receivableId));
    if (receivable === undefined) return [railReceivables.ref(receivableId)];
    const { currency, connectionId } = receivable;
    return [
      railReceivables.ref(receivableId),
      railConnections.ref(connectionId),
      systemAccount("receivables", currency),
      systemAccount("own-funds", currency, connectionId),
    ];
  },
  decide(world, input) {
    const receivable = refuseWriteOff(world, input);
    const { connectionId } = receivable;
    if (!needsSecondToken(world, connectionId)) {
      return { kind: "done", done: writeOff(world, receivable, input) };
    }
    const request: WriteOffRequest = { receivableId: input.receivableId, note: input.note };
    return {
      kind: "waiting",
      mark: askForMark(world, { connectionId, kind: "WRITE_OFF", request }),
    };
  },
};

/** Checks that the receivable can be written off, and returns it. */
export function refuseWriteOff(
  world: World,
  { receivableId }: Pick<WriteReceivableOffInput, "receivableId">,
): RailReceivable {
  const receivable = requireOpenReceivable(world, receivableId, "written off");
  refuseWithoutRoom(world, [ownFundsOf(receivable)]);
  return receivable;
}

function ownFundsOf({ currency, connectionId, openMinor }: RailReceivable) {
  return { system: "own-funds", currency, connectionId, minor: -openMinor } as const;
}

/** Writes off a receivable that passed the checks. */
export function writeOff(
  world: World,
  receivable: RailReceivable,
  { note }: Pick<WriteReceivableOffInput, "note">,
): RailReceivable {
  const { currency, openMinor } = receivable;
  world.post({
    reason: "receivable.write-off",
    legs: [ownFundsOf(receivable), { system: "receivables", currency, minor: openMinor }],
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
}
