import Type, { type Static } from "typebox";
import {
  adjustmentDirections,
  adjustmentReasons,
  listAdjustments as loadAdjustments,
} from "../../../domain/payments/adjustments/adjustment.ts";
import {
  type AdjustmentOrder,
  requestAdjustment,
  tryAdjustment,
} from "../../../domain/people/approvals/post-adjustment.ts";
import { passkeyAskedFor } from "../../../domain/people/passkey.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { currencyField } from "../../../wire/fields.ts";
import { requireIdField } from "../../../wire/ids.ts";
import { dryRunNote } from "../../../wire/payments/dry-run.ts";
import {
  AdjustmentSchema,
  adjustmentExample,
  adjustmentJson,
} from "../../../wire/people/adjustment.ts";
import { approvalExample, waitingForPeople } from "../../../wire/people/approval.ts";
import { placeOf, sealContent, shownApproval } from "../../approvals/approval-content.ts";
import { mustShowPasskey, neededOf } from "../../approvals/submit-held.ts";
import { defineNoun, listAll } from "../../request/noun.ts";
import { defineOperation, isPerson, route } from "../../request/operation.ts";
import { byCurrency, byId } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitDryRun, submitForCaller } from "../../request/submit-for-caller.ts";
import { approvalEvents } from "../event-lists.ts";

const adjustments = defineNoun({
  path: "/adjustments",
  tag: "Adjustments",
  capability: "ledger.read",
  schema: AdjustmentSchema,
  example: adjustmentExample,
  json: adjustmentJson,
});

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

const createAdjustment = defineOperation({
  id: "createAdjustment",
  ...route("POST /adjustments", "MANAGE", "adjustments.create"),
  tag: "Adjustments",
  summary: "Ask for an adjustment",
  description:
    "Corrects the balance of an internal account against the `adjustments` account of its currency. It always waits for another person, who agrees " +
    "in the console with a passkey, and is judged again then: a balance that has become too low makes it `FAILED`.",
  body: AdjustmentBody,
  requestExample: approvalExample.content,
  answers: { 202: waitingForPeople },
  dryRun: dryRunNote(adjustments),
  events: [...approvalEvents, "ADJUSTMENT.POSTED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"],
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
    if (principal.isDryRun === true) {
      return submitDryRun(services.engine, principal, {
        command: tryAdjustment,
        input: { order, sealed: sealContent(services, platformId, body) },
        toAnswer: ({ adjustment }) => ({ status: 201, body: adjustmentJson(adjustment) }),
        approvalOf: ({ approval }) => neededOf(approval),
      });
    }
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

const listAdjustments = listAll({
  ...adjustments,
  id: "listAdjustments",
  summary: "List adjustments",
  description: "Those that were posted. What waits for people is in `GET /approvals`.",
  filters: { accountId: byId("InternalAccount", "t.account_id"), currency: byCurrency },
  list: loadAdjustments,
});

export const adjustmentOperations = [createAdjustment, listAdjustments];
