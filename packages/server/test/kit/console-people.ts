/** People of the console: the first owner of a workspace, and those whom an owner invites. */
import { issueLink } from "../../src/boot/people/start-link.ts";
import { people } from "../../src/domain/people/person.ts";
import type { Command } from "../../src/engine/command.ts";
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

let invited = 0;

/**
 * A person with these roles, by default on every platform of the workspace: a human of their own, as after thirty days. With `isNew` the person
 * counts as the one who invited them, as on the first day.
 */
export async function makePerson(
  owner: ConsoleBrowser,
  roles: readonly string[],
  {
    platformId = null,
    isNew = false,
    mailedTo,
  }: {
    readonly platformId?: string | null;
    readonly isNew?: boolean;
    /** The link that the address got by mail, where the server has a mail server. */
    readonly mailedTo?: (email: string) => Promise<string>;
  } = {},
): Promise<InvitedPerson> {
  const email = `person-${++invited}@example.com`;
  const sent = await owner.call("POST", "/workspace/invites", {
    email,
    name: `Person ${invited}`,
    roles: [{ platformId, roles }],
  });
  if (sent.status !== 201) throw new Error(`nobody was invited: ${sent.text}`);
  const url: string = sent.json.url ?? (await present(mailedTo, "a mail server")(email));
  const browser = await accept(owner.server, url, email);
  const personId = sent.json.person.id as string;
  const { workspace } = (await browser.call("GET", "/session")).json;
  if (!isNew) await separate(browser, { workspaceId: workspace.id, personId });
  return { browser, id: personId };
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

/** Lets the time pass in which the person of a browser counts as those who invited or changed them. */
export async function separate(
  browser: ConsoleBrowser,
  { workspaceId, personId }: { readonly workspaceId: string; readonly personId: string },
): Promise<void> {
  await browser.server.app.engine.submit({
    platformId: bare(workspaceId),
    actor: { kind: "operator", id: "test" },
    command: letTimePass,
    input: bare(personId),
    toAnswer: () => ({ status: 200, body: "" }),
  });
  // What was read of the session counts for a second; a change of the person ends that.
  await browser.call("PATCH", "/me", {});
}

const bare = (id: string) => id.slice(id.indexOf(":") + 1);

const letTimePass: Command<string, undefined> = {
  name: "let-time-pass",
  needs: (_world, id) => [people.ref(id)],
  decide(world, id) {
    world.put(people, { ...world.get(people.ref(id)), joined: [] });
    return undefined;
  },
};
