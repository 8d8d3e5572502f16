/** The console's own operations, below `/console/api`. */
import type { Operation } from "../request/operation.ts";
import type { Services } from "../request/services.ts";
import { getDocumentContent } from "./operations/customers/document-content.ts";
import { createNote, listNotes } from "./operations/customers/notes.ts";
import {
  getVerificationCase,
  takeVerification,
} from "./operations/customers/verifications/case.ts";
import { listVerificationCases } from "./operations/customers/verifications/queue.ts";
import { cancelApproval, decideApproval } from "./operations/people/approvals/decide-approval.ts";
import { getWorkspaceApproval } from "./operations/people/approvals/get-workspace-approval.ts";
import { listWorkspaceApprovals } from "./operations/people/approvals/list-workspace-approvals.ts";
import { listWorkspaceAudit } from "./operations/people/audit/list-workspace-audit.ts";
import { removePerson, updatePerson } from "./operations/people/change-person.ts";
import { acceptInvite, acceptReEnrolment } from "./operations/people/entry/accept.ts";
import { getSession } from "./operations/people/entry/get-session.ts";
import { signInWithPasskey } from "./operations/people/entry/sign-in.ts";
import { signOut } from "./operations/people/entry/sign-out.ts";
import { start } from "./operations/people/entry/start.ts";
import { stepUp } from "./operations/people/entry/step-up.ts";
import { createInvite } from "./operations/people/invite.ts";
import { listPeople } from "./operations/people/list-people.ts";
import { getMe, updateMe } from "./operations/people/me/me.ts";
import { createPasskey, listPasskeys, removePasskey } from "./operations/people/me/passkeys.ts";
import { endMySession, endMySessions, listMySessions } from "./operations/people/me/sessions.ts";
import { listPolicies, setPolicy } from "./operations/people/policies/policies.ts";
import { reEnrolPerson } from "./operations/people/re-enrol.ts";
import { getRoleMatrix, updateRoleMatrix } from "./operations/people/roles.ts";
import { deletePersonSessions, listPersonSessions } from "./operations/people/sessions.ts";
import { deletePersonIdentities } from "./operations/people/sso/end-identities.ts";
import { findIssuers } from "./operations/people/sso/find-issuers.ts";
import { getSso, updateSso } from "./operations/people/sso/workspace-sso.ts";
import {
  getSystemDocumentContent,
  listSystemDocuments,
} from "./operations/platforms/system/case-documents.ts";
import {
  decideSystemVerification,
  getSystemVerification,
  listSystemVerifications,
  takeSystemVerification,
} from "./operations/platforms/system/cases.ts";
import {
  getSystemDatabase,
  listSystemJobs,
  listSystemServers,
  listSystemSettings,
} from "./operations/platforms/system/deployment.ts";
import {
  createSystemPlatform,
  createWorkspaceOperation,
  createWorkspacePlatform,
} from "./operations/platforms/system/new-tenants.ts";
import {
  listSystemPlatforms,
  listSystemWorkspaces,
} from "./operations/platforms/system/tenants.ts";
import {
  cancelVerify,
  listVerifyRunsOperation,
  startVerify,
} from "./operations/platforms/system/verify.ts";
import { listLongWorkOperation } from "./operations/reading/long-work/list-long-work.ts";
import { getOverview } from "./operations/reading/overview/get-overview.ts";
import { streamLive } from "./operations/reading/overview/stream-live.ts";
import {
  cancelSent,
  getInvitation,
  listInvitations,
} from "./operations/uma/invitations/sent-invitations.ts";

export const consoleOperations: readonly Operation<Services>[] = [
  start,
  acceptInvite,
  acceptReEnrolment,
  signInWithPasskey,
  findIssuers,
  signOut,
  stepUp,
  getSession,
  getMe,
  updateMe,
  listPasskeys,
  createPasskey,
  removePasskey,
  listMySessions,
  endMySession,
  endMySessions,
  listPeople,
  createInvite,
  updatePerson,
  getRoleMatrix,
  updateRoleMatrix,
  removePerson,
  reEnrolPerson,
  listPersonSessions,
  deletePersonSessions,
  deletePersonIdentities,
  getSso,
  updateSso,
  listWorkspaceAudit,
  listWorkspaceApprovals,
  getWorkspaceApproval,
  decideApproval,
  cancelApproval,
  listPolicies,
  setPolicy,
  listVerificationCases,
  getVerificationCase,
  takeVerification,
  listInvitations,
  getInvitation,
  cancelSent,
  listNotes,
  createNote,
  getDocumentContent,
  streamLive,
  getOverview,
  listLongWorkOperation,
  createWorkspacePlatform,
  listSystemServers,
  getSystemDatabase,
  listSystemJobs,
  listSystemSettings,
  listSystemWorkspaces,
  listSystemPlatforms,
  createWorkspaceOperation,
  createSystemPlatform,
  listVerifyRunsOperation,
  startVerify,
  cancelVerify,
  listSystemVerifications,
  getSystemVerification,
  takeSystemVerification,
  decideSystemVerification,
  listSystemDocuments,
  getSystemDocumentContent,
];
