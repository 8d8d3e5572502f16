/**
 * Every read of every operation reads about as many rows as it answers, or stands on a list with its reason. `ROWS` is the number of rows of a table
 * that grows with payments, at each of two platforms: the default is more than a million rows in all.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { endReceivers } from "../../test/kit/receivers.ts";
import {
  exempt,
  isExempt,
  type JudgedReads,
  judgeReads,
} from "../../test/kit/sql/statement-costs.ts";
import { startTestServer, type TestServer } from "../../test/kit/test-server.ts";

const ROWS = Number(process.env.ROWS ?? 40_000);
const OTHERS = 2_500;

let server: TestServer;
let judged: JudgedReads;
beforeAll(async () => {
  server = await startTestServer();
  judged = await judgeReads(server, { commands: ROWS, payments: ROWS, others: OTHERS, paths: /^/ });
}, 3_600_000);
afterAll(async () => {
  await endReceivers();
  await server.app.close();
  await server.database.drop();
}, 600_000);

it("reads about as many rows as it answers", () => {
  expect(judged.recorded).toBeGreaterThan(300);
  expect(judged.costly.filter((read) => !isExempt(read))).toEqual([]);
});

it("is on the list of exceptions only where one is needed", () => {
  const idle = exempt.filter(
    ({ part }) => !judged.costly.some(({ name, text }) => part.test(name) || part.test(text)),
  );
  expect(idle).toEqual([]);
});
