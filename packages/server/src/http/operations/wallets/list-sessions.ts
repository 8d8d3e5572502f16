import Type from "typebox";
import { listSessions as list } from "../../../domain/wallets/wallet.sql.ts";
import { toIso } from "../../../std/clock.ts";
import { listOf } from "../../../wire/fields.ts";
import { idField } from "../../../wire/id-fields.ts";
import { soundId } from "../../../wire/ids.ts";
import {
  AuthSessionSchema,
  authSessionExample,
  sessionJson,
} from "../../../wire/wallets/wallet.ts";
import { defineOperation } from "../../request/operation.ts";
import { toListBody } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const listSessions = defineOperation({
  id: "listSessions",
  method: "GET",
  path: "/auth/sessions",
  access: "VIEW",
  capability: "customers.read",
  tag: "Wallet sessions",
  summary: "List wallet sessions",
  description:
    "The active sessions of one embedded wallet. " +
    "All of them at once: an account has few. Key material is never shown again.",
  query: Type.Object({
    accountId: idField("InternalAccount", { description: "An embedded wallet." }),
  }),
  answers: {
    200: {
      description: "Newest first; nothing for an account that is not there.",
      schema: listOf(AuthSessionSchema),
      example: { data: [authSessionExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, { reads, clock }: Services) {
    const accountId = soundId("InternalAccount", query.accountId);
    const of = { accountId, now: toIso(clock.now()) };
    const found = await list(reads, principal.platformId, of);
    const page = { hasMore: false, nextCursor: undefined, totalCount: found.length };
    return {
      status: 200,
      body: toListBody(
        found.map((session) => sessionJson(session)),
        page,
      ),
    };
  },
});
