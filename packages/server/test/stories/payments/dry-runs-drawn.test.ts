/** In random states of a platform, the dry run of each call has the refusal or the effects of the call that follows it. */
import { beforeAll, describe, expect, it } from "vitest";
import { chanceFrom } from "../../kit/chance.ts";
import { comparedWithCall, type Made } from "../../kit/dry-runs.ts";
import { sampleOf } from "../../kit/sample.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { connectedAgent, type StoryAgent } from "../../kit/story-agents.ts";
import { advance, internalAccount } from "../../kit/story-money.ts";
import { askQuote, euroAccount, quoteBody } from "../../kit/story-quotes.ts";

const server = await sharedServer();
const STATES = Array.from({ length: 200 }, (_, index) => index);
const UNKNOWN = "InternalAccount:019a4f00-0000-7000-8000-0000000000ee";

interface Scene {
  readonly story: Story;
  readonly payers: readonly Funded[];
  /** Internal accounts of customers and of the platform, one of them in euros, and one that does not exist. */
  readonly internal: readonly string[];
  readonly external: readonly string[];
  readonly agent: StoryAgent;
  readonly agentEuros: string;
  readonly incoming: string[];
  readonly chance: (below: number) => number;
}

let scene: Scene;

beforeAll(async () => {
  const story = await openStory(server);
  const payers = [await fundedCustomer(story, 5_000), await fundedCustomer(story, 50_000)];
  const own = await internalAccount(story, { currency: "USD" });
  const euros = await internalAccount(story, { currency: "EUR" });
  const [first] = payers;
  const external: string[] = [];
  for (const suffix of ["789", "002", "003", "004", "005", "007"])
    external.push(await bankAccount(story, { suffix, ...first }));
  external.push(await bankAccount(story), await euroAccount(story, first?.customerId));
  const agent = await connectedAgent(story, {
    funds: 20_000,
    policy: {
      spendingLimits: { currency: "USD", perTransactionLimit: 6_000 },
      approvalThresholds: { currency: "USD", amount: 2_000 },
    },
  });
  scene = {
    story,
    payers,
    internal: [...payers.map(({ accountId }) => accountId), own, euros, UNKNOWN],
    external,
    agent,
    agentEuros: await euroAccount(story, agent.customerId),
    incoming: [],
    chance: chanceFrom(46),
  };
}, 120_000);

const pick = <Item>({ chance }: Scene, items: readonly Item[]): Item =>
  items[chance(items.length)] as Item;
const amountOf = ({ chance }: Scene) => 1 + chance(pick(scene, [50, 2_000, 9_000, 100_000]));
const post = (story: Story, path: string, body?: object) => story.call("POST", path, body);

const fund = (story: Story, accountId: string) =>
  post(story, `/sandbox/internal-accounts/${accountId}/fund`, { amount: amountOf(scene) });

/** One change of the state; a refused one changes nothing. */
const changes: readonly ((scene: Scene) => Promise<unknown>)[] = [
  ({ story, payers }) => fund(story, pick(scene, payers).accountId),
  ({ story, agent }) => fund(story, agent.accountId),
  ({ story, payers }) =>
    post(story, `/internal-accounts/${pick(scene, payers).accountId}/freeze`, {
      reason: "OTHER",
      scope: pick(scene, ["DEBITS", "ALL"]),
    }),
  ({ story, payers }) =>
    post(story, `/internal-accounts/${pick(scene, payers).accountId}/unfreeze`),
  ({ story, payers }) => post(story, `/customers/${pick(scene, payers).customerId}/unfreeze`),
  ({ story, payers }) =>
    post(story, `/customers/${pick(scene, payers).customerId}/freeze`, { reason: "OTHER" }),
  ({ story }) => advance(story, 1 + scene.chance(200)),
  ({ story, payers }) =>
    post(story, `/internal-accounts/${pick(scene, payers).accountId}/alerts`, {
      direction: pick(scene, ["BELOW", "ABOVE"]),
      amount: amountOf(scene),
    }),
  ({ story }) =>
    story.call("PATCH", "/config", {
      supportedCurrencies: [
        {
          currencyCode: "USD",
          minAmount: pick(scene, [1, 20]),
          maxAmount: pick(scene, [20_000, 1_000_000]),
        },
        { currencyCode: "EUR", minAmount: 1, maxAmount: 1_000_000 },
      ],
    }),
];

/** Lifts all freezes and adds money, so that no call finds all payers stopped or poor for long. */
async function thaw({ story, payers }: Scene): Promise<void> {
  for (const { accountId, customerId } of payers) {
    await post(story, `/internal-accounts/${accountId}/unfreeze`);
    await post(story, `/customers/${customerId}/unfreeze`);
    await post(story, `/sandbox/internal-accounts/${accountId}/fund`, { amount: 20_000 });
  }
}

/** A call with random members, in the present state. */
interface Call {
  readonly path: string;
  readonly body?: object;
  readonly asAgent?: boolean;
}

const calls: Readonly<Record<string, (scene: Scene) => Call | Promise<Call>>> = {
  createTransfer: ({ internal }) => ({
    path: "/transfers",
    body: {
      source: { accountId: pick(scene, internal) },
      destination: { accountId: pick(scene, internal) },
      amount: amountOf(scene),
      description: "Rent",
    },
  }),
  transferOut: ({ internal, external }) => ({
    path: "/transfer-out",
    body: {
      source: { accountId: pick(scene, internal) },
      destination: { accountId: pick(scene, external) },
      amount: amountOf(scene),
    },
  }),
  transferIn: ({ internal, external }) => ({
    path: "/transfer-in",
    body: {
      source: { accountId: pick(scene, external) },
      destination: { accountId: pick(scene, internal) },
      amount: amountOf(scene),
    },
  }),
  createQuote: ({ internal, external }) => ({
    path: "/quotes",
    body: quoteBody({
      from: pick(scene, internal),
      to: pick(scene, [...internal, ...external]),
      amount: amountOf(scene),
      side: pick(scene, ["SENDING", "RECEIVING"]),
      more: { immediatelyExecute: pick(scene, [true, false]) },
    }),
  }),
  async executeQuote({ story, internal, external }) {
    const from = pick(scene, internal.slice(0, 3));
    const { json } = await askQuote(story, {
      from,
      to: external.at(-1) ?? "",
      amount: amountOf(scene),
    });
    if (scene.chance(4) === 0) await advance(story, 400);
    if (scene.chance(4) === 0) await post(story, `/quotes/${json.id}/execute`);
    return { path: `/quotes/${json.id ?? "Quote:019a4f00-0000-7000-8000-0000000000ee"}/execute` };
  },
  async refundTransaction({ story, incoming }) {
    const { json } = await post(story, "/transfers", {
      source: { accountId: pick(scene, scene.internal.slice(0, 3)) },
      destination: { accountId: pick(scene, scene.internal.slice(0, 3)) },
      amount: amountOf(scene),
    });
    if (json.counterpartTransactionId !== undefined) incoming.push(json.counterpartTransactionId);
    const of =
      pick(scene, incoming.slice(-3)) ?? "Transaction:019a4f00-0000-7000-8000-0000000000ee";
    const part = scene.chance(2) === 0 ? {} : { amount: amountOf(scene) };
    return { path: `/transactions/${of}/refund`, body: { reason: "OTHER", ...part } };
  },
  async captureHold({ story, internal, external }) {
    const held = await post(
      story,
      `/internal-accounts/${pick(scene, internal.slice(0, 3))}/holds`,
      {
        amount: amountOf(scene),
      },
    );
    const hold = held.json.id ?? "Hold:019a4f00-0000-7000-8000-0000000000ee";
    if (scene.chance(6) === 0) await post(story, `/holds/${hold}/release`);
    return {
      path: `/holds/${hold}/capture`,
      body: {
        amount: amountOf(scene),
        destination: { accountId: pick(scene, [...internal, ...external]) },
        final: pick(scene, [true, false]),
      },
    };
  },
  createPaymentBatch: ({ internal, external }) => ({
    path: "/payment-batches",
    body: {
      mode: pick(scene, ["INDEPENDENT", "ALL_OR_NOTHING"]),
      requireFunds: scene.chance(2) === 0,
      items: ["a", "b", "c"].map((reference) => {
        const kind = pick(scene, ["BOOK", "TRANSFER_OUT"]);
        const payees = kind === "BOOK" ? internal.slice(0, 3) : external.slice(0, 3);
        return {
          reference,
          kind,
          source: { accountId: pick(scene, internal.slice(0, 3)) },
          destination: { accountId: pick(scene, payees) },
          amount: amountOf(scene),
        };
      }),
    },
  }),
  createAdjustment: ({ internal }) => ({
    path: "/adjustments",
    body: {
      accountId: pick(scene, internal),
      direction: pick(scene, ["CREDIT", "DEBIT"]),
      amount: amountOf(scene),
      currency: pick(scene, ["USD", "USD", "EUR"]),
      reasonCode: "GOODWILL",
      note: "The payout was late",
    },
  }),
  agentTransferOut: ({ agent, internal }) => ({
    path: "/agents/me/transfer-out",
    asAgent: true,
    body: {
      source: { accountId: pick(scene, [agent.accountId, agent.accountId, internal[0]]) },
      destination: { accountId: agent.payeeId },
      amount: 1 + scene.chance(pick(scene, [50, 4_000, 9_000])),
    },
  }),
  agentTransferIn: ({ agent }) => ({
    path: "/agents/me/transfer-in",
    asAgent: true,
    body: {
      source: { accountId: agent.payeeId },
      destination: { accountId: agent.accountId },
      amount: 1 + scene.chance(9_000),
    },
  }),
  agentCreateQuote: ({ agent, external }) => ({
    path: "/agents/me/quotes",
    asAgent: true,
    body: quoteBody({
      from: agent.accountId,
      to: pick(scene, [agent.payeeId, external.at(-1) ?? "", scene.agentEuros]),
      amount: amountOf(scene),
    }),
  }),
  async agentExecuteQuote({ agent }) {
    const { json } = await agent.quote(1 + scene.chance(9_000));
    return { path: `/agents/me/quotes/${json.id}/execute`, asAgent: true };
  },
};

/** The outcomes that the states must have brought about, so that the comparison is about something. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  createTransfer: ["201", "INSUFFICIENT_BALANCE", "REFERENCE_NOT_FOUND", "INVALID_CURRENCY"],
  transferOut: ["201", "INSUFFICIENT_BALANCE", "INVALID_CURRENCY"],
  transferIn: ["201", "INVALID_CURRENCY"],
  createQuote: ["201", "INSUFFICIENT_BALANCE"],
  executeQuote: ["200", "CONFLICT", "QUOTE_EXPIRED"],
  refundTransaction: ["201"],
  captureHold: ["201", "REFERENCE_NOT_FOUND", "CONFLICT"],
  createPaymentBatch: ["201", "202", "INSUFFICIENT_BALANCE"],
  createAdjustment: ["202", "INSUFFICIENT_BALANCE", "INVALID_CURRENCY"],
  agentTransferOut: ["201", "waits", "FORBIDDEN"],
  agentTransferIn: ["201", "waits", "FORBIDDEN"],
  agentCreateQuote: ["201"],
  agentExecuteQuote: ["200", "waits", "FORBIDDEN"],
};

describe("the dry run", () => {
  it.each(Object.entries(calls))(
    "of %s is like the call in random states",
    async (name, drawn) => {
      const states = sampleOf(STATES);
      const met = new Map<string, number>();
      await thaw(scene);
      for (const _ of states) {
        if (scene.chance(20) === 0) await thaw(scene);
        if (scene.chance(2) === 0) await pick(scene, changes)(scene);
        const { path, body, asAgent } = await drawn(scene);
        const options = asAgent === true ? { authorization: scene.agent.bearer } : {};
        const make: Made = (at) => scene.story.call("POST", at, body, options);
        const countsRows = scene.chance(10) === 0;
        const outcome = await comparedWithCall(scene.story, { make, path, countsRows });
        met.set(outcome, (met.get(outcome) ?? 0) + 1);
      }
      if (states.length === STATES.length)
        expect([...met.keys()]).toEqual(expect.arrayContaining(EXPECTED[name] as string[]));
      else expect(met.size).toBeGreaterThan(0);
    },
    300_000,
  );
});
