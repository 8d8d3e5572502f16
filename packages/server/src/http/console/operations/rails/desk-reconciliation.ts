import Type from "typebox";
import {
  findDailyBooks,
  findDayBreaks,
} from "../../../../domain/rails/books/daily-reconciliation.sql.ts";
import { daysOf } from "../../../../domain/rails/books/daily-reconciliation.ts";
import { dayBeside } from "../../../../std/calendar/banking-days.ts";
import { toIso } from "../../../../std/clock.ts";
import { currencyField } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  DailyBooksSchema,
  DayBreaksSchema,
  dailyBooksExample,
  dailyBooksFile,
  dailyBooksFileExample,
  dailyBooksJson,
  dayBreaksExample,
  dayBreaksJson,
} from "../../../../wire/rails/desk-reconciliation.ts";
import { requireConnection } from "../../../operations/rails/connection-body.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import { platformTime } from "../../../request/platform-time.ts";
import type { Services } from "../../../request/services.ts";
import { ofPlatform } from "../../place.ts";

const MOST_DAYS = 31;
const USUAL_DAYS = 7;

const query = Type.Object({
  to: Type.Optional(
    Type.String({ format: "date", description: "The last day. Today (UTC) without it." }),
  ),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_DAYS, description: `${USUAL_DAYS} without it.` }),
  ),
});

async function spanOf(
  services: Services,
  platformId: string,
  { to, days = USUAL_DAYS }: { readonly to?: string; readonly days?: number },
) {
  const last = to ?? toIso(await platformTime(services, platformId)).slice(0, 10);
  return { first: dayBeside(last, 1 - days), last };
}

const getDailyReconciliation = defineOperation({
  id: "getDailyReconciliation",
  ...route(`GET ${ofPlatform("/rails/desk/reconciliation")}`, "PERSON", "rails.read"),
  tag: "Rails",
  summary: "Reconcile all connections day by day",
  description:
    "The last statement of each day, compared with the entries up to its day that are known now; one that was read from a connector, with " +
    "those that had come by then.",
  query,
  answers: {
    200: { description: "The days.", schema: DailyBooksSchema, example: dailyBooksExample },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal: { platformId }, query: asked }, services: Services) {
    const span = await spanOf(services, platformId, asked);
    const books = await findDailyBooks(services.reads, platformId, span);
    return { status: 200, body: dailyBooksJson(daysOf(span.first, span.last), books) };
  },
});

const getDailyReconciliationFile = defineOperation({
  id: "getDailyReconciliationFile",
  ...route(`GET ${ofPlatform("/rails/desk/reconciliation.csv")}`, "PERSON", "rails.read"),
  opensPersonalData: true,
  tag: "Rails",
  summary: "Download the reconciliation of all connections day by day",
  query,
  answers: {
    200: { description: "The days.", contentType: "text/csv", example: dailyBooksFileExample },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal: { platformId }, query: asked }, services: Services) {
    const span = await spanOf(services, platformId, asked);
    const books = await findDailyBooks(services.reads, platformId, span);
    return {
      status: 200,
      contentType: "text/csv; charset=utf-8",
      headers: ["Content-Disposition", 'attachment; filename="reconciliation.csv"'],
      body: Buffer.from(dailyBooksFile(books)),
    };
  },
});

const getDayBreaks = defineOperation({
  id: "getDayBreaks",
  ...route(`GET ${ofPlatform("/rails/desk/breaks")}`, "PERSON", "rails.read"),
  tag: "Rails",
  summary: "Get the breaks of a day",
  description:
    "The difference that began on the day with what may explain it, the open items of the day, and its orders without a line.",
  query: Type.Object({
    connectionId: idField("RailConnection"),
    currency: currencyField(),
    day: Type.String({ format: "date" }),
  }),
  answers: {
    200: { description: "The breaks.", schema: DayBreaksSchema, example: dayBreaksExample },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, query: { connectionId: raw, currency, day } }, services: Services) {
    await requireConnection(services, principal, raw);
    const connectionId = requireId("RailConnection", raw, "REFERENCE_NOT_FOUND");
    const of = { connectionId, currency, day };
    const breaks = await findDayBreaks(services.reads, principal.platformId, of);
    return { status: 200, body: dayBreaksJson(breaks, currency) };
  },
});

export const deskReconciliationOperations = [
  getDailyReconciliation,
  getDailyReconciliationFile,
  getDayBreaks,
];
