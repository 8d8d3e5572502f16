/** People of the console: the first owner of a workspace, and those whom an owner invites. */
import { issueLink } from "../../src/boot/people/start-link.ts";
import { present } from "../../src/std/assert.ts";
import { type ConsoleBrowser, openBrowser, registrationOf } from "./console.ts";
import type { TestServer } from "./test-server.ts";

/** The code of a new start link. */
export async function startCodeOf(
  { app }: Pick<TestServer, "app">,
  workspaceId: string,
): Promise<string> {
  const tools = { engine: app.engine, reads: app.store.database.reads };
  return (await issueLink(tools, workspaceId)).code;
}

export async function makeOwner(
  server: TestServer,
  workspaceId: string,
  email = "owner@example.com",
): Promise<ConsoleBrowser> {
  return enrolOwner(openBrowser(server), await startCodeOf(server, workspaceId), email);
}

/** The owner who comes in by this code. */
export async function enrolOwner(
  browser: ConsoleBrowser,
  code: string,
  email = "owner@example.com",
): Promise<ConsoleBrowser> {
  const body = { code, name: "Olga Owner", email };
  const options = await browser.call("POST", "/start", body);
  const passkey = registrationOf(browser, options.json);
  const made = await browser.call("POST", "/start", { ...body, passkey });
  if (made.status !== 200) throw new Error(`no owner was made: ${made.text}`);
  return browser;
}

export interface InvitedPerson {
  readonly browser: ConsoleBrowser;
  readonly id: string;
}

let people = 0;

/** A person with these roles, by default on every platform of the workspace. */
export async function makePerson(
  owner: ConsoleBrowser,
  roles: readonly string[],
  {
    platformId = null,
    mailedTo,
  }: {
    readonly platformId?: string | null;
    /** The link that the address got by mail, where the server has a mail server. */
    readonly mailedTo?: (email: string) => Promise<string>;
  } = {},
): Promise<InvitedPerson> {
  const email = `person-${++people}@example.com`;
  const invited = await owner.call("POST", "/workspace/invites", {
    email,
    name: `Person ${people}`,
    roles: [{ platformId, roles }],
  });
  if (invited.status !== 201) throw new Error(`nobody was invited: ${invited.text}`);
  const url: string = invited.json.url ?? (await present(mailedTo, "a mail server")(email));
  return { browser: await accept(owner.server, url, email), id: invited.json.person.id };
}

/** The invited person who comes in by this link. */
export async function accept(
  server: TestServer,
  url: string,
  email: string,
): Promise<ConsoleBrowser> {
  const code = present(url.split("#")[1], "a code");
  const browser = openBrowser(server);
  const path = `/invites/${code}/accept`;
  const options = await browser.call("POST", path, { email });
  const passkey = registrationOf(browser, options.json);
  const accepted = await browser.call("POST", path, { email, passkey });
  if (accepted.status !== 200) throw new Error(`the invitation failed: ${accepted.text}`);
  return browser;
}
