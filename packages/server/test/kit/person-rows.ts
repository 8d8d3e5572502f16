/** Rows of a workspace for tests of `decide`: people, their passkeys, links, sessions and issuers. */
import {
  type NewPasskey,
  type PersonPasskey,
  personPasskeys,
} from "../../src/domain/people/passkey.ts";
import { type Person, people } from "../../src/domain/people/person.ts";
import { type PersonLink, personLinks } from "../../src/domain/people/person-link.ts";
import type { Role } from "../../src/domain/people/role.ts";
import {
  type NewSession,
  type PersonSession,
  personSessions,
} from "../../src/domain/people/sessions/person-session.ts";
import type { SsoIssuer } from "../../src/domain/people/single-sign-on/sso-issuer.ts";
import {
  type SsoSettings,
  ssoSettings,
} from "../../src/domain/people/single-sign-on/sso-settings.ts";
import { type Workspace, workspaces } from "../../src/domain/people/workspaces/workspace.ts";
import {
  type SingleUse,
  spentProofs,
  spentRef,
} from "../../src/domain/wallets/credentials/spent-proof.ts";
import { DECIDED_AT as AT, rowsOf, type TableRows } from "./decide-alone.ts";

export const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;

export const WORKSPACE = idOf("f0");
export const PLATFORM_A = idOf("f1");
export const PLATFORM_B = idOf("f2");

export const workspace: Workspace = {
  id: WORKSPACE,
  name: "Acme",
  adminsReadDocuments: false,
  createdAt: 1,
  updatedAt: 1,
};

/** An active person with this role on every platform. */
export function person(id: string, role: Role, more: Partial<Person> = {}): Person {
  return {
    id,
    email: `${id}@example.com`,
    name: "A person",
    locale: null,
    timeZone: null,
    state: "ACTIVE",
    isOperator: false,
    roles: [{ platformId: null, roles: [role] }],
    approvesFrom: null,
    joined: [],
    passkeyPutOffAt: null,
    createdAt: 1,
    updatedAt: 1,
    ...more,
  };
}

export const on = (platformId: string | null, ...roles: readonly Role[]) => ({ platformId, roles });

export const newPasskey: NewPasskey = {
  credentialId: "new-credential",
  publicKey: "key",
  rpId: "localhost",
  signCount: 0n,
  backupEligible: false,
  isSynced: false,
  transports: [],
  nickname: "Laptop",
};

export function passkey(
  id: string,
  personId: string,
  more: Partial<PersonPasskey> = {},
): PersonPasskey {
  return {
    ...newPasskey,
    id,
    personId,
    credentialId: `credential ${id}`,
    createdAt: 1,
    lastUsedAt: null,
    counterBackAt: null,
    deletedAt: null,
    ...more,
  };
}

export const newSession: NewSession = {
  secretHash: "ab",
  address: "::1",
  userAgent: "test",
  lifeMs: 3_600_000,
};

export function session(
  id: string,
  personId: string,
  more: Partial<PersonSession> = {},
): PersonSession {
  return {
    id,
    personId,
    passkeyId: null,
    issuerId: null,
    secretHash: "cd",
    address: "::1",
    userAgent: "test",
    createdAt: 1,
    provenAt: 1,
    expiresAt: AT + 60_000,
    endedAt: null,
    ...more,
  };
}

export function link(
  kind: PersonLink["kind"],
  personId: string | null,
  more: Partial<PersonLink> = {},
): PersonLink {
  return {
    id: idOf("10"),
    kind,
    personId,
    codeHash: "c0de",
    makesOperator: false,
    createdAt: 1,
    expiresAt: AT + 1,
    endedAt: null,
    urlSealed: null,
    ...more,
  };
}

export const challenge: SingleUse = { digest: "11".repeat(32), rememberUntil: AT + 60_000 };

export const issuer: SsoIssuer = {
  id: idOf("a0"),
  name: "Acme",
  issuer: "https://login.acme.example",
  clientId: "console",
  sealId: "seal",
  clientSecretSealed: "sealed",
  autoJoin: null,
  testedAt: null,
  setBy: null,
  setAt: null,
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
};

export const settings: SsoSettings = {
  id: WORKSPACE,
  names: ["acme"],
  claimedNames: ["acme"],
  isRequired: false,
  createdAt: 1,
  updatedAt: 1,
};

export interface Staff {
  readonly people?: readonly Person[];
  readonly passkeys?: readonly PersonPasskey[];
  readonly sessions?: readonly PersonSession[];
  readonly links?: readonly PersonLink[];
  /** The challenge was used before. */
  readonly isSpent?: boolean;
  readonly isSsoRequired?: boolean;
}

export function workspaceRows(staff: Staff): readonly TableRows[] {
  return [
    rowsOf(workspaces, workspace),
    rowsOf(people, ...(staff.people ?? [])),
    rowsOf(personPasskeys, ...(staff.passkeys ?? [])),
    rowsOf(personSessions, ...(staff.sessions ?? [])),
    rowsOf(personLinks, ...(staff.links ?? [])),
    rowsOf(ssoSettings, { ...settings, isRequired: staff.isSsoRequired === true }),
    ...(staff.isSpent === true
      ? [rowsOf(spentProofs, { id: spentRef(challenge).id, rememberUntil: AT })]
      : []),
  ];
}
