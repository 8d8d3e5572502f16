import { afterAll, beforeAll, expect, it } from "vitest";
import { fundedCustomer, openStory, type Story } from "../../../test/kit/story.ts";
import { startTestServer, type TestServer } from "../../../test/kit/test-server.ts";
import { sweepCheckpoints } from "./sweep-checkpoints.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  await fundedCustomer(story, 700);
});
afterAll(async () => {
  // The commands that stand in for a long history are not hashed.
  await server.app.close();
  await server.database.drop();
});

const MANY = 45_000;

async function sweep(): Promise<number> {
  const lane = await server.app.store.database.openLane("test");
  return sweepCheckpoints(lane, () => false).finally(() => lane.close());
}

async function checkpoints(): Promise<readonly Record<string, string>[]> {
  const { rows } = await server.app.store.database.withClient((client) =>
    client.query<Record<string, string>>(
      "select command_seq, kind, balance_minor from ledger_checkpoints order by command_seq, kind",
    ),
  );
  return rows;
}

it("writes none before there are enough commands", async () => {
  expect(await sweep()).toBe(0);
  expect(await checkpoints()).toEqual([]);
});

it("writes each that is due once, and sums are the same from there", async () => {
  const before = (await story.call("GET", "/ledger/balances")).json.balances;
  await server.database.asSuperuser(async (client) => {
    await client.query(
      "insert into command_log select h.platform_id, h.seq + i, gen_random_uuid(), 'x', 'worker:x', h.last_at, 0, " +
        "null, null, null, null, 200, null, false, '', '', '' from platform_heads h, generate_series(1, $2::int) i " +
        "where h.platform_id = $1",
      [story.platformId, MANY],
    );
    await client.query("update platform_heads set seq = seq + $2 where platform_id = $1", [
      story.platformId,
      MANY,
    ]);
  });
  expect(await sweep()).toBe(2);
  const sums = [
    { kind: "", balance_minor: "0" },
    { kind: "internal", balance_minor: "700" },
    { kind: "sandbox-funding", balance_minor: "-700" },
  ];
  expect(await checkpoints()).toEqual(
    ["20000", "40000"].flatMap((seq) => sums.map((sum) => ({ command_seq: seq, ...sum }))),
  );
  expect(await sweep()).toBe(0);
  expect((await story.call("GET", "/ledger/balances")).json.balances).toEqual(before);
});
