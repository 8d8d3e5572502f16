/** A payment of another institution, and a valid call about it. Its pay request is a command, because no institution is there that signs it. */
import { randomUUID } from "node:crypto";
import {
  type PayRequestInput,
  receivePayRequest,
} from "../../src/domain/uma/incoming/receive-pay-request.ts";
import { travelRuleIdentity } from "../../src/domain/uma/incoming/travel-rule.ts";
import type { Make } from "./made-objects.ts";
import { fundedCustomer, type Story } from "./story.ts";
import { listenTo } from "./story-webhooks.ts";

/** What the payer's institution has told under the travel rule, and who makes the invoice. */
export interface Told {
  /** Null where it has told nothing. */
  readonly told?: string | null;
  readonly format?: string | null;
  /** The uuid of a connection; without it, one that is not there. */
  readonly connectionId?: string;
}

export async function invoicedTransaction(
  story: Story,
  { told = '{"originator":{}}', format = "ivms@101.2023", connectionId = randomUUID() }: Told = {},
): Promise<string> {
  const { webhookEndpoint } = (await story.call("GET", "/config")).json;
  if (webhookEndpoint === undefined) await listenTo(story, () => 202);
  const { customerId } = await fundedCustomer(story, 0);
  const { umaAddress } = (await story.call("GET", `/customers/${customerId}`)).json;
  const text = randomUUID();
  const sealId = randomUUID();
  const identity = travelRuleIdentity(story.platformId, sealId);
  const travelRule =
    told === null
      ? null
      : { sealId, format, contentSealed: story.server.app.store.sealer.seal(told, identity) };
  const input: PayRequestInput = {
    tokenId: text,
    vaspDomain: "vasp.example",
    receiver: { umaAddress, customerId: customerId.replace("Customer:", "") },
    sender: { umaAddress: "$bo@vasp.example", information: {}, requestedFields: [] },
    settlement: {
      ...{ connectionId, layer: "bank.example", identifier: "USD", asset: "USD" },
      ...{ decimals: 2, minMinor: null, maxMinor: null, invoiceSeconds: 300 },
    },
    currency: "USD",
    locked: { side: "RECEIVING", minor: 100n },
    comment: null,
    travelRule,
    message: { kind: "pay", domain: "vasp.example", text, signedAt: Date.now() },
  };
  const { status, body } = await story.server.app.engine.submit({
    platformId: story.platformId,
    actor: { kind: "worker", id: "uma" },
    command: receivePayRequest,
    input,
    toAnswer: ({ id }) => ({ status: 200, body: `Transaction:${id}` }),
  });
  if (status !== 200) throw new Error(body);
  return body;
}

export const umaPaymentObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  InvoicedTransaction: (story) => invoicedTransaction(story),
};

export const umaPaymentCalls: Readonly<Record<string, Make>> = {
  getUmaPayment: async (story) => ({ path: `/uma/payments/${await invoicedTransaction(story)}` }),
  getUmaTravelRule: async (story) => ({
    path: `/uma/payments/${await invoicedTransaction(story)}/travel-rule`,
  }),
};
