/** Alerts on balances. They are kept in the row of their account, so there is no list across accounts. */
import Type from "typebox";
import {
  addBalanceAlert,
  removeBalanceAlert,
} from "../../../domain/accounts/alerts/alert-commands.ts";
import {
  alertDirections,
  type BalanceAlert,
  MOST_ALERTS,
} from "../../../domain/accounts/alerts/balance-alert.ts";
import { findInternalAccount } from "../../../domain/accounts/internal/internal-account.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { wireBalanceAlert } from "../../../wire/accounts/balance-alert.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { answerList } from "../../request/list.ts";
import { listFacts, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const alerts = {
  path: "/internal-accounts/{internalAccountId}/alerts",
  tag: "Internal accounts",
  capability: "accounts.read",
  schema: wireBalanceAlert.schema,
  example: wireBalanceAlert.example,
} as const;

const changes = { access: "MANAGE", capability: "webhooks.write", tag: alerts.tag } as const;
const ofAccount = { internalAccountId: pathId("InternalAccount") };

function requireAccountId(raw: string): string {
  return requireId("InternalAccount", raw, "REFERENCE_NOT_FOUND");
}

const createBalanceAlert = defineOperation({
  ...changes,
  id: "createBalanceAlert",
  ...route(`POST ${alerts.path}`),
  summary: "Create an alert on a balance",
  description:
    "`INTERNAL_ACCOUNT.ALERT` is sent once when the available balance goes beyond `amount`, in the commit that moves it, and again only after " +
    `the balance was back. A balance that is beyond already is not told. At most ${MOST_ALERTS} an account.`,
  params: Type.Object(ofAccount),
  body: Type.Object({
    direction: Type.Enum([...alertDirections]),
    amount: requestAmount(),
  }),
  requestExample: { direction: "BELOW", amount: 10000 },
  answers: {
    201: shown(wireBalanceAlert, "The alert."),
  },
  events: ["INTERNAL_ACCOUNT.ALERT"],
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: addBalanceAlert,
      input: {
        accountId: requireAccountId(params.internalAccountId),
        direction: body.direction,
        amountMinor: BigInt(body.amount),
      },
      toAnswer: ({ account, alert }) => ({
        status: 201,
        body: wireBalanceAlert.json({
          ...alert,
          accountId: account.id,
          currency: account.currency,
        }),
      }),
      idempotency,
    }),
});

const listBalanceAlerts = defineOperation({
  ...listFacts(alerts, "Oldest first."),
  id: "listBalanceAlerts",
  summary: "List alerts on a balance",
  params: Type.Object(ofAccount),
  query: Type.Object(pageParameters),
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const id = requireAccountId(params.internalAccountId);
    const found = await findInternalAccount(services.reads, principal.platformId, id);
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const { id: accountId, currency, alerts: all } = found.account;
    return answerList(services, {
      operationId: "listBalanceAlerts",
      principal,
      query,
      load: ({ after = "", limit }) => Promise.resolve(pageAfter(all ?? [], { after, limit })),
      idOf: (alert) => alert.id,
      toJson: (alert) => wireBalanceAlert.json({ ...alert, accountId, currency }),
    });
  },
});

function pageAfter(
  all: readonly BalanceAlert[],
  { after, limit }: { readonly after: string; readonly limit: number },
) {
  const left = all.filter(({ id }) => id > after);
  const rows = left.slice(0, limit);
  return { rows, hasMore: left.length > rows.length, totalCount: all.length };
}

const deleteBalanceAlert = defineOperation({
  ...changes,
  id: "deleteBalanceAlert",
  ...route(`DELETE ${alerts.path}/{alertId}`),
  summary: "Delete an alert on a balance",
  params: Type.Object({ ...ofAccount, alertId: pathId("BalanceAlert") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: removeBalanceAlert,
      input: {
        accountId: requireAccountId(params.internalAccountId),
        alertId: requireId("BalanceAlert", params.alertId, "REFERENCE_NOT_FOUND"),
      },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});

export const balanceAlertOperations = [createBalanceAlert, listBalanceAlerts, deleteBalanceAlert];
