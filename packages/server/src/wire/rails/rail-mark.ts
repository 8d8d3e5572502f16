import Type from "typebox";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import { toQuoteId } from "../../domain/payments/quotes/quote.ts";
import type { BalanceRequest } from "../../domain/rails/books/create-rail-balance.ts";
import type { EntryRequest } from "../../domain/rails/entries/create-rail-entry.ts";
import { type Payer, toRailEntryId } from "../../domain/rails/entries/rail-entry.ts";
import { partKinds, toRailItemId } from "../../domain/rails/entries/rail-item.ts";
import type { ResolutionRequest } from "../../domain/rails/entries/resolve-rail-item.ts";
import type { AdjustmentRequest } from "../../domain/rails/marks/adjust-fx-positions.ts";
import type { ReleaseRequest } from "../../domain/rails/marks/decide-rail-mark.ts";
import {
  type Asked,
  markKinds,
  markStates,
  type RailMark,
} from "../../domain/rails/marks/rail-mark.ts";
import type { MarkRequest } from "../../domain/rails/orders/mark-rail-payments.ts";
import { maskedIdentifier, toRailPaymentId } from "../../domain/rails/orders/rail-payment.ts";
import type { CollectionRequest } from "../../domain/rails/returns/collect-receivable.ts";
import { toReceivableId } from "../../domain/rails/returns/rail-receivable.ts";
import type { WriteOffRequest } from "../../domain/rails/returns/write-receivable-off.ts";
import { toUmaInvoiceId } from "../../domain/uma/incoming/uma-invoice.ts";
import { isJsonObject, type JsonObject } from "../../std/json.ts";
import { optional } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { markMembers } from "./rail-payment.ts";

const text = () => Type.Optional(Type.String());

const partMembers = {
  kind: Type.Enum([...partKinds]),
  amount: Type.Integer(),
  accountId: text(),
  quoteId: text(),
  details: Type.Optional(Type.Object({ name: text(), accountMasked: text() })),
  paymentId: text(),
  outcome: text(),
  receivableId: text(),
  label: text(),
  entryId: text(),
  invoiceId: text(),
  price: text(),
};

const optionalEntryMembers = {
  bankReference: text(),
  direction: text(),
  bookedOn: text(),
  valueDate: text(),
  reference: text(),
  remittance: text(),
  payer: Type.Optional(Type.Object({ name: text(), accountMasked: text() })),
};

const RequestSchema = Type.Object(
  {
    marks: Type.Optional(Type.Array(Type.Object({ paymentId: Type.String(), ...markMembers }))),
    itemId: Type.Optional(Type.String()),
    parts: Type.Optional(Type.Array(Type.Object(partMembers))),
    ...optionalEntryMembers,
    amount: Type.Optional(Type.Integer()),
    currency: Type.Optional(Type.String()),
    paymentId: Type.Optional(Type.String()),
    legs: Type.Optional(
      Type.Array(Type.Object({ currency: Type.String(), amount: Type.Integer() })),
    ),
    receivableId: text(),
    asOf: text(),
    booked: Type.Optional(Type.Integer()),
    note: Type.Optional(Type.String()),
  },
  {
    description:
      "What is to be done, with the members of the request: `marks`; `itemId`, `parts` and `note`; those of an entry; `paymentId`; `legs` and `note`; `receivableId`, of a write-off with `note`; or `currency`, `asOf` and `booked`.",
  },
);

export const wireRailMark = wireObject("RailMark", ({ of, maybe }: Kit<RailMark>) => ({
  id: of.id("RailMark", { description: "`RailMark:<uuid>`", example: 28 }),
  connectionId: of.id("RailConnection", { example: 21 }),
  kind: of.enum(markKinds, {
    description:
      "`MARK` of orders, `RESOLUTION` of an item, `ENTRY` that was typed in, `RELEASE` of an order that is `HELD`, `ADJUSTMENT` of positions, `WRITE_OFF` and `COLLECTION` of a receivable, `BALANCE` that was typed in and moves own funds.",
    example: "MARK",
  }),
  request: of.json(RequestSchema, {
    from: requestOf,
    example: {
      marks: [
        { paymentId: "RailPayment:019a4f00-0000-7000-8000-000000000023", outcome: "SETTLED" },
      ],
    },
  }),
  state: of.enum(markStates, { example: "WAITING" }),
  requestedBy: of.text({
    description: "`token <id>`, `agent <id>`",
    example: "token 019a4f00-0000-7000-8000-000000000007",
  }),
  decidedBy: maybe.text(),
  decidedAt: maybe.time(),
  note: maybe.text({ description: "Why it was refused." }),
  result: maybe.json(
    Type.Object({ entryId: Type.Optional(Type.String()) }, { description: "What came of it." }),
  ),
  expiresAt: of.time({
    description: "It is not confirmed after this time; an order that is `HELD` is then cancelled.",
    example: "2026-11-24T10:00:00.000Z",
  }),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));

/** The request as it was sent, without full account numbers. */
function requestOf({ kind, request }: RailMark): JsonObject {
  switch (kind) {
    case "MARK": {
      const { marks } = request as MarkRequest;
      return { marks: marks.map(markOf) };
    }
    case "RESOLUTION": {
      const { itemId, parts, note } = request as ResolutionRequest;
      return { itemId: toRailItemId(itemId), parts: parts.map(partOf), note };
    }
    case "ENTRY": {
      const { amount, payer, ...line } = (request as EntryRequest).told;
      const given = Object.entries(line).filter(([, value]) => value !== null);
      const told = { ...Object.fromEntries(given), amount: Number(amount) };
      return payer === null ? told : { ...told, payer: payerOf(payer) };
    }
    case "ADJUSTMENT": {
      const { legs, note } = request as AdjustmentRequest;
      const shown = legs.map(({ currency, amount }) => ({ currency, amount: Number(amount) }));
      return { legs: shown, note };
    }
    case "RELEASE":
      return { paymentId: toRailPaymentId((request as ReleaseRequest).paymentId) };
    case "WRITE_OFF": {
      const { receivableId, note } = request as WriteOffRequest;
      return { receivableId: toReceivableId(receivableId), note };
    }
    case "COLLECTION":
      return { receivableId: toReceivableId((request as CollectionRequest).receivableId) };
    case "BALANCE": {
      const { currency, day, booked } = request as BalanceRequest;
      return { currency, asOf: day, booked: Number(booked) };
    }
  }
}

function payerOf({ name, account }: Payer): JsonObject {
  return {
    ...optional("name", name ?? null),
    ...optional("accountMasked", account === undefined ? null : maskedIdentifier(account)),
  };
}

function markOf({ paymentId, code, text, ...mark }: MarkRequest["marks"][number]): JsonObject {
  return {
    paymentId: toRailPaymentId(paymentId ?? ""),
    ...mark,
    ...(code === undefined ? {} : { reason: text === undefined ? { code } : { code, text } }),
  };
}

function partOf(stored: JsonObject): JsonObject {
  const { minor, accountId, quoteId, entryId, paymentId, receivableId, ...others } = stored;
  const { invoiceId, details, ...part } = others;
  return {
    ...part,
    amount: Number(minor),
    ...(typeof quoteId === "string" ? { quoteId: toQuoteId(quoteId) } : {}),
    ...(isJsonObject(details) ? { details: payerOf(details as Payer) } : {}),
    ...(typeof accountId === "string" ? { accountId: toInternalAccountId(accountId) } : {}),
    ...(typeof entryId === "string" ? { entryId: toRailEntryId(entryId) } : {}),
    ...(typeof paymentId === "string" ? { paymentId: toRailPaymentId(paymentId) } : {}),
    ...(typeof receivableId === "string" ? { receivableId: toReceivableId(receivableId) } : {}),
    ...(typeof invoiceId === "string" ? { invoiceId: toUmaInvoiceId(invoiceId) } : {}),
  };
}

export const decidedMembers = {
  decidedBy: "token 019a4f00-0000-7000-8000-000000000009",
  decidedAt: "2026-11-21T11:00:00.000Z",
};

/** The answer to an act that waits. */
export const waitingAnswer = {
  description: "It waits: nothing is done before another token confirms it.",
  schema: wireRailMark.schema,
  example: wireRailMark.example,
};

/** The status and body of an act that was done, or that waits. */
export function askedAnswer<Done>(
  asked: Asked<Done>,
  done: { readonly status: number; readonly bodyOf: (value: Done) => string },
) {
  return asked.kind === "waiting"
    ? { status: 202, body: wireRailMark.json(asked.mark) }
    : { status: done.status, body: done.bodyOf(asked.done) };
}
