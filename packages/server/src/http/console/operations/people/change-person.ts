import Type from "typebox";
import {
  changePersonOrder,
  removePersonOrder,
} from "../../../../domain/people/approvals/held-people.ts";
import { findPasskeysOf } from "../../../../domain/people/person.sql.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import { PersonSchema, personExample, personToWire } from "../../../../wire/people/person.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { workspacePlace } from "./approvals/find-approval.ts";
import { grantsField, requireGrants } from "./role-grants.ts";

export const personInPath = Type.Object({ personId: pathId("Person") });

export function requirePersonId({ personId }: { readonly personId: string }): string {
  return requireId("Person", personId, "REFERENCE_NOT_FOUND");
}

export const updatePerson = defineOperation({
  id: "updatePerson",
  method: "PATCH",
  path: "/workspace/people/{personId}",
  access: "PERSON",
  capability: "people.write",
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
    200: { description: "The person.", schema: PersonSchema, example: personExample },
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
          body: JSON.stringify(personToWire(person, { passkeys, lastSeenAt: undefined })),
        }),
      },
    );
    people.sessions.forget();
    return answered;
  },
});

export const removePerson = defineOperation({
  id: "removePerson",
  method: "DELETE",
  path: "/workspace/people/{personId}",
  access: "PERSON",
  capability: "people.write",
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
