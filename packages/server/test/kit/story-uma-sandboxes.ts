/** Two sandboxes of one deployment whose policies say PROTOCOL: the payer's customer has dollars, the payee's takes them. */
import type { RawAnswer, Story } from "./story.ts";
import { fundedCustomer, openStory } from "./story.ts";
import { expectStatus } from "./story-rails.ts";
import { type AnswerFor, umaStage } from "./story-uma.ts";
import type { Reply } from "./story-webhooks.ts";
import type { TestServer } from "./test-server.ts";

export const TAKES: Reply = { status: 200, body: "{}" };

export interface Sandboxes {
  readonly payer: Story;
  readonly payee: Story;
  /** The payer's dollars. */
  readonly accountId: string;
  /** The payee's dollars. */
  readonly payeeAccountId: string;
  readonly payeeCustomerId: string;
  readonly payerDomain: string;
  readonly payeeDomain: string;
  /** The payee's address. */
  readonly umaAddress: string;
  look(): Promise<RawAnswer>;
  quote(wish?: SandboxWish): Promise<RawAnswer>;
  /** A quote in dollars whose incoming side is open. */
  quoted(wish?: SandboxWish): Promise<Quoted>;
  execute(quoteId: string): Promise<RawAnswer>;
  incoming(): Promise<readonly Incoming[]>;
}

export interface SandboxWish {
  readonly side?: "SENDING" | "RECEIVING";
  readonly amount?: number;
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface Quoted {
  readonly quoteId: string;
  readonly outgoingId: string;
  readonly incomingId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a transaction as the API shows it
export type Incoming = any;

export async function openSandboxes(
  server: TestServer,
  answer: AnswerFor | Reply = TAKES,
): Promise<Sandboxes> {
  const payer = await openStory(server);
  const { accountId } = await fundedCustomer(payer, 100_000);
  const stage = await umaStage(server, answer);
  const payee = stage.story;
  for (const story of [payer, payee]) await setNetwork(story, "PROTOCOL");
  const domainOf = async (story: Story): Promise<string> =>
    (await story.call("GET", "/config")).json.umaDomain;
  const { umaAddress } = stage;
  const sandboxes: Sandboxes = {
    ...{ payer, payee, accountId, umaAddress },
    payeeAccountId: stage.accountId,
    payeeCustomerId: stage.customerId,
    payerDomain: await domainOf(payer),
    payeeDomain: await domainOf(payee),
    look: () => payer.call("GET", `/receiver/uma/${encodeURIComponent(umaAddress)}`),
    async quote({ side = "RECEIVING", amount = 1_000, more } = {}) {
      const lookupId = more?.lookupId ?? expectStatus(200, await sandboxes.look()).json.lookupId;
      return payer.call("POST", "/quotes", {
        source: { sourceType: "ACCOUNT", accountId },
        destination: { destinationType: "UMA_ADDRESS", umaAddress },
        lookupId,
        lockedCurrencySide: side,
        lockedCurrencyAmount: amount,
        ...more,
      });
    },
    async quoted(wish) {
      const { json } = expectStatus(201, await sandboxes.quote(wish));
      const [newest] = await sandboxes.incoming();
      return { quoteId: json.id, outgoingId: json.transactionId, incomingId: newest.id };
    },
    execute: (quoteId) => payer.call("POST", `/quotes/${quoteId}/execute`),
    async incoming() {
      const path = "/transactions?type=INCOMING&sortOrder=desc";
      const { data } = (await payee.call("GET", path)).json;
      return data.filter((each: Incoming) => each.source?.sourceType === "UMA_ADDRESS");
    },
  };
  return sandboxes;
}

export async function setNetwork(story: Story, network: "SIMULATED" | "PROTOCOL"): Promise<void> {
  const { updatedAt: _, ...policy } = (await story.call("GET", "/uma/policy")).json;
  expectStatus(200, await story.call("PUT", "/uma/policy", { ...policy, network }));
}

export async function balanceOf(story: Story, accountId: string): Promise<number> {
  const { data } = (await story.call("GET", "/customers/internal-accounts?limit=100")).json;
  return data.find(({ id }: { readonly id: string }) => id === accountId).balance.amount;
}
