/** An agent of a story's platform, with a funded customer, a policy and an access token. */
import { present } from "../../src/std/assert.ts";
import {
  bankAccount,
  type CallOptions,
  fundedCustomer,
  type RawAnswer,
  type Story,
} from "./story.ts";
import { euroAccount, quoteBody } from "./story-quotes.ts";

/** All permissions, up to 1000 dollars per transaction. */
export const OPEN_POLICY = {
  permissions: [
    "VIEW_TRANSACTIONS",
    "CREATE_TRANSFERS",
    "CREATE_QUOTES",
    "EXECUTE_QUOTES",
    "MANAGE_EXTERNAL_ACCOUNTS",
  ],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 100_000 },
};

export type Json = Readonly<Record<string, unknown>>;

export interface StoryAgent {
  readonly agentId: string;
  readonly customerId: string;
  readonly accountId: string;
  readonly payeeId: string;
  readonly bearer: string;
  /** A call below `/agents/me`, with the agent's own token. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<RawAnswer>;
  /** A quote with this amount in cents, to a euro account of the customer. */
  quote(amount: number): Promise<RawAnswer>;
  execute(quoteId: string, options?: CallOptions): Promise<RawAnswer>;
  pay(amount: number, options?: CallOptions): Promise<RawAnswer>;
  pull(amount: number, options?: CallOptions): Promise<RawAnswer>;
}

export interface AgentWish {
  readonly policy?: Json;
  readonly funds?: number;
  /** The last three digits of the payee's account number. */
  readonly suffix?: string;
  /** An existing customer; a new one is created by default. */
  readonly customer?: { readonly customerId: string; readonly accountId: string };
}

export async function newAgent(
  story: Story,
  { policy = {}, funds = 100_000, customer }: AgentWish = {},
) {
  const owner = customer ?? (await fundedCustomer(story, funds));
  const made = await story.call("POST", "/agents", {
    name: "Bill payer",
    customerId: owner.customerId,
    policy: { ...OPEN_POLICY, ...policy },
  });
  if (made.status !== 201) throw new Error(`no agent was made: ${made.text}`);
  const { agent, deviceCode } = made.json;
  return { ...owner, agentId: agent.id as string, code: deviceCode.code as string };
}

/** An agent that has redeemed its code. */
export async function connectedAgent(story: Story, wish: AgentWish = {}): Promise<StoryAgent> {
  const made = await newAgent(story, wish);
  const { customerId, accountId, agentId, code } = made;
  const suffix = wish.suffix ?? "789";
  const payeeId = await bankAccount(story, { customerId, suffix });
  const bearer = await redeem(story, code);
  const call: StoryAgent["call"] = (method, path, body, options = {}) =>
    story.call(method, `/agents/me${path}`, body, { authorization: bearer, ...options });
  return {
    agentId,
    customerId,
    accountId,
    payeeId,
    bearer,
    call,
    async quote(amount) {
      const to = await euroAccount(story, customerId, suffix);
      return call("POST", "/quotes", quoteBody({ from: accountId, to, amount }));
    },
    execute: (quoteId, options) => call("POST", `/quotes/${quoteId}/execute`, undefined, options),
    pay: (amount, options) =>
      call(
        "POST",
        "/transfer-out",
        { source: { accountId }, destination: { accountId: payeeId }, amount },
        options,
      ),
    pull: (amount, options) =>
      call(
        "POST",
        "/transfer-in",
        { source: { accountId: payeeId }, destination: { accountId }, amount },
        options,
      ),
  };
}

export async function redeem(story: Story, code: string): Promise<string> {
  const redeemed = await story.call("POST", `/agents/device-codes/${code}/redeem`, undefined, {
    authorization: null,
  });
  const token = redeemed.json?.accessToken as string | undefined;
  return `Bearer ${present(token, `an access token, not ${redeemed.text}`)}`;
}

export async function pendingAction(story: Story, amount = 100) {
  const agent = await connectedAgent(story, {
    policy: { defaultExecutionMode: "APPROVAL_REQUIRED" },
  });
  const submitted = await agent.pay(amount);
  return { agent, actionId: submitted.json.id as string };
}

export function decide(
  story: Story,
  action: { readonly agentId: string; readonly id: string },
  { word, body }: { readonly word: "approve" | "reject"; readonly body?: unknown },
): Promise<RawAnswer> {
  return story.call("POST", `/agents/${action.agentId}/actions/${action.id}/${word}`, body);
}
