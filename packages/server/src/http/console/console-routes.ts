/** The console's own operations, below `/console/api`. */
import type { Operation } from "../request/operation.ts";
import type { Services } from "../request/services.ts";
import { cancelApproval, decideApproval } from "./operations/approvals/decide-approval.ts";
import { getWorkspaceApproval } from "./operations/approvals/get-workspace-approval.ts";
import { listWorkspaceApprovals } from "./operations/approvals/list-workspace-approvals.ts";
import { listWorkspaceAudit } from "./operations/audit/list-workspace-audit.ts";
import { getDocumentContent } from "./operations/customers/document-content.ts";
import { createNote, listNotes } from "./operations/customers/notes.ts";
import { acceptInvite, acceptReEnrolment } from "./operations/entry/accept.ts";
import { getSession } from "./operations/entry/get-session.ts";
import { signInWithPasskey } from "./operations/entry/sign-in.ts";
import { signOut } from "./operations/entry/sign-out.ts";
import { start } from "./operations/entry/start.ts";
import { stepUp } from "./operations/entry/step-up.ts";
import {
  cancelSent,
  getInvitation,
  listInvitations,
} from "./operations/invitations/sent-invitations.ts";
import { listLongWorkOperation } from "./operations/long-work/list-long-work.ts";
import { getMe, updateMe } from "./operations/me/me.ts";
import { createPasskey, listPasskeys, removePasskey } from "./operations/me/passkeys.ts";
import { endMySession, endMySessions, listMySessions } from "./operations/me/sessions.ts";
import { getOverview } from "./operations/overview/get-overview.ts";
import { streamLive } from "./operations/overview/stream-live.ts";
import { removePerson, updatePerson } from "./operations/people/change-person.ts";
import { createInvite } from "./operations/people/invite.ts";
import { listPeople } from "./operations/people/list-people.ts";
import { reEnrolPerson } from "./operations/people/re-enrol.ts";
import { getRoleMatrix, updateRoleMatrix } from "./operations/people/roles.ts";
import { deletePersonSessions, listPersonSessions } from "./operations/people/sessions.ts";
import { listPolicies, setPolicy } from "./operations/policies/policies.ts";
import { deletePersonIdentities } from "./operations/sso/end-identities.ts";
import { findIssuers } from "./operations/sso/find-issuers.ts";
import { getSso, updateSso } from "./operations/sso/workspace-sso.ts";
import {
  getSystemDocumentContent,
  listSystemDocuments,
} from "./operations/system/case-documents.ts";
import {
  decideSystemVerification,
  getSystemVerification,
  listSystemVerifications,
  takeSystemVerification,
} from "./operations/system/cases.ts";
import {
  getSystemDatabase,
  listSystemJobs,
  listSystemServers,
  listSystemSettings,
} from "./operations/system/deployment.ts";
import {
  createSystemPlatform,
  createWorkspaceOperation,
  createWorkspacePlatform,
} from "./operations/system/new-tenants.ts";
import { listSystemPlatforms, listSystemWorkspaces } from "./operations/system/tenants.ts";
import { cancelVerify, listVerifyRunsOperation, startVerify } from "./operations/system/verify.ts";
import { getVerificationCase, takeVerification } from "./operations/verifications/case.ts";
import { listVerificationCases } from "./operations/verifications/queue.ts";

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
