/** Ends of freezes as orders that may wait for other people. A new freeze waits only when it lets credits in again. */
import type { Command, Loaded } from "../../../engine/command.ts";
import type { Freeze } from "../../accounts/freezes/freeze.ts";
import { freezeAccount, unfreezeAccount } from "../../accounts/freezes/freeze-account.ts";
import { internalAccounts, toInternalAccountId } from "../../accounts/internal/internal-account.ts";
import { customers, toCustomerId } from "../../customers/customer.ts";
import { freezeCustomer, unfreezeCustomer } from "../../customers/freeze-customer.ts";
import { type HoldableOrder, refuseUnlessAsShown } from "./hold-order.ts";

/** A freeze as approvers are shown it. */
export type ShownFreeze = Pick<Freeze, "reason" | "scope" | "since">;

export function shownFreeze({ reason, scope, since }: Freeze): ShownFreeze {
  return { reason, scope, since };
}

interface OfCustomer {
  readonly customerId: string;
}

interface OfAccount {
  readonly accountId: string;
}

/** The freeze of the object that an order is about. */
type FreezeIn<Input> = (world: Loaded, input: Input) => Freeze | null;

const ofCustomer: FreezeIn<OfCustomer> = (world, { customerId }) =>
  world.find(customers.ref(customerId))?.frozen ?? null;
const ofAccount: FreezeIn<OfAccount> = (world, { accountId }) =>
  world.find(internalAccounts.ref(accountId))?.frozen ?? null;

/** Refuses when the freeze is not the one that people agreed to end, and then whatever the command refuses. */
function agreed<Input, Output>(
  command: Command<Input, Output>,
  freezeIn: FreezeIn<Input>,
): Command<Input & { readonly shown: ShownFreeze | null }, Output> {
  return {
    name: command.name,
    needs: (world, input) => command.needs(world, input),
    decide(world, input) {
      const frozen = freezeIn(world, input);
      const now = frozen && shownFreeze(frozen);
      refuseUnlessAsShown("freeze", { shown: input.shown, now });
      return command.decide(world, input);
    },
  };
}

export const unfreezeAgreedCustomer = agreed(unfreezeCustomer, ofCustomer);
export const unfreezeAgreedAccount = agreed(unfreezeAccount, ofAccount);
export const freezeAgreedCustomer = agreed(freezeCustomer, ofCustomer);
export const freezeAgreedAccount = agreed(freezeAccount, ofAccount);

interface Frozen<Subject> {
  readonly subject: Subject;
  /** The previous freeze stopped credits, and the new one does not. */
  readonly isNarrower: boolean;
}

function comparing<Input extends { readonly freeze: Pick<Freeze, "scope"> }, Subject>(
  command: Command<Input, Subject>,
  freezeIn: FreezeIn<Input>,
): Command<Input, Frozen<Subject>> {
  return {
    name: command.name,
    needs: (world, input) => command.needs(world, input),
    decide(world, input) {
      const isNarrower = freezeIn(world, input)?.scope === "ALL" && input.freeze.scope === "DEBITS";
      return { subject: command.decide(world, input), isNarrower };
    },
  };
}

interface Subject {
  /** A wire id. */
  readonly id: string;
}

function unfreezeOrder<Input, Output extends Subject>(
  order: Pick<HoldableOrder<Input, Output>, "act" | "command" | "subjectOf">,
): HoldableOrder<Input, Output> {
  return {
    ...order,
    kind: "UNFREEZE",
    factsOf: ({ id }) => ({ summary: `The end of the freeze of ${id}` }),
    resultOf: ({ id }) => id,
  };
}

export const unfreezeCustomerOrder = unfreezeOrder({
  act: "unfreezeCustomer",
  command: unfreezeCustomer,
  subjectOf: ({ customerId }) => toCustomerId(customerId),
});

export const unfreezeAccountOrder = unfreezeOrder({
  act: "unfreezeInternalAccount",
  command: unfreezeAccount,
  subjectOf: ({ accountId }) => toInternalAccountId(accountId),
});

function freezeOrder<Input, Output extends Subject>(
  order: Pick<HoldableOrder<Input, Frozen<Output>>, "act" | "command" | "subjectOf">,
): HoldableOrder<Input, Frozen<Output>> {
  return {
    ...order,
    kind: "UNFREEZE",
    factsOf: ({ subject: { id }, isNarrower }) => ({
      summary: `A freeze of ${id} that no longer stops credits`,
      isHarmless: !isNarrower,
    }),
    resultOf: ({ subject: { id } }) => id,
  };
}

export const freezeCustomerOrder = freezeOrder({
  act: "freezeCustomer",
  command: comparing(freezeCustomer, ofCustomer),
  subjectOf: ({ customerId }) => toCustomerId(customerId),
});

export const freezeAccountOrder = freezeOrder({
  act: "freezeInternalAccount",
  command: comparing(freezeAccount, ofAccount),
  subjectOf: ({ accountId }) => toInternalAccountId(accountId),
});
