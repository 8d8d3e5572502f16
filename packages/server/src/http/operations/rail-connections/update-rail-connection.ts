import Type from "typebox";
import { secretNames } from "../../../domain/rail-connections/rail-connection.ts";
import { updateRailConnection as command } from "../../../domain/rail-connections/update-rail-connection.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { pathId } from "../../../wire/id-fields.ts";
import {
  accountChange,
  accountNames,
  calendarField,
  connectionJson,
  connectionName,
  controlField,
  controlIn,
  currenciesField,
  fundingChange,
  fundingNames,
  RailConnectionSchema,
  railConnectionExample,
  secretsChange,
  settingNames,
  settingsChange,
} from "../../../wire/rails/rail-connection.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import {
  calendarIn,
  judgeConnection,
  knownMembers,
  requireConnection,
  sealSecrets,
} from "./connection-body.ts";

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
    "`previousCallbackSecret`, and is accepted as well. Where `baseUrl` moves to another scheme, " +
    "host or port, every secret of the connection is needed again. Once the connection was activated, currencies are only added.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  body: Type.Object({
    name: Type.Optional(connectionName),
    currencies: Type.Optional(currenciesField),
    account: Type.Optional(accountChange),
    settings: Type.Optional(settingsChange),
    secrets: Type.Optional(secretsChange),
    calendar: Type.Optional(calendarField),
    funding: Type.Optional(fundingChange),
    control: Type.Optional(controlField),
  }),
  requestExample: { settings: { timeoutMs: 10_000 } },
  answers: {
    200: {
      description: "The connection as it is now.",
      schema: RailConnectionSchema,
      example: { ...railConnectionExample, health: undefined },
    },
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
    const { sealId } = connection;
    const { platformId } = principal;
    return submitForCaller(services.engine, principal, {
      command,
      input: {
        connectionId: connection.id,
        name,
        currencies,
        account: knownMembers(accountNames, account),
        settings: knownMembers(settingNames, settings),
        calendar: calendarIn(calendar),
        control: controlIn(control),
        secrets: sealSecrets(
          services.sealer,
          { platformId, sealId },
          knownMembers(secretNames, secrets),
        ),
        funding: knownMembers(fundingNames, funding),
      },
      toAnswer: (changed) => ({ status: 200, body: connectionJson(changed) }),
    });
  },
});
