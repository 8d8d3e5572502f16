/** Starts the payout of a quote whose money has arrived from outside. */
import type { Loaded, World } from "../../../engine/command.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { causes } from "../transactions/failure.ts";
import { accountsOfQuote, startPayout } from "./execution.ts";
import { onBehalfOfMaker } from "./parties/quote-maker.ts";
import type { Quote } from "./quote.ts";
import { failQuote } from "./record-quote-outcome.ts";

/**
 * Starts the payout. The money has arrived, so the command cannot be refused: when the destination was deleted meanwhile, its invoice has
 * lapsed, or in production no connection pays it any more, the payment fails and is refunded.
 */
export function beginPayout(world: World, funded: Quote): Quote {
  if (!isDestinationThere(world, funded)) {
    return failQuote(world, {
      quote: funded,
      failure: {
        failureReason: "COUNTERPARTY_POST_TX_FAILED",
        cause: causes.destinationGone,
        refundReason: "TRANSACTION_FAILED",
      },
    });
  }
  if (funded.settlement !== null && world.at >= funded.settlement.lapsesAt) {
    const failure = { failureReason: "QUOTE_EXPIRED", refundReason: "TRANSACTION_FAILED" } as const;
    return failQuote(world, { quote: funded, failure });
  }
  if (onBehalfOfMaker(world, funded, () => startPayout(world, funded))) return funded;
  return failQuote(world, {
    quote: funded,
    failure: {
      failureReason: "QUOTE_EXECUTION_FAILED",
      cause: causes.noRail,
      refundReason: "TRANSACTION_FAILED",
    },
  });
}

function isDestinationThere(world: Loaded, quote: Quote): boolean {
  const { internalDestinationId, externalDestinationId } = accountsOfQuote(quote);
  if (internalDestinationId !== undefined) {
    return world.find(internalAccounts.ref(internalDestinationId))?.status === "ACTIVE";
  }
  if (externalDestinationId === undefined) return true;
  const account = world.find(externalAccounts.ref(externalDestinationId));
  return account?.status === "ACTIVE" && account.deletedAt === null;
}
