/**
 * An institution that takes the message after a payment and never answers. The deadline of a message ends when the test says so, so whoever
 * is served while messages hang was not waiting for it.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HeldWaits, holdWaits } from "../../kit/held-waits.ts";
import { expectStatus, transactionOf } from "../../kit/story-rails.ts";
import { openPays, type PaysStory } from "../../kit/story-uma-pays.ts";
import { hookUrlOf } from "../../kit/uma-payee.ts";

const DEADLINE_MS = 10_000;
const FIRST_WAIT_MS = 5 * 60_000;
const HANGING = ["hangs-1", "hangs-2", "hangs-3", "hangs-4"];

let clock: HeldWaits;
let story: PaysStory;
/** Of another institution, which answers. */
let other: Server;
const toldOther: string[] = [];
const payments = new Map<string, string>();
beforeAll(async () => {
  other = createServer((request, response) => {
    toldOther.push(request.url?.split("/").at(-1) ?? "");
    response.end("{}");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  story = await openPays({
    institutions: { "other.test": (other.address() as AddressInfo).port },
    toClock(usual) {
      clock = holdWaits(usual, DEADLINE_MS);
      return clock;
    },
  });
  story.connector.report = () => ({ status: "settled" });
  story.payee.hook = () => undefined;
});
afterAll(async () => {
  await story?.close();
  other?.close();
});

/** A payment that is executed, whose institution wants to be told at the domain. Not all of its jobs have ended. */
async function pays(name: string, domain = "vasp.test"): Promise<void> {
  story.payee.editPay = ({ payeeData }) => {
    payeeData.compliance.utxoCallback = hookUrlOf(domain, name);
  };
  const { id, transactionId } = expectStatus(201, await story.quote()).json;
  expectStatus(200, await story.execute(id));
  payments.set(name, transactionId);
}

async function hookOf(name: string) {
  const path = `/uma/payments/${payments.get(name)}`;
  return expectStatus(200, await story.bank.call("GET", path)).json.hook;
}

const told = () => story.payee.hooks.map(({ name }) => name).toSorted();
const PATIENCE = { timeout: 30_000, interval: 20 };
const isHook = (name: string, expected: object) =>
  expect.poll(() => hookOf(name), PATIENCE).toEqual(expected);

it("delays no other institution, no payment and no call", async () => {
  for (const name of HANGING) await pays(name);
  await expect.poll(told, PATIENCE).toEqual(HANGING);
  await pays("beside", "other.test");
  await isHook("beside", { state: "SENT", tries: 1 });
  expect(toldOther).toEqual(["beside"]);
  for (const name of HANGING) {
    const { status } = await transactionOf(story.bank, payments.get(name) ?? "");
    expect([name, status]).toEqual([name, "COMPLETED"]);
    expect(await hookOf(name)).toEqual({ state: "PENDING", tries: 0 });
  }
});

it("is left at the deadline, which is a try", async () => {
  clock.end();
  for (const name of HANGING) await isHook(name, { state: "PENDING", tries: 1 });
  await story.bank.settle();
  await story.server.app.umaNotes.settled();
  const { data } = (await story.bank.call("GET", "/uma/exchanges?limit=100")).json;
  for (const name of HANGING) {
    const own = data.filter((one: { transactionId?: string; kind: string }) => {
      return one.kind === "HOOK" && one.transactionId === payments.get(name);
    });
    expect(own).toMatchObject([{ direction: "OUT", outcome: "HOOK_REQUEST_FAILED" }]);
  }
  expect(told()).toEqual(HANGING);
});

it("is told again after five minutes, and what hangs then as well is a second try", async () => {
  story.payee.hook = (request, response) => {
    if (!request.url?.endsWith("-1")) response.end("{}");
  };
  story.pass(FIRST_WAIT_MS);
  const settled = story.bank.settle();
  for (const name of HANGING.slice(1)) await isHook(name, { state: "SENT", tries: 2 });
  await expect.poll(() => told().length, PATIENCE).toBe(2 * HANGING.length);
  expect(await hookOf("hangs-1")).toEqual({ state: "PENDING", tries: 1 });
  clock.end();
  await settled;
  expect(await hookOf("hangs-1")).toEqual({ state: "PENDING", tries: 2 });
  expect(toldOther).toEqual(["beside"]);
});
