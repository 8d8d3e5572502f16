import Type, { type Static } from "typebox";
import {
  adjustmentDirections,
  adjustmentReasons,
} from "../../../domain/payments/adjustments/adjustment.ts";
import {
  type AdjustmentOrder,
  requestAdjustment,
} from "../../../domain/payments/adjustments/post-adjustment.ts";
import { listAdjustments as loadAdjustments } from "../../../domain/people/approvals/approval.sql.ts";
import { passkeyAskedFor } from "../../../domain/people/passkey.ts";
import { currencyFacet } from "../../../tables/facets.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { currencyField, listOf } from "../../../wire/fields.ts";
import { idField } from "../../../wire/id-fields.ts";
import { queryId, requireIdField } from "../../../wire/ids.ts";
import {
  AdjustmentSchema,
  adjustmentExample,
  adjustmentJson,
} from "../../../wire/people/adjustment.ts";
import { approvalExample, waitingForPeople } from "../../../wire/people/approval.ts";
import { placeOf, sealContent, shownApproval } from "../../approvals/approval-content.ts";
import { mustShowPasskey } from "../../approvals/submit-held.ts";
import { currencyParameter, when, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation, isPerson } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const AdjustmentBody = Type.Object({
  accountId: Type.String({ description: "`InternalAccount:<uuid>`" }),
  direction: Type.Enum([...adjustmentDirections], { description: "As the account sees it." }),
  amount: requestAmount(),
  currency: currencyField({ description: "That of the account." }),
  reasonCode: Type.Enum([...adjustmentReasons]),
  note: Type.String({ minLength: 10, maxLength: 500, pattern: "\\S" }),
  documentId: Type.Optional(
    Type.String({ description: "`Document:<uuid>`: a document that gives the reason." }),
  ),
});

/** The order in a body that the schema has validated. */
export function adjustmentOrderIn(body: Static<typeof AdjustmentBody>): AdjustmentOrder {
  const { accountId, direction, amount, currency, reasonCode, note, documentId } = body;
  const idOf = (kind: "InternalAccount" | "Document", field: string, raw: string) =>
    requireIdField(kind, { field, raw }, "REFERENCE_NOT_FOUND");
  return {
    accountId: idOf("InternalAccount", "accountId", accountId),
    direction,
    amountMinor: BigInt(amount),
    currency,
    reasonCode,
    note,
    documentId: documentId === undefined ? null : idOf("Document", "documentId", documentId),
  };
}

export const createAdjustment = defineOperation({
  id: "createAdjustment",
  method: "POST",
  path: "/adjustments",
  access: "MANAGE",
  capability: "adjustments.create",
  tag: "Adjustments",
  summary: "Ask for an adjustment",
  description:
    "Corrects the balance of an internal account against the `adjustments` account of its currency. It always waits for another person, who agrees " +
    "in the console with a passkey, and is judged again then: a balance that has become too low makes it `FAILED`.",
  body: AdjustmentBody,
  requestExample: approvalExample.content,
  answers: { 202: waitingForPeople },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "AMOUNT_OUT_OF_RANGE",
    "INSUFFICIENT_BALANCE",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "REFERENCE_NOT_FOUND",
  ],
  async handle({ principal, body, idempotency }, services: Services) {
    const { platformId } = principal;
    const order = adjustmentOrderIn(body);
    if (isPerson(principal) && (await mustShowPasskey(services, principal)))
      throw passkeyAskedFor();
    const place = await placeOf(services, platformId);
    return submitForCaller(services.engine, principal, {
      command: requestAdjustment,
      input: { order, sealed: sealContent(services, platformId, body) },
      toAnswer: (approval) => ({
        status: 202,
        body: shownApproval(services, { platformId, place }, approval),
      }),
      idempotency,
      secret: true,
    });
  },
});

export const listAdjustments = defineOperation({
  id: "listAdjustments",
  method: "GET",
  path: "/adjustments",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Adjustments",
  summary: "List adjustments",
  description: "Those that were posted. What waits for people is in `GET /approvals`.",
  query: Type.Object({
    accountId: Type.Optional(idField("InternalAccount")),
    currency: currencyParameter,
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(AdjustmentSchema),
      example: { data: [adjustmentExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listAdjustments",
      principal,
      query,
      load: (page) =>
        loadAdjustments(services.reads, {
          ...page,
          conditions: [
            when(queryId("InternalAccount", query.accountId), "t.account_id = ?::uuid"),
            whenFacet(query.currency, currencyFacet),
          ],
        }),
      idOf: ({ id }) => id,
      toJson: adjustmentJson,
    }),
});

export const adjustmentOperations = [createAdjustment, listAdjustments];
