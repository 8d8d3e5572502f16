/** Pay requests amid kills: no invoice is credited twice, none that was given away is lost, and what was not given away ends. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { bugsIn, type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { chanceFrom } from "../kit/chance.ts";
import { type MovedTime, moveTime } from "../kit/moved-date.ts";
import { balanceOf } from "../kit/story-rails.ts";
import { openPaid, type PaidStory } from "../kit/story-uma-paid.ts";
import { TEST_MASTER_KEY } from "../kit/test-server.ts";

const ROUNDS = 4;
const REQUESTS = 6;
let time: MovedTime;
let at: PaidStory;
let killed: ServerProcess;
beforeAll(async () => {
  time = moveTime();
  at = await openPaid();
  const { clientId, clientSecret } = at.bank;
  // The credentials of a first start must be those of a token that is there.
  const token = { BOOTSTRAP_CLIENT_ID: clientId, BOOTSTRAP_CLIENT_SECRET: clientSecret };
  const place = { DATABASE_URL: at.server.database.url, MASTER_KEY: TEST_MASTER_KEY };
  killed = await startServerProcess({ env: { ...place, ...at.settings, ...token } });
});
afterAll(async () => {
  time.restore();
  await killed.stop();
  await at.close();
});

/** The connector's book: what it was told to cancel takes no money any more. */
function keepBook(): ReadonlySet<string> {
  const cancelled = new Set<string>();
  const make = at.connector.reply;
  at.connector.reply = (call) => {
    const [, id = "", act = ""] = /^\/invoices\/([0-9a-f-]{36})(\/cancel)?$/.exec(call.path) ?? [];
    if (id === "" || call.method === "PUT") return make(call);
    const order = at.invoices.get(id);
    if (order === undefined) return { status: 404, body: { code: "not_received" } };
    if (act !== "") cancelled.add(id);
    const status = cancelled.has(id) ? "cancelled" : "open";
    const { expiresAt } = order;
    return { status: 200, body: { status, invoice: `lnbc${id}`, expiresAt, entries: [] } };
  };
  return cancelled;
}

interface Request {
  readonly callback: string;
  readonly body: string;
}

const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The invoices that the killed server gave away. It is killed after a time, or at its first answer. */
async function round(
  requests: readonly Request[],
  after: number | "an answer",
): Promise<readonly string[]> {
  const port = Number(new URL(killed.baseUrl).port);
  const answers = requests.map(({ callback, body }) =>
    at.post(callback, body, port).catch(() => undefined),
  );
  await (after === "an answer" ? Promise.race(answers) : soon(after));
  await killed.kill();
  const given = (await Promise.all(answers)).flatMap((answer) =>
    answer?.status === 200 ? [JSON.parse(answer.text).pr.replace("lnbc", "")] : [],
  );
  await killed.start();
  return given;
}

it("are credited once each, or end", async () => {
  const chance = chanceFrom(7);
  const cancelled = keepBook();
  const had = await balanceOf(at.bank, at.accountId);
  const paid = new Set<string>();
  for (let count = 0; count < ROUNDS; count += 1) {
    const requests: Request[] = [];
    for (let index = 0; index < REQUESTS; index += 1) {
      const { callback } = await at.lookUp();
      requests.push({ callback, body: (await at.payRequest()).toJsonString() });
    }
    const given = await round(requests, count % 2 === 0 ? 20 + chance(400) : "an answer");
    // The payer's side pays what it was given, and once more.
    for (const id of given) {
      for (const _ of [1, 2])
        await at.tell(`Transaction:${id}`, BigInt(at.invoices.get(id).amount));
      paid.add(id);
    }
  }
  expect(bugsIn(killed)).toEqual([]);
  await killed.stop();
  time.pass(400_000);
  await at.bank.settle();
  const { data } = (await at.bank.call("GET", "/transactions?limit=100&type=INCOMING")).json;
  const states = data.map(({ id, status }: { id: string; status: string }) => [
    paid.has(id.replace("Transaction:", "")),
    status,
  ]);
  expect(new Set(states.map(String))).toEqual(new Set(["true,COMPLETED", "false,FAILED"]));
  expect((await balanceOf(at.bank, at.accountId)) - had).toBe(1_000 * paid.size);
  for (const id of at.invoices.keys()) expect(cancelled.has(id)).toBe(!paid.has(id));
}, 180_000);
