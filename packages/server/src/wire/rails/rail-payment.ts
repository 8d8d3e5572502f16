import Type from "typebox";
import { toTransactionId } from "../../domain/payments/transactions/transaction.ts";
import { orderDirections, toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { toRailItemId } from "../../domain/rails/entries/rail-item.ts";
import { markOutcomes } from "../../domain/rails/orders/mark-rail-payments.ts";
import {
  endToEndIdOf,
  type RailPayment,
  railPaymentStates,
  reportSources,
  toRailPaymentId,
} from "../../domain/rails/orders/rail-payment.ts";
import { toRouteId } from "../../domain/rails/routes/rail-route.ts";
import { toIso } from "../../std/clock.ts";
import { amountJson, CurrencyAmountSchema, DateTimeSchema, optional } from "../fields.ts";
import { listedText } from "../value-lists.ts";

export const RailPaymentSchema = Type.Object(
  {
    id: Type.String({ description: "`RailPayment:<uuid>`" }),
    transactionId: Type.Optional(
      Type.String({ description: "Absent for money that goes back and was for no payment." }),
    ),
    itemId: Type.Optional(Type.String({ description: "Of `BACK`: the item whose money it is." })),
    connectionId: Type.String(),
    routeId: Type.Optional(Type.String()),
    direction: Type.Enum([...orderDirections], {
      description: "`BACK`: money goes back to its payer, by the connection that it came by.",
    }),
    paymentRail: listedText("PaymentRail"),
    amount: CurrencyAmountSchema,
    counterparty: Type.Object({
      name: Type.Optional(Type.String()),
      accountType: Type.String(),
      identifierMasked: Type.String({ description: "Its last four characters." }),
    }),
    reference: Type.String({ description: "What the beneficiary finds on a statement." }),
    endToEndId: Type.String({
      description:
        "What the rail carries through: the uuid of the payment, in capitals, without hyphens.",
    }),
    bankReference: Type.Optional(Type.String({ description: "The rail's own reference." })),
    state: Type.Enum([...railPaymentStates], {
      description:
        "`SENDING`: the order may have left. `UNKNOWN`: it was sent and no report came for a minute; it is asked about for ever. " +
        "Only a report changes the state, never time.",
    }),
    conflict: Type.Boolean({
      description: "A report contradicts what was recorded. No money was moved; a mark decides.",
    }),
    requestedOn: Type.String({ format: "date" }),
    sentAt: Type.Optional(DateTimeSchema),
    returned: Type.Optional(
      Type.Object(CurrencyAmountSchema.properties, {
        description: "What came back; less than `amount` when a bank kept a charge.",
      }),
    ),
    heldUntil: Type.Optional(
      Type.String({
        format: "date-time",
        description: "Of a settled collection whose account is not credited before this time.",
      }),
    ),
    settledOn: Type.Optional(Type.String({ format: "date" })),
    lastReport: Type.Optional(
      Type.Object({
        status: Type.String(),
        scheme: Type.String(),
        code: Type.Optional(Type.String()),
        text: Type.Optional(Type.String()),
        at: DateTimeSchema,
        source: Type.Enum([...reportSources]),
      }),
    ),
    history: Type.Array(
      Type.Object({
        state: Type.String(),
        at: DateTimeSchema,
        by: Type.String(),
        why: Type.String(),
      }),
      { description: "The first line and the latest ones, at most fifty." },
    ),
    recall: Type.Optional(
      Type.Object({
        state: Type.Enum(["REQUESTED", "REFUSED", "DONE"]),
        reason: Type.String(),
        note: Type.Optional(Type.String()),
        at: DateTimeSchema,
      }),
    ),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "RailPayment" },
);

export function railPaymentJson(payment: RailPayment): string {
  const { counterparty, sentAt, heldUntil, currency, amountMinor, transactionId, itemId } = payment;
  const { name, accountType, identifierMasked } = counterparty;
  const members = {
    ...optional("transactionId", transactionId === null ? null : toTransactionId(transactionId)),
    ...optional("itemId", itemId === null ? null : toRailItemId(itemId)),
    connectionId: toConnectionId(payment.connectionId),
    ...optional("routeId", payment.routeId === null ? null : toRouteId(payment.routeId)),
    direction: payment.direction,
    paymentRail: payment.paymentRail,
    counterparty: { ...optional("name", name), accountType, identifierMasked },
    reference: payment.reference,
    endToEndId: endToEndIdOf(payment.id),
    ...optional("bankReference", payment.bankReference),
    state: payment.state,
    conflict: payment.isConflict,
    requestedOn: payment.requestedOn,
    ...optional("sentAt", sentAt === null ? null : toIso(sentAt)),
    ...(payment.releaseJobId === null || heldUntil === null ? {} : { heldUntil: toIso(heldUntil) }),
    ...optional("settledOn", payment.settledOn),
    ...optional("lastReport", payment.lastReport),
    history: payment.history,
    ...optional("recall", payment.recall),
    createdAt: toIso(payment.createdAt),
    updatedAt: toIso(payment.updatedAt),
  };
  const rest = JSON.stringify(members).slice(1);
  const returned =
    payment.returnedMinor === null
      ? ""
      : `"returned":${amountJson(payment.returnedMinor, currency)},`;
  return `{"id":"${toRailPaymentId(payment.id)}","amount":${amountJson(amountMinor, currency)},${returned}${rest}`;
}

export const railPaymentExample = {
  id: "RailPayment:019a4f00-0000-7000-8000-000000000023",
  transactionId: "Transaction:019a4f00-0000-7000-8000-000000000004",
  connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
  routeId: "RailRoute:019a4f00-0000-7000-8000-000000000022",
  direction: "OUT",
  paymentRail: "ACH",
  amount: {
    amount: 12500,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
  counterparty: { name: "Ana Ruiz", accountType: "USD_ACCOUNT", identifierMasked: "…6789" },
  reference: "FL8000000000004",
  endToEndId: "019A4F00000070008000000000000023",
  state: "ACCEPTED",
  conflict: false,
  requestedOn: "2026-11-21",
  sentAt: "2026-11-21T10:00:00.000Z",
  lastReport: {
    status: "accepted",
    scheme: "CONNECTOR",
    at: "2026-11-21T10:00:01.000Z",
    source: "CONNECTOR",
  },
  history: [
    {
      state: "QUEUED",
      at: "2026-11-21T10:00:00.000Z",
      by: "token 019a4f00-0000-7000-8000-000000000007",
      why: "accepted",
    },
  ],
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:01.000Z",
};

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
};
