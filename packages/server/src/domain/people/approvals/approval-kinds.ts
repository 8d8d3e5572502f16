/** The kinds of orders that may wait for other people: who decides about each kind, and its default rules. */

import type { Environment } from "../../platform.ts";
import { type Capability, capabilitiesOf, type Role } from "../role.ts";

/** Amounts in the smallest unit, by the code of the currency. */
export type Amounts = Readonly<Record<string, number>>;

export interface KindRule {
  /** Whether acts of this kind wait. `WITH_TWO_OWNERS`: only while the workspace has two owners who can sign in. */
  readonly waits: boolean | "WITH_TWO_OWNERS";
  /** Amounts up to this one do not wait. A currency that is not listed has 0. */
  readonly above?: Amounts;
  /** Amounts above this one need two people. */
  readonly twoAbove?: Amounts;
}

interface KindNote {
  /** The capability that an approver must have. */
  readonly capability: Capability;
  /** The capability that the requester must have, both when asking and when the order is carried out. */
  readonly asks: Capability;
  readonly defaults: Readonly<Record<Environment, KindRule>>;
  /** A policy cannot change a fixed kind, except for `twoAbove` where the kind has amounts. */
  readonly isFixed?: true;
  /** Orders of this kind have amounts, so `above` and `twoAbove` apply. */
  readonly hasAmounts?: true;
  /** The kind concerns people, so its rule is in the policy of the workspace. */
  readonly isOfWorkspace?: true;
}

const OFF: KindRule = { waits: false };
const ON: KindRule = { waits: true };
const WITH_TWO_OWNERS: KindRule = { waits: "WITH_TWO_OWNERS" };

const TABLE = {
  /** A correction of a balance. */
  ADJUSTMENT: {
    capability: "adjustments.approve",
    asks: "adjustments.create",
    defaults: { SANDBOX: ON, PRODUCTION: ON },
    isFixed: true,
    hasAmounts: true,
  },
  /** A transfer, a refund, the execution of a quote, or the choice of an account for a customer's incoming UMA money, by a person. */
  PAYMENT: {
    capability: "payments.approve",
    asks: "payments.create",
    defaults: { SANDBOX: OFF, PRODUCTION: ON },
    hasAmounts: true,
  },
  /** An API token with a capability that its requester lacks; in production also each token that moves money or changes settings. */
  TOKEN: {
    capability: "tokens.write",
    asks: "tokens.write",
    defaults: { SANDBOX: ON, PRODUCTION: ON },
    isFixed: true,
  },
  /** A new external account. */
  PAYEE: {
    capability: "payments.approve",
    asks: "external-accounts.write",
    defaults: { SANDBOX: OFF, PRODUCTION: OFF },
  },
  /** A change that lets an agent do more, and each device code. */
  AGENT_POLICY: {
    capability: "payments.approve",
    asks: "agents.write",
    defaults: { SANDBOX: OFF, PRODUCTION: ON },
  },
  /** The end of a freeze, or a new freeze with a narrower scope that lets credits in again. */
  UNFREEZE: {
    capability: "customers.unfreeze",
    asks: "customers.freeze",
    defaults: { SANDBOX: OFF, PRODUCTION: ON },
  },
  /** The approval of a verification that was rejected. */
  KYC_OVERRIDE: {
    capability: "verifications.decide",
    asks: "verifications.decide",
    defaults: { SANDBOX: OFF, PRODUCTION: ON },
  },
  /** A role on production platforms that lets a person ask for orders or decide about them. */
  ROLE_GRANT: {
    capability: "policies.write",
    asks: "people.write",
    defaults: { SANDBOX: OFF, PRODUCTION: WITH_TWO_OWNERS },
    isOfWorkspace: true,
  },
  /** A new link for a person who asks for orders or decides about them: a repeated invitation, or a link for a new passkey. */
  REENROLMENT: {
    capability: "policies.write",
    asks: "people.write",
    defaults: { SANDBOX: OFF, PRODUCTION: WITH_TWO_OWNERS },
    isOfWorkspace: true,
  },
  /** A change of single sign-on that may let more people in: an issuer vouches for every person of the workspace. */
  ISSUER: {
    capability: "policies.write",
    asks: "workspace.write",
    defaults: { SANDBOX: OFF, PRODUCTION: WITH_TWO_OWNERS },
    isFixed: true,
    isOfWorkspace: true,
  },
  /** A person stops or resumes being an owner, or the last other person who decides about payments loses that right. */
  OWNER_CHANGE: {
    capability: "policies.write",
    asks: "people.write",
    defaults: { SANDBOX: OFF, PRODUCTION: ON },
    isFixed: true,
    isOfWorkspace: true,
  },
  /** A change of an approval policy after which some act needs less approval. */
  POLICY: {
    capability: "policies.write",
    asks: "policies.write",
    defaults: { SANDBOX: OFF, PRODUCTION: WITH_TWO_OWNERS },
    isFixed: true,
  },
  /** A change, by a person or a token, that loosens a control on money: see `loosened.ts`. */
  CONTROL: {
    capability: "policies.write",
    asks: "rails.write",
    defaults: { SANDBOX: OFF, PRODUCTION: WITH_TWO_OWNERS },
  },
} as const satisfies Readonly<Record<string, KindNote>>;

export type ApprovalKind = keyof typeof TABLE;

export const approvalKinds = Object.keys(TABLE) as readonly ApprovalKind[];

export function noteOf(kind: ApprovalKind): KindNote {
  return TABLE[kind];
}

/** Whether these roles let a person decide in production. TOKEN is left out, because deciding about a token there takes an owner. */
export function mayDecideAny(roles: readonly Role[]): boolean {
  const held = capabilitiesOf(roles, "PRODUCTION");
  return approvalKinds.some((kind) => kind !== "TOKEN" && held.has(noteOf(kind).capability));
}

/** Whether these roles let a person ask for an order of any kind in production, or decide about one. */
export function mayAskOrDecideAny(roles: readonly Role[]): boolean {
  const held = capabilitiesOf(roles, "PRODUCTION");
  return mayDecideAny(roles) || approvalKinds.some((kind) => held.has(noteOf(kind).asks));
}
