import type { Command, World } from "../../../engine/command.ts";
import { toIso } from "../../../std/clock.ts";
import type { JsonObject } from "../../../std/json.ts";
import { type ExchangeOutcome, noteExchange } from "../connections/exchange-health.ts";
import { putConnection, railConnections } from "../connections/rail-connection.ts";
import { railRoutings } from "../routes/routing.ts";
import { fundingAddresses } from "./funding-address.ts";

/** The most payment instructions for one address. */
export const MOST_TOLD = 5;

export interface RecordFundingToldInput {
  readonly addressId: string;
  readonly connectionId: string;
  readonly jobId: string;
  /** Undefined when the connector was not asked. */
  readonly outcome: ExchangeOutcome | undefined;
  /** The instructions, or what is wrong with them; undefined when the exchange brought nothing. */
  readonly told: readonly JsonObject[] | { readonly fault: string } | undefined;
}

/**
 * Records a connector's payment instructions, once. Invalid ones are refused: `lastError` says what is wrong, and the connector is asked
 * again; payments are not affected. Answers whether it is asked again.
 */
export const recordFundingTold: Command<RecordFundingToldInput, boolean> = {
  name: "record-funding-told",
  needs: (world, { addressId, connectionId }) => [
    fundingAddresses.ref(addressId),
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
  ],
  decide(world, { addressId, connectionId, jobId, outcome, told }) {
    if (outcome !== undefined) {
      noteExchange(world, world.get(railConnections.ref(connectionId)), outcome);
    }
    const address = world.get(fundingAddresses.ref(addressId));
    const isCurrent = address.jobId === jobId;
    const isTold = told !== undefined && !("fault" in told);
    if (isCurrent && outcome !== undefined && !isTold) {
      if (told !== undefined) noteFault(world, connectionId, told.fault);
      return true;
    }
    world.cancel(jobId);
    if (isCurrent) {
      world.put(fundingAddresses, { ...address, told: isTold ? told : null, jobId: null });
    }
    return false;
  },
};

function noteFault(world: World, connectionId: string, message: string): void {
  const connection = world.get(railConnections.ref(connectionId));
  const lastError = { code: "INSTRUCTIONS", message, at: toIso(world.at) };
  putConnection(world, { ...connection, lastError });
}
