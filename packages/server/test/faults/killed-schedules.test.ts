/** Servers are killed while they make the runs of schedules: each due time has one run, and each run that was accepted one payment. */
import { expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { pause, systemClock } from "../../src/std/clock.ts";
import { eventually } from "./eventually.ts";
import { type Call, send } from "./history.ts";
import { CLEAN, judge } from "./judge.ts";
import { balanceOf, customerWith, expectReply, startRig } from "./rig.ts";
import { limitMs, rounds } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

const PAYING = 60;
/** Their account is empty, so each of their runs is refused and tried again once. */
const REFUSED = 20;
const AHEAD_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;
const LIMIT_MS = limitMs(60);

interface Schedule {
  readonly name: string;
  readonly runs: number;
  readonly nextAt: string;
  readonly lastRun?: { readonly status: string };
}

const clockOf = async (server: ServerProcess) => {
  const { now } = await expectReply(server, 200, { method: "GET", path: "/sandbox/clock" });
  return Date.parse(String(now));
};

const advance = (seconds: number): Call => ({
  method: "POST",
  path: "/sandbox/clock/advance",
  body: { seconds },
});

async function schedulesOf(server: ServerProcess): Promise<readonly Schedule[]> {
  const path = "/payment-schedules?limit=100";
  const { data } = await expectReply(server, 200, { method: "GET", path });
  return data as unknown as readonly Schedule[];
}

it("are made once each, over kills of two servers", { timeout: 3 * LIMIT_MS }, async () => {
  const rig = await startRig({ servers: [{}, {}] });
  try {
    const [first, second] = [present(rig.servers[0], "one"), present(rig.servers[1], "another")];
    const payer = await customerWith(first, 100_000);
    const poor = await customerWith(first, 0);
    const payee = await customerWith(first, 0);
    const firstDue = Math.ceil((await clockOf(first)) / 60_000) * 60_000 + AHEAD_MS;
    const time = new Date(firstDue).toISOString().slice(11, 16);
    const create = (name: string, source: string): Call => ({
      method: "POST",
      path: "/payment-schedules",
      body: {
        name,
        template: {
          kind: "BOOK",
          source: { accountId: source },
          destination: { accountId: payee.accountId },
          amount: 1,
        },
        rule: { every: "DAY", time, timeZone: "UTC" },
        retry: { times: 1, everyMinutes: 60 },
      },
    });
    for (let index = 0; index < PAYING; index += 1)
      await expectReply(first, 201, create("paying", payer.accountId));
    for (let index = 0; index < REFUSED; index += 1)
      await expectReply(second, 201, create("refused", poor.accountId));
    for (let round = 0; round < rounds(4); round += 1) {
      const [killed, other] = round % 2 === 0 ? [first, second] : [second, first];
      // The answer is lost with the server; both servers have seen that jobs are due.
      void send(killed, { limitMs: 5_000, ...advance(86_400) }).catch(() => undefined);
      await pause(systemClock, 20 + 15 * round);
      await killed.kill();
      await killed.start();
      await expectReply(other, 200, advance(43_200));
    }
    await expectReply(first, 200, advance(7_200));
    const now = await clockOf(second);
    const due = Math.floor((now - firstDue) / DAY_MS) + 1;
    const all = await eventually(
      "all runs",
      async () => {
        const found = await schedulesOf(second);
        return found.every(({ nextAt }) => Date.parse(nextAt) > now) ? found : undefined;
      },
      LIMIT_MS,
    );
    expect(all.map(({ runs }) => runs)).toEqual(Array(PAYING + REFUSED).fill(due));
    const refused = all.filter(({ name }) => name === "refused");
    for (const { lastRun } of refused) expect(["WAITING", "REFUSED"]).toContain(lastRun?.status);
    expect(await balanceOf(first, payee)).toBe(PAYING * due);
    const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
    expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
  } finally {
    await rig.close();
  }
});
