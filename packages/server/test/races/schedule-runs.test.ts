/** Schedules that are due at one moment, on two servers at once. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { type Call, send } from "../faults/history.ts";
import { CLEAN, judge } from "../faults/judge.ts";
import { balanceOf, customerWith, expectReply, type Rig, startRig } from "../faults/rig.ts";
import { limitMs } from "../faults/rounds.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ servers: [{}, {}] });
});
afterAll(() => rig.close());

const serverOf = (index: number) => present(rig.servers[index % rig.servers.length], "a server");

const SCHEDULES = 40;
const DAYS = 3;

const daily = (source: string, destination: string, time: string): Call => ({
  method: "POST",
  path: "/payment-schedules",
  body: {
    name: "daily",
    template: {
      kind: "BOOK",
      source: { accountId: source },
      destination: { accountId: destination },
      amount: 1,
    },
    rule: { every: "DAY", time, timeZone: "UTC" },
  },
});

const past = (days: number): Call => ({
  method: "POST",
  path: "/sandbox/clock/advance",
  body: { seconds: days * 86_400 },
});

it("run once each day, whichever server finds them", { timeout: limitMs(60) }, async () => {
  const { now } = await expectReply(serverOf(0), 200, { method: "GET", path: "/sandbox/clock" });
  // Six hours ahead, so that each whole day has one due time.
  const time = new Date(Date.parse(String(now)) + 6 * 3_600_000).toISOString().slice(11, 16);
  const payer = await customerWith(serverOf(0), 1_000);
  const payee = await customerWith(serverOf(0), 0);
  for (let index = 0; index < SCHEDULES; index += 1) {
    await expectReply(serverOf(index), 201, daily(payer.accountId, payee.accountId, time));
  }
  // Both servers look for due jobs as soon as the clock is past them.
  for (let day = 0; day < DAYS; day += 1) {
    const moves = [0, 1].map((index) => send(serverOf(index), { limitMs: 30_000, ...past(0.5) }));
    await Promise.all(moves);
  }
  const { data } = await expectReply(serverOf(1), 200, {
    method: "GET",
    path: "/payment-schedules?limit=100",
  });
  const runs = (data as unknown as readonly { readonly runs: number }[]).map(({ runs }) => runs);
  expect(runs).toEqual(Array(SCHEDULES).fill(DAYS));
  expect(await balanceOf(serverOf(0), payee)).toBe(SCHEDULES * DAYS);
  const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
  expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
});
