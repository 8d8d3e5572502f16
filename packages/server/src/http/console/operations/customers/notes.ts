import Type from "typebox";
import {
  addCustomerNote,
  customerNotes,
} from "../../../../domain/customers/notes/customer-note.ts";
import { listPage, tableSource } from "../../../../tables/list-query.ts";
import { wireCustomerNote } from "../../../../wire/customers/customer-note.ts";
import { filledText } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { answerList } from "../../../request/list.ts";
import { pageOf, shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { ofPlatform } from "../../place.ts";

const LONGEST_NOTE = 2_000;
const PATH = ofPlatform("/customers/{customerId}/notes");
const params = Type.Object({ customerId: pathId("Customer") });

const source = tableSource(customerNotes);

const listNotes = defineOperation({
  id: "listCustomerNotes",
  ...route(`GET ${PATH}`, "PERSON", "customers.read"),
  tag: "Customers",
  summary: "List the notes about a customer",
  params,
  query: Type.Object({ ...pageParameters }),
  answers: {
    200: pageOf(
      wireCustomerNote,
      "Newest first; none for a customer that the platform does not have.",
    ),
  },
  refusals: ["INVALID_INPUT", "USER_NOT_FOUND"],
  handle({ principal, params, query }, services: Services) {
    const customerId = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    return answerList(services, {
      operationId: `listCustomerNotes ${customerId}`,
      principal,
      query,
      load: (page) =>
        listPage(services.reads, source, {
          ...page,
          conditions: [{ sql: "t.customer_id = ?::uuid", value: customerId }],
        }),
      idOf: ({ id }) => id,
      toJson: wireCustomerNote.json,
    });
  },
});

const createNote = defineOperation({
  id: "createCustomerNote",
  ...route(`POST ${PATH}`, "PERSON", "customers.write"),
  tag: "Customers",
  summary: "Add a note about a customer",
  description: "It is never changed and never deleted. Programs do not see it.",
  params,
  body: Type.Object({ note: filledText(LONGEST_NOTE) }),
  requestExample: { note: wireCustomerNote.example.note },
  answers: {
    201: shown(wireCustomerNote, "The note."),
  },
  refusals: ["INVALID_INPUT", "USER_NOT_FOUND"],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: addCustomerNote,
      input: {
        customerId: requireId("Customer", params.customerId, "USER_NOT_FOUND"),
        authorId: principal.personId,
        authorName: principal.act.actorName ?? "",
        note: body.note,
      },
      toAnswer: (note) => ({ status: 201, body: wireCustomerNote.json(note) }),
      idempotency,
    }),
});

export const noteOperations = [listNotes, createNote];
