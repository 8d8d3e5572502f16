/** The console's own operations, below `/console/api`. */
import type { Operation } from "../request/operation.ts";
import type { Services } from "../request/services.ts";
import { agentOrderOperations } from "./operations/agents/shown-order.ts";
import { getDocumentContent } from "./operations/customers/document-content.ts";
import { noteOperations } from "./operations/customers/notes.ts";
import { caseOperations } from "./operations/customers/verifications.ts";
import { paymentFormOperations } from "./operations/payments/payment-sides.ts";
import { approvalCommentOperations } from "./operations/people/approval-comments.ts";
import { workspaceApprovalOperations } from "./operations/people/approvals.ts";
import { listWorkspaceAudit } from "./operations/people/audit-entries.ts";
import { entryOperations } from "./operations/people/entry.ts";
import { linkOperations } from "./operations/people/links.ts";
import { meOperations } from "./operations/people/me.ts";
import { peopleOperations } from "./operations/people/people.ts";
import { personAccessOperations } from "./operations/people/person-access.ts";
import { policyOperations } from "./operations/people/policies.ts";
import { ownSessionOperations } from "./operations/people/session.ts";
import { ssoOperations } from "./operations/people/sso.ts";
import { systemCaseOperations } from "./operations/platforms/cases.ts";
import { deploymentOperations } from "./operations/platforms/deployment.ts";
import {
  createSystemPlatform,
  createWorkspaceOperation,
  createWorkspacePlatform,
} from "./operations/platforms/new-tenants.ts";
import { tenantOperations } from "./operations/platforms/tenants.ts";
import { verifyOperations } from "./operations/platforms/verify.ts";
import { deskOperations } from "./operations/rails/desk.ts";
import { listLongWorkOperation } from "./operations/reading/long-work.ts";
import { listObjectNames } from "./operations/reading/object-names.ts";
import { overviewOperations } from "./operations/reading/overview.ts";
import { sentInvitationOperations } from "./operations/uma/sent-invitations.ts";

export const consoleOperations: readonly Operation<Services>[] = [
  ...entryOperations,
  ...linkOperations,
  ...ownSessionOperations,
  ...meOperations,
  ...peopleOperations,
  ...personAccessOperations,
  ...ssoOperations,
  listWorkspaceAudit,
  ...workspaceApprovalOperations,
  ...approvalCommentOperations,
  ...policyOperations,
  ...caseOperations,
  ...sentInvitationOperations,
  ...noteOperations,
  ...agentOrderOperations,
  getDocumentContent,
  ...overviewOperations,
  listLongWorkOperation,
  listObjectNames,
  ...deskOperations,
  ...paymentFormOperations,
  createWorkspacePlatform,
  ...deploymentOperations,
  ...tenantOperations,
  createWorkspaceOperation,
  createSystemPlatform,
  ...verifyOperations,
  ...systemCaseOperations,
];
