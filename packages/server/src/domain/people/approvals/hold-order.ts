/**
 * Runs a command, or stores it as an order that waits for other people. The policy is read in the same commit. A command that would be
 * refused now is refused at once and does not wait.
 */
import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { canonicalJson } from "../../../std/json.ts";
import { type Environment, platforms } from "../../platform.ts";
import { passkeyAskedFor } from "../passkey.ts";
import type { Capability } from "../role.ts";
import { type Approval, askForApproval, pendingAbout, type SealedContent } from "./approval.ts";
import { type ApprovalKind, type KindRule, noteOf } from "./approval-kinds.ts";
import { type Amount, approvalPolicies, approvalsNeeded, ruleFor } from "./approval-policy.ts";

/** What an order would do. */
export interface OrderFacts {
  /** Contains no personal data, because it is stored in clear. */
  readonly summary: string;
  readonly amount?: Amount;
  /** The sums of an order in several currencies: the one that needs most people decides. */
  readonly amounts?: readonly Amount[];
  readonly gainers?: readonly string[];
  /** The capabilities that an approver must have; when absent, that of the kind. */
  readonly capabilities?: readonly Capability[];
  /** The order needs no other person, whatever the policy says. */
  readonly isHarmless?: boolean;
  /** The kinds that the order has; when absent, the `kind` of the `HoldableOrder`. The first one that waits applies. */
  readonly kinds?: readonly ApprovalKind[];
  /** No other person could agree to the order: it waits a day in which it may be rejected, and is then carried out. */
  readonly isTimed?: boolean;
}

export interface HoldableOrder<Input, Output> {
  readonly kind: ApprovalKind;
  /** A second kind that the order may have; `factsOf` decides. */
  readonly otherKind?: ApprovalKind;
  /** The name of the API operation. */
  readonly act: string;
  readonly command: Command<Input, Output>;
  /** The wire id of the order's object, about which only one order may wait. */
  subjectOf?(input: Input): string;
  /** Called with the output of a rehearsal of the command, before the rehearsal is undone. */
  factsOf(
    output: Output,
    surroundings: { readonly world: World; readonly input: Input },
  ): OrderFacts;
  /** The wire id of what it made or changed. */
  resultOf(output: Output): string;
  /** Notifies people that the order waits. It can use only rows that the command's `needs` lists. */
  tellAsked?(world: World, input: Input, approval: Approval): void;
}

export interface HeldInput<Input> {
  readonly input: Input;
  readonly sealed: SealedContent;
  /** Whether the workspace has two owners who can sign in. */
  readonly hasTwoOwners: boolean;
  /** For a workspace, which stores no environment: PRODUCTION when one of its platforms is in production. */
  readonly environment: Environment;
  /** The person has a passkey that this session has not shown. A sign-in at an issuer is not enough for an order that waits. */
  readonly mustShowPasskey?: boolean;
}

/** An order that was carried out, or that waits. */
export type Held<Output> =
  | { readonly kind: "done"; readonly done: Output }
  | { readonly kind: "held"; readonly approval: Approval };

/**
 * Runs the command or stores the order. Refuses, in this order: whatever the command refuses; a second order about an object while one
 * waits; for an order that waits, a session that must show a passkey first.
 */
export function holding<Input, Output>(
  order: HoldableOrder<Input, Output>,
): Command<HeldInput<Input>, Held<Output>> {
  const { command } = order;
  return {
    name: command.name,
    needs: (world, { input }) => [
      platforms.ref(world.platformId),
      approvalPolicies.ref(world.platformId),
      ...(order.subjectOf === undefined ? [] : [pendingAbout.of(order.subjectOf(input))]),
      ...command.needs(world, input),
    ],
    decide(world, held) {
      const { input } = held;
      const mayWait = [order.kind, order.otherKind ?? order.kind].some(
        (kind) => ruleOf(world, kind, held).waits !== false,
      );
      const asked = mayWait ? askedBy(world, order, held) : undefined;
      if (asked === undefined) return { kind: "done", done: command.decide(world, input) };
      if (held.mustShowPasskey === true) throw passkeyAskedFor();
      const approval = askForApproval(world, asked);
      order.tellAsked?.(world, input, approval);
      return { kind: "held", approval };
    },
  };
}

/** An order as it would be carried out, and the approval that it would wait for before that. */
export interface TriedOrder<Output> {
  readonly done: Output;
  readonly approval: Approval | undefined;
}

/**
 * For the dry run of an order: asks for the approval that the order needs, and carries the order out all the same, so that the effects of
 * both are seen. Refuses whatever `holding` refuses, except for a session that must show a passkey: the call itself asks for that.
 */
export function tryingOut<Input, Output>(
  order: HoldableOrder<Input, Output>,
): Command<HeldInput<Input>, TriedOrder<Output>> {
  const { name, needs, decide } = holding(order);
  return {
    name,
    needs,
    decide(world, held) {
      const tried = decide(world, { ...held, mustShowPasskey: false });
      if (tried.kind === "done") return { done: tried.done, approval: undefined };
      return { done: order.command.decide(world, held.input), approval: tried.approval };
    },
  };
}

/** Wraps a command that cannot wait: refuses it with CONFLICT while the policy lets acts of its kind wait. */
export function refusingWhereItWaits<Input, Output>(
  command: Command<Input, Output>,
  { kind, message }: { readonly kind: ApprovalKind; readonly message: string },
): Command<Input, Output> {
  return {
    name: command.name,
    needs: (world, input) => [
      platforms.ref(world.platformId),
      approvalPolicies.ref(world.platformId),
      ...command.needs(world, input),
    ],
    decide(world, input) {
      if (ruleOf(world, kind, { environment: "PRODUCTION" }).waits === false)
        return command.decide(world, input);
      throw new Refusal("CONFLICT", { approval: kind }, message);
    },
  };
}

function ruleOf(
  world: World,
  kind: ApprovalKind,
  { environment }: Pick<HeldInput<unknown>, "environment">,
): KindRule {
  const platform = world.find(platforms.ref(world.platformId));
  const policy = world.find(approvalPolicies.ref(world.platformId));
  return ruleFor(kind, platform?.environment ?? environment, policy);
}

/** The approval to ask for; undefined where none is needed. */
function askedBy<Input, Output>(
  world: World,
  order: HoldableOrder<Input, Output>,
  held: HeldInput<Input>,
) {
  const { act, command } = order;
  const { input, sealed, hasTwoOwners } = held;
  const facts = world.rehearse(() => order.factsOf(command.decide(world, input), { world, input }));
  const { summary, gainers = [], kinds = [order.kind], amounts = [facts.amount] } = facts;
  const kind = kinds.find((one) => ruleOf(world, one, held).waits !== false);
  if (kind === undefined) return undefined;
  const rule = ruleOf(world, kind, held);
  const needed = Math.max(
    ...amounts.map((amount) => approvalsNeeded(rule, { amount, hasTwoOwners })),
  );
  const amount = amounts.length === 1 ? amounts[0] : undefined;
  if (needed === 0 || facts.isHarmless === true) return undefined;
  const subjectId = order.subjectOf?.(input) ?? null;
  if (subjectId !== null) refuseSecond(world, subjectId);
  const capabilities = facts.capabilities ?? [noteOf(kind).capability];
  const asked = { kind, act, summary, sealed, amount, capabilities, gainers, subjectId };
  return { ...asked, approvalsNeeded: facts.isTimed === true ? 0 : needed };
}

function refuseSecond(world: World, subjectId: string): void {
  if (world.all(pendingAbout.of(subjectId)).length === 0) return;
  throw new Refusal(
    "CONFLICT",
    { subjectId },
    `An order about ${subjectId} waits for other people already; decide about that one, or take it back.`,
  );
}

/**
 * Refuses with CONFLICT to carry out an order about something that has changed since approvers were shown it. `shown` is from the
 * content that they agreed to.
 */
export function refuseUnlessAsShown(
  what: string,
  { shown, now }: { readonly shown: unknown; readonly now: unknown },
): void {
  if (canonicalJson(shown) === canonicalJson(now)) return;
  throw new Refusal(
    "CONFLICT",
    { changed: what },
    `The ${what} was changed after this was asked for, so it is not what was agreed to; ask again.`,
  );
}
