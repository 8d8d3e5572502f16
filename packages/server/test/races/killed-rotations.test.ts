/**
 * A server is killed amid the rotation of a key. The caller repeats its call at the other server, and what is signed afterwards is signed by
 * the key that is published: the institution reads the keys anew for each message.
 */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type PostgresProxy, startPostgresProxy } from "../faults/postgres-proxy.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { expectStatus } from "../kit/story-rails.ts";
import { openPays, type PaysStory } from "../kit/story-uma-pays.ts";
import { TEST_MASTER_KEY } from "../kit/test-server.ts";
import { askHost } from "../kit/uma-proxy.ts";

let at: PaysStory;
let proxy: PostgresProxy;
let killed: ServerProcess;
beforeAll(async () => {
  at = await openPays();
  proxy = await startPostgresProxy(at.server.database.address);
  const { clientId, clientSecret } = at.bank;
  // The credentials of a first start must be those of a token that is there.
  const token = { BOOTSTRAP_CLIENT_ID: clientId, BOOTSTRAP_CLIENT_SECRET: clientSecret };
  const place = { DATABASE_URL: proxy.url, MASTER_KEY: TEST_MASTER_KEY };
  killed = await startServerProcess({ env: { ...place, ...at.settings, ...token } });
});
afterEach(async () => {
  at.payee.pay = undefined;
  proxy.dropCommitReplies(() => false);
  proxy.open();
  if (!killed.isRunning) await killed.start();
});
afterAll(async () => {
  await killed?.stop();
  await proxy?.close();
  await at?.close();
  expect(bugsIn(killed)).toEqual([]);
});

const ROTATE = "/uma/keys/rotate";
const LATER = { use: "SIGNING", takesOverInSeconds: 600 };
const AT_ONCE = { use: "SIGNING", takesOverInSeconds: 0, compromised: true };

/** A call to the server that is killed. Undefined when it has no answer. */
function send(path: string, key: string, body: unknown): Promise<number | undefined> {
  const answer = fetch(`${killed.baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: at.bank.authorization,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify(body),
  });
  return answer.then(
    ({ status }) => status,
    () => undefined,
  );
}

interface Key {
  readonly id: string;
  readonly status: string;
  readonly publicKey: string;
}

async function signingKeys(): Promise<readonly Key[]> {
  const { data } = (await at.bank.call("GET", "/uma/keys")).json;
  const live = ({ use, status }: Key & { use: string }) =>
    use === "SIGNING" && status !== "DESTROYED";
  return data.filter(live);
}

async function published(): Promise<string> {
  const path = "/.well-known/lnurlpubkey";
  const { text } = await askHost(at.server.app.address.port, { host: "bank.test", path });
  return JSON.parse(text).signingPubKey;
}

async function rotations(): Promise<number> {
  const text = "select count(*)::int as count from events where type = 'UMA_KEY.ROTATED'";
  return at.server.database.asSuperuser(async (client) => (await client.query(text)).rows[0].count);
}

/** From now on the next commit of the server is stored, and the server never hears of it. */
function cutOff(): Promise<void> {
  return new Promise((resolve) => {
    proxy.dropCommitReplies(() => {
      proxy.refuse();
      resolve();
      return true;
    });
  });
}

/** Rotates at the server that is killed once the rotation is stored. */
async function killedAt(body: object, key: string): Promise<void> {
  const reached = cutOff();
  const first = send(ROTATE, key, body);
  await reached;
  await killed.kill();
  expect(await first).toBeUndefined();
}

/** The institution verifies the lookup and the request to pay by the keys that are published at that moment. */
async function paysBy(publicKey: string): Promise<void> {
  expect(await published()).toBe(publicKey);
  expectStatus(201, await at.quote());
}

it("a takeover that was stored is not made again, and the new key signs", async () => {
  const before = await rotations();
  const key = randomUUID();
  await killedAt(AT_ONCE, key);
  const taken = expectStatus(201, await at.bank.call("POST", ROTATE, AT_ONCE, { key })).json;
  expect(await signingKeys()).toMatchObject([{ id: taken.id, status: "CURRENT" }]);
  expect((await rotations()) - before).toBe(1);
  await paysBy(taken.publicKey);
});

it("a request to pay that hangs over a rotation is repeated with the new key, after its server was killed", async () => {
  const key = randomUUID();
  const body = {
    source: { sourceType: "ACCOUNT", accountId: at.accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: "$bob@vasp.test" },
    lookupId: await at.look(),
    lockedCurrencySide: "RECEIVING",
    lockedCurrencyAmount: 1_000,
  };
  const asked = new Promise<void>((resolve) => {
    at.payee.pay = () => resolve();
  });
  const first = send("/quotes", key, body);
  await asked;
  const taken = expectStatus(201, await at.bank.call("POST", ROTATE, AT_ONCE)).json;
  await killed.kill();
  expect(await first).toBeUndefined();
  at.payee.pay = undefined;
  expectStatus(201, await at.bank.call("POST", "/quotes", body, { key }));
  await paysBy(taken.publicKey);
});

// The last one: signatures of the institution are of the real time, which this one leaves.
it("a rotation that was stored is the answer to its repetition, and takes over once at the other server", async () => {
  const [old] = await signingKeys();
  const key = randomUUID();
  await killedAt(LATER, key);
  // It was stored: another call is refused because of it.
  expectStatus(409, await at.bank.call("POST", ROTATE, LATER));
  const next = expectStatus(201, await at.bank.call("POST", ROTATE, LATER, { key })).json;
  expect((await signingKeys()).map(({ id, status }) => [id, status])).toEqual(
    expect.arrayContaining([
      [old?.id, "CURRENT"],
      [next.id, "NEXT"],
    ]),
  );
  await paysBy(old?.publicKey ?? "");
  const before = await rotations();
  at.pass(600_000);
  await at.bank.settle();
  expect(await signingKeys()).toMatchObject([{ id: next.id, status: "CURRENT" }]);
  expect((await rotations()) - before).toBe(1);
});
