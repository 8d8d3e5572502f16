/**
 * What people say of payments, while the server that hears it is killed: marks, lines that are typed in, what items are, and the second
 * token's word. Each call is repeated under its key, by the server that lives, until it is answered. The judge is the ledger.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTokenFromShell } from "../../src/commands/create-token.ts";
import { present } from "../../src/std/assert.ts";
import { basic } from "../kit/basic.ts";
import { chanceFrom } from "../kit/chance.ts";
import { operatorRuns } from "../kit/operator.ts";
import { type Call, send } from "./history.ts";
import { verified } from "./judge.ts";
import {
  persist as persistOn,
  type Row,
  acrossAKill as workAcrossAKill,
} from "./persistent-calls.ts";
import {
  balanceOf,
  type Customer,
  customerWith,
  expectReply,
  MASTER_KEY,
  type Rig,
  startRig,
} from "./rig.ts";
import { figures, limitMs, rounds, seedOf } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

const PAYMENTS = 12;
const FUNDS = 100_000;
const BOOKED_ON = "2026-11-24";

let rig: Rig;
let victim: ServerProcess;
let other: ServerProcess;
let customer: Customer;
let second: string;
beforeAll(async () => {
  rig = await startRig({ servers: [{}, {}] });
  victim = present(rig.servers[0], "a server");
  other = present(rig.servers[1], "another server");
  customer = await customerWith(other, FUNDS);
  second = await tokenOfOperator();
}, 120_000);
afterAll(() => rig.close());

/** A token that was made with the credentials of the first one would count as it. */
async function tokenOfOperator(): Promise<string> {
  const config = await expectReply(other, 200, { method: "GET", path: "/config" });
  const at = { database: rig.database, masterKey: MASTER_KEY };
  const told = await operatorRuns(at, createTokenFromShell, {
    platform: String(config.id),
    name: "second",
    permissions: "VIEW,TRANSACT",
  });
  const [, clientId = "", clientSecret = ""] =
    /clientId +(\S+)\nclientSecret +(\S+)/.exec(told) ?? [];
  return basic(clientId, clientSecret);
}

const persist = (call: Call & { readonly key: string }) => persistOn({ victim, other }, call);
const post = (path: string, key: string, body?: unknown) =>
  persist({ method: "POST", path, key, body });

const acrossAKill = <T>(waitMs: number, work: () => Promise<readonly T[]>) =>
  workAcrossAKill({ victim }, waitMs, work);

async function desk(name: string, approval: "NONE" | "FOUR_EYES"): Promise<string> {
  const made = await expectReply(other, 201, {
    method: "POST",
    path: "/rails/connections",
    body: {
      name,
      kind: "MANUAL",
      currencies: ["USD"],
      account: { holderName: "Acme Payments", label: "operating" },
      settings: { accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH"] },
      control: { approval },
    },
  });
  const path = `/rails/connections/${made.id}/activate`;
  await expectReply(other, 200, { method: "POST", path });
  return String(made.id);
}

/** Orders of a desk that wait for a person. */
async function ordersOf(connectionId: string, name: string): Promise<readonly Row[]> {
  const body = { name, direction: "OUT", currency: "USD", connectionId };
  const route = await expectReply(other, 201, { method: "POST", path: "/rails/routes", body });
  for (let index = 0; index < PAYMENTS; index++) {
    await post("/transfer-out", `${name}-${index}`, customer.payment(`${name}-${index}`));
  }
  await send(other, { method: "DELETE", path: `/rails/routes/${route.id}` });
  const path = `/rails/payments?connectionId=${connectionId}&state=QUEUED&limit=100`;
  const { data } = await expectReply(other, 200, { method: "GET", path });
  return data as readonly Row[];
}

async function ledgerOf(connectionId: string): Promise<Readonly<Record<string, number>>> {
  const path = `/ledger/accounts?connectionId=${connectionId}`;
  const { data } = await expectReply(other, 200, { method: "GET", path });
  const rows = data as readonly { kind: string; balance: { amount: string } }[];
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, Number(balance.amount)]));
}

const line = (name: string, index: number, more: Row = {}): Row => ({
  direction: "CREDIT",
  currency: "USD",
  amount: 100,
  bookedOn: BOOKED_ON,
  bankReference: `${name}-${index}`,
  ...more,
});

const times = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: PAYMENTS }, (_, index) => work(index)));

async function typeBalance(connectionId: string, asOf: string, booked: number): Promise<void> {
  const path = `/rails/connections/${connectionId}/balances`;
  await expectReply(other, 201, { method: "POST", path, body: { currency: "USD", asOf, booked } });
}

const unexplained = async (connectionId: string) => {
  const path = `/rails/connections/${connectionId}/reconciliation`;
  return (await expectReply(other, 200, { method: "GET", path })).unexplained;
};

it("are marked once, and each line is booked and resolved once, across kills", {
  timeout: limitMs(120),
}, async () => {
  const chance = chanceFrom(seedOf(20_261_127));
  let settled = 0;
  for (let round = 0; round < rounds(3); round++) {
    const name = `desk-${round}`;
    const id = await desk(name, "NONE");
    await typeBalance(id, "2026-11-23", 0);
    const orders = await ordersOf(id, name);
    expect(orders).toHaveLength(PAYMENTS);
    const mark = (order: Row) =>
      post(`/rails/payments/${order.id}/mark`, `mark-${order.id}`, { outcome: "SETTLED" });
    const marked = await acrossAKill(chance(60), () => Promise.all(orders.map(mark)));
    expect(marked.map(({ state }) => state)).toEqual(orders.map(() => "SETTLED"));
    settled += PAYMENTS;
    expect(await ledgerOf(id)).toMatchObject({ clearing: PAYMENTS });

    const entries = `/rails/connections/${id}/entries`;
    const booked = await acrossAKill(chance(60), () =>
      times((index) => post(entries, `line-${name}-${index}`, line(name, index))),
    );
    expect(new Set(booked.map((entry) => entry.id)).size).toBe(PAYMENTS);
    expect(await ledgerOf(id)).toMatchObject({
      clearing: PAYMENTS - 100 * PAYMENTS,
      suspense: 100 * PAYMENTS,
    });

    const open = `/rails/items?connectionId=${id}&state=OPEN&limit=100`;
    const { data } = await expectReply(other, 200, { method: "GET", path: open });
    const items = data as readonly Row[];
    const body = { parts: [{ kind: "OWN_FUNDS", amount: 100, label: "top-up" }], note: "ours" };
    await acrossAKill(chance(60), () =>
      Promise.all(
        items.map((item) => post(`/rails/items/${item.id}/resolve`, `own-${item.id}`, body)),
      ),
    );
    expect(await ledgerOf(id)).toMatchObject({ suspense: 0, "own-funds": 100 * PAYMENTS });
    // The bank has not booked the payments that were marked.
    await typeBalance(id, BOOKED_ON, 100 * PAYMENTS);
    expect(await unexplained(id)).toMatchObject({ amount: "0" });
  }
  figures("killed marks", { kills: 3 * rounds(3), marks: settled });
  expect(await verified(rig.database.address)).toEqual([]);
});

it("happen once when a second token confirms them and the server dies before or behind its commit", {
  timeout: limitMs(120),
}, async () => {
  const chance = chanceFrom(seedOf(20_261_128));
  for (let round = 0; round < rounds(3); round++) {
    const name = `eyes-${round}`;
    const id = await desk(name, "FOUR_EYES");
    const orders = await ordersOf(id, name);
    const before = await balanceOf(other, customer);
    const asked = await acrossAKill(chance(60), () =>
      Promise.all(
        orders.map((order) =>
          post(`/rails/payments/${order.id}/mark`, `ask-${order.id}`, { outcome: "DECLINED" }),
        ),
      ),
    );
    expect(new Set(asked.map((mark) => mark.id)).size).toBe(PAYMENTS);
    expect(await balanceOf(other, customer)).toBe(before);

    const confirm = ({ id: markId }: Row) =>
      persist({
        method: "POST",
        path: `/rails/marks/${markId}/confirm`,
        key: `confirm-${markId}`,
        authorization: second,
      });
    const confirmed = await acrossAKill(chance(60), () => Promise.all(asked.map(confirm)));
    expect(confirmed.map(({ state }) => state)).toEqual(asked.map(() => "CONFIRMED"));
    expect(await balanceOf(other, customer)).toBe(before + PAYMENTS);
    const path = `/rails/payments?connectionId=${id}&state=DECLINED&limit=100`;
    const declined = await expectReply(other, 200, { method: "GET", path });
    expect(declined.totalCount).toBe(PAYMENTS);
  }
  figures("killed confirmations", { kills: 2 * rounds(3), marks: PAYMENTS * rounds(3) });
  expect(await verified(rig.database.address)).toEqual([]);
});
