/** A database with platforms and events to deliver, and receivers that record deliveries. */
import type { IncomingMessage, ServerResponse } from "node:http";
import pg from "pg";
import { generateWebhookKeyPair } from "../../src/domain/events/signature.ts";
import { type BatchRule, endpointKeyIdentity } from "../../src/domain/events/webhook-endpoint.ts";
import { webhookKeyIdentity } from "../../src/domain/platform.ts";
import { createOutboundClient } from "../../src/outside/outbound-http/outbound-client.ts";
import { type Database, openDatabase } from "../../src/postgres/database.ts";
import { createSealer, toMasterKey } from "../../src/secrets/sealing.ts";
import { type Clock, toIso } from "../../src/std/clock.ts";
import { randomIds } from "../../src/std/ids.ts";
import { silentLog } from "../../src/std/log.ts";
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
} from "../../src/webhooks/deliver-webhooks.ts";
import { httpReceiver } from "./receivers.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

export const START_MS = Date.UTC(2025, 9, 13, 12);

const sealer = createSealer({ current: toMasterKey("0123456789abcdef".repeat(4), "the test") });
const ids = randomIds();

type Cells = readonly (string | null)[];

export interface DeliveryStore {
  readonly database: Database;
  readonly address: TestDatabase["address"];
  readonly asSuperuser: TestDatabase["asSuperuser"];
  sql(text: string, values?: readonly unknown[]): Promise<readonly Cells[]>;
  /** Deletes all streams and endpoints, so that tests are independent. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function openDeliveryStore(): Promise<DeliveryStore> {
  const { address, asSuperuser, drop } = await createTestDatabase();
  const database = openDatabase({ address, log: silentLog });
  const types = { getTypeParser: () => (text: string) => text };
  const client = new pg.Client({ ...address, types });
  await client.connect();
  const sql: DeliveryStore["sql"] = async (text, values = []) => {
    const query = { text, values: [...values], rowMode: "array" } as const;
    return (await client.query<(string | null)[]>(query)).rows;
  };
  return {
    database,
    address,
    asSuperuser,
    sql,
    async clear() {
      await sql("delete from webhook_deliveries");
      await sql("delete from webhook_resends");
      await sql("delete from event_resends");
      await sql("delete from webhook_streams");
      await sql("delete from webhook_endpoints");
      await sql("update platforms set webhook_endpoint = null");
    },
    async close() {
      await client.end();
      await database.close();
      await drop();
    },
  };
}

export interface TestPlatform {
  readonly id: string;
  readonly publicKey: string;
}

export async function addPlatform(
  { sql }: DeliveryStore,
  endpoint: string | null,
  environment: "SANDBOX" | "PRODUCTION" = "SANDBOX",
): Promise<TestPlatform> {
  const id = ids.next(START_MS);
  const { publicKeyPem, privateKeyPkcs8 } = generateWebhookKeyPair();
  await sql("insert into platform_heads (platform_id) values ($1)", [id]);
  await sql(
    "insert into platforms (platform_id, id, name, environment, uma_domain, uma_domains, proxy_uma_subdomain, " +
      "is_regulated_financial_institution, webhook_endpoint, webhook_since_event_seq, webhook_public_key, webhook_private_key_sealed, " +
      "supported_currencies, created_at, updated_at, webhook_setting, workspace_id, reviewers) values " +
      "($1, $1, 'P', $2, 'p.test', '[]', 'p', false, $3, 0, $4, $5, '[]', now(), now(), 1, $1, 'WORKSPACE')",
    [id, environment, endpoint, publicKeyPem, sealer.seal(privateKeyPkcs8, webhookKeyIdentity(id))],
  );
  return { id, publicKey: publicKeyPem };
}

export interface TestEndpoint {
  readonly id: string;
  readonly publicKey: string;
}

/** Adds an endpoint beside the one of the configuration, which gets all events. */
export async function addEndpoint(
  { sql }: DeliveryStore,
  platformId: string,
  { url, batch }: { readonly url: string; readonly batch: BatchRule },
): Promise<TestEndpoint> {
  const id = ids.next(START_MS);
  const { publicKeyPem, privateKeyPkcs8 } = generateWebhookKeyPair();
  const sealed = sealer.seal(privateKeyPkcs8, endpointKeyIdentity(platformId, "key"));
  await sql(
    "insert into webhook_endpoints (platform_id, id, url, events, is_disabled, setting, since_event_seq, filter_since_event_seq, " +
      "signature, key_id, public_key, secret_sealed, created_at, updated_at, batch_events, batch_wait_ms) values " +
      "($1, $2, $3, '[]', false, 0, 0, 0, 'P256', 'key', $4, $5, now(), now(), $6, $7)",
    [platformId, id, url, publicKeyPem, sealed, batch.maxEvents, batch.maxWaitMs],
  );
  return { id, publicKey: publicKeyPem };
}

/** Sets the endpoint like PATCH /config: the first endpoint receives events from now on. */
export async function setEndpoint(
  { sql }: DeliveryStore,
  id: string,
  endpoint: string,
): Promise<void> {
  await sql(
    "update platforms set webhook_endpoint = $2, webhook_setting = webhook_setting + 1, webhook_since_event_seq = " +
      "case when webhook_endpoint is not null then webhook_since_event_seq else " +
      "(select event_seq from platform_heads where platform_id = $1) end where platform_id = $1",
    [id, endpoint],
  );
}

export interface NewEvent {
  readonly subject: string;
  readonly type?: string;
  readonly at?: number;
  /** A text of the event's data. */
  readonly note?: string;
}

const NOTE = "ünïcode 💶 \u2028";

export async function addEvents(
  { sql }: DeliveryStore,
  platformId: string,
  events: readonly NewEvent[],
): Promise<readonly string[]> {
  const [[last] = []] = await sql("select event_seq from platform_heads where platform_id = $1", [
    platformId,
  ]);
  const rows = events.map(
    ({ subject, type = "OUTGOING_PAYMENT.COMPLETED", at = START_MS, note = NOTE }, index) => {
      const id = ids.next(START_MS);
      const data = JSON.stringify({ id: subject, note });
      const body = `{"id":"Webhook:${id}","type":"${type}","timestamp":"${toIso(at)}","data":${data}}`;
      return { seq: Number(last) + index + 1, id, type, subject, at: toIso(at), body };
    },
  );
  await sql(
    "insert into events select $1, x.seq, x.id, 1, x.type, x.subject, x.at, x.body from jsonb_to_recordset($2) " +
      "x(seq int8, id uuid, type text, subject text, at timestamptz, body text)",
    [platformId, JSON.stringify(rows)],
  );
  await sql("update platform_heads set event_seq = event_seq + $2 where platform_id = $1", [
    platformId,
    events.length,
  ]);
  return rows.map((row) => row.body);
}

export interface Delivered {
  readonly sequence: number;
  /** Of all events of a batch, in order. */
  readonly batch: readonly number[];
  readonly body: Buffer;
  readonly headers: IncomingMessage["headers"];
}

/** A status, a status with headers, or no answer. */
export type ReceiverAnswer =
  | number
  | { readonly status: number; readonly headers: Record<string, string> }
  | "hang";

export interface WebhookReceiver {
  readonly url: string;
  readonly delivered: Delivered[];
  readonly sequences: () => readonly number[];
  /** The maximum number of concurrent deliveries. */
  readonly widest: () => number;
  received(count: number): Promise<void>;
}

export async function webhookReceiver(
  answer: (
    delivered: Delivered,
    response: ServerResponse,
  ) => ReceiverAnswer | Promise<ReceiverAnswer>,
): Promise<WebhookReceiver> {
  const delivered: Delivered[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let underway = 0;
  let widest = 0;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    widest = Math.max(widest, ++underway);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers } = request;
    const batch = String(headers["x-event-sequence"]).split(",").map(Number);
    const [sequence = Number.NaN] = batch;
    const one = { sequence, batch, body: Buffer.concat(chunks), headers };
    delivered.push(one);
    for (const { count, resolve } of waiting) if (delivered.length >= count) resolve();
    const said = await answer(one, response);
    underway--;
    if (said === "hang") return;
    if (typeof said === "number") response.writeHead(said).end("thanks");
    else response.writeHead(said.status, said.headers).end();
  }

  const { url } = await httpReceiver((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  return {
    url,
    delivered,
    sequences: () => delivered.map((one) => one.sequence),
    widest: () => widest,
    received: (count) =>
      delivered.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
  };
}

export interface WorkerSetup extends Partial<DeliveryWorkerOptions> {
  readonly clock: Clock;
  readonly database: Database;
}

/** A worker with its own outbound client; sandbox platforms may have endpoints on this machine. */
export function deliveryWorker(setup: WorkerSetup): DeliveryWorker {
  return createDeliveryWorker({
    log: silentLog,
    outbound: createOutboundClient({ clock: setup.clock }),
    sealer,
    allowsLoopback: (environment) => environment === "SANDBOX",
    ...setup,
  });
}

export const about = (...subjects: readonly string[]): readonly NewEvent[] =>
  subjects.map((subject) => ({ subject }));

export async function positionOf({ sql }: DeliveryStore, platformId: string): Promise<number> {
  const [[position] = []] = await sql(
    "select position from webhook_streams where platform_id = $1",
    [platformId],
  );
  return Number(position);
}

export interface Parked {
  readonly seq: number;
  readonly state: string;
  readonly attempts: number;
  readonly nextAt: number | undefined;
  readonly outcome: string | null;
}

/** The events that wait for a retry or were given up. */
export async function parkedOf(
  { sql }: DeliveryStore,
  platformId: string,
): Promise<readonly Parked[]> {
  const rows = await sql(
    "select event_seq, state, attempts, (extract(epoch from next_at) * 1000)::int8, last_outcome " +
      "from webhook_deliveries where platform_id = $1 order by event_seq",
    [platformId],
  );
  return rows.map(([seq, state, attempts, nextAt, outcome]) => ({
    seq: Number(seq),
    state: state ?? "",
    attempts: Number(attempts),
    nextAt: nextAt === null ? undefined : Number(nextAt),
    outcome: outcome ?? null,
  }));
}
