/** What a person learns of a link before using it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../../kit/console.ts";
import { enrolOwner, startCodeOf } from "../../kit/console-people.ts";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let clock: ManualClock;
let server: TestServer;

beforeAll(async () => {
  clock = createManualClock(Date.UTC(2026, 10, 21, 12));
  server = await startTestServer({ clock });
});
afterAll(async () => {
  const closed = server.close();
  await clock.advance(1_000);
  await closed;
});

const stateOf = async (code: string) => {
  const { status, json } = await openBrowser(server).call("POST", "/links", { code });
  expect(status).toBe(200);
  return json.state;
};

it("a link is open until it is used or replaced, and says so before an address is typed", async () => {
  const { workspaceId } = await server.makePlatform();
  const [first, code] = [
    await startCodeOf(server, workspaceId),
    await startCodeOf(server, workspaceId),
  ];
  expect(await stateOf(code)).toBe("OPEN");
  const owner = await enrolOwner(openBrowser(server), code);
  expect(await stateOf(code)).toBe("USED");
  expect(await stateOf(first)).toBe("USED");
  expect(await stateOf("no such code")).toBe("UNKNOWN");
  expect((await openBrowser(server).call("POST", "/links", {})).status).toBe(400);
  const roles = [{ platformId: null, roles: ["VIEWER"] }];
  const invite = { name: "Ana", email: "ana@example.com", roles };
  const { json } = await owner.call("POST", "/workspace/invites", invite);
  const invited = json.url.split("#")[1];
  expect(await stateOf(invited)).toBe("OPEN");
  await clock.advance(8 * 86_400_000);
  expect(await stateOf(invited)).toBe("EXPIRED");
});
