/** Lookups of another institution that were accepted stay accepted when their server is killed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { openConnector, type TestConnector } from "../kit/rail-connector.ts";
import {
  customerAt,
  listHosts,
  makesInvoices,
  openServed,
  type ServedHosts,
} from "../kit/story-uma-served.ts";
import { startTestServer, TEST_MASTER_KEY, type TestServer } from "../kit/test-server.ts";
import { openVasp, type SignedLookup, send, signedLookup, type TestVasp } from "../kit/uma-vasp.ts";

const LOOKUPS = 40;
let connector: TestConnector;
let vasp: TestVasp;
let hosts: ServedHosts;
let first: TestServer;
let killed: ServerProcess;
beforeAll(async () => {
  connector = await openConnector();
  makesInvoices(connector);
  vasp = await openVasp();
  hosts = await listHosts(["bank.test"], vasp, ["vasp.test"]);
  const settings = {
    UMA_HOSTS: hosts.setting,
    RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}`,
  };
  first = await startTestServer({ settings });
  hosts.proxy.upstream = first.app.address.port;
  const bank = await openServed(first, "bank.test", connector);
  await customerAt(bank, "$ana@bank.test");
  // The credentials of a first start must be those of a token that is there.
  const token = { BOOTSTRAP_CLIENT_ID: bank.clientId, BOOTSTRAP_CLIENT_SECRET: bank.clientSecret };
  const place = { DATABASE_URL: first.database.url, MASTER_KEY: TEST_MASTER_KEY };
  killed = await startServerProcess({ env: { ...place, ...settings, ...token } });
});
afterAll(async () => {
  await killed.stop();
  await first.close();
  await hosts.proxy.close();
  await vasp.close();
  await connector.close();
});

/** The code of the answer; undefined when there was none. */
async function asked(lookup: SignedLookup): Promise<string | undefined> {
  const port = Number(new URL(killed.baseUrl).port);
  const answer = await send(port, lookup).catch(() => undefined);
  return answer === undefined || answer.status === 200
    ? answer?.status.toString()
    : JSON.parse(answer.text).code;
}

it("each lookup that was answered is refused after the kill, and others are answered", async () => {
  const lookups = Array.from({ length: LOOKUPS }, (_, index) =>
    signedLookup(vasp, { nonce: `killed-${index}` }),
  );
  const answers = lookups.map((lookup) => asked(lookup));
  // The kill falls among them.
  await Promise.race(answers);
  await killed.kill();
  const codes = await Promise.all(answers);
  const answered = lookups.filter((_, index) => codes[index] === "200");
  expect(answered.length).toBeGreaterThan(0);
  await killed.start();
  for (const lookup of answered) expect(await asked(lookup)).toBe("INVALID_NONCE");
  // Without an answer it was accepted or not, and from now on it is.
  for (const lookup of lookups) {
    expect(["200", "INVALID_NONCE"]).toContain(await asked(lookup));
    expect(await asked(lookup)).toBe("INVALID_NONCE");
  }
  const port = first.app.address.port;
  const other = await send(port, present(lookups[0], "a lookup"));
  expect(JSON.parse(other.text).code).toBe("INVALID_NONCE");
  expect(await asked(signedLookup(vasp))).toBe("200");
  expect(bugsIn(killed)).toEqual([]);
});
