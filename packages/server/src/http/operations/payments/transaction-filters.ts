/** The filters of every list of transactions, except those by texts. */

import Type, { type Static } from "typebox";
import { transactionStatuses } from "../../../domain/payments/transactions/transaction.ts";
import { idsOfGroup } from "../../../domain/payments/transfers/book-legs.ts";
import { transactionTypes } from "../../../domain/platform.ts";
import { statusFacet, typeFacet } from "../../../tables/facets.ts";
import type { Condition } from "../../../tables/list-query.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { idField, partyField } from "../../../wire/id-fields.ts";
import { queryId, soundAccountId } from "../../../wire/ids.ts";
import {
  CUSTOMER_OF_ADDRESS,
  createdConditions,
  when,
  whenAddress,
  whenFacet,
} from "../../request/filters.ts";

const identifier = (which: string) =>
  Type.Optional(partyField(`An account id or UMA address: ${which}.`));

export const transactionFilters = {
  accountIdentifier: identifier("either side"),
  senderAccountIdentifier: identifier("the sender"),
  receiverAccountIdentifier: identifier("the receiver"),
  status: Type.Optional(Type.Enum([...transactionStatuses])),
  type: Type.Optional(Type.Enum([...transactionTypes])),
  reference: Type.Optional(
    Type.String({
      maxLength: 255,
      examples: ["FL8000000000004"],
      description:
        "Exactly this reference: of the `reconciliationInstructions`, the beneficiary's `reference`, or the `bankReference` of an entry. " +
        "The second one is found about a second after the payment was made.",
    }),
  ),
  groupId: Type.Optional(
    idField("TransferGroup", { description: "The transactions of a transfer of several legs." }),
  ),
  startDate: dateTimeParameter("Created at this time or later."),
  endDate: dateTimeParameter("Created at this time or earlier."),
};

export const transactionOrder = {
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
    groupCondition(queryId("TransferGroup", query.groupId)),
    whenFacet(query.status, statusFacet),
    whenFacet(query.type, typeFacet),
    ...createdConditions(query.startDate, query.endDate),
  ];
}

function groupCondition(groupId: string | undefined): Condition | undefined {
  if (groupId === undefined) return undefined;
  return {
    sql:
      "t.id > (?::uuid[])[1] and t.id < (?::uuid[])[2] and " +
      "t.details ->> 'groupId' = 'TransferGroup:' || ((?::uuid[])[1])::text",
    value: idsOfGroup(groupId),
  };
}

/**
 * The sender of an incoming payment has a UMA address; a payment to a UMA address comes from one of the customer's
 * accounts.
 */
const FROM_ADDRESS = [
  "t.type = 'INCOMING' and t.source ->> 'umaAddress' = ?::text",
  "t.type = 'OUTGOING' and t.quote_id is not null and t.destination ->> 'umaAddress' is not null " +
    `and t.customer_id = ${CUSTOMER_OF_ADDRESS}`,
];

/** Matches the predicate of the partial indexes on UMA addresses, which hold no transfers. */
const OF_ADDRESS = {
  source: FROM_ADDRESS,
  destination: [
    "(t.type = 'INCOMING' or t.quote_id is not null) and t.destination ->> 'umaAddress' = ?::text",
  ],
};

type Side = keyof typeof OF_ADDRESS;

function partyCondition(value: string | undefined, sides: readonly Side[]): Condition | undefined {
  if (value === undefined) return undefined;
  if (value.startsWith("$")) {
    return whenAddress(
      value,
      sides.flatMap((side) => OF_ADDRESS[side]),
    );
  }
  return when(
    soundAccountId(value),
    sides.map((side) => `t.${side}_account_id = ?::uuid`),
  );
}
