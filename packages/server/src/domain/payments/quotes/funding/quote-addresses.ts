/**
 * Where the payer of a production quote may pay to: at each connection that takes its money by a reference of the quote's own,
 * or as its connector tells, which is asked once the quote is there.
 */
import type { World } from "../../../../engine/command.ts";
import type { JsonObject } from "../../../../std/json.ts";
import { fundingTimes, NO_FUNDING } from "../../../rails/connections/funding-settings.ts";
import { type FundingAddress, freshReference } from "../../../rails/funding/funding-address.ts";
import {
  type FundingChoice,
  fundingChoices,
  modeOf,
  payerInstructions,
  referenceFormOf,
} from "../../../rails/funding/funding-plan.ts";
import type { RailRouting } from "../../../rails/routes/routing.ts";

/** The connections that take money for quotes. Numbers from pools are given to accounts alone: a quote would use one up. */
export function quoteFundingChoices(
  routing: RailRouting | undefined,
  wanted: { readonly currency: string; readonly amountMinor?: bigint },
): readonly FundingChoice[] {
  return fundingChoices(routing, wanted).filter(
    ({ connection }) => modeOf(connection) !== "VIRTUAL_ACCOUNTS",
  );
}

/** Whether a route for this money leads to a connection that is paused and would take it otherwise. */
export function isFundingPaused(routing: RailRouting | undefined, currency: string): boolean {
  const connections = routing?.connections.map((connection) =>
    connection.status === "PAUSED" ? { ...connection, status: "ACTIVE" as const } : connection,
  );
  const resumed =
    routing === undefined ? undefined : { ...routing, connections: connections ?? [] };
  return quoteFundingChoices(resumed, { currency }).length > 0;
}

/** The shortest window of the connections, and the longest grace. */
export function quoteFundingTimes(choices: readonly FundingChoice[]) {
  const times = choices.map(({ connection: { kind, funding = NO_FUNDING } }) =>
    fundingTimes(kind, funding),
  );
  return {
    windowMs: Math.min(...times.map(({ windowMs }) => windowMs)),
    graceMs: Math.max(...times.map(({ graceMs }) => graceMs)),
  };
}

/** What the payer is told, and the addresses by which the money is recognised, which the caller puts. */
export function quoteAddresses(
  world: World,
  choices: readonly FundingChoice[],
  { quoteId, currency }: { readonly quoteId: string; readonly currency: string },
): { readonly addresses: readonly FundingAddress[]; readonly instructions: readonly JsonObject[] } {
  const made = choices.map((choice) => {
    const { connection } = choice;
    const mode = modeOf(connection) === "CONNECTOR" ? "CONNECTOR" : "REFERENCE";
    const address: FundingAddress = {
      id: world.newId(),
      connectionId: connection.id,
      accountId: null,
      quoteId,
      currency,
      mode,
      reference:
        mode === "REFERENCE" ? freshReference(world, referenceFormOf(connection, currency)) : null,
      virtualAccount: null,
      told: null,
      jobId: null,
      createdAt: world.at,
    };
    return { address, instructions: payerInstructions(choice, address) };
  });
  return {
    addresses: made.map(({ address }) => address),
    instructions: made.flatMap(({ instructions }) => instructions),
  };
}
