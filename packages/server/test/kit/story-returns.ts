/** A production platform whose connector pays dollars and euros, and what it tells of payouts that have settled. */
import { present } from "../../src/std/assert.ts";
import { signedCallback, type TestConnector } from "./rail-connector.ts";
import { openStory, type RawAnswer, type Story } from "./story.ts";
import { tellEntry } from "./story-funding.ts";
import {
  activeConnection,
  expectStatus,
  httpConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
} from "./story-rails.ts";
import type { TestServer } from "./test-server.ts";

type Json = RawAnswer["json"];

export interface Bank {
  readonly story: Story;
  readonly payer: Payer;
  readonly connectionId: string;
  readonly sourceId: string;
}

const CAPABILITIES = [
  {
    direction: "OUT",
    currency: "USD",
    accountTypes: ["USD_ACCOUNT"],
    paymentRails: ["ACH", "WIRE"],
  },
  { direction: "PULL", currency: "USD", accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH"] },
  {
    direction: "OUT",
    currency: "EUR",
    accountTypes: ["EUR_ACCOUNT"],
    paymentRails: ["SEPA", "SEPA_INSTANT"],
  },
];

/** A quote has a fee of 25 cents and a spread of half a percent; the source's rate is set by the test. */
export async function openBank(
  server: TestServer,
  connector: TestConnector,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Bank> {
  connector.capabilities = CAPABILITIES;
  connector.report = () => ({ status: "accepted", askAgainSeconds: 86_400 });
  const story = await openStory(server, { environment: "PRODUCTION", isRegulated: true });
  const payer = await payerOf(story, 10_000_000);
  const body = { ...httpConnection(connector), currencies: ["USD", "EUR"], ...more };
  const connectionId = await activeConnection(story, body);
  await routeTo(story, connectionId);
  await routeTo(story, connectionId, { direction: "PULL" });
  await routeTo(story, connectionId, { currency: "EUR" });
  const source = { name: "desk", kind: "FIXED" };
  const sourceId = expectStatus(201, await story.call("POST", "/rates/sources", source)).json.id;
  const spreads = [{ from: "*", to: "*", bps: 50 }];
  expectStatus(200, await story.call("PUT", "/rates/spreads", { spreads }));
  const rules = [{ from: "USD", to: "*", fixedMinor: 25, bps: 0 }];
  expectStatus(200, await story.call("PUT", "/fees", { rules }));
  return { story, payer, connectionId, sourceId };
}

/** Dollars for a euro. */
export async function setEuroRate({ story, sourceId }: Bank, rate: string): Promise<void> {
  const rates = [{ base: "EUR", quote: "USD", rate }];
  expectStatus(200, await story.call("PUT", `/rates/sources/${sourceId}/rates`, { rates }));
}

export const bareId = (wireId: string) => wireId.slice(wireId.indexOf(":") + 1);

/** What the connector reports of an order. */
export async function tellReport(
  { story, connectionId }: Bank,
  orderId: string,
  report: Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = `/rails/callbacks/${bareId(connectionId)}`;
  const { text, headers } = signedCallback(`/2025-10-13${path}`, {
    id: bareId(orderId),
    ...report,
  });
  expectStatus(204, await story.call("POST", path, text, { authorization: null, headers }));
}

/** The order of a payment, once it was given to the connector and has settled. */
export async function settledOrder(
  bank: Bank,
  transactionId: string,
  more: { readonly settledOn?: string } = {},
): Promise<Json> {
  await bank.story.settle();
  const { id } = await paymentOf(bank.story, transactionId);
  await tellReport(bank, id, { status: "settled", ...more });
  return (await bank.story.call("GET", `/rails/payments/${id}`)).json;
}

let lines = 0;

/** A line of the account outside, as its connector tells it; as it was booked, with its item. */
export async function tellLine(
  { story, connectionId }: Bank,
  line: { readonly amount: number; readonly currency: string } & Readonly<Record<string, unknown>>,
): Promise<{ readonly entry: Json; readonly item: Json | undefined }> {
  lines += 1;
  const bookedAt = new Date().toISOString().slice(0, 10);
  const told = { id: `B-${lines}`, direction: "CREDIT", bookedAt, ...line };
  const entry = { ...told, amount: String(line.amount) };
  expectStatus(204, await tellEntry(story, connectionId, entry));
  const query = `connectionId=${connectionId}&limit=100`;
  const { data } = (await story.call("GET", `/rails/entries?${query}`)).json;
  const booked = data.find((each: Json) => each.bankReference === told.id);
  const items = (await story.call("GET", `/rails/items?${query}`)).json.data;
  return {
    entry: present(booked, "the entry that was told"),
    item: items.find((each: Json) => each.entryId === booked.id),
  };
}
