import Type from "typebox";
import { findPasskeysOf, listPeople as list } from "../../../../domain/people/person.sql.ts";
import type { Person } from "../../../../domain/people/person.ts";
import { lastSeenOf } from "../../../../domain/people/sessions/person-session.sql.ts";
import type { Reads } from "../../../../postgres/database.ts";
import type { ListPage } from "../../../../tables/list-query.ts";
import { listOf } from "../../../../wire/fields.ts";
import {
  type PersonMore,
  PersonSchema,
  personExample,
  personToWire,
} from "../../../../wire/people/person.ts";
import { when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

interface ListedPerson extends PersonMore {
  readonly person: Person;
}

export const listPeople = defineOperation({
  id: "listPeople",
  method: "GET",
  path: "/workspace/people",
  access: "PERSON",
  capability: "people.read",
  tag: "People",
  summary: "List the people of the workspace",
  query: Type.Object({
    state: Type.Optional(Type.Enum(["INVITED", "ACTIVE", "SUSPENDED", "REMOVED"])),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first. Those who were removed are listed with `state=REMOVED` alone.",
      schema: listOf(PersonSchema),
      example: { data: [personExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listPeople",
      principal,
      query,
      load: async (page) =>
        withMore(
          services.reads,
          page.platformId,
          await list(services.reads, {
            ...page,
            conditions: [
              query.state === undefined
                ? { sql: "t.state <> 'REMOVED'" }
                : when(query.state, "t.state = ?::text"),
            ],
          }),
        ),
      idOf: ({ person }) => person.id,
      toJson: ({ person, ...more }) => JSON.stringify(personToWire(person, more)),
    }),
});

async function withMore(
  reads: Reads,
  workspaceId: string,
  page: ListPage<Person>,
): Promise<ListPage<ListedPerson>> {
  const ids = page.rows.map(({ id }) => id);
  const [passkeys, seen] = await Promise.all([
    findPasskeysOf(reads, workspaceId, ids),
    lastSeenOf(reads, workspaceId, ids),
  ]);
  const rows = page.rows.map((person) => ({
    person,
    passkeys: passkeys.filter(({ personId }) => personId === person.id),
    lastSeenAt: seen.get(person.id),
  }));
  return { ...page, rows };
}
