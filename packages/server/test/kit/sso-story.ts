/** A workspace whose people sign in at an issuer: a new one for each test, on one server whose time can be moved on. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import { systemClock } from "../../src/std/clock.ts";
import type { ConsoleBrowser } from "./console.ts";
import { makeOwner, makePerson } from "./console-people.ts";
import { setSso } from "./console-sso.ts";
import { endReceivers } from "./receivers.ts";
import { type SignInIssuer, startSignInIssuer } from "./sign-in-issuer.ts";
import { openStory, type Story } from "./story.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

export const MINUTE = 60_000;

/** Where a stranger is sent whose sign-in was refused. */
export const REFUSED = "/console/sign-in?sso=REFUSED";

export interface SsoStory {
  server: TestServer;
  story: Story;
  owner: ConsoleBrowser;
  issuer: SignInIssuer;
  issuerId: string;
  /** A name of the workspace that no other test has taken. */
  name: string;
  readonly now: () => number;
  wait(ms: number): void;
  newIssuer(): Promise<SignInIssuer>;
  /** The query of the page that begins a sign-in. */
  toSignIn(): { readonly workspace: string; readonly issuer: string };
  /** An invited person who has a passkey; the issuer says that it is they. */
  person(roles?: readonly string[]): Promise<{
    readonly browser: ConsoleBrowser;
    readonly id: string;
    readonly email: string;
  }>;
  /** The owner of another workspace. */
  otherOwner(title: string): Promise<ConsoleBrowser>;
  rowsOf(table: "people" | "person_sessions" | "person_identities"): Promise<readonly unknown[]>;
  /** What must stay as it is when a sign-in is refused. */
  everything(): Promise<readonly unknown[]>;
}

export function ssoStory(): SsoStory {
  let aheadMs = 0;
  let counted = 0;
  let workspaceId = "";
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const parts: Partial<SsoStory> = {
    name: "",
    issuerId: "",
    now: clock.now,
    wait(ms: number) {
      aheadMs += ms;
    },
    async newIssuer() {
      const started = await startSignInIssuer();
      started.now = clock.now;
      return started;
    },
    toSignIn: () => ({ workspace: it.name, issuer: it.issuerId }),
    async person(roles: readonly string[] = ["DEVELOPER"]) {
      const invited = await makePerson(it.owner, roles);
      const session = await invited.browser.call("GET", "/session");
      const email = session.json.person.email as string;
      it.issuer.subject = { sub: `sub of ${email}`, email, email_verified: true, name: "Ben" };
      return { ...invited, email };
    },
    async otherOwner(title: string) {
      const made = await it.server.makePlatform({ name: title });
      return makeOwner(it.server, made.workspaceId, `owner@${title}-${it.name}.example`);
    },
    async rowsOf(table: string) {
      const found = await it.server.app.store.database.withClient((client) =>
        client.query(
          `select to_jsonb(t) as row from ${table} t where platform_id = $1 order by id`,
          [workspaceId],
        ),
      );
      return found.rows;
    },
    everything: async () => [
      await it.rowsOf("people"),
      await it.rowsOf("person_sessions"),
      await it.rowsOf("person_identities"),
    ],
  };
  // The rest is there before the first test.
  const it = parts as SsoStory;

  beforeAll(async () => {
    it.server = await startTestServer({ clock, settings: { OUTBOUND_ALLOW_LOOPBACK: "all" } });
  });
  beforeEach(async () => {
    // Failed attempts of one address are limited.
    aheadMs += 11 * MINUTE;
    counted += 1;
    it.name = `acme-${counted}`;
    ({ workspaceId } = await it.server.makePlatform({ name: "Acme Pay" }));
    it.story = await openStory(it.server, { workspaceId, name: "Acme Pay" });
    it.owner = await makeOwner(it.server, workspaceId, `owner@${it.name}.example`);
    it.issuer = await it.newIssuer();
    [it.issuerId = ""] = await setSso(it.owner, [it.issuer], { names: [it.name] });
  });
  afterAll(async () => {
    await endReceivers();
    await it.server.close();
  });
  return it;
}

export async function emailOf(browser: ConsoleBrowser): Promise<string | undefined> {
  const session = await browser.call("GET", "/session");
  return session.json?.person?.email;
}
