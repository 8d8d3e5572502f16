import Type from "typebox";
import {
  shownConnection,
  updateConnectionOrder,
} from "../../../../domain/people/approvals/held-control.ts";
import {
  secretNames,
  toConnectionId,
} from "../../../../domain/rails/connections/rail-connection.ts";
import { invalidFields } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  accountChange,
  calendarField,
  connectionJson,
  connectionName,
  controlField,
  currenciesField,
  fundingChange,
  RailConnectionSchema,
  railConnectionExample,
  secretsChange,
  settingsChange,
} from "../../../../wire/rails/rail-connection.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import {
  judgeConnection,
  knownMembers,
  requireConnection,
  sealSecrets,
} from "./connection-body.ts";
import { updateConnectionInput } from "./held-connection.ts";

export const UpdateConnectionBody = Type.Object({
  name: Type.Optional(connectionName),
  currencies: Type.Optional(currenciesField),
  account: Type.Optional(accountChange),
  settings: Type.Optional(settingsChange),
  secrets: Type.Optional(secretsChange),
  calendar: Type.Optional(calendarField),
  funding: Type.Optional(fundingChange),
  control: Type.Optional(controlField),
});

export const updateRailConnection = defineOperation({
  id: "updateRailConnection",
  method: "PATCH",
  path: "/rails/connections/{connectionId}",
  access: "MANAGE",
  capability: "rails.write",
  opensPersonalData: true,
  tag: "Rails",
  summary: "Update a rail connection",
  description:
    "Absent members stay as they are; null takes one away. Payments keep the order that was accepted; an order that was sent is " +
    "never sent to another `baseUrl`. While a secret is changed, the one before it may stay as `previousSigningSecret` or " +
    "`previousCallbackSecret`, and is accepted as well. Where `baseUrl` moves to another scheme, host or port, every secret of the connection is needed " +
    "again. Once the connection was activated, currencies are only added. In production a looser `control`, and of a connection that was activated another " +
    "`baseUrl`, account, secret or funding, wait for another owner where the workspace has two.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  body: UpdateConnectionBody,
  requestExample: { settings: { timeoutMs: 10_000 } },
  answers: {
    200: {
      description: "The connection as it is now.",
      schema: RailConnectionSchema,
      example: { ...railConnectionExample, health: undefined },
    },
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge: judgeConnection,
  async handle({ principal, params, body }, services: Services) {
    const { name, currencies, account, settings, calendar, secrets, funding, control } = body;
    const sent = [name, currencies, account, settings, calendar, secrets, funding, control];
    if (sent.every((field) => field === undefined)) {
      const message =
        "must hold name, currencies, account, settings, calendar, funding, control or secrets";
      throw invalidFields([{ field: "body", message }]);
    }
    const { connection } = await requireConnection(services, principal, params.connectionId);
    const { id: connectionId, sealId } = connection;
    const { platformId } = principal;
    const sealed = knownMembers(secretNames, secrets);
    const content = {
      ...body,
      connectionId: toConnectionId(connectionId),
      secrets: sealSecrets(services.sealer, { platformId, sealId }, sealed),
      before: shownConnection(connection),
    };
    const { shown: _, ...input } = updateConnectionInput(content);
    return submitHeld(services, principal, {
      order: updateConnectionOrder,
      content,
      input,
      toAnswer: ({ after }) => ({ status: 200, body: connectionJson(after) }),
      idempotency: undefined,
    });
  },
});
