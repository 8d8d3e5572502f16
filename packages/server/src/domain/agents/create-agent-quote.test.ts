import { describe, expect, it } from "vitest";
import { agent as powerless } from "../../../test/kit/agent-rows.ts";
import { refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import {
  customer,
  internal,
  PLATFORM,
  platform,
  quoteTerms,
} from "../../../test/kit/payment-rows.ts";
import {
  type InternalAccount,
  internalAccounts,
  toInternalAccountId,
} from "../accounts/internal/internal-account.ts";
import { customers } from "../customers/customer.ts";
import type { CreateQuoteInput } from "../payments/quotes/create-quote.ts";
import { platforms } from "../platform.ts";
import { type Agent, agents } from "./agent.ts";
import type { AccountRestrictions } from "./agent-policy.ts";
import { createAgentQuote } from "./create-agent-quote.ts";

const euros: InternalAccount = {
  ...internal,
  id: "018f0000-0000-7000-8000-0000000000e0",
  currency: "EUR",
};

const agent: Agent = {
  ...powerless,
  policy: { ...powerless.policy, permissions: ["CREATE_QUOTES"] },
};

const terms: CreateQuoteInput = {
  ...quoteTerms,
  destination: { kind: "internal", id: euros.id, paymentRail: undefined },
};

interface Asked {
  readonly agent?: Partial<Agent>;
  readonly restrictions?: AccountRestrictions;
  readonly terms?: Partial<CreateQuoteInput>;
}

/** Whom the quote is for, or what was refused: the rule, or the fields. */
function asked({ restrictions, ...more }: Asked) {
  const accountRestrictions =
    restrictions === undefined ? {} : { accountRestrictions: restrictions };
  const policy = { ...agent.policy, ...accountRestrictions };
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(customers, customer),
    rowsOf(agents, { ...agent, policy, ...more.agent }),
    rowsOf(internalAccounts, internal, euros),
  ];
  const input = { agentId: agent.id, terms: { ...terms, ...more.terms } };
  const world = worldFor({ command: createAgentQuote, input, platformId: PLATFORM, tables });
  let made: readonly (string | null)[] = [];
  const refusal = refusalOf(world, () => {
    const { agentId, customerId } = createAgentQuote.decide(world, input);
    made = [agentId, customerId];
  });
  if (refusal === undefined) return made;
  const errors = (refusal.details?.errors ?? []) as readonly { readonly field: string }[];
  return refusal.details?.rule ?? errors.map(({ field }) => field);
}

const allowing = (...accounts: readonly InternalAccount[]): Asked => ({
  restrictions: { allowedAccountIds: accounts.map(({ id }) => toInternalAccountId(id)) },
});

describe("a quote that an agent asks for", () => {
  it("belongs to the agent, and is for its customer", () => {
    expect(asked({})).toEqual([agent.id, customer.id]);
    expect(asked(allowing(internal, euros))).toEqual([agent.id, customer.id]);
  });

  it("touches no account that the policy does not allow, on neither side", () => {
    expect(asked(allowing(euros))).toBe("ACCOUNT_NOT_ALLOWED");
    expect(asked(allowing(internal))).toBe("ACCOUNT_NOT_ALLOWED");
    expect(asked(allowing())).toBe("ACCOUNT_NOT_ALLOWED");
  });

  it("is funded for its own customer when no customer is named, and for no other customer", () => {
    const source = { kind: "realtime", currency: "USD", cryptoNetwork: undefined } as const;
    const paidIn = (customerId: string | undefined) =>
      asked({ terms: { source: { ...source, customerId } } });
    expect(paidIn(undefined)).toEqual([agent.id, customer.id]);
    expect(paidIn(customer.id)).toEqual([agent.id, customer.id]);
    expect(paidIn(PLATFORM)).toEqual(["source.customerId"]);
  });

  it("names everything that is not the customer's at once", () => {
    const others = {
      source: { kind: "internal", id: PLATFORM, customerId: PLATFORM },
      destination: { kind: "external", id: PLATFORM, paymentRail: undefined },
      immediatelyExecute: true,
    } as const;
    expect(asked({ ...allowing(), terms: others })).toEqual([
      "immediatelyExecute",
      "source.customerId",
      "source.accountId",
      "destination.accountId",
    ]);
  });

  it("is refused to an agent that may not ask, or is paused", () => {
    const policy = { ...agent.policy, permissions: ["EXECUTE_QUOTES"] as const };
    expect(asked({ agent: { policy, isPaused: true } })).toBe("PERMISSION");
    expect(asked({ agent: { isPaused: true } })).toBe("PAUSED");
  });
});
