/** The kinds of orders that wait for other people: who decides, and how many, where a policy does not say otherwise. */

import type { Environment } from "../../platform.ts";
import { type Capability, capabilitiesOf, type Role } from "../role.ts";

/** Amounts in the smallest unit, by the code of the currency. */
export type Amounts = Readonly<Record<string, number>>;

export interface KindRule {
  /** Whether acts of this kind wait. `WITH_TWO_OWNERS`: while the workspace has two owners who can sign in. */
  readonly waits: boolean | "WITH_TWO_OWNERS";
  /** Amounts up to this one do not wait; 0 for currencies that it lacks. */
  readonly above?: Amounts;
  /** Amounts above this one need two people. */
  readonly twoAbove?: Amounts;
}

interface KindNote {
  /** What who decides must hold. */
  readonly capability: Capability;
  /** What who asks holds, and must still hold when the order is carried out. */
  readonly asks: Capability;
  readonly defaults: Readonly<Record<Environment, KindRule>>;
  /** Of a fixed kind a policy sets `twoAbove` alone, where the kind has amounts. */
  readonly isFixed?: true;
  /** `above` and `twoAbove` mean something. */
  readonly hasAmounts?: true;
  /** It concerns people, and its policy is the workspace's. */
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
  /** An API token that opens what who asks for it lacks, and in production each that moves money or changes settings. */
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
  /** A change by which an agent may do more, and each device code. */
  AGENT_POLICY: {
    capability: "payments.approve",
    asks: "agents.write",
    defaults: { SANDBOX: OFF, PRODUCTION: ON },
  },
  /** The end of a freeze, or of its hold on credits, which a new freeze with a narrower scope is. */
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
  /** A role, on platforms in production, by which a person asks for orders of a kind or decides about them. */
  ROLE_GRANT: {
    capability: "policies.write",
    asks: "people.write",
    defaults: { SANDBOX: OFF, PRODUCTION: WITH_TWO_OWNERS },
    isOfWorkspace: true,
  },
  /** A new link for a person who asks for orders or decides about them: an invitation once more, or one for a new passkey. */
  REENROLMENT: {
    capability: "policies.write",
    asks: "people.write",
    defaults: { SANDBOX: OFF, PRODUCTION: WITH_TWO_OWNERS },
    isOfWorkspace: true,
  },
  /** A change of single sign-on by which more people may come in: an issuer vouches for every person of the workspace. */
  ISSUER: {
    capability: "policies.write",
    asks: "workspace.write",
    defaults: { SANDBOX: OFF, PRODUCTION: WITH_TWO_OWNERS },
    isFixed: true,
    isOfWorkspace: true,
  },
  /** The loss or the return of an owner, or the loss of the last other person who decides about payments. */
  OWNER_CHANGE: {
    capability: "policies.write",
    asks: "people.write",
    defaults: { SANDBOX: OFF, PRODUCTION: ON },
    isFixed: true,
    isOfWorkspace: true,
  },
  /** A change of a policy by which less waits. */
  POLICY: {
    capability: "policies.write",
    asks: "policies.write",
    defaults: { SANDBOX: OFF, PRODUCTION: WITH_TWO_OWNERS },
    isFixed: true,
  },
  /** A change, by a person or a token, by which money may come, go or be asserted more freely: `loosened.ts`. */
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

/** Whether these roles let a person decide in production. The capability of TOKEN alone decides nothing there: it takes an owner. */
export function mayDecideAny(roles: readonly Role[]): boolean {
  const held = capabilitiesOf(roles, "PRODUCTION");
  return approvalKinds.some((kind) => kind !== "TOKEN" && held.has(noteOf(kind).capability));
}

/** Whether these roles let a person ask for an order of any kind in production, or decide about one. */
export function mayAskOrDecideAny(roles: readonly Role[]): boolean {
  const held = capabilitiesOf(roles, "PRODUCTION");
  return mayDecideAny(roles) || approvalKinds.some((kind) => held.has(noteOf(kind).asks));
}
