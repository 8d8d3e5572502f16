/**
 * Adjusts positions by exchanges that no entry reports, such as those that a treasury made elsewhere. The other side of each leg is the
 * platform's own funds at a connection. It always waits for a second token.
 *
 *   fx.adjust  fx + the leg; own-funds − the leg
 */
import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { refuseWithoutRoom, type SystemMove } from "../../accounts/internal/system-room.ts";
import { railConnections, requireLiveConnection } from "../connections/rail-connection.ts";
import { askForMark, type RailMark } from "./rail-mark.ts";

/** The most legs in an adjustment. */
export const MOST_LEGS = 20;

export interface AdjustFxInput {
  readonly connectionId: string;
  readonly legs: readonly {
    readonly currency: string;
    /** What the position gains. */
    readonly minor: bigint;
  }[];
  readonly note: string;
}

/** The adjustment as a mark stores it; amounts are decimal strings. */
export type AdjustmentRequest = {
  readonly connectionId: string;
  readonly legs: readonly { readonly currency: string; readonly amount: string }[];
  readonly note: string;
};

/**
 * Refuses, in this order: an unknown connection, an archived one; then of the first leg at fault: a currency that the connection does not
 * have, one that occurs twice; then books without room.
 */
export const adjustFxPositions: Command<AdjustFxInput, RailMark> = {
  name: "adjust-fx-positions",
  needs: adjustmentNeeds,
  decide(world, input) {
    refuseAdjustment(world, input);
    const { connectionId, note } = input;
    const legs = input.legs.map(({ currency, minor }) => ({ currency, amount: String(minor) }));
    const request: AdjustmentRequest = { connectionId, legs, note };
    return askForMark(world, { connectionId, kind: "ADJUSTMENT", request });
  },
};

function adjustmentNeeds(_world: Loaded, { connectionId, legs }: AdjustFxInput): readonly AnyRef[] {
  return [
    railConnections.ref(connectionId),
    ...legs.flatMap(({ currency }) => [
      systemAccount("fx", currency),
      systemAccount("own-funds", currency, connectionId),
    ]),
  ];
}

export function refuseAdjustment(world: Loaded, { connectionId, legs }: AdjustFxInput): void {
  const { currencies } = requireLiveConnection(world, connectionId, "adjusted");
  for (const [index, { currency }] of legs.entries()) {
    const field = `legs[${index}].currency`;
    if (!currencies.includes(currency)) {
      const list = currencies.join(", ");
      throw invalidField(field, `is not a currency of the connection, which has ${list}`);
    }
    if (legs.findIndex((leg) => leg.currency === currency) !== index) {
      throw invalidField(field, `is there twice: ${currency}`);
    }
  }
  refuseWithoutRoom(
    world,
    legs.flatMap((leg) => movesOf(connectionId, leg)),
  );
}

function movesOf(
  connectionId: string,
  { currency, minor }: AdjustFxInput["legs"][number],
): readonly [SystemMove, SystemMove] {
  return [
    { system: "fx", currency, minor },
    { system: "own-funds", currency, connectionId, minor: -minor },
  ];
}

/** Books an adjustment that passed the checks. */
export function postAdjustment(world: World, { connectionId, legs }: AdjustFxInput): void {
  for (const leg of legs) {
    world.post({ reason: "fx.adjust", legs: movesOf(connectionId, leg) });
  }
}

export function adjustmentInputIn({ connectionId, legs, note }: AdjustmentRequest): AdjustFxInput {
  const read = legs.map(({ currency, amount }) => ({ currency, minor: BigInt(amount) }));
  return { connectionId, legs: read, note };
}
