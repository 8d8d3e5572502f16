import Type from "typebox";
import { findTransaction } from "../../../../domain/payments/transactions/transaction.sql.ts";
import { timelineFacts } from "../../../../domain/reading/timeline.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  TimelineSchema,
  timelineExample,
  timelineJson,
} from "../../../../wire/payments/timeline.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getTransactionTimeline = defineOperation({
  id: "getTransactionTimeline",
  method: "GET",
  path: "/transactions/{transactionId}/timeline",
  access: "VIEW",
  capability: "payments.read",
  tag: "Transactions",
  summary: "Get the timeline of a transaction",
  description:
    "What happened to a transaction: its statuses, postings, events, approvals and refunds in one list.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  answers: {
    200: {
      description: "At most 500 entries, the oldest first.",
      schema: TimelineSchema,
      example: timelineExample,
    },
  },
  refusals: ["TRANSACTION_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const id = requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND");
    const transaction = await findTransaction(reads, platformId, id);
    if (transaction === undefined) throw new Refusal("TRANSACTION_NOT_FOUND");
    const facts = await timelineFacts(reads, platformId, id);
    return { status: 200, body: timelineJson(transaction, { ...facts, platformId }) };
  },
});
