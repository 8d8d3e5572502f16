import { randomBytes } from "node:crypto";
import Type from "typebox";
import { connectionKinds } from "../../../../domain/payments/carrier/carrier.port.ts";
import { createConnectionOrder } from "../../../../domain/people/approvals/held-control.ts";
import { secretNames } from "../../../../domain/rails/connections/rail-connection.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  accountField,
  calendarField,
  connectionJson,
  connectionName,
  controlField,
  createConnectionExample,
  currenciesField,
  fundingField,
  RailConnectionSchema,
  railConnectionExample,
  secretsField,
  settingsField,
} from "../../../../wire/rails/rail-connection.ts";
import { placeOf } from "../../../approvals/approval-content.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { judgeConnection, knownMembers, sealSecrets } from "./connection-body.ts";
import { createConnectionInput } from "./held-connection.ts";

export const CreateConnectionBody = Type.Object({
  name: connectionName,
  kind: Type.Enum([...connectionKinds]),
  currencies: currenciesField,
  account: Type.Optional(accountField),
  settings: Type.Optional(settingsField),
  secrets: Type.Optional(secretsField),
  funding: Type.Optional(fundingField),
  calendar: Type.Optional(calendarField),
  control: Type.Optional(controlField),
});

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
    "It carries nothing before `activate` finds everything that it needs. At most 100 that are not archived. In production, where two people of " +
    "the workspace may decide about payments, its `control` is at first `FOUR_EYES` with ceilings of 0; one that asks for less waits for another owner.",
  body: CreateConnectionBody,
  requestExample: createConnectionExample,
  answers: {
    201: {
      description: "The connection, in `SETUP`, without its secrets.",
      schema: RailConnectionSchema,
      example: { ...railConnectionExample, status: "SETUP", capabilities: [], health: undefined },
    },
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge: judgeConnection,
  async handle({ principal, body, idempotency }, services: Services) {
    const sealId = randomBytes(8).toString("hex");
    const { platformId } = principal;
    const place = await placeOf(services, platformId);
    const sent = knownMembers(secretNames, body.secrets);
    const secrets = sealSecrets(services.sealer, { platformId, sealId }, sent);
    const content = { ...body, sealId, secrets };
    return submitHeld(services, principal, {
      order: createConnectionOrder,
      content,
      input: createConnectionInput(content, place),
      place,
      toAnswer: (connection) => ({ status: 201, body: connectionJson(connection) }),
      idempotency,
    });
  },
});
