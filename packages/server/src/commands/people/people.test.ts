/** `florin people` beside a running server. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { openBrowser, registrationOf, signIn } from "../../../test/kit/console.ts";
import { makeOwner } from "../../../test/kit/console-people.ts";
import {
  startTestServer,
  TEST_MASTER_KEY,
  type TestServer,
} from "../../../test/kit/test-server.ts";
import { type Config, readConfig } from "../../config.ts";
import { StartRefused } from "../../std/errors.ts";
import {
  inviteFromShell,
  listPeopleFromShell,
  operatorFromShell,
  recoverFromShell,
  startLinkFromShell,
} from "./people.ts";

let server: TestServer;
let config: Config;
let workspace: string;

beforeAll(async () => {
  server = await startTestServer();
  config = readConfig({
    DATABASE_URL: server.database.url,
    MASTER_KEY: TEST_MASTER_KEY,
    PORT: String(server.app.address.port),
    LOG_LEVEL: "silent",
  });
  workspace = `Workspace:${(await server.makePlatform()).workspaceId}`;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => server.close());

async function printedBy(work: () => Promise<unknown>): Promise<string> {
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await work();
  const text = written.mock.calls.map(([part]) => String(part)).join("");
  written.mockRestore();
  return text;
}

const codeIn = (text: string, page: string) =>
  new RegExp(`http://localhost:\\d+/console/${page}#([A-Za-z0-9_-]{43})$`, "m").exec(text)?.[1] ??
  "";

it("start-link makes the first owner, and none after that", async () => {
  const code = codeIn(await printedBy(() => startLinkFromShell(config, { workspace })), "start");
  const browser = openBrowser(server);
  const body = { code, name: "Ana", email: "ana@example.com" };
  const options = await browser.call("POST", "/start", body);
  const passkey = registrationOf(browser, options.json);
  expect((await browser.call("POST", "/start", { ...body, passkey })).status).toBe(200);
  const late = startLinkFromShell(config, { workspace });
  await expect(late).rejects.toThrow("The workspace has an owner already.");
  await expect(startLinkFromShell(config, {})).rejects.toThrow(/name one of the workspaces/);
});

it("list shows people, and invite and recover print links that work", async () => {
  const invited = await printedBy(() =>
    inviteFromShell(config, {
      email: "Ben@Example.com",
      name: "Ben",
      roles: "developer,viewer",
      workspace,
    }),
  );
  const browser = openBrowser(server);
  const accept = async (kind: string, code: string) => {
    const path = `/${kind}/${code}/accept`;
    const options = await browser.call("POST", path, { email: "ben@example.com" });
    const passkey = registrationOf(browser, options.json);
    return browser.call("POST", path, { email: "ben@example.com", passkey });
  };
  expect((await accept("invites", codeIn(invited, "invite"))).status).toBe(200);
  const old = browser.cookie;
  const recovered = await printedBy(() => recoverFromShell(config, { email: "ben@example.com" }));
  const fresh = openBrowser(server);
  Object.assign(browser, { authenticator: fresh.authenticator });
  expect((await accept("re-enrolments", codeIn(recovered, "re-enrol"))).status).toBe(200);
  browser.cookie = old;
  expect((await browser.call("GET", "/session")).status).toBe(401);
  expect((await signIn(browser)).status).toBe(200);
  const listed = await printedBy(() => listPeopleFromShell(config, { workspace }));
  expect(listed).toMatch(/Person:\S+ {2}ben@example\.com {2}ACTIVE DEVELOPER\+VIEWER {2}"Ben"/);
});

it("operator grants and revokes, and each act is in the audit log", async () => {
  const email = "ana@example.com";
  await printedBy(() => operatorFromShell(config, { email, grant: true }));
  expect(await printedBy(() => listPeopleFromShell(config, { workspace }))).toMatch(
    /operator {2}"Ana"/,
  );
  await printedBy(() => operatorFromShell(config, { email, revoke: true }));
  await expect(operatorFromShell(config, { email })).rejects.toThrow(StartRefused);
  await expect(operatorFromShell(config, { email: "x@example.com", grant: true })).rejects.toThrow(
    /no person has/,
  );
  const { rows } = await server.app.store.database.withClient((client) =>
    client.query<{ act: string }>(
      "select act from audit_entries where platform_id = $1 and actor_kind = 'operator' order by command_seq desc limit 2",
      [workspace.replace("Workspace:", "")],
    ),
  );
  expect(rows.map(({ act }) => act)).toEqual(["set-operator", "set-operator"]);
});

it("an address in two workspaces needs the workspace", async () => {
  const other = await server.makePlatform();
  await makeOwner(server, other.workspaceId, "ana@example.com");
  const both = recoverFromShell(config, { email: "ana@example.com" });
  await expect(both).rejects.toThrow(/several workspaces/);
  await printedBy(() => recoverFromShell(config, { email: "ana@example.com", workspace }));
});
