/** Roles of people, and what each may do. A role is a set of capabilities; the roles of a person add up. */
import type { Permission } from "../token.ts";

export const roles = [
  "OWNER",
  "ADMIN",
  "DEVELOPER",
  "FINANCE",
  "APPROVER",
  "COMPLIANCE",
  "SUPPORT",
  "VIEWER",
] as const;

export type Role = (typeof roles)[number];

/**
 * One character for each role, in the order of `roles`. `+`: has it. `S`: has it on sandbox platforms. `-`: does not have it. `o`: has
 * it when an owner of the workspace has switched it on.
 */
const TABLE = {
  "overview.read": "++++++++",
  "payments.read": "++++++++",
  "quotes.read": "++++++++",
  "rates.read": "++++++++",
  "agents.read": "++++++++",
  "invitations.read": "++++++++",
  "customers.read": "++++++++",
  "accounts.read": "++++++++",
  "ledger.read": "++++++++",
  /** Names, addresses and bank details in clear. */
  "pii.read": "++S++++-",
  "documents.read": "+o---+--",
  "customers.write": "++S+-++-",
  "external-accounts.write": "++S+-++-",
  "invitations.write": "++S+-++-",
  "customers.freeze": "++S--++-",
  "customers.unfreeze": "++S--+--",
  "verifications.decide": "+-S--+--",
  "payments.create": "+-S+----",
  "payments.approve": "+-S-+---",
  "adjustments.create": "+-S+----",
  "adjustments.approve": "+-S-+---",
  "agents.write": "++S-----",
  /** Issue device codes. */
  "agents.connect": "++S-----",
  "rails.read": "+++++++-",
  "rails.write": "++S-----",
  "reconciliation.write": "+--+----",
  "events.read": "++++--+-",
  "deliveries.read": "++++--+-",
  "webhooks.read": "++++--+-",
  "webhooks.write": "+++-----",
  "webhooks.rotate": "+++-----",
  "deliveries.resend": "+++---+-",
  "deliveries.resend-many": "+++-----",
  "logs.read": "+++---+-",
  "logs.bodies": "+++-----",
  "tokens.read": "+++-----",
  "tokens.write": "+++-----",
  "sandbox.use": "+++++++-",
  "statements.read": "++S+++--",
  "exports.create": "++S+-+--",
  "settings.read": "++++++--",
  "settings.write": "++S-----",
  "people.read": "++++++--",
  "people.write": "++------",
  "policies.write": "+-------",
  "workspace.write": "+-------",
  "audit.read": "++---+--",
  /** Capabilities of the deployment: operators have them, no role does. */
  "system.read": "--------",
  "system.write": "--------",
  /** Cases of the platforms that leave their verifications to operators, and their documents. */
  "system.verifications": "--------",
} as const satisfies Record<string, string>;

export type Capability = keyof typeof TABLE;

export const capabilities = Object.keys(TABLE) as readonly Capability[];

/** Capabilities that need a passkey shown within the last minutes. Reading is exempt. */
const PROVEN: ReadonlySet<Capability> = new Set([
  "customers.freeze",
  "customers.unfreeze",
  "payments.approve",
  "adjustments.approve",
  "agents.connect",
  "rails.write",
  "webhooks.rotate",
  "tokens.write",
  "exports.create",
  "settings.write",
  "people.write",
  "policies.write",
  "workspace.write",
  "system.write",
]);

/** The capabilities that operators of the deployment have in addition to those of their roles. */
export const OPERATOR_CAPABILITIES: readonly Capability[] = [
  "system.read",
  "system.write",
  "system.verifications",
];

/** Approving money needs a passkey; a sign-in at an issuer is not enough. */
const PROVEN_BY_PASSKEY: ReadonlySet<Capability> = new Set([
  "payments.approve",
  "adjustments.approve",
]);

export function needsPasskey(capability: Capability): boolean {
  return PROVEN_BY_PASSKEY.has(capability);
}

export function needsProof(capability: Capability): boolean {
  return PROVEN.has(capability);
}

/** Acts under these capabilities get an audit entry even when a token performs them. */
const AUDITED: ReadonlySet<Capability> = new Set([
  "settings.write",
  "tokens.write",
  "webhooks.write",
  "webhooks.rotate",
  "customers.freeze",
  "customers.unfreeze",
  "agents.write",
  "agents.connect",
  "rails.write",
  "verifications.decide",
  "adjustments.create",
]);

export function isAuditedOfTokens(capability: Capability): boolean {
  return AUDITED.has(capability);
}

/** Switches that an owner of the workspace can set. They affect only `documents.read` of ADMIN. */
export interface RoleSwitches {
  readonly adminsReadDocuments: boolean;
}

export type RoleMark = "ALWAYS" | "IN_SANDBOXES" | "NEVER" | "SWITCHED";

const MARKS: Readonly<Record<string, RoleMark>> = {
  "+": "ALWAYS",
  S: "IN_SANDBOXES",
  "-": "NEVER",
  o: "SWITCHED",
};

/** Without switches, a capability that depends on one is SWITCHED. */
export function markOf(role: Role, capability: Capability, switches?: RoleSwitches): RoleMark {
  const mark = MARKS[TABLE[capability].charAt(roles.indexOf(role))] ?? "NEVER";
  if (mark !== "SWITCHED" || switches === undefined) return mark;
  return switches.adminsReadDocuments ? "ALWAYS" : "NEVER";
}

const ALL_OFF: RoleSwitches = { adminsReadDocuments: false };

/** The capabilities of these roles in this environment. Approvals require no switched capability, so they pass no switches. */
export function capabilitiesOf(
  held: readonly Role[],
  environment: "SANDBOX" | "PRODUCTION",
  switches = ALL_OFF,
): ReadonlySet<Capability> {
  return new Set(
    capabilities.filter((capability) =>
      held.some((role) => {
        const mark = markOf(role, capability, switches);
        return mark === "ALWAYS" || (mark === "IN_SANDBOXES" && environment === "SANDBOX");
      }),
    ),
  );
}

/** The capabilities that each permission of a token gives. A person needs them to grant the permission. */
const OPENED_BY: Readonly<Record<Permission, readonly Capability[]>> = {
  VIEW: ["pii.read"],
  TRANSACT: ["payments.create", "payments.approve"],
  MANAGE: ["settings.write", "customers.write", "agents.write", "verifications.decide"],
};

/** The capabilities that a token with these permissions gives. */
export function openedBy(wanted: readonly Permission[]): readonly Capability[] {
  return [...new Set(wanted.flatMap((permission) => OPENED_BY[permission]))];
}

/** The permissions of tokens that a person with these capabilities may grant. */
export function grantablePermissions(held: ReadonlySet<Capability>): ReadonlySet<Permission> {
  const all = Object.entries(OPENED_BY) as [Permission, readonly Capability[]][];
  return new Set(
    all.filter(([, needed]) => needed.every((one) => held.has(one))).map(([name]) => name),
  );
}
