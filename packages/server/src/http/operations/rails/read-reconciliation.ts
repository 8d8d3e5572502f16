/** What both forms of the reconciliation share: their query, and the figures. */
import Type from "typebox";
import { type Reconciliation, reconcile } from "../../../domain/rails/books/reconciliation.sql.ts";
import { calendarOf } from "../../../domain/rails/connections/calendar.ts";
import type { RailConnection } from "../../../domain/rails/connections/rail-connection.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { currencyCodeParameter } from "../../../wire/fields.ts";
import type { Principal } from "../../request/operation.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { requireConnection } from "./connection-body.ts";

export const reconciliationQuery = Type.Object({
  asOf: Type.Optional(
    Type.String({
      format: "date",
      description: "Compares with the last statement of this day or before. Today without it.",
      examples: ["2026-11-21"],
    }),
  ),
  currency: currencyCodeParameter("Needed when the connection has several currencies."),
});

export async function readReconciliation(
  services: Services,
  { platformId }: Pick<Principal, "platformId">,
  asked: {
    readonly connectionId: string;
    readonly asOf?: string | undefined;
    readonly currency?: string | undefined;
  },
): Promise<Reconciliation> {
  const { connection } = await requireConnection(services, { platformId }, asked.connectionId);
  const currency = currencyIn(connection, asked.currency);
  const { today, agedSince } = calendarOf(connection, await platformTime(services, platformId));
  const { asOf: day = today } = asked;
  const since = agedSince();
  return reconcile(services.reads, platformId, {
    connectionId: connection.id,
    currency,
    day,
    since,
  });
}

function currencyIn({ currencies }: RailConnection, asked: string | undefined): string {
  const [only, ...others] = currencies;
  const list = currencies.join(", ");
  if (asked === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw invalidField("currency", `is needed: the connection has ${list}`);
  }
  if (currencies.includes(asked)) return asked;
  throw invalidField("currency", `is not a currency of the connection, which has ${list}`);
}
