/** A payment of another institution, and a valid call about it. Its pay request is a command, because no institution is there that signs it. */
import { randomUUID } from "node:crypto";
import {
  type CreateQuoteInput,
  createQuote,
} from "../../src/domain/payments/quotes/create-quote.ts";
import type { OutsideTerms } from "../../src/domain/payments/quotes/outside-terms.ts";
import { corridorWithin } from "../../src/domain/prices/rates/corridor.ts";
import { type HookTry, recordHookTry } from "../../src/domain/uma/hooks/record-hook-try.ts";
import {
  type PayRequestInput,
  receivePayRequest,
} from "../../src/domain/uma/incoming/receive-pay-request.ts";
import { travelRuleIdentity } from "../../src/domain/uma/incoming/travel-rule.ts";
import { SANDBOX_LAYER } from "../../src/domain/uma/sandbox-layer.ts";
import type { Make } from "./made-objects.ts";
import { fundedCustomer, type Story } from "./story.ts";
import { setNetwork } from "./story-uma-sandboxes.ts";
import { listenTo, untilHeard } from "./story-webhooks.ts";

/** What the payer's institution has told under the travel rule. */
export interface Told {
  /** Null where it has told nothing. */
  readonly told?: string | null;
  readonly format?: string | null;
}

/** Of a sandbox, over the built-in layer, which it has from then on. */
export async function invoicedTransaction(
  story: Story,
  { told = '{"originator":{}}', format = "ivms@101.2023" }: Told = {},
): Promise<string> {
  const connectionId = await sandboxLayerOf(story);
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
      ...{ connectionId, layer: SANDBOX_LAYER, identifier: "USD", asset: "USD" },
      ...{ decimals: 2, invoiceSeconds: 300 },
    },
    currency: "USD",
    locked: { side: "RECEIVING", minor: 100n },
    comment: null,
    travelRule,
    hook: null,
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
  await untilHeard(story, body);
  return body;
}

/** The uuid of the connection of the built-in layer. It stays when the network is what it was again. */
async function sandboxLayerOf(story: Story): Promise<string> {
  const path = "/rails/connections?kind=SANDBOX";
  const { network } = (await story.call("GET", "/uma/policy")).json;
  await setNetwork(story, "PROTOCOL");
  await setNetwork(story, network);
  const { data } = (await story.call("GET", path)).json;
  return data[0].id.replace("RailConnection:", "");
}

/** A quote that pays an invoice of another institution, which nobody was asked for; its transaction. */
export async function offeredTransaction(
  story: Story,
  connectionId: string = randomUUID(),
): Promise<string> {
  const { accountId } = await fundedCustomer(story, 1_000);
  const input: CreateQuoteInput = {
    source: {
      kind: "internal",
      id: accountId.replace("InternalAccount:", ""),
      customerId: undefined,
    },
    destination: {
      kind: "uma",
      receiver: {
        umaAddress: "$bo@vasp.example",
        currency: "EUR",
        ...{ minMinor: 1n, maxMinor: 1_000n, requiredPayerFields: [], counterpartyInformation: {} },
        home: { kind: "outside", terms: offeredTerms(connectionId) },
      },
    },
    ...{ lockedSide: "RECEIVING", lockedMinor: 100n, immediatelyExecute: false },
    ...{ description: undefined, purposeOfPayment: undefined, remittanceInformation: undefined },
    senderCustomerInfo: {},
    bodySha256: "",
  };
  const { status, body } = await story.server.app.engine.submit({
    platformId: story.platformId,
    actor: { kind: "worker", id: "uma" },
    command: createQuote,
    input,
    toAnswer: ({ transactionId }) => ({ status: 200, body: `Transaction:${transactionId}` }),
  });
  if (status !== 200) throw new Error(body);
  return body;
}

/** What a try to tell the institution of a payment has come to, of which no institution is there. */
export async function triedHook(
  story: Story,
  id: string,
  tried: Pick<HookTry, "tries" | "outcome">,
): Promise<void> {
  const { status, body } = await story.server.app.engine.submit({
    platformId: story.platformId,
    actor: { kind: "worker", id: "uma" },
    command: recordHookTry,
    input: { transactionId: id.replace("Transaction:", ""), jobId: randomUUID(), ...tried },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  if (status !== 200) throw new Error(body);
}

function offeredTerms(connectionId: string): OutsideTerms {
  return {
    corridor: corridorWithin("USD"),
    price: null,
    ...{ lockMs: 300_000, leftMs: 300_000, receivingMinor: 100n, counterpartyFeeMinor: 2n },
    settlement: {
      ...{ layer: "bank.example", identifier: "USD", currency: "USD", minor: "127", fee: "2" },
      invoice: randomUUID(),
      payBy: new Date(Date.now() + 300_000).toISOString(),
      ...{ connectionId, vaspDomain: "vasp.example", umaVersion: "1.0" },
      ...{ multiplier: "1.25", unitsPerMinor: "5/4", perUnit: "1/1" },
      ...{ receiverKyc: "VERIFIED", isSubjectToTravelRule: true },
      travelRule: { format: "ivms@101.2023", sha256: "0".repeat(64) },
      ...{ fieldsSent: ["name", "birthDate"], fieldsReceived: ["name"] },
    },
  };
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
