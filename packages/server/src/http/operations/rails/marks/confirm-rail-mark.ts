import Type from "typebox";
import type { BalanceRequest } from "../../../../domain/rails/books/create-rail-balance.ts";
import { coveredUpTo } from "../../../../domain/rails/books/reconciliation.sql.ts";
import { confirmRailMark as command } from "../../../../domain/rails/marks/decide-rail-mark.ts";
import { findRailMark } from "../../../../domain/rails/marks/rail-mark.ts";
import type { Reads } from "../../../../postgres/database.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  decidedMembers,
  RailMarkSchema,
  railMarkExample,
  railMarkJson,
} from "../../../../wire/rails/rail-mark.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const confirmRailMark = defineOperation({
  id: "confirmRailMark",
  method: "POST",
  path: "/rails/marks/{markId}/confirm",
  access: "TRANSACT",
  capability: "payments.approve",
  tag: "Rails",
  summary: "Confirm a mark",
  description:
    "Does what another token asked for, as the caller. It is judged again: when it is refused now, the mark goes on waiting. The token that asked is " +
    "answered 403 with `details.rule: FOUR_EYES`.",
  params: Type.Object({ markId: pathId("RailMark") }),
  answers: {
    200: {
      description: "The mark after it.",
      schema: RailMarkSchema,
      example: { ...railMarkExample, state: "CONFIRMED", ...decidedMembers },
    },
  },
  refusals: [
    "FORBIDDEN",
    "INVALID_INPUT",
    "AMOUNT_OUT_OF_RANGE",
    "REFERENCE_NOT_FOUND",
    "CONFLICT",
    "DUPLICATE_ENTRY",
  ],
  async handle({ principal, params, idempotency }, { engine, reads }: Services) {
    const markId = requireId("RailMark", params.markId, "REFERENCE_NOT_FOUND");
    const covered = await coveredBy(reads, principal.platformId, markId);
    return submitForCaller(engine, principal, {
      command,
      input: { markId, covered },
      toAnswer: (mark) => ({ status: 200, body: railMarkJson(mark) }),
      idempotency,
    });
  },
});

/** What the entries come to that a balance covers; undefined for another mark. */
async function coveredBy(reads: Reads, platformId: string, markId: string) {
  const mark = await findRailMark(reads, platformId, markId);
  if (mark?.kind !== "BALANCE") return undefined;
  const { connectionId, currency, day } = mark.request as BalanceRequest;
  return coveredUpTo(reads, platformId, { connectionId, currency }, day);
}
