import Type from "typebox";
import { listCredentials as list } from "../../../domain/wallets/wallet.sql.ts";
import { listOf } from "../../../wire/fields.ts";
import { idField } from "../../../wire/id-fields.ts";
import { soundId } from "../../../wire/ids.ts";
import {
  AuthMethodSchema,
  authMethodExample,
  credentialJson,
} from "../../../wire/wallets/wallet.ts";
import { defineOperation } from "../../request/operation.ts";
import { toListBody } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const listCredentials = defineOperation({
  id: "listCredentials",
  method: "GET",
  path: "/auth/credentials",
  access: "VIEW",
  capability: "customers.read",
  tag: "Wallet credentials",
  summary: "List credentials",
  description:
    "The credentials of one embedded wallet. " + "All of them at once: an account has few.",
  query: Type.Object({
    accountId: idField("InternalAccount", { description: "An embedded wallet." }),
  }),
  answers: {
    200: {
      description: "Newest first; nothing for an account that is not there.",
      schema: listOf(AuthMethodSchema),
      example: { data: [authMethodExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, { reads }: Services) {
    const accountId = soundId("InternalAccount", query.accountId);
    const found = await list(reads, principal.platformId, accountId);
    const page = { hasMore: false, nextCursor: undefined, totalCount: found.length };
    return { status: 200, body: toListBody(found.map(credentialJson), page) };
  },
});
