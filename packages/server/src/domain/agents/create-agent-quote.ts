import type { Command, World } from "../../engine/command.ts";
import { type FieldError, invalidFields } from "../../engine/refusal.ts";
import { toExternalAccountId } from "../accounts/external/external-account.ts";
import { toInternalAccountId } from "../accounts/internal/internal-account.ts";
import { type CreateQuoteInput, createQuote } from "../payments/quotes/create-quote.ts";
import {
  type DestinationName,
  findAccount,
  type SourceName,
} from "../payments/quotes/parties/quote-parties.ts";
import type { Quote } from "../payments/quotes/quote.ts";
import { type ActionSides, brokenBySides, type Payee } from "./actions/judge-action.ts";
import { type Agent, agents, getActingAgent, ruleRefusal } from "./agent.ts";

export interface CreateAgentQuoteInput {
  readonly agentId: string;
  readonly terms: CreateQuoteInput;
}

/**
 * Creates a quote for an agent, between accounts of its customer or from one of them to a UMA address. Refuses, in this
 * order: whatever `getActingAgent` lists; immediate execution, which would bypass the policy's limits and approvals; an
 * account that is not the customer's; a source or destination that the policy does not allow (`brokenBySides`); whatever
 * `createQuote` lists. A quote that is funded from outside is never executed by the agent, so its payee is checked here.
 */
export const createAgentQuote: Command<CreateAgentQuoteInput, Quote> = {
  name: "create-agent-quote",
  needs: (world, { agentId, terms }) => {
    const agent = world.find(agents.ref(agentId));
    if (agent === undefined) return [agents.ref(agentId)];
    return [agents.ref(agentId), ...createQuote.needs(world, termsOf(agent, terms))];
  },
  decide(world, { agentId, terms }) {
    const agent = getActingAgent(world, { agentId, permission: "CREATE_QUOTES" });
    const { source, destination } = terms;
    const faults = [
      ...immediateFaults(terms),
      ...foreignFaults(world, agent, { name: source, side: "source" }),
      ...foreignFaults(world, agent, { name: destination, side: "destination" }),
    ];
    if (faults.length > 0) throw invalidFields(faults);
    const rule = brokenBySides(agent.policy, sidesOf(terms));
    if (rule !== undefined) throw ruleRefusal(rule);
    return createQuote.decide(world, termsOf(agent, terms));
  },
};

/** A quote that is funded from outside belongs to the agent's customer, whether or not the request names the customer. */
function termsOf({ id: agentId, customerId }: Agent, terms: CreateQuoteInput): CreateQuoteInput {
  const { source } = terms;
  if (source.kind !== "realtime") return { ...terms, agentId };
  return { ...terms, source: { ...source, customerId }, agentId };
}

/** Accepts terms that are not validated yet. */
export function immediateFaults({
  immediatelyExecute,
}: {
  readonly immediatelyExecute?: unknown;
}): readonly FieldError[] {
  if (immediatelyExecute !== true) return [];
  const message = "must be false; execute the quote when it is made";
  return [{ field: "immediatelyExecute", message }];
}

function foreignFaults(
  world: World,
  { customerId }: Agent,
  { name, side }: { readonly name: SourceName | DestinationName; readonly side: string },
): readonly FieldError[] {
  const faults: FieldError[] = [];
  const names = "customerId" in name ? name.customerId : undefined;
  if (names !== undefined && names !== customerId) {
    faults.push({ field: `${side}.customerId`, message: "names no customer" });
  }
  const isAccount = name.kind === "internal" || name.kind === "external";
  if (isAccount && findAccount(world, name)?.customerId !== customerId) {
    faults.push({ field: `${side}.accountId`, message: "names no account" });
  }
  return faults;
}

function sidesOf({ source, destination }: CreateQuoteInput): ActionSides {
  const internal = [source, destination].filter((name) => name.kind === "internal");
  return {
    accountIds: internal.map(({ id }) => toInternalAccountId(id)),
    fundingAccountId: source.kind === "external" ? toExternalAccountId(source.id) : null,
    payee: payeeOf(destination),
  };
}

function payeeOf(destination: DestinationName): Payee | null {
  switch (destination.kind) {
    case "internal":
      return null;
    case "external":
      return { kind: "external", accountId: toExternalAccountId(destination.id) };
    case "uma":
      return { kind: "uma", umaAddress: destination.receiver.umaAddress };
  }
}
