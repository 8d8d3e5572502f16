import Type from "typebox";
import { sumsAt } from "../../../../domain/reading/ledger/balances.sql.ts";
import { dateTimeParameter } from "../../../../wire/fields.ts";
import {
  KindBalanceSchema,
  kindBalancesExample,
  toKindBalance,
} from "../../../../wire/reading/ledger.ts";
import { asMoment } from "../../../request/filters.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getLedgerBalances = defineOperation({
  id: "getLedgerBalances",
  method: "GET",
  path: "/ledger/balances",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Ledger",
  summary: "Get ledger balances",
  description: "What the accounts of each kind hold.",
  query: Type.Object({ at: dateTimeParameter("At the end of this moment; now without it.") }),
  answers: {
    200: {
      description:
        "By currency and kind, added up from the entries. In each currency they sum to zero.",
      schema: Type.Object({
        commandSeq: Type.Integer({ minimum: 0, description: "The last command that is in them." }),
        balances: Type.Array(KindBalanceSchema),
      }),
      example: { commandSeq: 17, balances: kindBalancesExample },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query }, { reads }: Services) {
    const at = query.at === undefined ? undefined : asMoment(query.at);
    const { commandSeq, sums } = await sumsAt(reads, platformId, at);
    const balances = sums.map(toKindBalance);
    return { status: 200, body: JSON.stringify({ commandSeq: Number(commandSeq), balances }) };
  },
});
