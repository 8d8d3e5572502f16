/** The limit on sign-ins with a passkey that are not accepted, which two servers share. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser, signIn } from "../../kit/console.ts";
import { makeOwner } from "../../kit/console-people.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

/** Time that can be moved on. */
let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const MINUTE = 60_000;

let server: TestServer;
let owner: ConsoleBrowser;
beforeAll(async () => {
  server = await startTestServer({ clock });
  const { workspaceId } = await server.makePlatform();
  owner = await makeOwner(server, workspaceId);
});
afterAll(() => server.close());

it("a sign-in is limited over two servers together, by the passkey and by the address", async () => {
  const other = await startTestServer({ clock, beside: server });
  try {
    aheadMs += 10 * MINUTE;
    const named = (on: TestServer) => {
      const stranger = openBrowser(on);
      stranger.personId = "AAAA";
      return stranger;
    };
    const one = named(server);
    const sameAt = { here: one, there: { ...named(other), authenticator: one.authenticator } };
    const tryAt = async (place: keyof typeof sameAt) => (await signIn(sameAt[place])).status;
    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1)
      statuses.push(await tryAt(count % 2 === 0 ? "here" : "there"));
    expect(statuses).toEqual(Array(10).fill(401));
    expect([await tryAt("here"), await tryAt("there")]).toEqual([429, 429]);
    // Fifty more passkeys from the same address.
    for (let count = 0; count < 50; count += 1) await signIn(named(count % 2 ? server : other));
    expect((await signIn(named(server))).status).toBe(429);
    expect((await signIn(named(other))).status).toBe(429);
    aheadMs += 10 * MINUTE;
    expect(await tryAt("there")).toBe(401);
    expect((await signIn(owner)).status).toBe(200);
  } finally {
    await other.close();
  }
});
