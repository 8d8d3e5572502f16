/** A server is killed, or stands still, at each point of a payment by another institution. The other server of the deployment ends what it began. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../faults/eventually.ts";
import { type MovedPrograms, movePrograms } from "../faults/moved-programs.ts";
import { type PostgresProxy, startPostgresProxy } from "../faults/postgres-proxy.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { type MovedTime, moveTime } from "../kit/moved-date.ts";
import { signedCallback } from "../kit/rail-connector.ts";
import { balanceOf, transactionOf } from "../kit/story-rails.ts";
import { APPROVED, openPaid, type PaidStory, type Posted } from "../kit/story-uma-paid.ts";
import { TEST_MASTER_KEY } from "../kit/test-server.ts";

let place: string;
let programs: MovedPrograms;
let time: MovedTime;
let at: PaidStory;
let proxy: PostgresProxy;
let killed: ServerProcess;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "florin-points-"));
  programs = await movePrograms(place);
  time = moveTime();
  at = await openPaid();
  proxy = await startPostgresProxy(at.server.database.address);
  const { clientId, clientSecret } = at.bank;
  // The credentials of a first start must be those of a token that is there.
  const token = { BOOTSTRAP_CLIENT_ID: clientId, BOOTSTRAP_CLIENT_SECRET: clientSecret };
  const where = { DATABASE_URL: proxy.url, MASTER_KEY: TEST_MASTER_KEY, ...programs.env };
  killed = await startServerProcess({ env: { ...where, ...at.settings, ...token } });
});
afterAll(async () => {
  time.restore();
  await killed.stop();
  await proxy.close();
  await at.close();
  await rm(place, { recursive: true });
  expect(bugsIn(killed)).toEqual([]);
});

let cancelled: Set<string>;
let usual: PaidStory["connector"]["reply"];
let had: number;
beforeEach(async () => {
  at.approval = APPROVED;
  had = await balanceOf(at.bank, at.accountId);
  cancelled = new Set();
  usual = at.connector.reply;
  at.connector.reply = (call) => {
    const [, id = "", act = ""] = /^\/invoices\/([0-9a-f-]{36})(\/cancel)?$/.exec(call.path) ?? [];
    if (id === "" || call.method === "PUT") return usual(call);
    const order = at.invoices.get(id);
    if (order === undefined) return { status: 404, body: { code: "not_received" } };
    if (act !== "") cancelled.add(id);
    const status = cancelled.has(id) ? "cancelled" : "open";
    const { expiresAt } = order;
    return { status: 200, body: { status, invoice: `lnbc${id}`, expiresAt, entries: [] } };
  };
});
afterEach(async () => {
  at.connector.reply = usual;
  proxy.dropCommitReplies(() => false);
  proxy.open();
  killed.signal("SIGCONT");
  if (!killed.isRunning) await killed.start();
});

const portOf = (server: ServerProcess) => Number(new URL(server.baseUrl).port);

/** A request to pay, to the server that is killed. Undefined when it has no answer. */
async function begin(): Promise<Promise<Posted | undefined>[]> {
  const { callback } = await at.lookUp();
  const body = (await at.payRequest()).toJsonString();
  return [at.post(callback, body, portOf(killed)).catch(() => undefined)];
}

/** The id of the last payment, once there is another one than before. */
async function newest(): Promise<string> {
  const { data } = (await at.bank.call("GET", "/transactions?limit=1&sortOrder=desc")).json;
  return data[0]?.id ?? "";
}

/** Past the end of each invoice and its grace. */
async function later(): Promise<void> {
  await programs.pass(400_000);
  time.pass(400_000);
  await at.bank.settle();
}

async function expectEnd(id: string, end: object, credited: number): Promise<void> {
  expect(await transactionOf(at.bank, id)).toMatchObject(end);
  expect((await balanceOf(at.bank, at.accountId)) - had).toBe(credited);
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

const invoiceOf = (id: string) => id.replace("Transaction:", "");

describe("a server that is killed", () => {
  it("while the platform is asked leaves a payment that times out, and makes no invoice", async () => {
    at.approval = "silence";
    const count = at.asked.length;
    const [answer] = await begin();
    const id = await eventually("the question", () => at.asked[count]);
    await killed.kill();
    expect(await answer).toBeUndefined();
    await later();
    await expectEnd(id, { status: "FAILED", failureReason: "PAYMENT_APPROVAL_TIMED_OUT" }, 0);
    expect(at.invoiceOf(id)).toBeUndefined();
  });

  it("while the connector makes the invoice leaves one that is cancelled there, and fails", async () => {
    const [answer, id] = await killedAtTheConnector();
    expect(answer).toBeUndefined();
    await later();
    expect(cancelled.has(invoiceOf(id))).toBe(true);
    await expectEnd(id, { status: "FAILED", failureReason: "PAY_REQUEST_FAILED" }, 0);
  });

  it("while the connector makes the invoice leaves one that is credited if it is paid before", async () => {
    const [, id] = await killedAtTheConnector();
    await at.tell(id, BigInt(at.invoiceOf(id).amount));
    await later();
    await expectEnd(id, { status: "COMPLETED" }, 1_000);
    expect(cancelled.has(invoiceOf(id))).toBe(false);
  });

  /** The order for the invoice has reached the connector, and its answer is not told. */
  async function killedAtTheConnector(): Promise<readonly [Posted | undefined, string]> {
    const answers = at.connector.reply;
    const ordered = new Promise<void>((resolve) => {
      at.connector.reply = (call) => {
        if (call.method !== "PUT" || !call.path.startsWith("/invoices/")) return answers(call);
        answers(call);
        at.connector.reply = answers;
        resolve();
        return "hang";
      };
    });
    const [answer] = await begin();
    await ordered;
    await killed.kill();
    return [await answer, await newest()];
  }

  it("after the invoice is stored and before the answer leaves one that lapses", async () => {
    const answers = at.connector.reply;
    const stored = new Promise<void>((resolve) => {
      at.connector.reply = (call) => {
        if (call.method === "PUT") void cutOff().then(resolve);
        return answers(call);
      };
    });
    const [answer] = await begin();
    await stored;
    await killed.kill();
    expect(await answer).toBeUndefined();
    const id = await newest();
    const { json } = await at.bank.call("GET", `/uma/payments/${id}`);
    expect(json).toMatchObject({ state: "OPEN" });
    await later();
    expect(cancelled.has(invoiceOf(id))).toBe(true);
    await expectEnd(id, { status: "FAILED", failureReason: "QUOTE_EXPIRED" }, 0);
  });

  it("while it books the money books it once, though the connector tells it to both servers again", async () => {
    const { transactionId } = await at.pay();
    const tell = await entryOf(transactionId);
    const stored = cutOff();
    const told = tell(portOf(killed)).catch(() => undefined);
    await stored;
    await killed.kill();
    expect(await told).toBeUndefined();
    proxy.dropCommitReplies(() => false);
    proxy.open();
    await killed.start();
    for (const port of [at.port, portOf(killed), at.port]) expect(await tell(port)).toBe(204);
    await expectEnd(transactionId, { status: "COMPLETED" }, 1_000);
    const { json } = await at.bank.call("GET", "/rails/items?state=OPEN");
    expect(json.data).toEqual([]);
  });
});

/** The connector tells a server of the money for an invoice, each time under the same id: the status of the answer. */
async function entryOf(transactionId: string): Promise<(port: number) => Promise<number>> {
  const { json } = await at.bank.call("GET", "/rails/connections");
  const [{ id }] = json.data;
  const path = `/2025-10-13/rails/callbacks/${id.split(":")[1]}`;
  const entry = {
    ...{ id: `told-${transactionId}`, currency: "MSAT", direction: "CREDIT" },
    amount: at.invoiceOf(transactionId).amount,
    ...{ bookedAt: new Date().toISOString(), invoiceId: invoiceOf(transactionId) },
  };
  return async (port) => {
    const { text, headers } = signedCallback(path, undefined, { entry });
    const sent = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: text,
    });
    return sent.status;
  };
}

describe("a server that stands still", () => {
  it("while the platform is asked loses to the deadline, which the other server keeps", async () => {
    at.approval = "silence";
    const count = at.asked.length;
    const [posted] = await begin();
    const id = await eventually("the question", () => at.asked[count]);
    killed.signal("SIGSTOP");
    await later();
    await expectEnd(id, { status: "FAILED", failureReason: "PAYMENT_APPROVAL_TIMED_OUT" }, 0);
    const approved = await at.bank.call("POST", `/transactions/${id}/approve`, {});
    expect(approved.status).toBe(409);
    killed.signal("SIGCONT");
    expect((await posted)?.status).toBe(403);
    await expectEnd(id, { status: "FAILED" }, 0);
    expect(at.invoiceOf(id)).toBeUndefined();
  });

  it("after a lookup leaves the request to pay and its money to the other server", async () => {
    const { callback } = await at.lookUp(portOf(killed));
    killed.signal("SIGSTOP");
    const body = (await at.payRequest()).toJsonString();
    expect((await at.post(callback, body)).status).toBe(200);
    const id = await newest();
    const tell = await entryOf(id);
    expect(await tell(at.port)).toBe(204);
    killed.signal("SIGCONT");
    expect(await tell(portOf(killed))).toBe(204);
    await expectEnd(id, { status: "COMPLETED" }, 1_000);
  });
});
