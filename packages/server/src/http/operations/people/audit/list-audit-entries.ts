import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { answerAudit, auditAnswers, auditQuery } from "./audit-list.ts";

export const listAuditEntries = defineOperation({
  id: "listAuditEntries",
  method: "GET",
  path: "/audit-entries",
  access: "MANAGE",
  capability: "audit.read",
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
