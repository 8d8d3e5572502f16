/**
 * The console's own operations below `/console/api`, on the workspace and on the signed-in person. The public document does not
 * contain them, so their types are written here in the form of the generated ones.
 */
import type {
  AuditEntry,
  Document,
  Invitation,
  ListAuditEntriesQuery,
  Operations,
  Page,
  Verification,
} from "@florin/client";
import type { ApprovalOperations } from "./approval-operations.ts";
import type { DeskOperations } from "./desk-operations.ts";
import type { OverviewOperations } from "./overview.ts";
import type { PaymentOperations } from "./payment-operations.ts";
import type { SsoOperations } from "./sso-operations.ts";
import type { SystemOperations } from "./system-operations.ts";

export interface Passkey {
  readonly id: string;
  readonly nickname: string;
  readonly host: string;
  readonly isSynced: boolean;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  /** When the signature counter first went backwards, a sign of a cloned passkey. */
  readonly counterBackAt?: string;
}

export interface RoleGrant {
  /** Null when the roles apply to every platform of the workspace. */
  readonly platformId: string | null;
  readonly roles: readonly string[];
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly state: string;
  readonly isOperator: boolean;
  readonly roles: readonly RoleGrant[];
  readonly approvesFrom?: string;
  /** When the person postponed adding a second passkey. */
  readonly passkeyPutOffAt?: string;
  readonly passkeys: readonly Passkey[];
  readonly lastSeenAt?: string;
  readonly createdAt: string;
}

/** What each role may do in this workspace. */
export interface RoleMatrix {
  readonly adminsReadDocuments: boolean;
  readonly roles: readonly string[];
  readonly capabilities: readonly {
    readonly capability: string;
    readonly needsProof: boolean;
    /** One mark for each role, in the order of `roles`. */
    readonly marks: readonly string[];
    /** The roles for which an owner can turn this capability on or off. */
    readonly switchable: readonly string[];
  }[];
}

export interface PersonSession {
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastActAt: string;
  readonly expiresAt: string;
  readonly isCurrent: boolean;
}

/** A single-use link to send to a person. */
export interface PersonLink {
  readonly id: string;
  /** Absent when the server sends the link by mail. */
  readonly url?: string;
  readonly expiresAt: string;
}

/** The customer's data at one submission. */
export interface SubmittedAt {
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface VerificationCase {
  readonly id: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly customerType: string;
  readonly verificationStatus: string;
  readonly takenBy?: { readonly id: string; readonly name: string; readonly until: string };
  readonly decision?: {
    readonly by: string;
    readonly reasonCode?: string;
    readonly note?: string;
  };
  /** Only when a single case is read. */
  readonly unmet?: Verification["errors"];
  readonly submitted?: SubmittedAt;
  readonly submittedBefore?: SubmittedAt;
  /** The customer's present data, for a case without a stored submission. */
  readonly current?: Pick<SubmittedAt, "data">;
  /** Only for a case that operators decide. */
  readonly platform?: {
    readonly id: string;
    readonly name: string;
    readonly environment: string;
  };
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface CustomerNote {
  readonly id: string;
  readonly author: { readonly id: string; readonly name: string };
  readonly note: string;
  readonly createdAt: string;
}

/** An invitation without its code, which is not stored. */
export interface SentInvitation
  extends Pick<
    Invitation,
    | "inviterUma"
    | "status"
    | "amountToSend"
    | "inviteeUma"
    | "expiresAt"
    | "claimedAt"
    | "createdAt"
  > {
  readonly id: string;
  readonly inviter: { readonly customerId: string; readonly fullName: string };
}

/** The path prefix of a case's operations: at the open platform or, for operators, at another platform. */
export type CaseRoot =
  | readonly ["verifications", string]
  | readonly ["system", "platforms", string, "verifications", string];
type QueueRoot = readonly ["verifications", "queue"] | readonly ["system", "verifications"];

type Operation<C, A> = { readonly call: C; readonly answer: A };
type OfPerson<M extends string, Rest extends readonly string[], A, B = undefined> = Operation<
  {
    readonly method: M;
    readonly path: readonly ["workspace", "people", string, ...Rest];
  } & (B extends undefined ? object : { readonly body: B }),
  A
>;

export interface OwnOperations
  extends ApprovalOperations,
    DeskOperations,
    OverviewOperations,
    PaymentOperations,
    SsoOperations,
    SystemOperations {
  readonly listWorkspacePeople: Operation<
    {
      readonly method: "GET";
      readonly path: readonly ["workspace", "people"];
      readonly isList?: true;
      readonly query?: {
        readonly state?: string;
        readonly limit?: number;
        readonly cursor?: string;
      };
    },
    Page<Person>
  >;
  readonly listWorkspaceAudit: Operation<
    {
      readonly method: "GET";
      readonly path: readonly ["workspace", "audit"];
      readonly isList?: true;
      readonly query?: ListAuditEntriesQuery;
    },
    Page<AuditEntry>
  >;
  readonly getRoleMatrix: Operation<
    { readonly method: "GET"; readonly path: readonly ["workspace", "roles"] },
    RoleMatrix
  >;
  readonly updateRoleMatrix: Operation<
    {
      readonly method: "PATCH";
      readonly path: readonly ["workspace", "roles"];
      readonly body: { readonly adminsReadDocuments: boolean };
    },
    RoleMatrix
  >;
  readonly createInvite: Operation<
    {
      readonly method: "POST";
      readonly path: readonly ["workspace", "invites"];
      readonly body: {
        readonly email: string;
        readonly name: string;
        readonly roles: readonly RoleGrant[];
      };
    },
    PersonLink
  >;
  readonly updatePerson: OfPerson<
    "PATCH",
    [],
    Person,
    {
      readonly roles?: readonly RoleGrant[];
      readonly isSuspended?: boolean;
      readonly reason?: string;
    }
  >;
  readonly removePerson: OfPerson<"DELETE", [], undefined>;
  readonly reEnrolPerson: OfPerson<"POST", ["re-enrol"], PersonLink>;
  readonly endPersonSessions: OfPerson<"DELETE", ["sessions"], undefined>;
  readonly endPersonIdentities: OfPerson<"DELETE", ["identities"], undefined>;
  readonly getMe: Operation<{ readonly method: "GET"; readonly path: readonly ["me"] }, Person>;
  readonly updateMe: Operation<
    {
      readonly method: "PATCH";
      readonly path: readonly ["me"];
      readonly body: { readonly isPuttingOffPasskey: true };
    },
    Person
  >;
  readonly deletePasskey: Operation<
    { readonly method: "DELETE"; readonly path: readonly ["me", "passkeys", string] },
    undefined
  >;
  readonly listMySessions: Operation<
    { readonly method: "GET"; readonly path: readonly ["me", "sessions"] },
    { readonly data: readonly PersonSession[] }
  >;
  readonly endMySession: Operation<
    { readonly method: "DELETE"; readonly path: readonly ["me", "sessions", string] },
    undefined
  >;
  readonly listVerificationCases: Operation<
    {
      readonly method: "GET";
      readonly path: QueueRoot;
      readonly isList?: true;
      readonly query?: {
        readonly assigned?: string;
        readonly customerType?: string;
        readonly limit?: number;
        readonly cursor?: string;
      };
    },
    Page<VerificationCase>
  >;
  readonly getVerificationCase: Operation<
    { readonly method: "GET"; readonly path: readonly [...CaseRoot, "case"] },
    VerificationCase
  >;
  readonly takeVerification: Operation<
    { readonly method: "POST"; readonly path: readonly [...CaseRoot, "take"] },
    VerificationCase
  >;
  /** `decideVerification` of the public API, or the same call for operators. */
  readonly decideCase: Operation<
    {
      readonly method: "POST";
      readonly path: readonly [...CaseRoot, "decide"];
      readonly body: Operations["decideVerification"]["call"]["body"];
    },
    Verification
  >;
  readonly listCaseDocuments: Operation<
    { readonly method: "GET"; readonly path: readonly [...CaseRoot, "documents"] },
    { readonly data: readonly Document[] }
  >;
  readonly listSentInvitations: Operation<
    {
      readonly method: "GET";
      readonly path: readonly ["sent-invitations"];
      readonly isList?: true;
      readonly query?: {
        readonly status?: string;
        readonly limit?: number;
        readonly cursor?: string;
      };
    },
    Page<SentInvitation>
  >;
  readonly getSentInvitation: Operation<
    { readonly method: "GET"; readonly path: readonly ["sent-invitations", string] },
    SentInvitation
  >;
  readonly cancelSentInvitation: Operation<
    { readonly method: "POST"; readonly path: readonly ["sent-invitations", string, "cancel"] },
    SentInvitation
  >;
  readonly listCustomerNotes: Operation<
    {
      readonly method: "GET";
      readonly path: readonly ["customers", string, "notes"];
      readonly isList?: true;
      readonly query?: { readonly limit?: number; readonly cursor?: string };
    },
    Page<CustomerNote>
  >;
  readonly createCustomerNote: Operation<
    {
      readonly method: "POST";
      readonly path: readonly ["customers", string, "notes"];
      readonly body: { readonly note: string };
    },
    CustomerNote
  >;
}
