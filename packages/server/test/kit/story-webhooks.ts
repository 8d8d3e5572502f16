/** A webhook receiver of a story's platform; it verifies each delivery with the client library. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { readWebhook } from "@florin/client/webhooks";
import { httpReceiver } from "./receivers.ts";
import type { Story } from "./story.ts";

export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** From `X-Event-Sequence`. */
  readonly sequence: number;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads events of every shape
  readonly data: any;
}

export interface StoryReceiver {
  readonly url: string;
  readonly deliveries: readonly DeliveredEvent[];
  readonly forged: readonly string[];
  /** The distinct events by sequence, after the first attempt of each. */
  events(): Promise<readonly DeliveredEvent[]>;
  received(count: number): Promise<void>;
}

/** A status, a complete answer, an answer without its body, or no answer. */
export type Reply =
  | number
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly headAlone: number }
  | "silence"
  | "hang up";

export type StatusFor = (event: DeliveredEvent, attempt: number) => Reply | Promise<Reply>;

/** A receiver that is not configured as an endpoint. */
export async function openReceiver(
  story: Story,
  statusFor: StatusFor = () => 200,
): Promise<StoryReceiver> {
  const deliveries: DeliveredEvent[] = [];
  const attempts = new Map<string, number>();
  const forged: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { headers } = request;
    const event = verified(body, headers["x-service-signature"]);
    if (event === undefined) {
      forged.push(body.toString());
      response.writeHead(401).end();
      return;
    }
    const delivered = {
      ...event,
      sequence: Number(headers["x-event-sequence"]),
      body: body.toString(),
    };
    deliveries.push(delivered);
    const attempt = (attempts.get(delivered.id) ?? 0) + 1;
    attempts.set(delivered.id, attempt);
    for (const { count, resolve } of waiting) if (deliveries.length >= count) resolve();
    const answer = await statusFor(delivered, attempt);
    if (answer === "silence") return;
    if (answer === "hang up") response.destroy();
    else if (typeof answer === "number") response.writeHead(answer).end("thanks");
    else if ("headAlone" in answer) response.writeHead(answer.headAlone).flushHeaders();
    else response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
  }

  function verified(body: Buffer, header: string | string[] | undefined) {
    try {
      return readWebhook({ body, header: String(header), publicKey: story.webhookPublicKey });
    } catch {
      return undefined;
    }
  }

  const { url } = await httpReceiver((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  return {
    url,
    deliveries,
    forged,
    async events() {
      await story.server.app.deliveries.settled(story.platformId);
      if (forged.length > 0) throw new Error(`a delivery is not signed: ${forged[0]}`);
      const byId = new Map(deliveries.map((event) => [event.id, event]));
      return [...byId.values()].sort((left, right) => left.sequence - right.sequence);
    },
    received: (count) =>
      deliveries.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
  };
}

/** A receiver that is configured as the platform's endpoint; its TEST event is among the first deliveries. */
export async function listenTo(story: Story, statusFor?: StatusFor): Promise<StoryReceiver> {
  const receiver = await openReceiver(story, statusFor);
  await setEndpoint(story, receiver.url);
  return receiver;
}

export async function setEndpoint(story: Story, url: string): Promise<void> {
  const changed = await story.call("PATCH", "/config", { webhookEndpoint: url });
  if (changed.status !== 200) throw new Error(`the endpoint was refused: ${changed.text}`);
}

/** Until the endpoint has answered the question about a payment: a call that decides before is refused, which a loaded machine would meet. */
export async function untilHeard(story: Story, transactionId: string): Promise<void> {
  await story.settle();
  const { approvals } = story.server.app;
  const id = transactionId.replace("Transaction:", "");
  // Each look waits up to a quarter of a second; the question itself ends after five.
  while (await approvals.isUnanswered(story.platformId, id));
}
