import Type from "typebox";
import { createRailEntry as createRailEntryCommand } from "../../../domain/rails/entries/create-rail-entry.ts";
import {
  entryDirectionFacet,
  entryDirections,
  findRailEntry,
  listRailEntries as loadRailEntries,
} from "../../../domain/rails/entries/rail-entry.ts";
import { quotedReferences } from "../../../domain/rails/funding/payment-reference.ts";
import { plainNumber } from "../../../domain/rails/funding/virtual-account.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { currencyField } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { createEntryExample, entryMembers, wireRailEntry } from "../../../wire/rails/rail-entry.ts";
import { askedAnswer, waitingAnswer } from "../../../wire/rails/rail-mark.ts";
import { isGuarded } from "../../approvals/approval-content.ts";
import { defineNoun, getOne, listAll, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import {
  byFacet,
  byId,
  bySearch,
  byText,
  createdFrom,
  createdTo,
} from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { whenFound } from "../../search/found-conditions.ts";
import { collectionEvents, executionEvents, payoutEvents } from "../event-lists.ts";

const entries = defineNoun({
  path: "/rails/entries",
  tag: "Rails",
  capability: "rails.read",
  ...wireRailEntry,
});

const createRailEntry = defineOperation({
  id: "createRailEntry",
  ...route("POST /rails/connections/{connectionId}/entries", "TRANSACT", "reconciliation.write"),
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
    201: shown(entries, "The entry."),
    202: waitingAnswer,
  },
  events: [
    "RAIL_ITEM.OPEN",
    "RAIL_ITEM.AGED",
    ...payoutEvents,
    ...collectionEvents,
    ...executionEvents,
  ],
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
          invoiceId: null,
          feeOf: null,
          paymentId: undefined,
          returnOf: undefined,
        },
      },
      toAnswer: (asked) => askedAnswer(asked, { status: 201, bodyOf: wireRailEntry.json }),
      idempotency,
    }),
});

const listRailEntries = listAll({
  ...entries,
  id: "listRailEntries",
  summary: "List entries",
  filters: {
    connectionId: byId("RailConnection", "t.connection_id"),
    direction: byFacet(entryDirectionFacet, entryDirections),
    bankReference: byText(
      Type.Optional(
        Type.String({ minLength: 1, maxLength: 140, examples: ["BANK-20261121-0042"] }),
      ),
      "t.bank_reference = ?::text",
    ),
    q: bySearch("A reference of the bank, or an id.", (seeker, text) =>
      whenFound(seeker, { text, kind: "RailEntry" }),
    ),
    from: createdFrom("Told at this time or later."),
    to: createdTo("Told at this time or earlier."),
  },
  list: loadRailEntries,
});

const getRailEntry = getOne({
  ...entries,
  id: "getRailEntry",
  summary: "Get an entry",
  param: "entryId",
  kind: "RailEntry",
  answer: "The entry.",
  find: findRailEntry,
});

export const entryOperations = [createRailEntry, listRailEntries, getRailEntry];
