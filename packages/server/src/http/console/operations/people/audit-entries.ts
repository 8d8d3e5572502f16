import { answerAudit, auditAnswers, auditQuery } from "../../../operations/people/audit-list.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const listWorkspaceAudit = defineOperation({
  id: "listWorkspaceAudit",
  ...route("GET /workspace/audit", "PERSON", "audit.read"),
  tag: "Audit log",
  summary: "List the audit entries of the workspace",
  description:
    "What was done to people, roles and sessions, and who signed in. What people did at a platform is at `GET /audit-entries` there.",
  query: auditQuery,
  answers: auditAnswers,
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerAudit(services, { operationId: "listWorkspaceAudit", principal, query }),
});
