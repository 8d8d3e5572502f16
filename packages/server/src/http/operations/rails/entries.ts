import Type from "typebox";
import { createRailEntry as createRailEntryCommand } from "../../../domain/rails/entries/create-rail-entry.ts";
import {
  findRailEntry,
  listRailEntries as loadRailEntries,
} from "../../../domain/rails/entries/rail-entry.sql.ts";
import { entryDirectionFacet, entryDirections } from "../../../domain/rails/entries/rail-entry.ts";
import { quotedReferences } from "../../../domain/rails/funding/payment-reference.ts";
import { plainNumber } from "../../../domain/rails/funding/virtual-account.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { currencyField, dateTimeParameter, listOf } from "../../../wire/fields.ts";
import { idField, pathId } from "../../../wire/id-fields.ts";
import { queryId, requireId } from "../../../wire/ids.ts";
import {
  createEntryExample,
  entryMembers,
  RailEntrySchema,
  railEntryExample,
  railEntryJson,
} from "../../../wire/rails/rail-entry.ts";
import { askedAnswer, waitingAnswer } from "../../../wire/rails/rail-mark.ts";
import { isGuarded } from "../../approvals/approval-content.ts";
import { createdConditions, when, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const createRailEntry = defineOperation({
  id: "createRailEntry",
  method: "POST",
  path: "/rails/connections/{connectionId}/entries",
  access: "TRANSACT",
  capability: "reconciliation.write",
  needsProof: true,
  tag: "Rails",
  summary: "Book an entry",
  description:
    "Of a `MANUAL` connection: a line of the account at the bank, typed in. A debit whose `reference` is the `endToEndId` of a payout " +
    "with its amount settles it. Any other line that quotes an order is an item that suggests it. A credit that names the virtual account or the reference of an internal account " +
    "or of a quote goes there. Any other entry goes to the connection's suspense account, and an item waits for a person. A bank reference is booked once.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  body: Type.Object({ ...entryMembers, amount: requestAmount(), currency: currencyField() }),
  requestExample: createEntryExample,
  answers: {
    201: { description: "The entry.", schema: RailEntrySchema, example: railEntryExample },
    202: waitingAnswer,
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "REFERENCE_NOT_FOUND",
    "CONFLICT",
    "DUPLICATE_ENTRY",
  ],
  handle: async ({ principal, params, body, idempotency }, services: Services) =>
    submitForCaller(services.engine, principal, {
      command: createRailEntryCommand,
      input: {
        connectionId: requireId("RailConnection", params.connectionId, "REFERENCE_NOT_FOUND"),
        isGuarded: await isGuarded(services, principal),
        told: {
          bankReference: body.bankReference,
          direction: body.direction,
          currency: body.currency,
          amountMinor: BigInt(body.amount),
          bookedOn: body.bookedOn,
          bookedAt: null,
          valueDate: body.valueDate ?? null,
          reference: body.reference ?? null,
          remittance: body.remittance ?? null,
          payer: body.payer ?? null,
          virtualAccount:
            body.virtualAccount === undefined ? null : plainNumber(body.virtualAccount),
          references: quotedReferences({
            reference: body.reference ?? null,
            remittance: body.remittance ?? null,
          }),
          instructionId: undefined,
          paymentId: undefined,
          returnOf: undefined,
        },
      },
      toAnswer: (asked) => askedAnswer(asked, { status: 201, bodyOf: railEntryJson }),
      idempotency,
    }),
});

export const listRailEntries = defineOperation({
  id: "listRailEntries",
  method: "GET",
  path: "/rails/entries",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "List entries",
  query: Type.Object({
    connectionId: Type.Optional(idField("RailConnection")),
    direction: Type.Optional(Type.Enum([...entryDirections])),
    bankReference: Type.Optional(
      Type.String({ minLength: 1, maxLength: 140, examples: ["BANK-20261121-0042"] }),
    ),
    from: dateTimeParameter("Told at this time or later."),
    to: dateTimeParameter("Told at this time or earlier."),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(RailEntrySchema),
      example: { data: [railEntryExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listRailEntries",
      principal,
      query,
      load: (page) =>
        loadRailEntries(services.reads, {
          ...page,
          conditions: [
            when(queryId("RailConnection", query.connectionId), "t.connection_id = ?::uuid"),
            whenFacet(query.direction, entryDirectionFacet),
            when(query.bankReference, "t.bank_reference = ?::text"),
            ...createdConditions(query.from, query.to),
          ],
        }),
      idOf: ({ id }) => id,
      toJson: railEntryJson,
    }),
});

export const getRailEntry = defineOperation({
  id: "getRailEntry",
  method: "GET",
  path: "/rails/entries/{entryId}",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Get an entry",
  params: Type.Object({ entryId: pathId("RailEntry") }),
  answers: {
    200: { description: "The entry.", schema: RailEntrySchema, example: railEntryExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("RailEntry", params.entryId, "REFERENCE_NOT_FOUND");
    const found = await findRailEntry(reads, principal.platformId, id);
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: railEntryJson(found) };
  },
});

export const entryOperations = [createRailEntry, listRailEntries, getRailEntry];
