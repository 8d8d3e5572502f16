import {
  type RailReceivable,
  receivableStates,
} from "../../domain/rails/returns/rail-receivable.ts";
import { partiesSchema } from "../reading/party.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const PartiesSchema = partiesSchema(["from"], "Whose account owes it. ");

export const wireRailReceivable = wireObject(
  "RailReceivable",
  ({ of, maybe }: Kit<RailReceivable>) => ({
    id: of.id("RailReceivable", { description: "`RailReceivable:<uuid>`", example: 27 }),
    amount: of.amount("amountMinor", { example: 12500n }),
    open: of.amount("openMinor", { example: 12500n }),
    collected: of.amount("collectedMinor", { example: 0n }),
    writtenOff: of.amount("writtenOffMinor", { example: 0n }),
    internalAccountId: of.id("InternalAccount", {
      from: "accountId",
      description: "The account whose money was spent; of a quote, one of the platform.",
      example: 2,
    }),
    customerId: maybe.id("Customer", {
      description: "Who owes it; absent when the platform does.",
      example: 1,
    }),
    transactionId: of.id("Transaction", {
      description: "The collected payment that was taken back.",
      example: 4,
    }),
    paymentId: of.id("RailPayment", { description: "Its order.", example: 23 }),
    connectionId: of.id("RailConnection", { example: 21 }),
    state: of.enum(receivableStates, {
      description: "`WRITTEN_OFF`: what was not collected was paid from the platform's own funds.",
      example: "OPEN",
    }),
    note: maybe.text({ description: "Why it was written off." }),
    decidedBy: maybe.text({ description: "`token <id>`" }),
    parties: maybe.json(PartiesSchema, { from: () => undefined }),
    createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
    updatedAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  }),
);
