import Type from "typebox";
import { listPeople } from "../../../domain/people/person.sql.ts";
import { findPlatform } from "../../../domain/platform.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { answerList } from "../../request/list.ts";
import { pageOf } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { answerAudit, auditAnswers, auditQuery } from "./audit-list.ts";

const listAuditEntries = defineOperation({
  id: "listAuditEntries",
  ...route("GET /audit-entries", "MANAGE", "audit.read"),
  tag: "Audit log",
  summary: "List audit entries",
  description:
    "Who changed what: every act of a person and of the operator, and those of tokens that change configuration, tokens, webhooks, " +
    "freezes, agents and verifications. Entries are append-only, and the hash of the command covers each. They are kept forever.",
  query: auditQuery,
  answers: auditAnswers,
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerAudit(services, { operationId: "listAuditEntries", principal, query }),
});

const ActorSchema = Type.Object(
  {
    id: Type.String({ description: "`Person:<uuid>`" }),
    name: Type.String(),
    state: Type.Enum(["INVITED", "ACTIVE", "SUSPENDED", "REMOVED"]),
  },
  { $id: "Actor" },
);

const actorExample = {
  id: "Person:019a4f00-0000-7000-8000-000000000021",
  name: "Ana Ruiz",
  state: "ACTIVE",
};

const listActors = defineOperation({
  id: "listPeople",
  ...route("GET /people", "MANAGE", "people.read"),
  tag: "Audit log",
  summary: "List people",
  description:
    "The people of the workspace that the platform belongs to, with those who were removed: to make sense of actors. People are " +
    "changed in the console and by the operator.",
  query: Type.Object(pageParameters),
  answers: { 200: pageOf({ schema: ActorSchema, example: actorExample }) },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, services: Services) {
    const platform = await findPlatform(services.reads, principal.platformId);
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return answerList(services, {
      operationId: "listPeople",
      principal,
      query,
      load: (page) =>
        listPeople(services.reads, { ...page, platformId: platform.workspaceId, conditions: [] }),
      idOf: ({ id }) => id,
      toJson: ({ id, name, state }) => JSON.stringify({ id: `Person:${id}`, name, state }),
    });
  },
});

export const auditOperations = [listAuditEntries, listActors];
