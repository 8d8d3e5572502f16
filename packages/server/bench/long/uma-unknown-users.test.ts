/**
 * Whether the time of an answer tells another institution why a user cannot be paid. The causes are asked for in turns, so that what the machine
 * does beside falls on all of them. `TRIES=2000` is the measurement; FIGURES names a file for the figures.
 */
import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { expect, it } from "vitest";
import type { Clock } from "../../src/std/clock.ts";
import { systemClock } from "../../src/std/clock.ts";
import { openConnector } from "../../test/kit/rail-connector.ts";
import { expectStatus } from "../../test/kit/story-rails.ts";
import {
  customerAt,
  listHosts,
  makesInvoices,
  openServed,
} from "../../test/kit/story-uma-served.ts";
import { startTestServer } from "../../test/kit/test-server.ts";
import { openVasp, send, signedLookup } from "../../test/kit/uma-vasp.ts";
import { median } from "../goals.ts";

const TRIES = Number(process.env.TRIES ?? 200);
/** Of the slowest cause to the fastest. A few tries on a machine with other work are judged less closely. */
const MOST_APART = TRIES >= 2_000 ? 1.1 : 2;
/** An institution may ask for so many unknown users in ten minutes. */
const UNKNOWN_USERS = 100;
const WINDOW_MS = 11 * 60_000;
const INSTITUTIONS = Array.from({ length: 20 }, (_, index) => `vasp${index}.test`);

/** The host's clock, which jumps ahead when the institutions have asked for as many as they may. */
function clockWithLeaps(): Clock & { leap(): void } {
  let ahead = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    leap() {
      ahead += WINDOW_MS;
    },
  };
}

it("a user who cannot be paid takes as long as one who is not there", async () => {
  const connector = await openConnector();
  makesInvoices(connector);
  const vasp = await openVasp();
  // Longer than all leaps.
  const document = JSON.parse(vasp.document);
  vasp.document = JSON.stringify({
    ...document,
    expirationTimestamp: document.expirationTimestamp + 86_400,
  });
  const hosts = await listHosts(["bank.test", "shop.test"], vasp, INSTITUTIONS);
  const clock = clockWithLeaps();
  const settings = { UMA_HOSTS: hosts.setting, RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  const server = await startTestServer({ settings, clock, jobsOnce: true });
  const { port } = server.app.address;
  hosts.proxy.upstream = port;
  const bank = await openServed(server, "bank.test", connector);
  await customerAt(bank, "$dollars@bank.test", { currencies: ["USD"] });
  const deleted = await customerAt(bank, "$gone@bank.test");
  expectStatus(200, await bank.call("DELETE", `/customers/${deleted}`));
  const frozen = await customerAt(bank, "$frozen@bank.test");
  const freeze = { reason: "LEGAL_ORDER", scope: "ALL" };
  expectStatus(200, await bank.call("POST", `/customers/${frozen}/freeze`, freeze));
  // A platform that is not regulated waits for the check of a customer.
  const shop = await openServed(server, "shop.test", connector, false);
  await customerAt(shop, "$unready@shop.test");

  const users = ["$nobody", "$gone", "$unready", "$frozen", "$dollars"];
  const times = new Map(users.map((user): [string, number[]] => [user, []]));
  let asked = 0;
  const ask = async (user: string): Promise<number> => {
    const vaspDomain = INSTITUTIONS[asked % INSTITUTIONS.length] ?? "";
    asked += 1;
    if (asked % (UNKNOWN_USERS * INSTITUTIONS.length) === 0) clock.leap();
    const timestamp = Math.floor(clock.now() / 1_000);
    const host = user === "$unready" ? "shop.test" : "bank.test";
    const lookup = signedLookup(vasp, { user, host, vaspDomain, timestamp });
    const from = performance.now();
    const { status, text } = await send(port, lookup);
    const took = performance.now() - from;
    expect([status, JSON.parse(text).code]).toEqual([404, "USER_NOT_FOUND"]);
    return took;
  };
  for (let warm = 0; warm < 20; warm += 1) for (const user of users) await ask(user);
  for (let round = 0; round < TRIES; round += 1) {
    for (let index = 0; index < users.length; index += 1) {
      // Another one follows each of them in the next round.
      const user = users[(index * (1 + (round % 4)) + round) % users.length] ?? "";
      times.get(user)?.push(await ask(user));
    }
  }
  const medians = [...times].map(([user, all]) => ({ user, ms: median(all) }));
  const sorted = medians.map(({ ms }) => ms).sort((one, other) => one - other);
  const apart = (sorted.at(-1) ?? 0) / (sorted[0] ?? 1);
  const { FIGURES: path } = process.env;
  if (path !== undefined)
    await writeFile(path, JSON.stringify({ TRIES, load: loadavg(), medians, apart }, null, 1));
  expect(apart, JSON.stringify(medians)).toBeLessThan(MOST_APART);
  await server.close();
  await hosts.proxy.close();
  await vasp.close();
  await connector.close();
}, 600_000);
