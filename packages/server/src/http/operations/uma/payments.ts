import { findUmaInvoice } from "../../../domain/uma/incoming/uma-invoice.ts";
import { wireUmaPayment } from "../../../wire/uma/uma-payment.ts";
import { defineNoun, getOne } from "../../request/noun.ts";

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
    "The invoice and the price of an incoming payment of another institution. The text of the invoice is not shown. A payment within the deployment has none.",
  param: "transactionId",
  kind: "Transaction",
  answer: "The invoice of the payment.",
  missing: "TRANSACTION_NOT_FOUND",
  find: findUmaInvoice,
});

export const umaPaymentOperations = [getUmaPayment];
