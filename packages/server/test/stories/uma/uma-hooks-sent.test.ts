/** An institution is told of a payment that it was paid, by a platform that the official SDK verifies. */
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  InMemoryNonceValidator,
  PubKeyResponse,
  parsePostTransactionCallback,
  verifyPostTransactionCallbackSignature,
} from "@uma-sdk/core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { holdingsOf } from "../../kit/story-money.ts";
import { expectStatus, transactionOf } from "../../kit/story-rails.ts";
import { openPays, type PaysStory } from "../../kit/story-uma-pays.ts";
import { hookUrlOf } from "../../kit/uma-payee.ts";
import { askHost } from "../../kit/uma-proxy.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WAITS_MS = [5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 17 * HOUR_MS];

let story: PaysStory;
let callback: string | undefined;
beforeAll(async () => {
  story = await openPays();
});
afterAll(() => story.close());
beforeEach(() => {
  const { payee, connector } = story;
  payee.hooks.length = 0;
  payee.hook = undefined;
  callback = hookUrlOf("vasp.test", "1");
  payee.editPay = ({ payeeData }) => {
    if (callback === undefined) delete payeeData.compliance.utxoCallback;
    else payeeData.compliance.utxoCallback = callback;
  };
  connector.report = () => ({ status: "settled" });
});

/** A quote that was executed; its transaction. */
async function paid(): Promise<string> {
  const { id, transactionId } = expectStatus(201, await story.quote()).json;
  expectStatus(200, await story.execute(id));
  await story.bank.settle();
  return transactionId;
}

async function hookOf(transactionId: string) {
  return expectStatus(200, await story.bank.call("GET", `/uma/payments/${transactionId}`)).json
    .hook;
}

/** The newest first. */
async function exchangesOf(transactionId: string): Promise<readonly Exchange[]> {
  await story.server.app.umaNotes.settled();
  const { data } = (await story.bank.call("GET", "/uma/exchanges?limit=100")).json;
  const isOf = (one: Exchange) => one.kind === "HOOK" && one.transactionId === transactionId;
  return data.filter(isOf);
}

interface Exchange {
  readonly kind: string;
  readonly transactionId?: string;
  readonly outcome: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const REFUSALS: Readonly<Record<string, Answer>> = {
  "answers-500": (_, response) => response.writeHead(500).end(),
  "answers-404": (_, response) => response.writeHead(404).end("{}"),
  "breaks-off": (request) => request.socket.destroy(),
  "leads-inside": (_, response) =>
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
  "pours-out": (_, response) => response.end("x".repeat(100_000)),
  compresses: (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("{}"),
};

describe("after a payment", () => {
  it("its institution is told once, signed", async () => {
    const id = await paid();
    expect(story.payee.hooks).toHaveLength(1);
    const message = parsePostTransactionCallback(story.payee.hooks[0]?.text ?? "");
    expect(message).toMatchObject({ vaspDomain: "bank.test", utxos: [] });
    const path = "/.well-known/lnurlpubkey";
    const { text } = await askHost(story.server.app.address.port, { host: "bank.test", path });
    const nonces = new InMemoryNonceValidator(Date.now() - HOUR_MS);
    const keys = PubKeyResponse.fromJson(text);
    expect(await verifyPostTransactionCallbackSignature(message, keys, nonces)).toBe(true);
    expect(await hookOf(id)).toEqual({ state: "SENT", tries: 1 });
  });

  it("it is told of the channels that the connector has reported", async () => {
    const utxos = [
      { utxo: "abcdef:1", amountMsats: 12_500 },
      { utxo: "fedcba:0", amountMsats: "500" },
    ];
    story.connector.report = () => ({ status: "settled", utxos });
    expect(await hookOf(await paid())).toEqual({ state: "SENT", tries: 1 });
    expect(JSON.parse(story.payee.hooks[0]?.text ?? "").utxos).toEqual([
      { utxo: "abcdef:1", amountMsats: 12_500 },
      { utxo: "fedcba:0", amountMsats: 500 },
    ]);
  });

  it("nobody is told before it has settled", async () => {
    story.connector.report = () => ({ status: "accepted" });
    const id = await paid();
    expect(await hookOf(id)).toEqual({ state: "NONE", tries: 0 });
    await story.report(id, { status: "settled" });
    await story.bank.settle();
    expect(await hookOf(id)).toEqual({ state: "SENT", tries: 1 });
    expect(story.payee.hooks).toHaveLength(1);
  });

  it.each([
    ["gave no URL", undefined],
    ["gave an empty one", ""],
    ["gave one without a host", "/uma/utxos/1"],
    ["gave one without TLS", "http://vasp.test/uma/utxos/1"],
    ["gave one inside", "https://127.0.0.1/uma/utxos/1"],
    ["gave one inside by another spelling", "https://0x7f.1/uma/utxos/1"],
    ["gave one of metadata", "https://169.254.169.254/latest"],
  ])("an institution that %s is not told, and is paid", async (_what, url) => {
    callback = url;
    const id = await paid();
    expect((await transactionOf(story.bank, id)).status).toBe("COMPLETED");
    expect(await hookOf(id)).toEqual({ state: "NONE", tries: 0 });
    expect(story.payee.hooks).toEqual([]);
  });

  it("the policy may permit the hosts of the institution alone", async () => {
    const { updatedAt: _, ...policy } = (await story.bank.call("GET", "/uma/policy")).json;
    const put = (callbackHosts: string) =>
      story.bank.call("PUT", "/uma/policy", { ...policy, callbackHosts });
    expectStatus(200, await put("SAME_DOMAIN"));
    callback = "https://other.test/uma/utxos/1";
    expect(await hookOf(await paid())).toEqual({ state: "NONE", tries: 0 });
    callback = hookUrlOf("vasp.test", "own");
    expect(await hookOf(await paid())).toEqual({ state: "SENT", tries: 1 });
    expectStatus(200, await put("ANY"));
  });

  it("a payment that failed is not told of", async () => {
    story.connector.report = () => ({ status: "declined", code: "NOPATH" });
    const id = await paid();
    expect((await transactionOf(story.bank, id)).status).toBe("FAILED");
    expect(await hookOf(id)).toEqual({ state: "NONE", tries: 0 });
    expect(story.payee.hooks).toEqual([]);
  });
});

/** Time is moved for all of them at once, because the other messages of the institution are of the real time. */
describe("an institution that did not take the message", () => {
  const names = Object.keys(REFUSALS);
  const payments = new Map<string, string>();
  const before = new Map<string, unknown>();
  const refuse = async (name: string) => {
    callback = hookUrlOf("vasp.test", name);
    payments.set(name, await paid());
  };
  const of = (name: string) => present(payments.get(name), "the payment");
  const triesOf = (name: string) => story.payee.hooks.filter((one) => one.name === name).length;
  const answer: Answer = (request, response) => {
    const name = decodeURIComponent(request.url?.split("/").at(-1) ?? "");
    (REFUSALS[name] ?? REFUSALS["answers-500"])?.(request, response);
  };
  const wait = async (waitMs: number) => {
    story.payee.hook = answer;
    story.pass(waitMs - MINUTE_MS);
    await story.bank.settle();
    const told = story.payee.hooks.length;
    story.pass(MINUTE_MS);
    return told;
  };
  let held: Awaited<ReturnType<typeof holdingsOf>>;

  it("has been paid all the same", async () => {
    story.payee.hook = answer;
    for (const name of [...names, "recovers", "returns"]) await refuse(name);
    for (const name of names) {
      const payment = await transactionOf(story.bank, of(name));
      expect(payment.status).toBe("COMPLETED");
      before.set(name, payment);
      expect(await hookOf(of(name))).toEqual({ state: "PENDING", tries: 1 });
    }
    await story.report(of("returns"), { status: "returned", code: "NARR", amount: "10000500" });
    await story.bank.settle();
    held = await holdingsOf(story.bank, story.accountId);
  });

  it("is told again after five minutes, signed anew, but not of a payment that came back", async () => {
    expect(await wait(present(WAITS_MS[0], "a wait"))).toBe(0);
    story.payee.hook = (request, response) =>
      request.url?.endsWith("/recovers") ? response.end("{}") : answer(request, response);
    await story.bank.settle();
    for (const name of [...names, "recovers"]) expect([name, triesOf(name)]).toEqual([name, 1]);
    expect(triesOf("returns")).toBe(0);
    expect(await hookOf(of("recovers"))).toEqual({ state: "SENT", tries: 2 });
    expect(await hookOf(of("returns"))).toEqual({ state: "FAILED", tries: 1 });
  });

  it("is not called while it is blocked, which is a try", async () => {
    const put = (status: string) =>
      story.bank.call("PUT", "/uma/counterparties/vasp.test", { status });
    expectStatus(200, await put("BLOCKED"));
    expect(await wait(present(WAITS_MS[1], "a wait"))).toBe(0);
    await story.bank.settle();
    expectStatus(200, await put("DEFAULT"));
    expect(story.payee.hooks).toEqual([]);
    expect(await hookOf(of("answers-500"))).toEqual({ state: "PENDING", tries: 3 });
  });

  it("is given up after a fifth try, a day after the first, and the payments are as they were", async () => {
    for (const waitMs of WAITS_MS.slice(2)) {
      await wait(waitMs);
      await story.bank.settle();
    }
    await wait(48 * HOUR_MS);
    await story.bank.settle();
    for (const name of names) {
      expect([name, triesOf(name)]).toEqual([name, 2]);
      expect(await hookOf(of(name))).toEqual({ state: "FAILED", tries: 5 });
      expect(await transactionOf(story.bank, of(name))).toEqual(before.get(name));
      expect((await exchangesOf(of(name))).map(({ outcome }) => outcome)).toEqual([
        "HOOK_REQUEST_FAILED",
        "HOOK_REQUEST_FAILED",
        "COUNTERPARTY_NOT_ALLOWED",
        "HOOK_REQUEST_FAILED",
        "HOOK_REQUEST_FAILED",
      ]);
    }
    expect(await holdingsOf(story.bank, story.accountId)).toEqual(held);
  });
});
