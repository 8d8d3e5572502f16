import { randomBytes } from "node:crypto";
import Type from "typebox";
import { connectionKinds } from "../../../domain/payments/carrier/carrier.port.ts";
import {
  createConnectionOrder,
  shownConnection,
  updateConnectionOrder,
} from "../../../domain/people/approvals/held-control.ts";
import {
  connectionHealth,
  listConnections,
} from "../../../domain/rails/connections/rail-connection.sql.ts";
import {
  connectionStatuses,
  everyConnectionKind,
  secretNames,
  toConnectionId,
} from "../../../domain/rails/connections/rail-connection.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { waitingForPeople } from "../../../wire/people/approval.ts";
import {
  accountChange,
  accountField,
  calendarField,
  connectionJson,
  connectionName,
  controlField,
  createConnectionExample,
  currenciesField,
  fundingChange,
  fundingField,
  RailConnectionSchema,
  railConnectionExample,
  secretsChange,
  secretsField,
  settingsChange,
  settingsField,
} from "../../../wire/rails/rail-connection.ts";
import { placeOf } from "../../approvals/approval-content.ts";
import { submitHeld } from "../../approvals/submit-held.ts";
import { currencyParameter, when } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { getFacts, listFacts } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { approvalEvents } from "../event-lists.ts";
import {
  createConnectionInput,
  judgeConnection,
  knownMembers,
  requireConnection,
  sealSecrets,
  updateConnectionInput,
} from "./connection-body.ts";

const connections = {
  path: "/rails/connections",
  tag: "Rails",
  capability: "rails.read",
  schema: RailConnectionSchema,
  example: railConnectionExample,
} as const;

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

const createRailConnection = defineOperation({
  id: "createRailConnection",
  ...route("POST /rails/connections", "MANAGE", "rails.write"),
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
  events: approvalEvents,
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

const listRailConnections = defineOperation({
  ...listFacts(connections, "Newest first, with how each stands."),
  id: "listRailConnections",
  summary: "List rail connections",
  query: Type.Object({
    kind: Type.Optional(Type.Enum([...everyConnectionKind])),
    status: Type.Optional(Type.Enum([...connectionStatuses])),
    currency: currencyParameter,
    ...pageParameters,
  }),
  async handle({ principal, query }, services: Services) {
    const { reads } = services;
    const { platformId } = principal;
    const { kind, status, currency } = query;
    const conditions = [
      when(kind, "t.kind = ?::text"),
      when(status, "t.status = ?::text"),
      when(
        currency,
        "exists (select 1 from json_array_elements_text(t.currencies) c where c = ?::text)",
      ),
    ];
    const load = async (page: { platformId: string; after: string | undefined; limit: number }) => {
      const found = await listConnections(reads, { ...page, conditions });
      const ids = found.rows.map(({ id }) => id);
      const health = await connectionHealth(reads, platformId, ids);
      return { ...found, rows: found.rows.map((row) => ({ row, health: health.get(row.id) })) };
    };
    return answerList(services, {
      operationId: "listRailConnections",
      principal,
      query,
      load,
      idOf: ({ row }) => row.id,
      toJson: ({ row, health }) => connectionJson(row, health),
    });
  },
});

const getRailConnection = defineOperation({
  ...getFacts(connections, "The connection, with how it stands."),
  id: "getRailConnection",
  path: "/rails/connections/{connectionId}",
  summary: "Get a rail connection",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const { connection } = await requireConnection(services, principal, params.connectionId);
    const { platformId } = principal;
    const health = await connectionHealth(services.reads, platformId, [connection.id]);
    return { status: 200, body: connectionJson(connection, health.get(connection.id)) };
  },
});

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

const updateRailConnection = defineOperation({
  id: "updateRailConnection",
  ...route("PATCH /rails/connections/{connectionId}", "MANAGE", "rails.write"),
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
  events: approvalEvents,
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

export const connectionOperations = [
  createRailConnection,
  listRailConnections,
  getRailConnection,
  updateRailConnection,
];
