/** The last payments of a demo are told to endpoints: one takes them, one fails now and then, one is gone. */
import type { Host } from "../host.ts";
import { textOf } from "../trigger/sandbox.ts";
import { type Calls, forEach } from "./calls.ts";
import type { DemoTools } from "./customers.ts";
import { type Cast, planPayment } from "./payments.ts";
import { isReachedFrom, openReceiver } from "./receiver.ts";

export interface Told {
  readonly endpoints: number;
  readonly umaPayments: number;
}

const PAYMENTS = 40;
const UMA_PAYMENTS = 15;
/** A name that no DNS server knows. */
const GONE = "https://receiver.demo.invalid/webhooks";
const SENDERS = ["success.usd", "success.usd", "success.usd", "fail.compliance.usd"];
const LOOK_AGAIN_MS = 100;
/** The platform has five seconds for its answer; later, the payment has failed. */
const MOST_LOOKS = 100;

export async function tellEndpoints(
  tools: DemoTools,
  cast: Cast,
  { host, apiUrl }: { readonly host: Host; readonly apiUrl: string },
): Promise<Told> {
  const { calls } = tools;
  await addEndpoint(calls, { url: GONE, description: "Old ledger, moved away" });
  if (!isReachedFrom(apiUrl)) {
    await payOn(tools, cast);
    return { endpoints: 1, umaPayments: 0 };
  }
  const receiver = await openReceiver();
  try {
    const before = (await calls.get("/config")).webhookEndpoint ?? null;
    await calls.patch("/config", { webhookEndpoint: receiver.goodUrl });
    const flaky = { url: receiver.flakyUrl, description: "Ledger" };
    await addEndpoint(calls, { ...flaky, events: ["OUTGOING_PAYMENT.*", "INCOMING_PAYMENT.*"] });
    await payOn(tools, cast);
    const umaPayments = await receiveByUma(tools, cast);
    await untilAnswered(calls, host);
    // The receiver ends with this program: no later payment may wait for its answer.
    await calls.patch("/config", { webhookEndpoint: before });
    return { endpoints: 2, umaPayments };
  } finally {
    await receiver.close();
  }
}

async function addEndpoint(
  calls: Calls,
  endpoint: {
    readonly url: string;
    readonly description: string;
    readonly events?: readonly string[];
  },
): Promise<void> {
  await calls.ask("/webhook-endpoints", endpoint);
}

async function payOn({ calls, chance }: DemoTools, cast: Cast): Promise<void> {
  const count = Math.min(PAYMENTS, cast.customers.length);
  const plans = Array.from({ length: count }, () => planPayment(chance, cast));
  await forEach(plans, ({ path, body, as }) => calls.ask(path, body, as));
}

/** From the counterparties of the sandbox, to customers. */
async function receiveByUma({ calls, chance }: DemoTools, { customers }: Cast): Promise<number> {
  const domain = textOf(await calls.get("/config"), "umaDomain");
  const count = Math.min(UMA_PAYMENTS, customers.length);
  const wishes = Array.from({ length: count }, () => ({
    senderUmaAddress: `$${chance.pick(SENDERS)}@sandbox.${domain}`,
    customerId: chance.pick(customers).id,
    receivingCurrencyCode: "USD",
    receivingCurrencyAmount: chance.between(500, 80_000),
  }));
  let received = 0;
  await forEach(wishes, async (wish) => {
    if ((await calls.ask("/sandbox/uma/receive", wish)) !== undefined) received += 1;
  });
  return received;
}

/** Until the platform has answered about each incoming payment. The clock must stand still: it would end the time for the answers. */
async function untilAnswered(calls: Calls, host: Host): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const { data } = await calls.get("/transactions?type=INCOMING&status=PENDING&limit=1");
    if (!Array.isArray(data) || data.length === 0) return;
    await host.pause(LOOK_AGAIN_MS, host.stopped);
  }
}
