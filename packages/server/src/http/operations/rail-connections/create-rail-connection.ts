import { randomBytes } from "node:crypto";
import Type from "typebox";
import { createRailConnection as command } from "../../../domain/rail-connections/create-rail-connection.ts";
import {
  type FundingSettings,
  NO_FUNDING,
} from "../../../domain/rail-connections/funding-settings.ts";
import {
  type ConnectionSettings,
  connectionKinds,
  secretNames,
} from "../../../domain/rail-connections/rail-connection.ts";
import {
  accountField,
  accountNames,
  calendarField,
  connectionJson,
  connectionName,
  controlField,
  controlIn,
  createConnectionExample,
  currenciesField,
  fundingField,
  fundingNames,
  RailConnectionSchema,
  railConnectionExample,
  secretsField,
  settingNames,
  settingsField,
} from "../../../wire/rails/rail-connection.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { calendarIn, judgeConnection, knownMembers, sealSecrets } from "./connection-body.ts";

export const createRailConnection = defineOperation({
  id: "createRailConnection",
  method: "POST",
  path: "/rails/connections",
  access: "MANAGE",
  capability: "rails.write",
  opensPersonalData: true,
  tag: "Rails",
  summary: "Create a rail connection",
  description:
    "An account outside through which the platform pays and collects. `HTTP`: a connector, which is a small service of the " +
    "operator, gives the orders to a bank or a provider (docs/rails.md). `MANUAL`: people work off a queue and mark each payment. " +
    "It carries nothing before `activate` finds everything that it needs. At most 100 that are not archived.",
  body: Type.Object({
    name: connectionName,
    kind: Type.Enum([...connectionKinds]),
    currencies: currenciesField,
    account: Type.Optional(accountField),
    settings: Type.Optional(settingsField),
    secrets: Type.Optional(secretsField),
    funding: Type.Optional(fundingField),
    calendar: Type.Optional(calendarField),
    control: Type.Optional(controlField),
  }),
  requestExample: createConnectionExample,
  answers: {
    201: {
      description: "The connection, in `SETUP`, without its secrets.",
      schema: RailConnectionSchema,
      example: { ...railConnectionExample, status: "SETUP", capabilities: [], health: undefined },
    },
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge: judgeConnection,
  async handle({ principal, body, idempotency }, { engine, sealer }: Services) {
    const sealId = randomBytes(8).toString("hex");
    const { platformId } = principal;
    return submitForCaller(engine, principal, {
      command,
      input: {
        name: body.name,
        kind: body.kind,
        currencies: body.currencies,
        account: knownMembers(accountNames, body.account) ?? {},
        settings: (knownMembers(settingNames, body.settings) ?? {}) as ConnectionSettings,
        calendar: calendarIn(body.calendar) ?? {},
        control: controlIn(body.control) ?? {},
        sealId,
        secrets: sealSecrets(
          sealer,
          { platformId, sealId },
          knownMembers(secretNames, body.secrets),
        ),
        funding: (knownMembers(fundingNames, body.funding) ?? NO_FUNDING) as FundingSettings,
      },
      toAnswer: (connection) => ({ status: 201, body: connectionJson(connection) }),
      idempotency,
    });
  },
});
