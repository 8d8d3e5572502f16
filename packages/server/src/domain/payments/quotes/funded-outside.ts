/** Where the money of a production quote comes from. */
import type { Loaded } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { platforms } from "../../platform.ts";
import { carrierPort } from "../carrier/carrier.port.ts";
import { accountsOfQuote } from "./execution.ts";
import type { Quote } from "./quote.ts";

/** Whether a payer funds the quote through connections. */
export function isFundedByRails(world: Loaded, { source }: Pick<Quote, "source">): boolean {
  const platform = world.find(platforms.ref(world.platformId));
  return source.sourceType === "REALTIME_FUNDING" && platform?.environment === "PRODUCTION";
}

/** Whether the quote's money came in through connections, from a payer or by a collection. */
export function cameByRails(world: Loaded, quote: Quote): boolean {
  const platform = world.find(platforms.ref(world.platformId));
  const isInside = accountsOfQuote(quote).internalSourceId !== undefined;
  return platform?.environment === "PRODUCTION" && !isInside;
}

/** The rows that giving the money back can touch, besides the quote and its transaction. */
export function giveBackNeeds(world: Loaded, quote: Quote): readonly AnyRef[] {
  const platform = platforms.ref(world.platformId);
  if (!cameByRails(world, quote)) return [platform];
  return [platform, ...world.port(carrierPort).giveBackNeeds(world, quote)];
}
