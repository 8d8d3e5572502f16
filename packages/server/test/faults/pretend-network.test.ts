/** Two banks of the example's pretend network pay each other's invoices while both are killed again and again. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { anyHost } from "../../src/outside/outbound-http/allowed-hosts.ts";
import { createOutboundClient } from "../../src/outside/outbound-http/outbound-client.ts";
import {
  type ConnectorCall,
  exchange,
} from "../../src/outside/rails/connector/connector-client.ts";
import { pause, systemClock } from "../../src/std/clock.ts";
import type { JsonObject } from "../../src/std/json.ts";
import { chanceFrom } from "../kit/chance.ts";
import { freePort } from "../kit/free-port.ts";
import { CALLBACK_SECRET, SIGNING_SECRET } from "../kit/rail-connector.ts";

const CONNECTOR = fileURLToPath(
  new URL("../../../../examples/rail-connector/connector.mjs", import.meta.url),
);
const INVOICES = 30;
const SEED = 7;
const outbound = createOutboundClient({ clock: systemClock, connectionsPerOrigin: 8 });
const place = await mkdtemp(join(tmpdir(), "florin-network-"));
await writeFile(join(place, "signing"), SIGNING_SECRET);
await writeFile(join(place, "callback"), CALLBACK_SECRET);

class Bank {
  readonly #name: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  constructor(name: string, port: number) {
    this.#name = name;
    this.#port = port;
  }

  async start(): Promise<void> {
    const started = spawn(process.execPath, [
      CONNECTOR,
      ...["--data", join(place, this.#name), "--port", String(this.#port), "--settle-ms", "5"],
      ...["--signing-secret-file", join(place, "signing")],
      ...["--callback-secret-file", join(place, "callback")],
      ...["--layer", "pretend.example", "--network", join(place, "network")],
    ]);
    this.#process = started;
    await once(started.stdout, "data");
  }

  async kill(): Promise<void> {
    if (this.#process === undefined) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }

  /** The body of a signed 200, after as many attempts as it takes. */
  async call(asked: ConnectorCall): Promise<JsonObject> {
    for (;;) {
      const answer = await exchange(
        { outbound, allowed: anyHost, clock: systemClock },
        {
          baseUrl: `http://127.0.0.1:${this.#port}`,
          secrets: [SIGNING_SECRET],
          timeoutMs: 2_000,
          concurrency: 8,
          owner: "test",
        },
        asked,
      );
      if (answer.kind === "answered" && answer.status === 200 && answer.isSigned)
        return answer.body ?? {};
      await pause(systemClock, 20);
    }
  }
}

const [payee, payer] = [new Bank("payee", await freePort()), new Bank("payer", await freePort())];
afterAll(async () => {
  await Promise.all([payee.kill(), payer.kill()]);
  await outbound.close();
  await rm(place, { recursive: true });
});

const put = (path: string, id: string, body: JsonObject): ConnectorCall => ({
  method: "PUT",
  path: `/${path}/${id}`,
  body: Buffer.from(JSON.stringify({ id, ...body })),
  idempotencyKey: id,
});

async function paid(): Promise<string> {
  const id = randomUUID();
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  const asset = { identifier: "EUR", currency: "EUR", decimals: 2 };
  const asked = { layer: "pretend.example", asset, amount: "100", expiresAt };
  const { invoice = "" } = await payee.call(put("invoices", id, asked));
  const orderId = randomUUID();
  const order = put("payments", orderId, {
    ...{ direction: "OUT", currency: "EUR", amount: "100", reference: "FL1" },
    counterparty: { accountType: "UMA_ADDRESS", accountInfo: {} },
    settlement: { layer: "pretend.example", assetIdentifier: "EUR", invoice, payBy: expiresAt },
  });
  for (;;) {
    const { status } = await payer.call(order);
    if (status !== "accepted") {
      expect(status).toBe("settled");
      break;
    }
    await pause(systemClock, 10);
  }
  for (;;) {
    const { status, entries } = await payee.call({ method: "GET", path: `/invoices/${id}` });
    if (status === "open") continue;
    expect([status, entries]).toMatchObject(["paid", [{ invoiceId: id, amount: "100" }]]);
    return id;
  }
}

it("each invoice is paid once and credited once, and the books of both agree", async () => {
  await Promise.all([payee.start(), payer.start()]);
  const chance = chanceFrom(SEED);
  const state = { isOver: false };
  const killing = (async () => {
    while (!state.isOver) {
      const bank = chance(2) === 0 ? payee : payer;
      await pause(systemClock, 20 + chance(120));
      await bank.kill();
      await bank.start();
    }
  })();
  const held = setInterval(() => undefined, 1_000);
  for (let count = 0; count < INVOICES; count += 3) await Promise.all([paid(), paid(), paid()]);
  state.isOver = true;
  await killing;
  clearInterval(held);
  const booked = async (bank: Bank) => {
    const { balances } = await bank.call({ method: "GET", path: "/balances" });
    const euros = (balances as readonly JsonObject[]).find(({ currency }) => currency === "EUR");
    return euros?.booked;
  };
  expect([await booked(payee), await booked(payer)]).toEqual([
    String(INVOICES * 100),
    String(INVOICES * -100),
  ]);
}, 240_000);
