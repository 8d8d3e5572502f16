/** A platform in production that an institution on the official JavaScript SDK pays, over a connector that makes invoices. */
import type { KeyObject } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  getPayRequest,
  getSignedLnurlpRequestUrl,
  KycStatus,
  LnurlpResponse,
  type PayRequest,
  PubKeyResponse,
} from "@uma-sdk/core";
import { openConnector, signedCallback, type TestConnector } from "./rail-connector.ts";
import { endReceivers } from "./receivers.ts";
import { type Story, storyAt } from "./story.ts";
import { customerAt, LIGHTNING, listHosts, makesInvoices, openServed } from "./story-uma-served.ts";
import { approveHere } from "./story-verifications.ts";
import { listenTo, type Reply } from "./story-webhooks.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { askHost } from "./uma-proxy.ts";
import { openVasp, type TestVasp } from "./uma-vasp.ts";

export const APPROVED = {
  status: 200,
  body: JSON.stringify({ receiverCustomerInfo: { FULL_NAME: "Ana" } }),
};
export const TRAVEL_RULE = JSON.stringify({ originator: { originatorPerson: [] } });

export interface Wish {
  readonly amount?: number;
  readonly isAmountInReceivingCurrency?: boolean;
  readonly payer?: string;
  readonly utxoCallback?: string;
}

export interface Posted {
  readonly status: number;
  readonly text: string;
}

export interface PaidRequest extends Posted {
  readonly request: PayRequest;
  readonly callback: string;
  readonly transactionId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the orders for invoices as the connector got them
type Orders = Map<string, any>;

export class PaidStory {
  /** The platform's answer to the question whether it takes the payment. */
  approval: Reply = APPROVED;
  /** Whom the institution looks up. */
  receiver = "$ana@bank.test";
  /** The transactions that it was asked about. */
  readonly asked: string[] = [];
  readonly invoices: Orders = new Map();
  readonly #parts: Parts;
  #entries = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.connector.reply = (call) => {
      const id = /^\/invoices\/([0-9a-f-]{36})$/.exec(call.path)?.[1];
      if (id === undefined || call.method !== "PUT") return undefined;
      this.invoices.set(id, call.body);
      return { status: 200, body: { invoice: `lnbc${id}`, expiresAt: call.body.expiresAt } };
    };
  }

  get connector(): TestConnector {
    return this.#parts.connector;
  }

  get bank(): Story {
    return this.#parts.bank;
  }

  get accountId(): string {
    return this.#parts.accountId;
  }

  get server(): TestServer {
    return this.#parts.server;
  }

  /** Those with which another server of the deployment has to be started. */
  get settings(): Readonly<Record<string, string>> {
    return this.#parts.settings;
  }

  get port(): number {
    return this.#parts.server.app.address.port;
  }

  /** Of the institution that pays, as a key and as its 32 bytes. */
  get signingKey(): KeyObject {
    return this.#parts.vasp.signingKey;
  }

  get secret(): Buffer {
    return this.#parts.vasp.secret;
  }

  /** What the institution was told of payments at `hookUrlOf("vasp.test", …)`, oldest first. */
  readonly hooks: string[] = [];

  invoiceOf(transactionId: string) {
    return this.invoices.get(bare(transactionId));
  }

  async keys(): Promise<PubKeyResponse> {
    const path = "/.well-known/lnurlpubkey";
    return PubKeyResponse.fromJson((await askHost(this.port, { host: "bank.test", path })).text);
  }

  async lookUp(port = this.port): Promise<LnurlpResponse> {
    const url = await getSignedLnurlpRequestUrl({
      isSubjectToTravelRule: true,
      receiverAddress: this.receiver,
      senderVaspDomain: "vasp.test",
      signingPrivateKey: this.#parts.vasp.secret,
    });
    const path = url.pathname + url.search;
    const { status, text } = await askHost(port, { host: url.host, path });
    if (status !== 200) throw new Error(text);
    return LnurlpResponse.fromJson(text);
  }

  async payRequest({
    amount = 1_000,
    isAmountInReceivingCurrency = true,
    payer = "$bo@vasp.test",
    utxoCallback = "",
  }: Wish = {}): Promise<PayRequest> {
    return getPayRequest({
      amount,
      isAmountInReceivingCurrency,
      receivingCurrencyCode: "EUR",
      payerIdentifier: payer,
      payerKycStatus: KycStatus.Verified,
      payerName: "Bo Lind",
      payerUtxos: [],
      receiverEncryptionPubKey: (await this.keys()).getEncryptionPubKey(),
      sendingVaspPrivateKey: this.#parts.vasp.secret,
      trInfo: TRAVEL_RULE,
      travelRuleFormat: "ivms@101.2023",
      utxoCallback,
      requestedPayeeData: { name: { mandatory: true }, email: { mandatory: false } },
      comment: "for lunch",
      umaMajorVersion: 1,
    });
  }

  async post(callback: string, body: string, port = this.port): Promise<Posted> {
    const answer = await fetch(`http://127.0.0.1:${port}${new URL(callback).pathname}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** A pay request to a fresh lookup, and the transaction that it made. */
  async pay(wish: Wish = {}): Promise<PaidRequest> {
    const { callback } = await this.lookUp();
    const request = await this.payRequest(wish);
    const answer = await this.post(callback, request.toJsonString());
    const { data } = (await this.bank.call("GET", "/transactions?limit=1&sortOrder=desc")).json;
    return { ...answer, request, callback, transactionId: data[0]?.id };
  }

  /** The connector tells of money for the invoice of a payment. */
  async tell(
    transactionId: string,
    amount: bigint,
    entryId = `E-${++this.#entries}`,
  ): Promise<void> {
    const { data } = (await this.bank.call("GET", "/rails/connections")).json;
    const { id } = data.find(({ kind }: { readonly kind: string }) => kind === "HTTP");
    const entry = {
      id: entryId,
      amount: String(amount),
      currency: "MSAT",
      direction: "CREDIT",
      bookedAt: new Date().toISOString(),
      invoiceId: bare(transactionId),
    };
    const path = `/2025-10-13/rails/callbacks/${bare(id)}`;
    const { text, headers } = signedCallback(path, undefined, { entry });
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: text,
    });
    if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
  }

  /** The same platform, institutions and connector, at another server. The connector's book of invoices begins anew. */
  async on(server: TestServer): Promise<PaidStory> {
    return new PaidStory({ ...this.#parts, server, bank: await storyAt(server, this.bank) });
  }

  async close(): Promise<void> {
    await endReceivers();
    await this.server.close();
    await this.closeOthers();
  }

  /** Everything but the server. */
  async closeOthers(): Promise<void> {
    const { vasp, connector, closeProxy } = this.#parts;
    await endReceivers();
    await closeProxy();
    await vasp.close();
    await connector.close();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

interface Parts {
  readonly server: TestServer;
  readonly settings: Readonly<Record<string, string>>;
  readonly connector: TestConnector;
  readonly vasp: TestVasp;
  readonly bank: Story;
  readonly accountId: string;
  readonly closeProxy: () => Promise<void>;
}

function bare(id: string): string {
  return id.split(":")[1] ?? "";
}

export interface PaidWish {
  readonly isRegulated?: boolean;
  /** Ports of other institutions, by their domains. */
  readonly institutions?: Readonly<Record<string, number>>;
  /** What the connector says of its layer, beside `LIGHTNING`. */
  readonly layer?: Partial<typeof LIGHTNING>;
}

/** `$ana@bank.test` has an account in euros; 80,000 of them are a bitcoin. */
export async function openPaid({
  isRegulated = true,
  institutions = {},
  layer = {},
}: PaidWish = {}): Promise<PaidStory> {
  const connector = await openConnector();
  makesInvoices(connector);
  connector.settlement = [{ ...LIGHTNING, ...layer }];
  const vasp = await openVasp();
  const hosts = await listHosts(["bank.test"], vasp, ["vasp.test"]);
  const others = Object.entries(institutions).map(
    ([domain, port]) => `,${domain}=http://127.0.0.1:${port}`,
  );
  const settings = {
    UMA_HOSTS: hosts.setting + others.join(""),
    RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}`,
    OUTBOUND_ALLOW_LOOPBACK: "all",
  };
  const server = await startTestServer({ settings: { ...settings, METRICS_PORT: "0" } });
  hosts.proxy.upstream = server.app.address.port;
  const bank = await openServed(server, "bank.test", connector, isRegulated);
  const customerId = await customerAt(bank, "$ana@bank.test");
  if (!isRegulated) await approveHere(bank, customerId);
  const { json } = await bank.call("GET", `/customers/internal-accounts?customerId=${customerId}`);
  const closeProxy = () => hosts.proxy.close();
  const accountId = json.data[0].id;
  vasp.answer = (request, response) => {
    if (request.method !== "POST") return undefined;
    bodyOf(request).then((text) => {
      paid.hooks.push(text);
      response.end("{}");
    });
    return true;
  };
  const paid = new PaidStory({ server, settings, connector, vasp, bank, accountId, closeProxy });
  await listenTo(bank, ({ type, data }) => {
    if (type !== "INCOMING_PAYMENT.PENDING") return 200;
    paid.asked.push(data.id);
    return paid.approval;
  });
  return paid;
}
