/** Helpers for stories of incoming UMA payments: a customer, a paying counterparty, an endpoint that is asked for approval. */
import { present } from "../../src/std/assert.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "./story.ts";
import { type DeliveredEvent, listenTo, type Reply, type StoryReceiver } from "./story-webhooks.ts";
import type { TestServer } from "./test-server.ts";

export const AMOUNT = 5_000;

export interface UmaStage {
  readonly story: Story;
  readonly receiver: StoryReceiver;
  readonly customerId: string;
  readonly platformCustomerId: string;
  readonly umaAddress: string;
  /** The customer's USD account, empty. */
  readonly accountId: string;
  readonly sandboxDomain: string;
}

/** The answer to an approval request; other events are answered with 200. */
export type AnswerFor = (question: DeliveredEvent) => Reply | Promise<Reply>;

export async function umaStage(
  server: TestServer,
  answer: AnswerFor | Reply,
  requiredFields: readonly { readonly name: string; readonly mandatory: boolean }[] = [],
): Promise<UmaStage> {
  const story = await openStory(server);
  const funded = await fundedCustomer(story, 0);
  if (requiredFields.length > 0) await requireOfCounterparties(story, requiredFields);
  const answerFor: AnswerFor = typeof answer === "function" ? answer : () => answer;
  const receiver = await listenTo(story, (event) =>
    event.type === "INCOMING_PAYMENT.PENDING" ? answerFor(event) : 200,
  );
  const [config, customer] = await Promise.all([
    story.call("GET", "/config"),
    story.call("GET", `/customers/${funded.customerId}`),
  ]);
  return {
    story,
    receiver,
    ...funded,
    umaAddress: customer.json.umaAddress,
    sandboxDomain: `sandbox.${config.json.umaDomain}`,
  };
}

async function requireOfCounterparties(
  story: Story,
  requiredCounterpartyFields: readonly { readonly name: string; readonly mandatory: boolean }[],
): Promise<void> {
  const { supportedCurrencies } = (await story.call("GET", "/config")).json;
  await story.call("PATCH", "/config", {
    supportedCurrencies: supportedCurrencies.map((each: { currencyCode: string }) =>
      each.currencyCode === "USD" ? { ...each, requiredCounterpartyFields } : each,
    ),
  });
}

/** Lets a counterparty pay the customer; the approval request is in flight when this returns. */
export function announce(
  { story, umaAddress, sandboxDomain }: UmaStage,
  more: Readonly<Record<string, unknown>> & { readonly sender?: string } = {},
): Promise<RawAnswer> {
  const { sender = "success.usd", ...fields } = more;
  return story.call("POST", "/sandbox/uma/receive", {
    senderUmaAddress: `$${sender}@${sandboxDomain}`,
    receiverUmaAddress: umaAddress,
    receivingCurrencyCode: "USD",
    receivingCurrencyAmount: AMOUNT,
    ...fields,
  });
}

/** Waits until all approval requests are answered and their effects are committed. */
export async function answered({ story }: Pick<UmaStage, "story">): Promise<void> {
  await story.server.app.approvals.settled();
  await story.settle();
}

export async function transactionOf({ story }: UmaStage, id: string) {
  const read = await story.call("GET", `/transactions/${id}`);
  if (read.status !== 200) throw new Error(`no transaction: ${read.text}`);
  return read.json;
}

/** The types of the delivered events in order, without the TEST event. */
export async function deliveredTypes({ receiver }: UmaStage): Promise<readonly string[]> {
  const [test, ...events] = await receiver.events();
  if (test?.type !== "TEST") throw new Error(`first comes TEST, not ${test?.type}`);
  return events.map(({ type }) => type);
}

export function questionTo({ receiver }: UmaStage): DeliveredEvent {
  const questions = receiver.deliveries.filter(({ type }) => type === "INCOMING_PAYMENT.PENDING");
  if (questions.length !== 1) throw new Error(`there were ${questions.length} questions`);
  return present(questions[0], "the question");
}
