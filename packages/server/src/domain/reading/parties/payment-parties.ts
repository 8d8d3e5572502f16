/** The parties of payments: who pays, who is paid, and who asked for it. */
import type { Quote } from "../../payments/quotes/quote.ts";
import {
  type Party as Side,
  type Transaction,
  toTransactionId,
} from "../../payments/transactions/transaction.ts";
import { type PartyReference, referenceTo } from "./party.ts";

export type PaymentParties = Readonly<
  Partial<Record<"from" | "to" | "by", PartyReference | undefined>>
>;

export function partiesOfTransaction(
  transaction: Pick<Transaction, "id" | "type" | "source" | "destination" | "agentId" | "outcome">,
): PaymentParties {
  const { id, type, source, destination, agentId, outcome } = transaction;
  const told = outcome?.counterpartyInformation?.FULL_NAME;
  const counterparty = typeof told === "string" ? told : undefined;
  const isIncoming = type === "INCOMING";
  return {
    from: sideOf(source, isIncoming ? counterparty : undefined),
    to: sideOf(destination, isIncoming ? undefined : counterparty),
    by: makerOf(agentId, id),
  };
}

/** Before its first event, a quote that no agent asked for has no `by`. */
export function partiesOfQuote(quote: Quote): PaymentParties {
  const { source, destination, transactionId, agentId, counterpartyInformation } = quote;
  const told = counterpartyInformation?.FULL_NAME;
  return {
    from: source.sourceType === "ACCOUNT" ? referenceTo(source.accountId) : { kind: "OUTSIDE" },
    to:
      destination.destinationType === "ACCOUNT"
        ? referenceTo(destination.accountId)
        : {
            kind: "UMA",
            address: destination.umaAddress,
            told: typeof told === "string" ? told : undefined,
          },
    by: makerOf(agentId, transactionId),
  };
}

function sideOf(side: Side, told: string | undefined): PartyReference | undefined {
  switch (side.type) {
    case "ACCOUNT":
      return referenceTo(side.accountId);
    case "UMA_ADDRESS":
      return { kind: "UMA", address: side.umaAddress, told };
    case "REALTIME_FUNDING":
      return {
        kind: "OUTSIDE",
        name: side.accountHolderName,
        lastFour: side.accountIdentifier,
        remittance: side.remittanceInformation,
      };
  }
}

function makerOf(agentId: string | null, transactionId: string): PartyReference {
  if (agentId !== null) return { kind: "AGENT", id: agentId };
  return { kind: "MAKER", subject: toTransactionId(transactionId) };
}
