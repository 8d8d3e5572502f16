import Type from "typebox";
import { type KindSum, sumsAt } from "../../../../domain/reading/ledger/balances.sql.ts";
import { invalidField } from "../../../../engine/refusal.ts";
import { assert } from "../../../../std/assert.ts";
import { toIso } from "../../../../std/clock.ts";
import { csvLine } from "../../../../wire/reading/csv.ts";
import {
  KindBalanceSchema,
  kindBalancesExample,
  toKindBalance,
} from "../../../../wire/reading/ledger.ts";
import { defineOperation } from "../../../request/operation.ts";
import { platformTime } from "../../../request/platform-time.ts";
import type { Services } from "../../../request/services.ts";

const DAY_MS = 86_400_000;

export const getTrialBalance = defineOperation({
  id: "getTrialBalance",
  method: "GET",
  path: "/ledger/trial-balance",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Ledger",
  summary: "Get a trial balance",
  description:
    "At the end of the day in UTC, or at this moment for today. With `format=CSV` the answer is `text/csv`, a line for each " +
    "kind and currency: `date,kind,currency,debit,credit`. Money that an account has is its credit, what it owes is its debit.",
  query: Type.Object({
    date: Type.Optional(
      Type.String({ format: "date", description: "Today without it.", examples: ["2026-11-21"] }),
    ),
    format: Type.Optional(Type.Enum(["JSON", "CSV"], { default: "JSON" })),
  }),
  answers: {
    200: {
      description: "By currency and kind. In each currency they sum to zero.",
      schema: Type.Object({
        date: Type.String({ format: "date" }),
        commandSeq: Type.Integer({ minimum: 0, description: "The last command that is in it." }),
        lines: Type.Array(KindBalanceSchema),
      }),
      csv: "date,kind,currency,debit,credit\r\n2026-11-21,in-flight,USD,0,1500\r\n",
      example: { date: "2026-11-21", commandSeq: 17, lines: kindBalancesExample },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query }, services: Services) {
    const today = toIso(await platformTime(services, platformId)).slice(0, 10);
    const { date = today, format } = query;
    if (date > today) throw invalidField("date", `must not be after today, ${today}`);
    const until = new Date(Date.parse(`${date}T00:00:00.000Z`) + DAY_MS - 1).toISOString();
    const { commandSeq, sums } = await sumsAt(services.reads, platformId, until);
    assertBalanced(sums);
    if (format === "CSV") {
      const lines = [HEAD, ...sums.map((sum) => csvLine(cellsOf(date, sum)))];
      return {
        status: 200,
        contentType: "text/csv; charset=utf-8",
        body: Buffer.from(lines.join("")),
      };
    }
    const lines = sums.map(toKindBalance);
    const answer = { date, commandSeq: Number(commandSeq), lines };
    return { status: 200, body: JSON.stringify(answer) };
  },
});

const HEAD = csvLine(["date", "kind", "currency", "debit", "credit"]);

function cellsOf(date: string, { kind, currency, minor }: KindSum): readonly string[] {
  const [debit, credit] = minor < 0n ? [String(-minor), "0"] : ["0", String(minor)];
  return [date, kind, currency, debit, credit];
}

/** Books that do not balance are answered with a failure and not with figures. */
function assertBalanced(sums: readonly KindSum[]): void {
  const totals = new Map<string, bigint>();
  for (const { currency, minor } of sums) {
    totals.set(currency, (totals.get(currency) ?? 0n) + minor);
  }
  for (const total of totals.values()) assert(total === 0n, "I-2: a trial balance sums to zero");
}
