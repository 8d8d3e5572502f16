import type { Command, World } from "../../../engine/command.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import { type Environment, platforms, toPlatformConfigId } from "../../platform.ts";
import { toWorkspaceId } from "../workspaces/workspace.ts";
import { type ApprovalKind, approvalKinds, type KindRule, noteOf } from "./approval-kinds.ts";
import {
  type ApprovalPolicy,
  approvalPolicies,
  type PolicyRules,
  ruleFor,
} from "./approval-policy.ts";
import type { HoldableOrder } from "./hold-order.ts";

export type RuleChange = Partial<KindRule>;
export type PolicyChanges = Readonly<Partial<Record<ApprovalKind, RuleChange>>>;

export interface SetPolicyInput {
  /** Members that are sent replace those of the rule. */
  readonly changes: PolicyChanges;
  /** For the policy of a workspace, which stores no environment. */
  readonly environment: Environment;
  /** Whether enough people of the workspace could approve under a rule that asks for this many. */
  readonly canSatisfy: (kind: ApprovalKind, people: number) => boolean;
}

export interface PolicyChange {
  readonly isOfWorkspace: boolean;
  readonly policy: ApprovalPolicy;
  /** Kinds whose acts may need less approval from now on. */
  readonly loosened: readonly ApprovalKind[];
}

/**
 * Changes which acts of people wait for others, from the next request on. Refuses, in one refusal: kinds of another partition; what is
 * fixed; amounts of kinds without amounts; a stricter rule for which the workspace has too few people.
 */
export const setPolicy: Command<SetPolicyInput, PolicyChange> = {
  name: "set-approval-policy",
  needs: ({ platformId }) => [platforms.ref(platformId), approvalPolicies.ref(platformId)],
  decide(world, input) {
    const { changes } = input;
    const environment = environmentOf(world, input);
    const before = world.find(approvalPolicies.ref(world.platformId));
    const isOfWorkspace = world.find(platforms.ref(world.platformId)) === undefined;
    const rules = mergedRules(before?.rules ?? {}, changes);
    const faults = kindsIn(changes).flatMap((kind) =>
      faultsOf(kind, changes[kind] ?? {}, {
        isOfWorkspace,
        isUnmet: isUnmet(kind, { environment, before, rules, input }),
      }),
    );
    if (faults.length > 0) throw invalidFields(faults);

    const policy = world.put(approvalPolicies, {
      id: world.platformId,
      rules,
      createdAt: before?.createdAt ?? world.at,
      updatedAt: world.at,
    });
    const loosened = kindsIn(changes).filter((kind) =>
      asksLess(ruleFor(kind, environment, before), ruleFor(kind, environment, policy)),
    );
    return { isOfWorkspace, policy, loosened };
  },
};

function environmentOf(world: World, { environment }: Pick<SetPolicyInput, "environment">) {
  return world.find(platforms.ref(world.platformId))?.environment ?? environment;
}

function kindsIn(changes: PolicyChanges): readonly ApprovalKind[] {
  return approvalKinds.filter((kind) => changes[kind] !== undefined);
}

function mergedRules(rules: PolicyRules, changes: PolicyChanges): PolicyRules {
  const changed = kindsIn(changes).map((kind) => [kind, { ...rules[kind], ...changes[kind] }]);
  return { ...rules, ...Object.fromEntries(changed) };
}

function faultsOf(
  kind: ApprovalKind,
  change: RuleChange,
  { isOfWorkspace, isUnmet }: { readonly isOfWorkspace: boolean; readonly isUnmet: boolean },
): readonly FieldError[] {
  const { isFixed, hasAmounts, isOfWorkspace: belongs = false } = noteOf(kind);
  const field = `rules.${kind}`;
  // POLICY belongs to both policies: the rule in each policy governs the changes of that policy.
  if (kind !== "POLICY" && belongs !== isOfWorkspace) {
    const place = belongs ? "of the workspace" : "of a platform";
    return [{ field, message: `belongs to the policy ${place}` }];
  }
  if (isFixed === true && change.waits !== undefined)
    return [{ field: `${field}.waits`, message: "is fixed" }];
  const named = (["above", "twoAbove"] as const).filter((name) => change[name] !== undefined);
  const unfit = named.find((name) => hasAmounts !== true || (isFixed === true && name === "above"));
  if (unfit !== undefined) {
    return [{ field: `${field}.${unfit}`, message: "is not for this kind" }];
  }
  if (!isUnmet) return [];
  const message = "asks for more people than the workspace has with the capability for it";
  return [{ field, message }];
}

function isUnmet(
  kind: ApprovalKind,
  asked: {
    readonly environment: Environment;
    readonly before: ApprovalPolicy | undefined;
    readonly rules: PolicyRules;
    readonly input: SetPolicyInput;
  },
): boolean {
  const { environment, before, rules, input } = asked;
  const [old, next] = [before, { rules }].map((policy) =>
    mostPeople(ruleFor(kind, environment, policy)),
  );
  return (next ?? 0) > (old ?? 0) && !input.canSatisfy(kind, next ?? 0);
}

/** How many people an act of this kind needs at most. */
function mostPeople({ waits, twoAbove = {} }: KindRule): number {
  if (waits === false) return 0;
  return Object.keys(twoAbove).length > 0 ? 2 : 1;
}

/** Whether an act may need fewer people by the second rule than by the first. */
export function asksLess(before: KindRule, after: KindRule): boolean {
  const strength = ({ waits }: KindRule) => (waits === true ? 2 : waits === false ? 0 : 1);
  if (strength(after) < strength(before)) return true;
  const codesOf = (name: "above" | "twoAbove") => [
    ...new Set([...Object.keys(before[name] ?? {}), ...Object.keys(after[name] ?? {})]),
  ];
  const isRaised = codesOf("above").some(
    (code) => (after.above?.[code] ?? 0) > (before.above?.[code] ?? 0),
  );
  const none = Number.POSITIVE_INFINITY;
  return (
    isRaised ||
    codesOf("twoAbove").some(
      (code) => (after.twoAbove?.[code] ?? none) > (before.twoAbove?.[code] ?? none),
    )
  );
}

/** A change that lowers the approval that is needed waits for another owner, if there is one. */
export const setPolicyOrder: HoldableOrder<SetPolicyInput, PolicyChange> = {
  kind: "POLICY",
  act: "setPolicy",
  command: setPolicy,
  factsOf: ({ loosened }) => ({
    summary: `A policy by which less waits: ${loosened.join(", ")}`,
    isHarmless: loosened.length === 0,
  }),
  resultOf: ({ isOfWorkspace, policy: { id } }) =>
    isOfWorkspace ? toWorkspaceId(id) : toPlatformConfigId(id),
};
