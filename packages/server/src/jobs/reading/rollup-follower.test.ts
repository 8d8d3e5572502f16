/** The sums of the overview equal what the tables say, whatever happens to the connections of the workers that count. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sampleOf } from "../../../test/kit/sample.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../../test/kit/story.ts";
import { askQuote, euroAccount, execute } from "../../../test/kit/story-quotes.ts";
import { startTestServer, type TestServer } from "../../../test/kit/test-server.ts";
import type { WrittenCommit } from "../../engine/engine.ts";
import type { Lane } from "../../postgres/database.ts";
import type { Step } from "../../postgres/pipeline.ts";
import { systemClock } from "../../std/clock.ts";
import { silentLog } from "../../std/log.ts";
import { createRollupFollower } from "./rollup-follower.ts";

/** Far ahead of the server's own worker, so that a lease of it has ended. */
let aheadMs = 60_000;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let story: Story;
let others: Story;
/** Those of the payments. */
const commits: WrittenCommit[] = [];

beforeAll(async () => {
  server = await startTestServer();
  await server.app.rollups.stop();
  server.app.engine.onCommitted({
    committed: (commit) => commits.push(commit),
    dueJobs: () => undefined,
    newEvents: () => undefined,
  });
  story = await openStory(server);
  others = await openStory(server);
  for (const each of [story, others]) {
    const { customerId, accountId } = await fundedCustomer(each, 1_000_000);
    const pay = async (suffix: string, amount: number) => {
      const destination = await bankAccount(each, { customerId, suffix });
      await each.call("POST", "/transfer-out", {
        source: { accountId },
        destination: { accountId: destination },
        amount,
      });
    };
    for (const suffix of ["789", "789", "002", "003", "004", "005"]) await pay(suffix, 1_000);
    for (const suffix of ["005", "006", "789"]) {
      const to = await euroAccount(each, customerId, suffix);
      const quote = await askQuote(each, { from: accountId, to, amount: 10_000 });
      await execute(each, quote.json.id);
      await each.settle();
    }
    await each.call("POST", "/sandbox/clock/advance", { seconds: 3_600 });
    await pay("789", 250);
    await each.settle();
    await each.call("POST", "/sandbox/clock/advance", { seconds: 86_400 });
  }
});
afterAll(() => server.close());

beforeEach(async () => {
  aheadMs += 60_000;
  await clearSums();
});

async function clearSums(): Promise<void> {
  for (const table of ["payment_hours", "payment_days", "overview_positions"])
    await sql(`delete from ${table}`);
}

async function sql(text: string): Promise<readonly (readonly string[])[]> {
  return server.app.store.database.withClient(async (client) => {
    const { rows } = await client.query({ text, rowMode: "array" });
    return rows.map((row: unknown[]) => row.map(String));
  });
}

/** From the tables of the payments: what has ended, by hour or day. */
const expected = (unit: string) =>
  sql(
    `select t.platform_id, date_trunc('${unit}', e.at, 'UTC')::text, t.type, ` +
      "case when t.type = 'OUTGOING' then coalesce(t.sent_currency, t.received_currency) else coalesce(t.received_currency, t.sent_currency) end, " +
      "case when e.type like '%COMPLETED' then case when t.status = 'COMPLETED' and t.refund is not null then 'CANCELLED' else 'COMPLETED' end " +
      "when t.failure ->> 'stage' = 'RETURN' then 'RETURNED' else 'FAILED' end, " +
      "case when e.type like '%COMPLETED' then '' else t.failure ->> 'code' end, count(*), " +
      "sum(case when t.type = 'OUTGOING' then coalesce(t.sent_minor, t.received_minor) else coalesce(t.received_minor, t.sent_minor) end) " +
      "from events e join transactions t on t.platform_id = e.platform_id and e.subject = 'Transaction:' || t.id " +
      "where e.type ~ '_PAYMENT.(COMPLETED|FAILED)$' group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6",
  );

const counted = (table: string) =>
  sql(
    "select platform_id, starts_at::text, type, currency, outcome, reason, sum(payments), sum(amount_minor) " +
      `from ${table} group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`,
  );

async function expectExact(): Promise<void> {
  expect(await counted("payment_hours")).toEqual(await expected("hour"));
  expect(await counted("payment_days")).toEqual(await expected("day"));
  expect(
    await sql(
      "select h.platform_id from platform_heads h left join overview_positions p using (platform_id) " +
        "where h.event_seq > coalesce(p.position, 0)",
    ),
  ).toEqual([]);
}

type Database = Parameters<typeof createRollupFollower>[0]["database"];

const workerOn = (database: Database = server.app.store.database) =>
  createRollupFollower({ database, clock, log: silentLog });

/** Connections whose statements are seen before they are sent. */
function watching(see: (step: Step) => void): Database {
  return {
    async openLane(name) {
      const lane = await server.app.store.database.openLane(name);
      const run: Lane["run"] = (steps) => {
        for (const step of steps) see(step);
        return lane.run(steps);
      };
      return { ...lane, run };
    },
  };
}

/** Connections that break at some runs: before the statements were sent, or before their answer came. */
function breaking(breaksAt: (run: number) => "before" | "after" | undefined): Database {
  let runs = 0;
  return {
    async openLane(name) {
      const lane = await server.app.store.database.openLane(name);
      const run: Lane["run"] = async (steps) => {
        const how = breaksAt(runs++);
        if (how === "before") throw new Error("the connection broke");
        const results = await lane.run(steps);
        if (how === "after") throw new Error("the connection broke");
        return results;
      };
      return { ...lane, run };
    },
  };
}

it("counts each payment once, as the tables say", async () => {
  const worker = workerOn();
  await worker.runOnce();
  await expectExact();
  const kinds = (await counted("payment_days")).map((row) => row[4]);
  expect(new Set(kinds)).toEqual(new Set(["CANCELLED", "COMPLETED", "FAILED", "RETURNED"]));
  await worker.runOnce();
  await expectExact();
  await worker.stop();
});

it("counts from commits what it would read, and reads where one is missing", async () => {
  const own = new Set(commits.map(({ platformId }) => platformId));
  const heads = await sql("select platform_id from platform_heads where event_seq > 0");
  const others = heads.filter(([platformId]) => !own.has(platformId ?? "")).length;
  const withEvents = commits.filter(({ after, upTo }) => after < upTo);
  for (const missing of [undefined, withEvents[0], withEvents[7], withEvents.at(-1)]) {
    aheadMs += 60_000;
    await clearSums();
    let reads = 0;
    const worker = workerOn(
      watching(({ statement: { name } }) => {
        if (name === "payment_rollups/count") reads++;
      }),
    );
    for (const commit of commits) if (commit !== missing) worker.committed(commit);
    await worker.runOnce();
    await worker.runOnce();
    await expectExact();
    await worker.stop();
    if (missing === undefined) expect(reads).toBe(others);
    else expect(reads).toBeGreaterThan(others);
  }
});

/** The runs of a worker that may break. */
const RUNS = Array.from({ length: 12 }, (_, run) => run);

it.each(["before", "after"] as const)(
  "counts once when connections break %s a run",
  async (how) => {
    for (const place of sampleOf(RUNS)) {
      await sql("delete from payment_hours");
      await sql("delete from payment_days");
      await sql("delete from overview_positions");
      const broken = workerOn(breaking((run) => (run === place ? how : undefined)));
      await broken.runOnce();
      await broken.stop();
      aheadMs += 60_000;
      const next = workerOn();
      await next.runOnce();
      await expectExact();
      await next.stop();
    }
  },
);

it("counts once when several workers count at the same time, with leases or without", async () => {
  for (let round = 0; round < 5; round++) {
    await sql("delete from payment_hours");
    await sql("delete from payment_days");
    await sql("delete from overview_positions");
    const workers = Array.from({ length: 4 }, () => workerOn());
    await Promise.all(
      workers.map(async (worker) => {
        await worker.runOnce();
        aheadMs += 20_000;
        await worker.runOnce();
      }),
    );
    aheadMs += 60_000;
    await workers[0]?.runOnce();
    await expectExact();
    for (const worker of workers) await worker.stop();
  }
});

it("does not touch a platform that another worker has leased", async () => {
  const [first, second] = [workerOn(), workerOn()];
  await first.runOnce();
  await fundedCustomer(story);
  await second.runOnce();
  const [[behind] = []] = await sql(
    "select count(*) from platform_heads h join overview_positions p using (platform_id) where h.event_seq > p.position",
  );
  expect(behind).toBe("1");
  aheadMs += 60_000;
  await second.runOnce();
  await expectExact();
  for (const worker of [first, second]) await worker.stop();
});

it("adds hours that are long past to their days alone", async () => {
  aheadMs += 30 * 86_400_000;
  const worker = workerOn();
  await worker.runOnce();
  expect(await counted("payment_hours")).toEqual([]);
  expect(await counted("payment_days")).toEqual(await expected("day"));
  await worker.stop();
});

it("reads the events of a batch by their key, and payments by theirs", async () => {
  const { countStep, EVENTS_AT_ONCE } = await import(
    "../../domain/reading/overview/payment-rollups.sql.ts"
  );
  const { text } = countStep(story.platformId, { from: 0n, to: 9n }).statement;
  const plan = await server.app.store.database.withClient(async (client) => {
    await client.query("set enable_seqscan = off");
    const values = [story.platformId, "0", String(EVENTS_AT_ONCE)];
    const { rows } = await client.query({ text: `explain ${text}`, values, rowMode: "array" });
    return rows.join("\n");
  });
  expect(plan).toContain("events_pkey");
  expect(plan).toContain("transactions_pkey");
});
