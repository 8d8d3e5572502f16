/** PostgreSQL is unreachable or does not answer: callers get 503 in time, and the server recovers by itself. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { type Reply, send, startLoad } from "./history.ts";
import { CLEAN, inNumbers, judge } from "./judge.ts";
import { type PostgresProxy, startPostgresProxy } from "./postgres-proxy.ts";
import { type Customer, customerWith, type Rig, startRig } from "./rig.ts";
import { figures, limitMs } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

/** Five seconds are promised; one more allows for a busy machine. */
const ANSWER_LIMIT_MS = 6_000;
const RECOVERY_LIMIT_MS = 10_000;

let rig: Rig;
let proxy: PostgresProxy;
let server: ServerProcess;
let customer: Customer;
beforeAll(async () => {
  rig = await startRig({
    servers: [
      {
        url: async ({ address }) => {
          proxy = await startPostgresProxy(address);
          return proxy.url;
        },
      },
    ],
  });
  server = present(rig.servers[0], "a server");
  customer = await customerWith(server, 1_000_000);
});
afterAll(async () => {
  await rig.close();
  await proxy.close();
});

interface Timed {
  readonly reply: Reply;
  readonly tookMs: number;
}

async function callsDuringTheFault(name: string): Promise<readonly Timed[]> {
  const limit = { limitMs: 15_000 };
  const read = { method: "GET", path: "/transactions?limit=5" } as const;
  const pay = (key: string) =>
    ({ method: "POST", path: "/transfer-out", body: customer.payment(key), key }) as const;
  const calls = [
    ...Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? read : pay(`${name}-${index}`))),
    { method: "POST", path: "/sandbox/webhooks/test" } as const,
    { method: "POST", path: "/sandbox/clock/advance", body: { seconds: 1 } } as const,
  ];
  return Promise.all(
    calls.map(async (call): Promise<Timed> => {
      const since = systemClock.now();
      const reply = await send(server, { ...call, ...limit });
      return { reply, tookMs: systemClock.now() - since };
    }),
  );
}

const FAULTS = [
  { name: "refused", begin: () => proxy.refuse() },
  { name: "stalled", begin: () => proxy.stall() },
  { name: "mute", begin: () => proxy.lose() },
] as const;

describe("while the database is unreachable", () => {
  it.each(FAULTS)(
    "calls are answered in time, and the server recovers: $name",
    {
      timeout: limitMs(15),
    },
    async ({ name, begin }) => {
      const { payment } = customer;
      const load = startLoad({ servers: [server], clients: 4, payment });
      await load.more(50);
      begin();
      // The first calls use open connections; later ones fail to connect.
      for (const when of ["at-once", "later"]) {
        for (const { reply, tookMs } of await callsDuringTheFault(`${name}-${when}`)) {
          expect(reply.status).toBe(503);
          expect(Number(reply.retryAfter)).toBeGreaterThanOrEqual(1);
          expect(tookMs).toBeLessThan(ANSWER_LIMIT_MS);
        }
      }
      const since = systemClock.now();
      proxy.open();
      const recoveredMs = await load.recoveredSince(since);
      expect(recoveredMs).toBeLessThan(RECOVERY_LIMIT_MS);
      const history = await load.stop();
      expect(history.slowestRefusalMs).toBeLessThan(ANSWER_LIMIT_MS);
      const verdict = await judge({ history, address: rig.database.address });
      const { slowestRefusalMs } = history;
      figures(`database ${name}`, { ...inNumbers(verdict), slowestRefusalMs, recoveredMs });
      expect(verdict).toMatchObject(CLEAN);
    },
  );
});
