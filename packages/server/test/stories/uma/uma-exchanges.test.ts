/** What was exchanged with other institutions: listed and counted beside the messages. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Exchange } from "../../../src/domain/uma/exchanges/exchange-log.port.ts";
import {
  findCounts,
  sweepCounterpartyCounts,
} from "../../../src/domain/uma/exchanges/uma-exchange.sql.ts";
import { parameter } from "../../../src/postgres/columns.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { KEYS, seen } from "../../kit/valid-uma-policy-calls.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer({ settings: { METRICS_PORT: "0" } });
});
beforeEach(async () => {
  story = await openStory(server);
});
afterAll(() => server.close());

const LOOKUP_ID = "019a4f00-0000-7000-8000-000000000092";

async function record(change: Partial<Exchange> = {}): Promise<void> {
  const { exchangeLog, settled } = server.app.umaNotes;
  exchangeLog.record({
    ...{ platformId: story.platformId, direction: "IN", kind: "LOOKUP" },
    ...{ vaspDomain: "vasp.example", umaVersion: "1.0", outcome: "OK", ms: 12.4 },
    ...change,
  });
  await settled();
}

const list = async (query = "", of = story) =>
  expectStatus(200, await of.call("GET", `/uma/exchanges${query}`)).json.data;

it("lists exchanges newest first, with no more than how they ended", async () => {
  await record({ lookupId: LOOKUP_ID });
  await record({ direction: "OUT", kind: "PAY_REQUEST", outcome: "PAYREQ_REQUEST_FAILED" });
  const [last, first, ...more] = await list();
  expect(more).toEqual([]);
  expect(first).toEqual({
    id: expect.stringMatching(/^UmaExchange:/),
    at: expect.any(String),
    direction: "IN",
    kind: "LOOKUP",
    vaspDomain: "vasp.example",
    umaVersion: "1.0",
    outcome: "OK",
    ms: 12,
    lookupId: `Lookup:${LOOKUP_ID}`,
  });
  expect(last).toMatchObject({ direction: "OUT", outcome: "PAYREQ_REQUEST_FAILED" });
});

it("finds those with one institution, page by page, of its own platform alone", async () => {
  const other = await openStory(server);
  for (let count = 0; count < 3; count += 1) await record();
  await record({ vaspDomain: "other.example" });
  expect(await list("?vaspDomain=VASP.example")).toHaveLength(3);
  const page = await story.call("GET", "/uma/exchanges?vaspDomain=vasp.example&limit=2");
  expect(page.json).toMatchObject({ hasMore: true, totalCount: 3 });
  const rest = await list(`?vaspDomain=vasp.example&limit=2&cursor=${page.json.nextCursor}`);
  expect(rest).toHaveLength(1);
  expect(await list("", other)).toEqual([]);
});

it("keeps no text that is no code, and no time that is none", async () => {
  await record({ outcome: "$bob@vasp.example wants 5", ms: -7 });
  await record({ ms: 1e12 });
  const rows = await list();
  expect(rows.map(({ outcome, ms }: Exchange) => [outcome, ms])).toEqual([
    ["OK", 2_147_483_647],
    ["OTHER", 0],
  ]);
});

it("counts what went well for each counterparty", async () => {
  await seen(story, "vasp.example", KEYS.first);
  await record();
  await record();
  await record({ outcome: "USER_NOT_FOUND" });
  await record({ direction: "OUT" });
  await record({ direction: "OUT", kind: "PAY_REQUEST" });
  await record({ kind: "HOOK" });
  await record({ vaspDomain: "stranger.example" });
  const { data } = (await story.call("GET", "/uma/counterparties")).json;
  expect(data).toMatchObject([
    {
      domain: "vasp.example",
      counts: { lookupsIn: 2, lookupsOut: 1, paymentsIn: 0, paymentsOut: 1 },
    },
  ]);
});

it("forgets the counts of a counterparty with it, and no others", async () => {
  const other = await openStory(server);
  await seen(story, "vasp.example", KEYS.first);
  await seen(other, "vasp.example", KEYS.first);
  await record();
  await record({ platformId: other.platformId });
  const lane = await server.app.store.database.openLane("test");
  try {
    await sweepCounterpartyCounts(lane);
    const deleted = "update uma_counterparties set deleted_at = now() where platform_id = $1::uuid";
    const parameters = [parameter("uuid", story.platformId)];
    await lane.run([{ statement: { name: "", text: deleted }, parameters }]);
    expect(await sweepCounterpartyCounts(lane)).toBe(1);
    const kept = await findCounts(server.app.store.database.reads, other.platformId, [
      "vasp.example",
    ]);
    expect(kept.get("vasp.example")?.lookupsIn).toBe(1n);
  } finally {
    await lane.close();
  }
});

it("shows figures without a domain, and counts strangers that it does not list", async () => {
  const { exchangeLog } = server.app.umaNotes;
  exchangeLog.count({ direction: "IN", kind: "LOOKUP", outcome: "INVALID_SIGNATURE", ms: 500 });
  exchangeLog.count({ direction: "IN", kind: "LOOKUP", outcome: "bad domain", ms: 500 });
  await record({ direction: "OUT", kind: "HOOK", ms: 2_000 });
  expect(await list()).toHaveLength(1);
  const text = await (await fetch(`http://127.0.0.1:${server.app.metricsPort}/metrics`)).text();
  for (const line of [
    'florin_uma_exchanges_total{direction="IN",kind="LOOKUP",outcome="INVALID_SIGNATURE"} 1',
    'florin_uma_exchanges_total{direction="IN",kind="LOOKUP",outcome="OTHER"}',
    'florin_uma_refused_total{reason="INVALID_SIGNATURE"} 1',
    'florin_uma_exchange_seconds_sum{direction="OUT",kind="HOOK"} 2',
    'florin_uma_exchange_seconds_count{direction="OUT",kind="HOOK"} 1',
    'florin_uma_domains{status="CLAIMED"}',
    'florin_uma_domains{status="UNREACHABLE"} 0',
  ])
    expect(text).toContain(line);
  expect(text).not.toMatch(/florin_uma_[a-z_]+\{[^}]*example/);
  await story.call("GET", "/uma/keys");
});
