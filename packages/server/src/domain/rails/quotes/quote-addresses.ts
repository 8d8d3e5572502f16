/**
 * Where the payer of a production quote can pay: at each connection that takes the money, by a reference made for the quote, or by
 * instructions from its connector, which is asked after the quote is stored.
 */
import type { World } from "../../../engine/command.ts";
import type { OpenedPayIn, PayIn } from "../../payments/carrier/carrier.port.ts";
import type { Quote } from "../../payments/quotes/quote.ts";
import { fundingTimes, NO_FUNDING } from "../connections/funding-settings.ts";
import { type FundingAddress, freshReference, putAddress } from "../funding/funding-address.ts";
import {
  type FundingChoice,
  fundingChoices,
  modeOf,
  payerInstructions,
  referenceFormOf,
} from "../funding/funding-plan.ts";
import type { RailRouting } from "../routes/routing.ts";

/** The connections that take money for quotes. Numbers from pools go to accounts only, because a quote would use one up for ever. */
function quoteFundingChoices(
  routing: RailRouting | undefined,
  wanted: { readonly currency: string; readonly amountMinor?: bigint },
): readonly FundingChoice[] {
  return fundingChoices(routing, wanted).filter(
    ({ connection }) => modeOf(connection) !== "VIRTUAL_ACCOUNTS",
  );
}

/** The payer gets the shortest window of the connections, and entries get the longest grace. */
export function quotePayIn(
  routing: RailRouting | undefined,
  wanted: { readonly currency: string; readonly amountMinor?: bigint },
): PayIn | undefined {
  const choices = quoteFundingChoices(routing, wanted);
  if (choices.length === 0) return undefined;
  const times = choices.map(({ connection: { kind, funding = NO_FUNDING } }) =>
    fundingTimes(kind, funding),
  );
  return {
    windowMs: Math.min(...times.map(({ windowMs }) => windowMs)),
    graceMs: Math.max(...times.map(({ graceMs }) => graceMs)),
    open: (world, quote) => openAddresses(world, choices, quote),
  };
}

/** Whether a connection would take this money if no connection were paused. */
export function isPayInPaused(routing: RailRouting | undefined, currency: string): boolean {
  const connections = routing?.connections.map((connection) =>
    connection.status === "PAUSED" ? { ...connection, status: "ACTIVE" as const } : connection,
  );
  const resumed =
    routing === undefined ? undefined : { ...routing, connections: connections ?? [] };
  return quoteFundingChoices(resumed, { currency }).length > 0;
}

/** The payer's instructions, and the addresses that identify the money. */
function openAddresses(
  world: World,
  choices: readonly FundingChoice[],
  { id: quoteId, sendingCurrency: currency }: Pick<Quote, "id" | "sendingCurrency">,
): OpenedPayIn {
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
    instructions: made.flatMap(({ instructions }) => instructions),
    put() {
      for (const { address } of made) putAddress(world, address);
    },
  };
}
