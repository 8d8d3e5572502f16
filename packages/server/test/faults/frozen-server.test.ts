/** One of two servers is frozen (SIGSTOP) in the middle of its work, sometimes with the head of the platform locked. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { pause, systemClock } from "../../src/std/clock.ts";
import type { TestDatabase } from "../kit/test-database.ts";
import { send, startLoad } from "./history.ts";
import { CLEAN, changedReplays, inNumbers, judge } from "./judge.ts";
import { type Customer, customerWith, type Rig, startRig } from "./rig.ts";
import { figures, limitMs, rounds } from "./rounds.ts";
import { type Sabotaged, sabotagedServer } from "./sabotage.ts";
import type { ServerProcess } from "./server-process.ts";

/** PostgreSQL ends an idle transaction after three seconds; the rest is the queue behind it. */
const TAKE_OVER_LIMIT_MS = 8_000;

let rig: Rig;
let frozen: ServerProcess;
let other: ServerProcess;
let customer: Customer;
beforeAll(async () => {
  rig = await startRig({ servers: [{}, {}] });
  frozen = present(rig.servers[0], "a server");
  other = present(rig.servers[1], "another server");
  customer = await customerWith(other, 1_000_000);
});
afterAll(() => rig.close());

/** Whether a transaction has been idle for longer than with a running server. */
async function holdsTheHead(database: TestDatabase): Promise<boolean> {
  const found = await database.asSuperuser((client) =>
    client.query(
      "select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction' " +
        "and state_change < clock_timestamp() - interval '150 ms'",
    ),
  );
  return found.rowCount !== 0;
}

/** Freezes the first server, repeatedly, until it is frozen with the head locked. */
async function freezeWithTheHead({ servers, database }: Rig): Promise<void> {
  const [server] = servers;
  for (let tries = 0; tries < 400; tries++) {
    server?.signal("SIGSTOP");
    await pause(systemClock, 250);
    if (await holdsTheHead(database)) return;
    server?.signal("SIGCONT");
    await pause(systemClock, 5 + (tries % 7));
  }
  throw new Error("the server was never frozen with the head locked");
}

describe("a frozen server", () => {
  it("does not block the other one, even with the head locked, and does nothing twice when it resumes", {
    timeout: limitMs(15),
  }, async () => {
    const { payment } = customer;
    const load = startLoad({ servers: [frozen, other], clients: 8, payment, tryLimitMs: 1_500 });
    const takeOversMs: number[] = [];
    for (let round = 0; round < rounds(2); round++) {
      await load.more(100);
      await freezeWithTheHead(rig);
      const since = systemClock.now();
      takeOversMs.push(await load.recoveredSince(since));
      await load.more(50);
      frozen.signal("SIGCONT");
    }
    await load.more(100);
    const history = await load.stop();
    const verdict = await judge({ history, address: rig.database.address });
    figures("frozen with the head locked", { ...inNumbers(verdict), takeOversMs });
    expect(verdict).toMatchObject(CLEAN);
    expect(Math.max(...takeOversMs)).toBeLessThan(TAKE_OVER_LIMIT_MS);
    expect(await changedReplays(history, { server: frozen, payment, sample: 100 })).toEqual([]);
    expect(await changedReplays(history, { server: other, payment, sample: 100 })).toEqual([]);
  });
});

/** The server does not set idle_in_transaction_session_timeout. */
const PATIENT = {
  file: "postgres/database.js",
  guard: "idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,",
  instead: "",
};

describe("the control: a frozen server whose transaction is not ended", () => {
  let copy: Sabotaged;
  let patient: Rig;
  beforeAll(async () => {
    copy = await sabotagedServer([PATIENT]);
    patient = await startRig({ servers: [{ program: copy.program }, { program: copy.program }] });
  });
  afterAll(async () => {
    await patient.close();
    await copy.remove();
  });

  it("blocks the other one while it is frozen", { timeout: limitMs(15) }, async () => {
    const { servers } = patient;
    const going = present(servers[1], "the other server");
    const { payment } = await customerWith(going, 1_000_000);
    const load = startLoad({ servers, clients: 8, payment, tryLimitMs: 1_500 });
    await load.more(50);
    await freezeWithTheHead(patient);
    const call = { method: "POST", path: "/transfer-out", body: payment("held-up") } as const;
    const deadline = systemClock.now() + TAKE_OVER_LIMIT_MS;
    const statuses: (number | undefined)[] = [];
    while (systemClock.now() < deadline) {
      const reply = await send(going, { ...call, key: "held-up" }).catch(() => undefined);
      statuses.push(reply?.status);
    }
    servers[0]?.signal("SIGCONT");
    await load.stop();
    expect(statuses).not.toContain(201);
  });
});
