/**
 * What UMA costs, each figure a ratio of phases in one run: lookups against the signatures that they need, ordinary transfers beside a flood of
 * lookups, UMA payments against transfers over the same connector, and what a lookup of ours adds to the time of the other institution.
 * `SECONDS=10 ROUNDS=3` is the measurement of docs/performance/uma.md; FIGURES names a file for the figures. Without it the bounds are those
 * that a machine with other work keeps.
 */
import { generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { send as call } from "../../test/faults/history.ts";
import { startUmaLoad } from "../../test/faults/uma-load.ts";
import { startUmaRig, type UmaRig } from "../../test/faults/uma-rig.ts";
import { BOB, openPays } from "../../test/kit/story-uma-pays.ts";
import {
  openVasp,
  type SignedLookup,
  signedLookup,
  type TestVasp,
} from "../../test/kit/uma-vasp.ts";
import { median } from "../goals.ts";
import { runLoad } from "../load-generator.ts";
import { createRequestSource } from "../request-source.ts";

const SECONDS = Number(process.env.SECONDS ?? 2);
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const IS_MEASURED = SECONDS >= 10;
const PAYMENTS = Number(process.env.PAYMENTS ?? (IS_MEASURED ? 400 : 40));
const CALLS = IS_MEASURED ? 200 : 30;
/** Each may ask 100 times a second. */
const INSTITUTIONS = Array.from({ length: 12 }, (_, index) => `flood${index}.test`);
const LOOKUPS_AHEAD = 800;
const AT_ONCE = 32;
const CALLERS = 12;
const DRAIN_MS = 60_000;
/** What is aimed at, and what a machine with much other work keeps. */
const LEAST = IS_MEASURED
  ? { lookups: 0.5, beside: 0.9, payments: 0.25, addedMs: 5 }
  : { lookups: 0.02, beside: 0.1, payments: 0.02, addedMs: 500 };

const signed = promisify(sign);
const checked = promisify<string, Buffer, Parameters<typeof verify>[2], Buffer, boolean>(verify);

/** Pairs of one signature and one verification a second, in the thread pool. */
async function pairsPerSecond(): Promise<number> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const until = performance.now() + SECONDS * 1_000;
  let count = 0;
  const one = async () => {
    while (performance.now() < until) {
      const text = Buffer.from(`$ana@bank.test|${count}|1700000000`);
      await checked(
        "sha256",
        text,
        publicKey,
        (await signed("sha256", text, privateKey)) as Buffer,
      );
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return count / SECONDS;
}

const bytesOf = ({ host, path }: SignedLookup) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

const figures: Record<string, unknown> = {};
afterAll(async () => {
  const { FIGURES: path } = process.env;
  if (path !== undefined)
    await writeFile(path, JSON.stringify({ SECONDS, load: loadavg(), ...figures }, null, 1));
});

describe("the speed of UMA", () => {
  let rig: UmaRig;
  let vasp: TestVasp;
  let port: number;
  beforeAll(async () => {
    vasp = await openVasp();
    const institutions = Object.fromEntries(INSTITUTIONS.map((domain) => [domain, vasp.port]));
    rig = await startUmaRig({ takes: () => true, institutions });
    port = Number(new URL(present(rig.servers[0], "a server").baseUrl).port);
    // The keys of each are fetched before anything is measured.
    await flood(INSTITUTIONS, { count: INSTITUTIONS.length, connections: 1 });
  }, 300_000);
  afterAll(async () => {
    await rig?.close();
    await vasp?.close();
  });

  /** Signed lookups by these institutions. They are signed before the time begins to count. */
  function flood(
    domains: readonly string[],
    how: { readonly connections: number; readonly count?: number; readonly durationMs?: number },
  ) {
    const { count = Math.ceil(((how.durationMs ?? 0) / 1_000) * LOOKUPS_AHEAD) } = how;
    const requests = Array.from({ length: count }, (_, index) => {
      const vaspDomain = present(domains[index % domains.length], "a domain");
      return bytesOf(signedLookup(vasp, { user: "$ana0", vaspDomain, nonce: randomDigits() }));
    });
    // What is sent again after the last one is refused as a replay, and not counted.
    const nextRequest = (n: number) => present(requests[n % requests.length], "a lookup");
    return runLoad({ host: "127.0.0.1", port, ...how, nextRequest });
  }

  const callServer = (one: Omit<Parameters<typeof call>[1], "authorization">) =>
    call(present(rig.servers[0], "a server"), { ...one, authorization: rig.authorization });

  it("answers lookups as fast as half of what their signatures allow", async () => {
    const ratios: number[] = [];
    const rates: { readonly lookups: number; readonly pairs: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const pairs = await pairsPerSecond();
      const result = await flood(INSTITUTIONS, {
        connections: AT_ONCE,
        durationMs: SECONDS * 1_000,
      });
      expect(Object.keys(result.byStatus)).toContain("200");
      const lookups = result.ok / result.seconds;
      rates.push({ lookups, pairs });
      ratios.push(lookups / pairs);
    }
    figures.lookups = { ratio: median(ratios), rates };
    expect(median(ratios)).toBeGreaterThan(LEAST.lookups);
  }, 300_000);

  it("keeps ordinary transfers beside a flood of lookups", async () => {
    const requests = rig.payees.map(({ dollars }, index) => ({
      method: "POST",
      path: "/2025-10-13/transfers",
      headers: { Authorization: rig.authorization },
      body: {
        source: { accountId: dollars },
        destination: {
          accountId: present(rig.payees[(index + 1) % rig.payees.length], "a payee").dollars,
        },
        amount: 1,
      },
    }));
    const durationMs = SECONDS * 1_000;
    const transfers = async () => {
      const at = { host: "127.0.0.1", port };
      const nextRequest = createRequestSource({ ...at, requests, keyPrefix: `${randomUUID()}-` });
      const load = { ...at, connections: AT_ONCE, warmupMs: 500, durationMs, nextRequest };
      return (await runLoad(load)).perSecond;
    };
    await transfers();
    const rounds: { alone: number; beside: number; byStatus: unknown }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = await transfers();
      const flooding = flood(["flood0.test"], { connections: 8, durationMs: durationMs + 1_500 });
      const beside = await transfers();
      rounds.push({ alone, beside, byStatus: (await flooding).byStatus });
    }
    const ratio = median(rounds.map(({ alone, beside }) => beside / alone));
    figures.beside = { ratio, rounds };
    expect(ratio).toBeGreaterThan(LEAST.beside);
  }, 300_000);

  it("completes UMA payments at a quarter of the rate of transfers over the same connector", async () => {
    let turns = 0;
    /** The last of each choice, which is the usual one; of the payees each in turn, because one may not owe too many payments at once. */
    const usual = (below: number) => {
      turns += 1;
      return below === rig.payees.length ? turns % below : below - 1;
    };
    const countOf = async (status: string) => {
      const path = `/transactions?status=${status}&limit=1`;
      return Number(JSON.parse((await callServer({ method: "GET", path })).text).totalCount);
    };
    const untilEnded = async () => {
      const giveUpAt = performance.now() + DRAIN_MS;
      while ((await countOf("PENDING")) + (await countOf("PROCESSING")) > 0) {
        if (performance.now() > giveUpAt) throw new Error("payments are still under way");
        await pause(20);
      }
    };
    /** Completed payments a second, from the first call to the last completion. */
    const rateOf = async (work: () => Promise<unknown>) => {
      const before = await countOf("COMPLETED");
      const from = performance.now();
      await work();
      await untilEnded();
      const seconds = (performance.now() - from) / 1_000;
      return ((await countOf("COMPLETED")) - before) / seconds;
    };
    const uma = () =>
      rateOf(async () => {
        const load = startUmaLoad(rig, PAYMENTS, usual);
        load.allowed = PAYMENTS;
        await load.ended;
        expect(load.calls.refused).toEqual({});
      });
    const transfer = await transferOver();
    const transfers = () =>
      rateOf(async () => {
        let begun = 0;
        const caller = async () => {
          while (begun < 2 * PAYMENTS) {
            begun += 1;
            const { status, text } = await transfer();
            if (status !== 201) throw new Error(`${status} ${text}`);
          }
        };
        await Promise.all(Array.from({ length: 2 * CALLERS }, caller));
      });
    await uma();
    await transfers();
    const rounds: { uma: number; transfers: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ uma: await uma(), transfers: await transfers() });
    const ratio = median(rounds.map((one) => one.uma / one.transfers));
    figures.payments = { ratio, rounds };
    expect(ratio).toBeGreaterThan(LEAST.payments);
  }, 900_000);

  /** A transfer of a cent to a bank account in euros, over the connection that carries UMA payments too. */
  async function transferOver() {
    const route = { name: "plain", direction: "OUT", currency: "EUR" };
    const { connectionId } = rig;
    const routed = await callServer({
      method: "POST",
      path: "/rails/routes",
      key: randomUUID(),
      body: { ...route, connectionId },
    });
    expect(routed.status, routed.text).toBe(201);
    const made = await callServer({
      method: "POST",
      path: "/platform/external-accounts",
      key: randomUUID(),
      body: {
        currency: "EUR",
        accountInfo: {
          accountType: "EUR_ACCOUNT",
          iban: "DE89370400440532013000",
          beneficiary: {
            beneficiaryType: "INDIVIDUAL",
            fullName: "Bo Lind",
            countryOfResidence: "DE",
          },
        },
      },
    });
    expect(made.status, made.text).toBe(201);
    const { id: accountId } = JSON.parse(made.text);
    const { euros } = present(rig.payees[0], "a payer");
    return () => {
      const body = {
        source: { accountId: euros },
        destination: { accountId },
        amount: 1,
      };
      return callServer({ method: "POST", path: "/transfer-out", key: randomUUID(), body });
    };
  }
});

it("a lookup of ours adds little to the time of the other institution", async () => {
  const pays = await openPays();
  const path = `/receiver/uma/${encodeURIComponent(BOB)}`;
  const added: number[] = [];
  for (let count = 0; count < CALLS; count += 1) {
    // An institution may be asked 50 times a second.
    await pause(25);
    const from = performance.now();
    const { status } = await pays.bank.call("GET", path);
    const took = performance.now() - from;
    expect(status).toBe(200);
    added.push(took - present(pays.payee.took.at(-1), "the time of the institution"));
  }
  await pays.close();
  figures.addedMs = median(added);
  expect(median(added)).toBeLessThan(LEAST.addedMs);
}, 300_000);

function randomDigits(): string {
  return BigInt(`0x${randomUUID().replaceAll("-", "")}`).toString();
}
