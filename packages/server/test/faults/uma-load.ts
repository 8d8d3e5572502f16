/** The callers of a kill run of UMA payments. Each call is repeated under its key, at one server after the other, until it is answered. */
import { randomUUID } from "node:crypto";
import { present } from "../../src/std/assert.ts";
import { pause, systemClock } from "../../src/std/clock.ts";
import { type Call, send } from "./history.ts";
import type { UmaRig } from "./uma-rig.ts";

const AGAIN_MS = 60;
const CALLERS = 12;
/** Payments in that were asked for and are not under way yet. */
const AHEAD = 24;

type Chance = (below: number) => number;

/** A quote that a caller got. */
export interface Acknowledged {
  readonly quoteId: string;
  readonly transactionId: string;
  readonly accountId: string;
  readonly total: number;
  /** Whether its execution was answered with 200. */
  isExecuted: boolean;
}

export interface UmaCalls {
  readonly quotes: Acknowledged[];
  /** Why calls were refused, and how often. */
  readonly refused: Record<string, number>;
  /** Payments in that were asked for, and how many of them are over or wait for the end of their invoice. */
  wished: number;
  over: number;
  /** Payments out that have ended for their caller. */
  out: number;
}

/** Sends until a server decides. What the other side has caused, and what a server cannot do now, is asked again. */
async function decided(rig: UmaRig, call: Call): Promise<{ status: number; text: string }> {
  for (let attempt = 0; ; attempt += 1) {
    const server = present(rig.servers[attempt % rig.servers.length], "a server");
    const { authorization } = rig;
    const reply = await send(server, { ...call, authorization }).catch(() => undefined);
    if (reply !== undefined && reply.status < 500 && reply.status !== 424 && reply.status !== 429)
      return reply;
    await pause(systemClock, AGAIN_MS);
  }
}

/** What a payer wishes, in the words that the institution reads. */
function commentOf(chance: Chance): string {
  const drawn = chance(24);
  if (drawn === 0) return "refuse it";
  if (drawn < 3) return "cancel it";
  if (drawn < 5) return "short life";
  return drawn < 7 ? "never executed" : "for lunch";
}

async function payOut(rig: UmaRig, calls: UmaCalls, chance: Chance): Promise<void> {
  const path = `/receiver/uma/${encodeURIComponent("$bob@vasp.test")}`;
  const found = await decided(rig, { method: "GET", path });
  if (found.status !== 200) return refuse(calls, found.text);
  const payee = present(rig.payees[chance(rig.payees.length)], "a payer");
  const accountId = chance(4) === 0 ? payee.euros : payee.dollars;
  const description = commentOf(chance);
  const body = {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "UMA_ADDRESS", umaAddress: "$bob@vasp.test" },
    lookupId: JSON.parse(found.text).lookupId,
    lockedCurrencySide: chance(2) === 0 ? "SENDING" : "RECEIVING",
    lockedCurrencyAmount: 500 + chance(2_000),
    description,
  };
  const quoted = await decided(rig, { method: "POST", path: "/quotes", key: randomUUID(), body });
  if (quoted.status !== 201) return refuse(calls, quoted.text);
  const { id, transactionId, totalSendingAmount: total } = JSON.parse(quoted.text);
  const quote = { quoteId: id, transactionId, accountId, total, isExecuted: false };
  calls.quotes.push(quote);
  if (description === "never executed") return;
  const execution = `/quotes/${id}/execute`;
  const done = await decided(rig, { method: "POST", path: execution, key: randomUUID() });
  quote.isExecuted = done.status === 200;
  if (done.status !== 200) refuse(calls, done.text);
}

function refuse(calls: UmaCalls, text: string): void {
  const { code } = JSON.parse(text);
  calls.refused[code] = (calls.refused[code] ?? 0) + 1;
}

/** How the institution pays, beside most payments that it makes as it was told. */
function wayOf(chance: Chance): string {
  const others = ["twice", "more", "less", "late", "never"];
  return others[chance(40)] ?? "exact";
}

async function toInstitution<T>(rig: UmaRig, path: string, body: unknown): Promise<T> {
  const url = `http://127.0.0.1:${rig.outside.institution.port}${path}`;
  const signal = () => AbortSignal.timeout(5_000);
  for (;;) {
    const sent = { method: "POST", body: JSON.stringify(body), signal: signal() };
    const answer = await fetch(url, sent)
      .then(async (got) => (got.ok ? ((await got.json()) as T) : undefined))
      .catch(() => undefined);
    if (answer !== undefined) return answer;
    await pause(systemClock, AGAIN_MS);
  }
}

export interface Progress {
  readonly over: number;
  readonly ended: number;
}

export function progressOf(rig: UmaRig): Promise<Progress> {
  return toInstitution(rig, "/progress", {});
}

async function payIn(rig: UmaRig, load: Begun, count: number): Promise<void> {
  const { calls, chance } = load;
  const before = (await progressOf(rig)).over;
  while (calls.over < count) {
    while (calls.wished < Math.min(count, load.allowed, calls.over + AHEAD)) {
      const payee = present(rig.payees[chance(rig.payees.length)], "a payee");
      const isInUnits = chance(2) === 0;
      await toInstitution(rig, "/pay", {
        ...{ id: `wish-${before + calls.wished}`, payee: payee.umaAddress, how: wayOf(chance) },
        ...{ currency: chance(4) === 0 ? "USD" : "EUR", amount: 500 + chance(2_000), isInUnits },
      });
      calls.wished += 1;
    }
    await pause(systemClock, AGAIN_MS);
    calls.over = (await progressOf(rig)).over - before;
  }
}

export interface UmaLoad {
  readonly calls: UmaCalls;
  /** How many payments may have begun, of each direction: the test has kills to make before more of them. */
  allowed: number;
  /** How many payments are over, in and out. */
  readonly over: () => number;
  readonly ended: Promise<unknown>;
}

type Begun = Pick<UmaLoad, "calls" | "allowed"> & { readonly chance: Chance };

/** `count` payments of each direction. Those of an earlier load are over. */
export function startUmaLoad(rig: UmaRig, count: number, chance: Chance): UmaLoad {
  const calls: UmaCalls = { quotes: [], refused: {}, wished: 0, over: 0, out: 0 };
  let begun = 0;
  const load = {
    ...{ calls, chance, allowed: 0 },
    over: () => calls.out + calls.over,
    ended: Promise.resolve<unknown>(undefined),
  };
  const caller = async () => {
    while (begun < count) {
      if (begun >= load.allowed) {
        await pause(systemClock, AGAIN_MS);
        continue;
      }
      begun += 1;
      await payOut(rig, calls, chance);
      calls.out += 1;
    }
  };
  const callers = Array.from({ length: CALLERS }, caller);
  load.ended = Promise.all([...callers, payIn(rig, load, count)]);
  return load;
}
