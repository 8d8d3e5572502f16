/**
 * Reads of a platform's history, at twenty thousand events and as many entries, read about as many rows as they answer. All operations are judged in
 * bench/long/statement-costs.test.ts.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { onOne } from "../kit/on-one.ts";
import { exempt, isExempt, type JudgedReads, judgeReads } from "../kit/sql/statement-costs.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

let server: TestServer;
let judged: JudgedReads;
beforeAll(async () => {
  server = await startTestServer();
  judged = await judgeReads(server, {
    commands: 10_000,
    payments: 0,
    others: 0,
    paths: /^\/(ledger|events|proofs)/,
  });
});
afterAll(async () => {
  await server.app.close();
  await server.database.drop();
});

onOne("a page of the history reads about as many rows as it answers", () => {
  expect(judged.recorded).toBeGreaterThan(20);
  expect(judged.costly.filter((read) => !isExempt(read))).toEqual([]);
});

onOne("the ledger of such a platform is exported, and its clock moves", async () => {
  const { story } = judged;
  const made = await story.call("POST", "/exports", { kind: "LEDGER", format: "JSONL" });
  const moved = await story.call("POST", "/sandbox/clock/advance", { seconds: 1 });
  expect([made.status, moved.status]).toEqual([202, 200]);
  const ended = await story.call("GET", `/exports/${made.json.id}`);
  expect(ended.json).toMatchObject({ state: "READY" });
  expect(ended.json.rows).toBeGreaterThan(10_000);
});

it("an exception says why", () => {
  expect(exempt.filter(({ why }) => why.length < 20)).toEqual([]);
});
