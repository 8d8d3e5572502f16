/** The orders of agents and about agents, and the command of the product for each order. */

import { approveAction, rejectAction } from "../../src/domain/agents/actions/decide-action.ts";
import { submitAction } from "../../src/domain/agents/actions/submit-action.ts";
import { hashOf } from "../../src/domain/agents/agent.ts";
import { createAgent } from "../../src/domain/agents/create-agent.ts";
import { deleteAgent } from "../../src/domain/agents/delete-agent.ts";
import { issueDeviceCode, redeemDeviceCode } from "../../src/domain/agents/device-code-commands.ts";
import { updateAgent } from "../../src/domain/agents/update-agent.ts";
import { updatePolicy } from "../../src/domain/agents/update-policy.ts";
import { sandboxRails } from "../kit/rails.ts";

export type Permission = "CREATE_TRANSFERS" | "CREATE_QUOTES" | "EXECUTE_QUOTES";
type Mode = "AUTO" | "APPROVAL_REQUIRED";

/** Null means no limit. */
export interface Limits {
  readonly currency: "USD" | "EUR";
  readonly perTransaction: number;
  readonly day: number | null;
  readonly count: number | null;
  readonly month: number | null;
}

export interface Policy {
  readonly permissions: readonly Permission[];
  readonly mode: Mode;
  readonly limits: Limits;
  /** Internal accounts; null means all. */
  readonly allowed: readonly string[] | null;
  /** External accounts for payments and for pulls; null means all. */
  readonly payees: readonly string[] | null;
  readonly funding: readonly string[] | null;
  readonly rules: readonly {
    readonly accountId: string;
    readonly mode: Mode;
    readonly perTransaction: number | null;
  }[];
  readonly threshold: { readonly currency: "USD" | "EUR"; readonly amount: number | null };
}

export interface PolicyPatch extends Partial<Omit<Policy, "limits">> {
  readonly limits?: Partial<Limits>;
}

export type AgentsOrder =
  | {
      readonly type: "TRANSFER_OUT" | "TRANSFER_IN";
      readonly internalId: string;
      readonly externalId: string;
      readonly minor: bigint;
    }
  | { readonly type: "EXECUTE_QUOTE"; readonly quoteId: string };

export type AgentOrder =
  | {
      readonly kind: "create-agent";
      readonly customerId: string;
      readonly policy: Policy;
      readonly code: string;
    }
  | { readonly kind: "issue-code"; readonly agentId: string; readonly code: string }
  | { readonly kind: "redeem-code"; readonly code: string; readonly token: string }
  | { readonly kind: "update-agent"; readonly agentId: string; readonly isPaused: boolean }
  | { readonly kind: "update-policy"; readonly agentId: string; readonly patch: PolicyPatch }
  | { readonly kind: "delete-agent"; readonly agentId: string }
  | { readonly kind: "submit"; readonly agentId: string; readonly order: AgentsOrder }
  | {
      readonly kind: "decide";
      readonly agentId: string;
      readonly actionId: string;
      readonly word: "approve" | "reject";
    };

export function agentCommandOf(order: AgentOrder): {
  readonly command: unknown;
  readonly input: unknown;
} {
  switch (order.kind) {
    case "create-agent": {
      const { customerId, code, policy } = order;
      const input = { name: "Sim", customerId, policy: toWire(policy), codeHash: hashOf(code) };
      return { command: createAgent, input };
    }
    case "issue-code": {
      const { agentId, code } = order;
      return { command: issueDeviceCode, input: { agentId, codeHash: hashOf(code) } };
    }
    case "redeem-code": {
      const input = { codeHash: hashOf(order.code), accessTokenHash: hashOf(order.token) };
      return { command: redeemDeviceCode, input };
    }
    case "update-agent": {
      const { agentId, isPaused } = order;
      return { command: updateAgent, input: { agentId, isPaused, name: undefined } };
    }
    case "update-policy": {
      const { agentId, patch } = order;
      return { command: updatePolicy, input: { agentId, changes: toWire(patch) } };
    }
    case "delete-agent":
      return { command: deleteAgent, input: { agentId: order.agentId } };
    case "submit":
      return {
        command: submitAction,
        input: { agentId: order.agentId, order: toProduct(order.order), rails: sandboxRails },
      };
    case "decide": {
      const { agentId, actionId, word } = order;
      if (word === "approve") {
        return { command: approveAction, input: { agentId, actionId, rails: sandboxRails } };
      }
      return { command: rejectAction, input: { agentId, actionId, reason: "No." } };
    }
  }
}

function toProduct(order: AgentsOrder) {
  if (order.type === "EXECUTE_QUOTE") return { ...order, isSignedByOwner: false };
  const { type, internalId, externalId, minor } = order;
  return { type, internalId, externalId, amountMinor: minor, paymentRail: undefined };
}

/** A policy or a patch in the form of the API, without absent members. */
function toWire(patch: PolicyPatch) {
  const { permissions, mode, limits, allowed, payees, funding, rules, threshold } = patch;
  const { perTransaction, day, count, month, ...more } = limits ?? {};
  return said({
    permissions,
    defaultExecutionMode: mode,
    spendingLimits:
      limits === undefined
        ? undefined
        : said({
            ...more,
            perTransactionLimit: perTransaction,
            dailyLimit: day,
            dailyTransactionLimit: count,
            monthlyLimit: month,
          }),
    accountRestrictions: [allowed, payees, funding, rules].every((part) => part === undefined)
      ? undefined
      : said({
          allowedAccountIds: allowed?.map(toWireId) ?? allowed,
          payees: payees === undefined ? undefined : payeesOf(payees),
          fundingAccountIds: funding?.map(toExternalWireId) ?? funding,
          accountRules: rules?.map(({ accountId, mode, perTransaction }) => ({
            accountId: toWireId(accountId),
            executionMode: mode,
            perTransactionLimit: perTransaction,
          })),
        }),
    approvalThresholds: threshold,
  });
}

function payeesOf(ids: readonly string[] | null) {
  if (ids === null) return { mode: "ANY" };
  return { mode: "LISTED", externalAccountIds: ids.map(toExternalWireId) };
}

const toExternalWireId = (id: string) => `ExternalAccount:${id}`;
const toWireId = (id: string) => `InternalAccount:${id}`;

function said(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
