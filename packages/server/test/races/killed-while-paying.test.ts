/** A server is killed at each point of a payment to another institution. The caller repeats its call at the other server. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type PostgresProxy, startPostgresProxy } from "../faults/postgres-proxy.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { balanceOf, paymentOf, transactionOf } from "../kit/story-rails.ts";
import { BOB, openPays, type PaysStory } from "../kit/story-uma-pays.ts";
import { TEST_MASTER_KEY } from "../kit/test-server.ts";

let at: PaysStory;
let proxy: PostgresProxy;
let killed: ServerProcess;
let usual: PaysStory["connector"]["reply"];
beforeAll(async () => {
  at = await openPays();
  usual = at.connector.reply;
  proxy = await startPostgresProxy(at.server.database.address);
  const { clientId, clientSecret } = at.bank;
  // The credentials of a first start must be those of a token that is there.
  const token = { BOOTSTRAP_CLIENT_ID: clientId, BOOTSTRAP_CLIENT_SECRET: clientSecret };
  const place = { DATABASE_URL: proxy.url, MASTER_KEY: TEST_MASTER_KEY };
  killed = await startServerProcess({ env: { ...place, ...at.settings, ...token } });
});
afterEach(async () => {
  at.connector.reply = usual;
  at.payee.pay = undefined;
  proxy.dropCommitReplies(() => false);
  proxy.open();
  if (!killed.isRunning) await killed.start();
});
afterAll(async () => {
  await killed.stop();
  await proxy.close();
  await at.close();
  expect(bugsIn(killed)).toEqual([]);
});

/** A call to the server that is killed. Undefined when it has no answer. */
function send(path: string, key: string, body?: unknown): Promise<number | undefined> {
  const answer = fetch(`${killed.baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: at.bank.authorization,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.then(
    ({ status }) => status,
    () => undefined,
  );
}

async function quoteBody() {
  return {
    source: { sourceType: "ACCOUNT", accountId: at.accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: BOB },
    lookupId: await at.look(),
    lockedCurrencySide: "RECEIVING",
    lockedCurrencyAmount: 1_000,
  };
}

async function madeSoFar(): Promise<number> {
  return (await at.bank.call("GET", "/transactions?limit=1&type=OUTGOING")).json.totalCount;
}

/** Resolves when the server is at the point, where it gets no answer. */
type Point = () => Promise<void>;

/** From now on the next commit of the server is stored, and the server never hears of it. */
const cutOff: Point = () =>
  new Promise((resolve) => {
    proxy.dropCommitReplies(() => {
      proxy.refuse();
      resolve();
      return true;
    });
  });

/** The first call of the connector that fits is not answered. */
const hangAt = (isThat: (path: string) => boolean): Point => {
  return () =>
    new Promise((resolve) => {
      at.connector.reply = (call) => {
        if (!isThat(call.path)) return usual(call);
        at.connector.reply = usual;
        resolve();
        return "hang";
      };
    });
};

const POINTS: readonly (readonly [string, Point, number])[] = [
  [
    "while the institution is asked",
    () =>
      new Promise((resolve) => {
        at.payee.pay = () => resolve();
      }),
    0,
  ],
  ["after the institution has answered", hangAt((path) => path === "/invoices/inspect"), 0],
  ["after the quote is stored", cutOff, 1],
];

describe("a server that is killed before the answer to a quote", () => {
  it.each(POINTS)(
    "%s has made one or none, and the call can be repeated",
    async (_, point, made) => {
      const body = await quoteBody();
      const key = randomUUID();
      const before = await madeSoFar();
      const had = await balanceOf(at.bank, at.accountId);
      const reached = point();
      const first = send("/quotes", key, body);
      await reached;
      await killed.kill();
      expect(await first).toBeUndefined();
      at.payee.pay = undefined;
      expect((await madeSoFar()) - before).toBe(made);
      const again = await at.bank.call("POST", "/quotes", body, { key });
      expect(again.status).toBe(201);
      expect((await madeSoFar()) - before).toBe(1);
      expect(await balanceOf(at.bank, at.accountId)).toBe(had);
    },
  );
});

describe("a server that is killed while a quote is executed", () => {
  it.each<readonly [string, Point]>([
    ["after the order is stored and before it is sent", cutOff],
    ["after the order is sent", hangAt((path) => path.startsWith("/payments/"))],
  ])("%s leaves an order that is paid once", async (_, point) => {
    const { id, transactionId } = (await at.quote()).json;
    at.connector.calls.length = 0;
    const key = randomUUID();
    const reached = point();
    const first = send(`/quotes/${id}/execute`, key);
    await reached;
    await killed.kill();
    await first;
    const again = await at.bank.call("POST", `/quotes/${id}/execute`, undefined, { key });
    expect(again.status).toBe(200);
    // What was under way on the dead server may be taken over once its lease has ended.
    at.pass(20_000);
    await at.bank.settle();
    const order = await paymentOf(at.bank, transactionId);
    const bare = order.id.replace("RailPayment:", "");
    const asked = at.connector.calls.filter(({ path }) => path.startsWith("/payments/"));
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set([`/payments/${bare}`]));
    expect(at.connector.orders.has(bare)).toBe(true);
    await at.report(transactionId, { status: "settled" });
    expect(await transactionOf(at.bank, transactionId)).toMatchObject({ status: "COMPLETED" });
  });
});

it("a quote whose server is killed before it is executed expires as any, and nothing is taken", async () => {
  const had = await balanceOf(at.bank, at.accountId);
  const key = randomUUID();
  const body = await quoteBody();
  expect(await send("/quotes", key, body)).toBe(201);
  await killed.kill();
  const { id, transactionId } = (await at.bank.call("POST", "/quotes", body, { key })).json;
  at.pass(400_000);
  await at.bank.settle();
  expect((await at.bank.call("GET", `/quotes/${id}`)).json.status).toBe("EXPIRED");
  expect((await transactionOf(at.bank, transactionId)).status).toBe("EXPIRED");
  expect(await balanceOf(at.bank, at.accountId)).toBe(had);
});
