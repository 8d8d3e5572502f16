import Type from "typebox";
import {
  changePersonOrder,
  inviteOrder,
  removePersonOrder,
} from "../../../../domain/people/approvals/held-people.ts";
import { findPasskeysOf, listPeople as loadPeople } from "../../../../domain/people/person.sql.ts";
import { type Person, personStates } from "../../../../domain/people/person.ts";
import { lastSeenOf } from "../../../../domain/people/sessions/person-session.sql.ts";
import { setRoleSwitches } from "../../../../domain/people/workspaces/set-role-switches.ts";
import { findWorkspace } from "../../../../domain/people/workspaces/workspace.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import type { Reads } from "../../../../postgres/database.ts";
import type { ListPage } from "../../../../tables/list-query.ts";
import { filledText } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import { type PersonMore, wireInvite, wirePerson } from "../../../../wire/people/person.ts";
import {
  RoleMatrixSchema,
  roleMatrixExample,
  roleMatrixJson,
} from "../../../../wire/people/roles.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { pageOf, shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { newLink } from "../../link-code.ts";
import { emailField } from "./entry.ts";
import { workspacePlace } from "./find-approval.ts";
import { grantsField, requireGrants } from "./role-grants.ts";

interface ListedPerson extends PersonMore {
  readonly person: Person;
}

const listPeople = defineOperation({
  id: "listPeople",
  ...route("GET /workspace/people", "PERSON", "people.read"),
  tag: "People",
  summary: "List the people of the workspace",
  query: Type.Object({
    state: Type.Optional(Type.Enum([...personStates])),
    ...pageParameters,
  }),
  answers: {
    200: pageOf(
      wirePerson,
      "Newest first. Those who were removed are listed with `state=REMOVED` alone.",
    ),
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
          await loadPeople(services.reads, {
            ...page,
            conditions: [
              query.state === undefined
                ? { sql: "t.state <> 'REMOVED'" }
                : when(query.state, "t.state = ?::text"),
            ],
          }),
        ),
      idOf: ({ person }) => person.id,
      toJson: ({ person, ...more }) => wirePerson.json(person, more),
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

const createInvite = defineOperation({
  id: "createInvite",
  ...route("POST /workspace/invites", "PERSON", "people.write"),
  tag: "People",
  summary: "Invite a person",
  description:
    "The link is good for a week, once, and for this address alone. It goes there by mail where the deployment has a mail server. Without one it is in " +
    "the answer to you or, where another owner agrees to the invitation, in the answer to their decision.",
  body: Type.Object({ email: emailField, name: filledText(255), roles: grantsField }),
  requestExample: {
    email: "ben@example.com",
    name: "Ben Stone",
    roles: [{ platformId: null, roles: ["DEVELOPER"] }],
  },
  answers: {
    201: shown(wireInvite, "The invitation."),
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body, idempotency }, services: Services) {
    const { reads, ids, clock } = services;
    const { codeHash, urlSealed, url } = newLink(services, principal.workspaceId, "INVITE");
    const roles = await requireGrants(reads, principal.workspaceId, body.roles);
    const { environment, place, productionIds } = await workspacePlace(services, principal);
    const content = {
      personId: ids.next(clock.now()),
      email: body.email.toLowerCase(),
      name: body.name,
      roles,
    };
    return submitHeld(
      services,
      { ...principal, environment },
      {
        order: inviteOrder,
        content,
        input: { ...content, codeHash, urlSealed, by: principal.personId, productionIds },
        place,
        toAnswer: (invited) => ({ status: 201, body: wireInvite.json(invited, url) }),
        idempotency,
      },
    );
  },
});

export const personInPath = Type.Object({ personId: pathId("Person") });

export function requirePersonId({ personId }: { readonly personId: string }): string {
  return requireId("Person", personId, "REFERENCE_NOT_FOUND");
}

const updatePerson = defineOperation({
  id: "updatePerson",
  ...route("PATCH /workspace/people/{personId}", "PERSON", "people.write"),
  tag: "People",
  summary: "Change the roles of a person, suspend or reinstate one",
  description:
    "Roles that are sent replace those that the person has. A change ends the person's sessions. The last owner stays one. In production the loss and the " +
    "return of an owner wait for another owner; where there is none, a loss takes effect after 24 hours, in which the owner may reject it. So does the loss " +
    "of the last other person who decides about payments.",
  params: personInPath,
  body: Type.Object({
    roles: Type.Optional(grantsField),
    isSuspended: Type.Optional(Type.Boolean()),
    reason: Type.Optional(Type.String({ maxLength: 500, description: "For the audit log." })),
  }),
  requestExample: { roles: [{ platformId: null, roles: ["SUPPORT"] }], reason: "changed team" },
  answers: {
    200: shown(wirePerson, "The person."),
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }, services: Services) {
    const { reads, people } = services;
    const { workspaceId } = principal;
    const personId = requirePersonId(params);
    const roles = body.roles && (await requireGrants(reads, workspaceId, body.roles));
    const passkeys = await findPasskeysOf(reads, workspaceId, [personId]);
    const { environment, place, productionIds } = await workspacePlace(services, principal);
    const { isSuspended } = body;
    const content = { personId: params.personId, roles, isSuspended };
    const input = { personId, roles, isSuspended, by: principal.personId, productionIds };
    const answered = await submitHeld(
      services,
      { ...principal, environment },
      {
        order: changePersonOrder,
        content,
        input,
        place,
        toAnswer: ({ person }) => ({
          status: 200,
          body: wirePerson.json(person, { passkeys, lastSeenAt: undefined }),
        }),
      },
    );
    people.sessions.forget();
    return answered;
  },
});

const removePerson = defineOperation({
  id: "removePerson",
  ...route("DELETE /workspace/people/{personId}", "PERSON", "people.write"),
  tag: "People",
  summary: "Remove a person",
  description:
    "Passkeys, links and sessions end at once; id and name stay in the logs. An owner is removed as one is suspended.",
  params: personInPath,
  answers: { 202: waitingForPeople, 204: { description: "Removed." } },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, services: Services) {
    const personId = requirePersonId(params);
    const { environment, place, productionIds } = await workspacePlace(services, principal);
    const answered = await submitHeld(
      services,
      { ...principal, environment },
      {
        order: removePersonOrder,
        content: { personId: params.personId },
        input: { personId, by: principal.personId, productionIds },
        place,
        toAnswer: () => ({ status: 204, body: "" }),
      },
    );
    services.people.sessions.forget();
    return answered;
  },
});

const answers = {
  200: { description: "The matrix.", schema: RoleMatrixSchema, example: roleMatrixExample },
} as const;

const getRoleMatrix = defineOperation({
  id: "getRoleMatrix",
  ...route("GET /workspace/roles", "PERSON", "people.read"),
  tag: "People",
  summary: "Get what each role may do",
  answers,
  refusals: [],
  async handle({ principal: { workspaceId } }, { reads }: Services) {
    const workspace = await findWorkspace(reads, workspaceId);
    if (workspace === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: roleMatrixJson(workspace) };
  },
});

const updateRoleMatrix = defineOperation({
  id: "updateRoleMatrix",
  ...route("PATCH /workspace/roles", "PERSON", "workspace.write"),
  tag: "People",
  summary: "Let admins read documents, or no longer",
  description:
    "The rest of the matrix is fixed. A change ends the sessions of the workspace's admins, but for those who are owners as well.",
  body: Type.Object({ adminsReadDocuments: Type.Boolean() }),
  requestExample: { adminsReadDocuments: true },
  answers,
  refusals: ["INVALID_INPUT"],
  async handle({ principal, body }, { engine, people }: Services) {
    const answered = await submitForCaller(engine, principal, {
      command: setRoleSwitches,
      input: body,
      toAnswer: (workspace) => ({ status: 200, body: roleMatrixJson(workspace) }),
    });
    people.sessions.forget();
    return answered;
  },
});

export const peopleOperations = [
  listPeople,
  createInvite,
  updatePerson,
  getRoleMatrix,
  updateRoleMatrix,
  removePerson,
];
