/** The filters of the list of transactions by texts, and those that no index serves. */
import Type, { type Static } from "typebox";
import type { Condition } from "../../../tables/list-query.ts";
import { idField } from "../../../wire/id-fields.ts";
import { queryId } from "../../../wire/ids.ts";
import { currencyParameter } from "../../request/filters.ts";
import { TEXT_FILTER, textParameter, whenTransactionFound } from "../../search/found-conditions.ts";
import type { Seeker } from "../../search/seeker.ts";

const minorParameter = (which: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `${which}, in the smallest unit of its currency.`,
    }),
  );

export const searchedTransactionFilters = {
  q: textParameter(
    `${TEXT_FILTER} The transactions of the first five customers and external accounts that it names as well.`,
  ),
  counterparty: textParameter(
    "The name, the last four characters or the UMA address of the other side: transactions with one of the first five external accounts that have it.",
  ),
  description: textParameter("Beginnings of words of the description."),
  currency: currencyParameter,
  minAmount: minorParameter("At least this amount was sent or received"),
  maxAmount: minorParameter("At most this amount was sent or received"),
  paymentRail: Type.Optional(Type.String({ maxLength: 40, examples: ["ACH"] })),
  connectionId: Type.Optional(
    idField("RailConnection", { description: "Ordered or booked at this connection." }),
  ),
  hasRefund: Type.Optional(
    Type.Boolean({ description: "Given back, whole or in part, or about to be." }),
  ),
};

const Filters = Type.Object(searchedTransactionFilters);

/** Conditions by texts, which bound what is read. */
export async function foundConditions(
  seeker: Seeker,
  { q, counterparty, description }: Static<typeof Filters>,
): Promise<readonly Condition[]> {
  const conditions: Condition[] = [];
  if (q !== undefined) {
    const parties = ["Customer", "ExternalAccount"] as const;
    conditions.push(await whenTransactionFound(seeker, { text: q, parties }));
  }
  if (counterparty !== undefined) {
    const fields = ["name", "umaAddress"] as const;
    const parties = ["ExternalAccount"] as const;
    conditions.push(await whenTransactionFound(seeker, { text: counterparty, fields, parties }));
  }
  if (description !== undefined) {
    const fields = ["description"] as const;
    conditions.push(await whenTransactionFound(seeker, { text: description, fields, parties: [] }));
  }
  return conditions;
}

const REFUNDED =
  "(t.refund is not null or coalesce(t.outcome ->> 'refundedMinor', '0') <> '0' " +
  "or coalesce(t.outcome ->> 'refundPendingMinor', '0') <> '0')";

/**
 * An order of the transaction, or the entry that brought its money. `offset 0` has PostgreSQL look up those of each transaction that is searched.
 * Without it, PostgreSQL may read all orders of the connection first.
 */
const AT_CONNECTION =
  "(exists (select 1 from rail_payments o where o.platform_id = $1::uuid and o.transaction_id = t.id and o.connection_id = ?::uuid offset 0) " +
  "or exists (select 1 from rail_entries e where e.platform_id = $1::uuid " +
  "and e.id = substr(t.details ->> 'railEntryId', 11)::uuid and e.connection_id = ?::uuid offset 0))";

/** Conditions without an index: the list is searched by them. */
export function unindexedConditions(query: Static<typeof Filters>): readonly Condition[] {
  const { currency, minAmount, maxAmount, paymentRail, hasRefund } = query;
  const connectionId = queryId("RailConnection", query.connectionId);
  return [
    ...amountConditions({ currency, minAmount, maxAmount }),
    ...(paymentRail === undefined
      ? []
      : [{ sql: "t.details ->> 'paymentRail' = ?::text", value: paymentRail }]),
    ...(connectionId === undefined
      ? []
      : [{ sql: AT_CONNECTION, value: connectionId, lookups: 2 }]),
    ...(hasRefund === undefined ? [] : [{ sql: hasRefund ? REFUNDED : `not ${REFUNDED}` }]),
  ];
}

interface AmountQuery {
  readonly currency: string | undefined;
  readonly minAmount: number | undefined;
  readonly maxAmount: number | undefined;
}

/** One side fits as a whole: its currency and its amount. */
function amountConditions({ currency, minAmount, maxAmount }: AmountQuery): readonly Condition[] {
  if ([currency, minAmount, maxAmount].every((each) => each === undefined)) return [];
  const side = (name: "sent" | "received") =>
    [
      ...(currency === undefined ? [] : [`t.${name}_currency = (?::text[])[1]`]),
      ...(minAmount === undefined ? [] : [`t.${name}_minor >= ((?::text[])[2])::int8`]),
      ...(maxAmount === undefined ? [] : [`t.${name}_minor <= ((?::text[])[3])::int8`]),
    ].join(" and ");
  const value = [currency ?? "", String(minAmount ?? 0), String(maxAmount ?? 0)];
  return [{ sql: `((${side("sent")}) or (${side("received")}))`, value }];
}
