/** The primary is killed under load and its standby promoted: what was acknowledged is there, once, or its absence is recognised. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { eventually } from "./eventually.ts";
import { send, startLoad } from "./history.ts";
import { CLEAN, changedReplays, inNumbers, judge } from "./judge.ts";
import { type Replicas, startReplicas } from "./replicas.ts";
import { customerWith, MASTER_KEY } from "./rig.ts";
import { figures, limitMs, rounds } from "./rounds.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "./server-process.ts";

/** From the promotion to the first payment that is taken. */
const RECOVERY_LIMIT_MS = 5_000;

let replicas: Replicas;
let servers: ServerProcess[];

beforeEach(async () => {
  replicas = await startReplicas();
  servers = [];
  for (const _ of [1, 2]) {
    const env = { DATABASE_URL: replicas.url, MASTER_KEY };
    servers.push(await startServerProcess({ env }));
  }
}, limitMs(30));

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await replicas.stop();
  expect(servers.flatMap(bugsIn)).toEqual([]);
});

const address = () => ({
  ...{ host: "127.0.0.1", port: replicas.primary.port, user: "florin", database: "florin" },
});

it("loses and doubles nothing over failovers to a synchronous standby", {
  timeout: limitMs(60),
}, async () => {
  const server = present(servers[0], "a server");
  const { payment } = await customerWith(server, 1_000_000);
  const load = startLoad({ servers, clients: 8, payment });
  const recoveriesMs: number[] = [];
  const count = rounds(3);
  for (let round = 0; round < count; round++) {
    await load.more(100);
    await replicas.failOver();
    const over = systemClock.now();
    recoveriesMs.push(await load.recoveredSince(over));
    await load.more(100);
    await replicas.rejoin();
  }
  await load.more(50);
  const history = await load.stop();
  const verdict = await judge({ history, address: address() });
  figures("failovers", { count, ...inNumbers(verdict), recoveriesMs });
  expect(verdict).toMatchObject(CLEAN);
  expect(Math.max(...recoveriesMs)).toBeLessThan(RECOVERY_LIMIT_MS);
  expect(await changedReplays(history, { server, payment, sample: 100 })).toEqual([]);
});

it("recognises a standby that lacks what was acknowledged, and commits nothing on it", {
  timeout: limitMs(30),
}, async () => {
  const [first, second] = servers as [ServerProcess, ServerProcess];
  await second.stop();
  const { payment } = await customerWith(first, 1_000);
  await replicas.cutOff();
  const paid = await send(first, {
    method: "POST",
    path: "/transfer-out",
    body: payment("lost"),
    key: "lost",
  });
  expect(paid.status).toBe(201);
  await replicas.failOver();
  const said = () =>
    first.log.find((line) => line.includes("lacks a commit that this server has acknowledged"));
  await eventually("the server's complaint", async () => {
    await send(first, {
      method: "POST",
      path: "/transfer-out",
      body: payment("later"),
      key: "later",
    }).catch(() => undefined);
    return said();
  });
  const refused = await send(first, {
    method: "POST",
    path: "/transfer-out",
    body: payment("last"),
    key: "last",
  });
  expect(refused.status).toBe(503);
  const ready = await fetch(new URL("/readyz", first.baseUrl));
  expect(ready.status).toBe(503);
  const kept =
    "select count(*)::int as n from transactions where details ->> 'remittanceInformation' in ('later', 'last')";
  expect(await replicas.primary.query(kept, "florin")).toEqual([{ n: 0 }]);

  // A person has decided to go on with what is there.
  await first.stop();
  await first.start();
  const again = await send(first, {
    method: "POST",
    path: "/transfer-out",
    body: payment("again"),
    key: "again",
  });
  expect(again.status).toBe(201);
});
