/** Servers whose platform approves incoming payments, and its endpoint. */
import type { IncomingMessage } from "node:http";
import { httpReceiver } from "../kit/receivers.ts";
import { createTestDatabase, type TestDatabase } from "../kit/test-database.ts";
import type { Reachable } from "./history.ts";
import { type Customer, customerWith, expectReply, MASTER_KEY } from "./rig.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

export const AMOUNT = 7;

export interface QuestionRig {
  readonly database: TestDatabase;
  readonly servers: readonly ServerProcess[];
  readonly customer: Customer;
  close(): Promise<void>;
}

export async function startQuestionRig(count: number): Promise<QuestionRig> {
  const database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, MASTER_KEY, OUTBOUND_ALLOW_LOOPBACK: "sandbox" };
  const servers: ServerProcess[] = [];
  for (let index = 0; index < count; index++) servers.push(await startServerProcess({ env }));
  return {
    database,
    servers,
    customer: await customerWith(servers[0] as Reachable, 0),
    async close() {
      await Promise.all(servers.map((server) => server.stop()));
      await database.drop();
    },
  };
}

/** The endpoint's answer to an approval request: a status, or no answer. */
export type OnQuestion = (transactionId: string) => number | undefined;

/** Configures the platform's endpoint, which accepts all other events. Returns the payments of its approval requests. */
export async function askedAt(
  server: Reachable,
  onQuestion: OnQuestion,
): Promise<readonly string[]> {
  const asked: string[] = [];
  const { url } = await httpReceiver((request, response) => {
    void bodyOf(request).then((body) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { id: string } };
      if (type !== "INCOMING_PAYMENT.PENDING") {
        response.writeHead(200).end();
        return;
      }
      asked.push(data.id);
      const status = onQuestion(data.id);
      if (status !== undefined) response.writeHead(status).end();
    });
  });
  await expectReply(server, 200, {
    method: "PATCH",
    path: "/config",
    body: { webhookEndpoint: url },
  });
  return asked;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export async function announce(server: Reachable, { customerId }: Customer): Promise<string> {
  const made = await expectReply(server, 200, {
    method: "POST",
    path: "/sandbox/uma/receive",
    body: {
      senderUmaAddress: "$success.usd@sandbox.florin.test",
      customerId,
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: AMOUNT,
    },
  });
  return String(made.id);
}

/** Advances the platform's clock past all deadlines. */
export function letTimePass(server: Reachable): Promise<unknown> {
  const path = "/sandbox/clock/advance";
  return expectReply(server, 200, { method: "POST", path, body: { seconds: 30 }, limitMs: 30_000 });
}

export async function outcomes({ database }: QuestionRig) {
  const { rows } = await database.asSuperuser((client) =>
    client.query<{
      id: string;
      status: string;
      failure_reason: string | null;
      finalEvents: number;
    }>(
      "select 'Transaction:' || t.id as id, t.status, t.failure_reason, (select count(*)::int4 from events e " +
        "where e.platform_id = t.platform_id and e.subject = 'Transaction:' || t.id " +
        "and e.type in ('INCOMING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.FAILED')) as \"finalEvents\" from transactions t",
    ),
  );
  return rows;
}
