import Type from "typebox";
import { orderDirections } from "../../domain/rails/connections/rail-connection.ts";
import { markOutcomes } from "../../domain/rails/orders/mark-rail-payments.ts";
import {
  endToEndIdOf,
  type RailPayment,
  railPaymentStates,
  reportSources,
} from "../../domain/rails/orders/rail-payment.ts";
import { DateTimeSchema, filledText } from "../fields.ts";
import { partiesSchema } from "../reading/party.ts";
import { listedText } from "../value-lists.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const counterparty = wireObject({}, ({ of, maybe }: Kit<RailPayment["counterparty"]>) => ({
  name: maybe.text({ example: "Ana Ruiz" }),
  accountType: of.text({ example: "USD_ACCOUNT" }),
  identifierMasked: of.text({ description: "Its last four characters.", example: "…6789" }),
}));

const LastReportSchema = Type.Object({
  status: Type.String(),
  scheme: Type.String(),
  code: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  at: DateTimeSchema,
  source: Type.Enum([...reportSources]),
});

const HistorySchema = Type.Array(
  Type.Object({
    state: Type.String(),
    at: DateTimeSchema,
    by: Type.String(),
    why: Type.String(),
    note: Type.Optional(Type.String({ description: "Of a mark." })),
  }),
  { description: "The first line and the latest ones, at most fifty." },
);

const historyExample = {
  state: "QUEUED",
  at: "2026-11-21T10:00:00.000Z",
  by: "token 019a4f00-0000-7000-8000-000000000007",
  why: "accepted",
};

const RecallSchema = Type.Object({
  state: Type.Enum(["REQUESTED", "REFUSED", "DONE"]),
  reason: Type.String(),
  note: Type.Optional(Type.String()),
  at: DateTimeSchema,
});

const PartiesSchema = partiesSchema(
  ["from", "to", "by"],
  "Those of the transaction; of `BACK` the platform, who had paid, and who ordered it. ",
);

export const {
  schema: RailPaymentSchema,
  json: railPaymentJson,
  example: railPaymentExample,
} = wireObject(
  { $id: "RailPayment", writtenFirst: ["id", "amount", "returned"] },
  ({ of, maybe }: Kit<RailPayment>) => ({
    id: of.id("RailPayment", { description: "`RailPayment:<uuid>`", example: 23 }),
    transactionId: maybe.id("Transaction", {
      description: "Absent for money that goes back and was for no payment.",
      example: 4,
    }),
    itemId: maybe.id("RailItem", { description: "Of `BACK`: the item whose money it is." }),
    connectionId: of.id("RailConnection", { example: 21 }),
    routeId: maybe.id("RailRoute", { example: 22 }),
    direction: of.enum(orderDirections, {
      description: "`BACK`: money goes back to its payer, by the connection that it came by.",
      example: "OUT",
    }),
    paymentRail: of.json(listedText("PaymentRail"), { example: "ACH" }),
    amount: of.amount("amountMinor", { example: 12500n }),
    counterparty: of.object(counterparty),
    reference: of.text({
      description: "What the beneficiary finds on a statement.",
      example: "FL8000000000004",
    }),
    endToEndId: of.text({
      from: ({ id }) => endToEndIdOf(id),
      description:
        "What the rail carries through: the uuid of the payment, in capitals, without hyphens.",
      example: "019A4F00000070008000000000000023",
    }),
    bankReference: maybe.text({ description: "The rail's own reference." }),
    state: of.enum(railPaymentStates, {
      description:
        "`SENDING`: the order may have left. `UNKNOWN`: it was sent and no report came for a minute; it is asked about for ever. " +
        "Only a report changes the state, never time.",
      example: "ACCEPTED",
    }),
    conflict: of.boolean({
      from: "isConflict",
      description: "A report contradicts what was recorded. No money was moved; a mark decides.",
      example: false,
    }),
    requestedOn: of.text({ format: "date", example: "2026-11-21" }),
    sentAt: maybe.time({ example: "2026-11-21T10:00:00.000Z" }),
    returned: maybe.amount("returnedMinor", {
      description: "What came back; less than `amount` when a bank kept a charge.",
    }),
    heldUntil: maybe.time({
      from: ({ releaseJobId, heldUntil }) => (releaseJobId === null ? null : heldUntil),
      description: "Of a settled collection whose account is not credited before this time.",
    }),
    settledOn: maybe.text({ format: "date" }),
    lastReport: maybe.json(LastReportSchema, {
      example: {
        status: "accepted",
        scheme: "CONNECTOR",
        at: "2026-11-21T10:00:01.000Z",
        source: "CONNECTOR",
      },
    }),
    history: of.json(HistorySchema, { example: [historyExample] }),
    recall: maybe.json(RecallSchema),
    parties: maybe.json(PartiesSchema, { from: () => undefined }),
    createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
    updatedAt: of.time({ example: "2026-11-21T10:00:01.000Z" }),
  }),
);

export const markMembers = {
  outcome: Type.Enum([...markOutcomes], {
    description:
      "`RECALL_REFUSED`: the bank does not give the payment back that was recalled; the payment stays as it is.",
  }),
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 140, description: "The bank's reference." }),
  ),
  valueDate: Type.Optional(Type.String({ format: "date" })),
  reason: Type.Optional(
    Type.Object({
      code: Type.String({ pattern: "^[A-Za-z0-9_-]{1,35}$" }),
      text: Type.Optional(Type.String({ maxLength: 140 })),
    }),
  ),
  note: Type.Optional(filledText(200, { description: "Kept in the history of the order." })),
};
