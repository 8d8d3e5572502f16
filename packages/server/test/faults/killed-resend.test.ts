/** A server is killed while it sends failed events again: it, or another server, goes on where the order stands. */
import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { endReceivers } from "../kit/receivers.ts";
import { type WebhookReceiver, webhookReceiver } from "../kit/webhook-deliveries.ts";
import { eventually } from "./eventually.ts";
import { customerWith, expectReply, fund, type Rig, startRig } from "./rig.ts";
import { limitMs } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

const CUSTOMERS = 10;
/** Each has two events. */
const FUNDS = 480;
const CALLERS = 8;
const LIMIT_MS = limitMs(60);
/** Attempts of an order under way, whose outcome a kill loses. */
const ROUND = 16;

afterEach(() => endReceivers());

async function sql(database: Rig["database"], text: string) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

/** Makes events, and leaves them as if the endpoint had failed all of them until they were given up. */
async function givenUpEvents({ database }: Rig, server: ServerProcess): Promise<number> {
  const accounts: string[] = [];
  for (let index = 0; index < CUSTOMERS; index++) {
    accounts.push((await customerWith(server, 0)).accountId);
  }
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let index = caller; index < FUNDS; index += CALLERS) {
      await fund(server, present(accounts[index % CUSTOMERS], "an account"), index + 1);
    }
  });
  await Promise.all(callers);
  await sql(
    database,
    "insert into webhook_deliveries (platform_id, event_seq, subject, state, attempts, parked_at, last_outcome) " +
      "select platform_id, seq, subject, 'FAILED', 9, now(), 'answered 500' from events",
  );
  const [[count] = []] = await sql(database, "select count(*) from events");
  return Number(count);
}

async function order(server: ServerProcess, url: string): Promise<string> {
  const set = { webhookEndpoint: url };
  await expectReply(server, 200, { method: "PATCH", path: "/config", body: set });
  const body = { filter: { failed: true } };
  const { id } = await expectReply(server, 202, { method: "POST", path: "/events/resend", body });
  return String(id);
}

const read = (server: ServerProcess, id: string) =>
  expectReply(server, 200, { method: "GET", path: `/event-resends/${id}` });

async function expectWhole(
  { database }: Rig,
  receiver: WebhookReceiver,
  { count, kills }: { readonly count: number; readonly kills: number },
): Promise<void> {
  const again = receiver.delivered.filter(({ headers }) => headers["x-redelivery"] === "true");
  const sequences = again.map(({ sequence }) => sequence);
  expect(new Set(sequences).size).toBe(count);
  expect(sequences.length - count).toBeLessThanOrEqual(kills * ROUND);
  const events = await sql(database, "select seq, subject, body from events order by seq");
  const bySequence = new Map(events.map(([seq, ...event]) => [Number(seq), event]));
  const last = new Map<string, number>();
  for (const { sequence, body } of again) {
    const [subject, text] = present(bySequence.get(sequence), "an event");
    expect(body.toString("utf8")).toBe(text);
    // A repeated one is the one that was under way, so it is never before one that was taken.
    expect(sequence).toBeGreaterThanOrEqual(last.get(subject) ?? 0);
    last.set(subject, sequence);
  }
  expect(await sql(database, "select 1 from webhook_deliveries")).toEqual([]);
}

it("sends every event, in order, over two kills, the second one's rest by another server", {
  timeout: 3 * LIMIT_MS,
}, async () => {
  const settings = { OUTBOUND_ALLOW_LOOPBACK: "sandbox" };
  const rig = await startRig({ servers: [{ settings }, { settings }] });
  try {
    const [first, second] = [present(rig.servers[0], "one"), present(rig.servers[1], "another")];
    await second.kill();
    const count = await givenUpEvents(rig, first);
    const receiver = await webhookReceiver(() => 200);
    const id = await order(first, receiver.url);
    const again = () =>
      receiver.delivered.filter(({ headers }) => headers["x-redelivery"] === "true").length;
    const reaches = (number: number) =>
      eventually(`${number} events`, () => (again() >= number ? true : undefined), LIMIT_MS);
    await reaches(count / 4);
    await first.kill();
    await first.start();
    await reaches(count / 2);
    await second.start();
    await first.kill();
    const ended = await eventually(
      "the end of the order",
      async () => {
        const now = await read(second, id);
        return now.state === "RUNNING" ? undefined : now;
      },
      LIMIT_MS,
    );
    expect(ended).toMatchObject({ state: "COMPLETED", matched: count, sent: count, failed: 0 });
    await expectWhole(rig, receiver, { count, kills: 2 });
  } finally {
    await rig.close();
  }
});
