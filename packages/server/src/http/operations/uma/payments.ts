import Type from "typebox";
import { noteRead } from "../../../domain/people/note-read.ts";
import { findUmaPayment } from "../../../domain/reading/uma-payments/uma-payment.sql.ts";
import { findTravelRule, travelRuleIdentity } from "../../../domain/uma/incoming/travel-rule.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { scanJson } from "../../../validation/json-scan.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { wireUmaPayment } from "../../../wire/uma/uma-payment.ts";
import { wireUmaTravelRule } from "../../../wire/uma/uma-travel-rule.ts";
import { defineNoun, getOne, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const payments = defineNoun({
  path: "/uma/payments",
  tag: "UMA payments",
  capability: "payments.read",
  schema: wireUmaPayment.schema,
  example: wireUmaPayment.example,
  json: wireUmaPayment.json,
});

const getUmaPayment = getOne({
  ...payments,
  id: "getUmaPayment",
  summary: "Get what UMA says of a payment",
  description:
    "The invoice and the price of a payment from or to another institution, and what the two have told each other. The text of the invoice is not shown. A payment within the deployment has none.",
  param: "transactionId",
  kind: "Transaction",
  answer: "The invoice of the payment.",
  missing: "TRANSACTION_NOT_FOUND",
  find: findUmaPayment,
});

const getUmaTravelRule = defineOperation({
  id: "getUmaTravelRule",
  ...route("GET /uma/payments/{transactionId}/travel-rule", "TRANSACT", "payments.read"),
  tag: payments.tag,
  summary: "Get the travel-rule data of a payment",
  description:
    "What the payer's institution has told about payer and payment, in its own words. It is kept sealed and opened for this answer alone. Each " +
    "read has an entry in the audit log, one by a token as well.",
  opensPersonalData: true,
  auditsTokens: true,
  params: Type.Object({ transactionId: pathId("Transaction") }),
  answers: { 200: shown(wireUmaTravelRule, "The data as they were received.") },
  refusals: ["TRANSACTION_NOT_FOUND"],
  async handle({ principal, params }, { engine, reads, sealer }: Services) {
    const { platformId } = principal;
    const id = requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND");
    const found = await findTravelRule(reads, platformId, id);
    if (found === undefined) throw new Refusal("TRANSACTION_NOT_FOUND");
    // Noted first: if the server dies in between, the log has a read too many, and never one too few.
    await submitForCaller(engine, principal, {
      command: { ...noteRead, name: getUmaTravelRule.id },
      input: undefined,
      toAnswer: () => ({ status: 200, body: "" }),
    });
    const content = sealer.open(found.contentSealed, travelRuleIdentity(platformId, found.sealId));
    const opened = { ...found, document: documentIn(content), sha256: sha256Hex(content) };
    return { status: 200, body: wireUmaTravelRule.json(opened) };
  },
});

/** No format of the travel rule is as deep. Programs that show a value walk it by recursion, and would fail at a deeper one. */
const DEEPEST = 64;

/** The JSON value; the text where it is none, or too deep. */
function documentIn(content: Buffer): unknown {
  const text = content.toString("utf8");
  if (scanJson(text, DEEPEST).tooDeep) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const umaPaymentOperations = [getUmaPayment, getUmaTravelRule];
