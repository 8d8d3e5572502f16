import Type from "typebox";
import { findTransaction } from "../../../../domain/payments/transactions/transaction.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  TransactionSchema,
  transactionExample,
  transactionJson,
} from "../../../../wire/payments/transaction.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const agentGetTransaction = defineOperation({
  id: "agentGetTransaction",
  method: "GET",
  path: "/agents/me/transactions/{transactionId}",
  access: "AGENT",
  agentPermission: "VIEW_TRANSACTIONS",
  tag: "For agents",
  summary: "Get a transaction of your customer",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  answers: {
    200: {
      description: "The transaction.",
      schema: TransactionSchema,
      example: transactionExample,
    },
  },
  refusals: ["TRANSACTION_NOT_FOUND"],
  async handle({ principal: { platformId, customerId }, params }, { reads }: Services) {
    const id = requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND");
    const transaction = await findTransaction(reads, platformId, id);
    if (transaction?.customerId !== customerId) throw new Refusal("TRANSACTION_NOT_FOUND");
    return { status: 200, body: transactionJson(transaction, platformId) };
  },
});
