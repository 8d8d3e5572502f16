/** Answers of the desk about orders: leases, marks of many orders, and the details that a person types at the bank. */
import Type, { type Static } from "typebox";
import type { BankDetail } from "../../domain/rails/desk/bank-details.ts";
import type { LeasedOrder, OrderLease } from "../../domain/rails/desk/order-lease.ts";
import type { MarkedOrder } from "../../domain/rails/orders/mark-each-rail-payment.ts";
import { toRailPaymentId } from "../../domain/rails/orders/rail-payment.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { RailPaymentSchema, railPaymentExample, railPaymentJson } from "./rail-payment.ts";

export const wireLease = wireObject(
  { description: "The person who makes the order at the bank, until then." },
  ({ of }: Kit<OrderLease>) => ({
    id: of.id("Person", { from: "personId", example: 20 }),
    name: of.text({ from: "personName", example: "Ada Lovelace" }),
    until: of.time({ example: "2026-11-21T09:15:00.000Z" }),
  }),
);

export const LeasedSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      paymentId: Type.String(),
      workedBy: Type.Optional(wireLease.schema),
    }),
  ),
});

export const leasedExample: Static<typeof LeasedSchema> = {
  data: [{ paymentId: railPaymentExample.id, workedBy: wireLease.example }],
};

export function leasedJson(leased: readonly LeasedOrder[]): string {
  const rows = leased.map(({ paymentId, lease }) => {
    const id = JSON.stringify(toRailPaymentId(paymentId));
    return lease === undefined
      ? `{"paymentId":${id}}`
      : `{"paymentId":${id},"workedBy":${wireLease.json(lease)}}`;
  });
  return `{"data":[${rows.join(",")}]}`;
}

export const MarkedSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      paymentId: Type.String(),
      result: Type.Enum(["MARKED", "WAITING", "REFUSED"], {
        description:
          "`WAITING`: another person confirms the mark `markId`. `REFUSED`: nothing was done, for the reason in `message`.",
      }),
      payment: Type.Optional(RailPaymentSchema),
      markId: Type.Optional(Type.String({ description: "`RailMark:<uuid>`" })),
      expiresAt: Type.Optional(DateTimeSchema),
      code: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
    }),
  ),
});

export const markedExample: Static<typeof MarkedSchema> = {
  data: [{ paymentId: railPaymentExample.id, result: "MARKED", payment: railPaymentExample }],
};

export function markedJson(marked: readonly MarkedOrder[]): string {
  return `{"data":[${marked.map(markedOrderJson).join(",")}]}`;
}

function markedOrderJson(marked: MarkedOrder): string {
  const { result } = marked;
  const begin = `{"paymentId":${JSON.stringify(toRailPaymentId(marked.paymentId))},"result":"${result}"`;
  switch (result) {
    case "MARKED":
      return `${begin},"payment":${railPaymentJson(marked.payment)}}`;
    case "WAITING": {
      const { id, expiresAt } = marked.mark;
      const markId = toWireId("RailMark", id);
      return `${begin},"markId":"${markId}","expiresAt":"${toIso(expiresAt)}"}`;
    }
    case "REFUSED": {
      const { code, message } = marked.refusal;
      return `${begin},"code":"${code}","message":${JSON.stringify(message)}}`;
    }
  }
}

export const BankDetailsSchema = Type.Object({
  lines: Type.Array(Type.Object({ field: Type.String(), value: Type.String() }), {
    description: "In the order in which banks ask for them.",
  }),
});

export const bankDetailsExample: Static<typeof BankDetailsSchema> = {
  lines: [
    { field: "name", value: "Ana Ruiz" },
    { field: "accountNumber", value: "123456789" },
    { field: "routingNumber", value: "021000021" },
    { field: "amount", value: "125.00 USD" },
    { field: "reference", value: "FL8000000000004" },
  ],
};

export function bankDetailsJson(lines: readonly BankDetail[]): string {
  return JSON.stringify({ lines });
}
