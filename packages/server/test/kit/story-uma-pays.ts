/** A platform in production that pays an institution on the official JavaScript SDK, over a connector that pays invoices. */
import { type Clock, systemClock } from "../../src/std/clock.ts";
import { openConnector, signedCallback, type TestConnector } from "./rail-connector.ts";
import { openStory, type RawAnswer, type Story } from "./story.ts";
import {
  activeConnection,
  expectStatus,
  httpConnection,
  payerOf,
  paymentOf,
  routeTo,
} from "./story-rails.ts";
import { LIGHTNING } from "./story-uma-served.ts";
import { approveHere } from "./story-verifications.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { openPayee, type UmaPayee } from "./uma-payee.ts";
import { startUmaProxy } from "./uma-proxy.ts";

export const BOB = "$bob@vasp.test";

export interface QuoteWish {
  readonly side?: "SENDING" | "RECEIVING";
  readonly amount?: number;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly key?: string;
  readonly query?: string;
}

export interface PaysStory {
  readonly server: TestServer;
  readonly settings: Readonly<Record<string, string>>;
  readonly workspaceId: string;
  readonly bank: Story;
  readonly payee: UmaPayee;
  readonly connector: TestConnector;
  readonly connectionId: string;
  readonly customerId: string;
  /** The customer's account in dollars. */
  readonly accountId: string;
  /** How long the invoices that the connector reads last. */
  invoiceMs: number;
  /** Moves the host's time forward. Signatures of the institution are of the real time, so five minutes are the most. */
  pass(ms: number): void;
  look(more?: string): Promise<string>;
  quote(wish?: QuoteWish): Promise<RawAnswer>;
  execute(quoteId: string): Promise<RawAnswer>;
  /** The connector tells how the order of a transaction has ended. */
  report(transactionId: string, report: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

export interface PaysWish {
  readonly isRegulated?: boolean;
  /** Ports of further institutions, by their domains. */
  readonly institutions?: Readonly<Record<string, number>>;
  /** The server's clock, made from that of the story. */
  readonly toClock?: (clock: Clock) => Clock;
}

/** 80,000 USD are a bitcoin: a cent is 12,500 millisatoshis, and one of a euro 10,000.5. */
export async function openPays({
  isRegulated = true,
  institutions = {},
  toClock = (clock) => clock,
}: PaysWish = {}): Promise<PaysStory> {
  let passedMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + passedMs };
  const proxy = await startUmaProxy();
  const connector = await openConnector();
  connector.features = { invoices: true };
  connector.settlement = [LIGHTNING];
  let port = 0;
  const payee = await openPayee("vasp.test", () => port);
  const hosts = { ...institutions, "bank.test": proxy.port, "vasp.test": payee.port };
  const settings = {
    UMA_HOSTS: Object.entries(hosts)
      .map(([domain, to]) => `${domain}=http://127.0.0.1:${to}`)
      .join(","),
    RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}`,
    OUTBOUND_ALLOW_LOOPBACK: "all",
  };
  const server = await startTestServer({ clock: toClock(clock), settings });
  port = server.app.address.port;
  proxy.upstream = port;
  const { workspaceId } = await server.makePlatform();
  const wish = { environment: "PRODUCTION", umaDomain: "bank.test", isRegulated } as const;
  const bank = await openStory(server, { ...wish, workspaceId });
  const [{ id }] = (await bank.call("GET", "/uma/domains")).json.data;
  expectStatus(200, await bank.call("POST", `/uma/domains/${id}/check`));
  const connectionId = await activeConnection(bank, {
    ...httpConnection(connector),
    currencies: ["USD", "MSAT"],
  });
  await routeTo(bank, connectionId, { currency: "MSAT", accountTypes: ["UMA_ADDRESS"] });
  await bitcoinAt(bank, "80000");
  await requireName(bank);
  const { customerId, accountId } = await paidCustomer(bank, isRegulated);
  const story: PaysStory = {
    ...{
      server,
      settings,
      workspaceId,
      bank,
      payee,
      connector,
      connectionId,
      customerId,
      accountId,
    },
    invoiceMs: 600_000,
    pass(ms) {
      passedMs += ms;
    },
    async look(more = "") {
      const path = `/receiver/uma/${encodeURIComponent(BOB)}${more}`;
      return expectStatus(200, await bank.call("GET", path)).json.lookupId;
    },
    async quote({ side = "RECEIVING", amount = 1_000, more, key, query = "" } = {}) {
      const body = {
        source: { sourceType: "ACCOUNT", accountId },
        destination: { destinationType: "UMA_ADDRESS", umaAddress: BOB },
        lookupId: more?.lookupId ?? (await story.look()),
        lockedCurrencySide: side,
        lockedCurrencyAmount: amount,
        ...more,
      };
      return bank.call("POST", `/quotes${query}`, body, key === undefined ? {} : { key });
    },
    async report(transactionId, report) {
      const { id: orderId } = await paymentOf(bank, transactionId);
      const path = `/2025-10-13/rails/callbacks/${bare(connectionId)}`;
      const payment = { id: bare(orderId), ...report };
      const { text, headers } = signedCallback(path, payment, { atMs: clock.now() });
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: text,
      });
      if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
    },
    execute: (quoteId) => bank.call("POST", `/quotes/${quoteId}/execute`),
    async close() {
      await server.close();
      await Promise.all([proxy.close(), payee.close(), connector.close()]);
    },
  };
  connector.reply = ({ path, body }) => {
    if (path !== "/invoices/inspect") return undefined;
    const [, units] = /^lnbc(\d*)x/.exec(body.invoice) ?? [];
    const amount = units === "" ? null : units;
    if (amount === undefined) return { status: 422, body: { code: "not_an_invoice" } };
    const expiresAt = new Date(clock.now() + story.invoiceMs).toISOString();
    const asset = { identifier: "BTC" };
    return { status: 200, body: { layer: "ln", asset, amount, expiresAt, network: "bitcoin" } };
  };
  return story;
}

function bare(id: string): string {
  return id.split(":")[1] ?? "";
}

async function bitcoinAt(story: Story, rate: string): Promise<void> {
  const source = { name: "desk", kind: "FIXED", lockMinutes: 4_320 };
  const { id } = expectStatus(201, await story.call("POST", "/rates/sources", source)).json;
  const rates = [{ base: "BTC", quote: "USD", rate }];
  expectStatus(200, await story.call("PUT", `/rates/sources/${id}/rates`, { rates }));
}

/** Payees of payments in dollars must be known by name. */
async function requireName(bank: Story): Promise<void> {
  const usd = {
    currencyCode: "USD",
    minAmount: 1,
    maxAmount: 1_000_000_000,
    requiredCounterpartyFields: [{ name: "FULL_NAME", mandatory: true }],
    enabledTransactionTypes: ["OUTGOING", "INCOMING"],
  };
  expectStatus(200, await bank.call("PATCH", "/config", { supportedCurrencies: [usd] }));
}

/** A customer with 10,000 dollars, which the platform has given. */
async function paidCustomer(bank: Story, isRegulated: boolean) {
  const platform = await payerOf(bank, 1_000_000);
  const customer = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] };
  const more = { birthDate: "1990-02-01", umaAddress: "$ana@bank.test" };
  const { id: customerId } = expectStatus(
    201,
    await bank.call("POST", "/customers", { ...customer, ...more }),
  ).json;
  if (!isRegulated) await approveHere(bank, customerId);
  const path = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
  const accountId: string = (await bank.call("GET", path)).json.data[0].id;
  const given = await bank.call("POST", "/transfers", {
    source: { accountId: platform.accountId },
    destination: { accountId },
    amount: 1_000_000,
  });
  expectStatus(201, given);
  return { customerId, accountId };
}
