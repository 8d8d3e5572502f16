/** What every list of transactions can be narrowed by. */
import Type, { type Static } from "typebox";
import { inLowerCase } from "../../../domain/customers/uma-address.ts";
import { transactionStatuses } from "../../../domain/transactions/transaction.ts";
import type { Condition } from "../../../storage/list-query.ts";
import { when } from "../../filters.ts";
import { soundAccountId } from "../../ids.ts";
import { partyField } from "../../wire/id-fields.ts";
import { dateTimeParameter } from "../../wire/shared.ts";

const identifier = (which: string) =>
  Type.Optional(partyField(`An account id or UMA address: ${which}.`));

export const transactionFilters = {
  accountIdentifier: identifier("either side"),
  senderAccountIdentifier: identifier("the sender"),
  receiverAccountIdentifier: identifier("the receiver"),
  status: Type.Optional(Type.Enum([...transactionStatuses])),
  type: Type.Optional(Type.Enum(["INCOMING", "OUTGOING"])),
  reference: Type.Optional(Type.String({ maxLength: 255 })),
  startDate: dateTimeParameter("Created at this time or later."),
  endDate: dateTimeParameter("Created at this time or earlier."),
  sortOrder: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
};

const Filters = Type.Object(transactionFilters);

export function transactionConditions(
  query: Static<typeof Filters>,
): readonly (Condition | undefined)[] {
  return [
    partyCondition(query.accountIdentifier, ["source", "destination"]),
    partyCondition(query.senderAccountIdentifier, ["source"]),
    partyCondition(query.receiverAccountIdentifier, ["destination"]),
    when(query.status, "t.status = ?::text"),
    when(query.type, "t.type = ?::text"),
    when(query.reference, "t.reference = ?::text"),
    when(query.startDate, "t.created_at >= ?::timestamptz"),
    when(query.endDate, "t.created_at <= ?::timestamptz"),
  ];
}

/** A payment to an address comes from the customer's own, though its money comes from an account. */
const SENT_FROM_ADDRESS =
  "t.type = 'OUTGOING' and t.destination ->> 'umaAddress' is not null and t.customer_id in (select c.id " +
  "from customers c where c.platform_id = t.platform_id and c.uma_address = ?::text)";

type Side = "source" | "destination";

function partyCondition(value: string | undefined, sides: readonly Side[]): Condition | undefined {
  if (value === undefined) return undefined;
  if (value.startsWith("$")) {
    const clauses = sides.map((side) => `t.${side} ->> 'umaAddress' = ?::text`);
    if (sides.includes("source")) clauses.push(SENT_FROM_ADDRESS);
    return { sql: `(${clauses.join(" or ")})`, value: inLowerCase(value) };
  }
  return {
    sql: `(${sides.map((side) => `t.${side}_account_id = ?::uuid`).join(" or ")})`,
    value: soundAccountId(value),
  };
}
