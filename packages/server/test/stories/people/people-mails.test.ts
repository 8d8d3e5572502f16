/** Mails to people about passkeys and single sign-on, received by a mail server: who gets one, and that names stay text. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { systemClock } from "../../../src/std/clock.ts";
import {
  assertionOf,
  type ConsoleBrowser,
  openBrowser,
  registrationOf,
  signIn,
  stepUp,
} from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { setSso, walk } from "../../kit/console-sso.ts";
import { endMailServers, type MailServer, startMailServer } from "../../kit/mail-server.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { type SignInIssuer, startSignInIssuer } from "../../kit/sign-in-issuer.ts";
import { createSoftAuthenticator } from "../../kit/soft-authenticator.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { agree, reject, sealedFor } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { adjustmentOf } from "../../kit/valid-approval-calls.ts";

const HOSTILE = `<script>alert(1)</script>\r\nBcc: eve@evil.example \u202egpj {{7*7}} ${"x".repeat(120)}`;

let awayFor = 0;
let mail: MailServer;
let server: TestServer;
let workspaceId: string;
let story: Story;
let owner: ConsoleBrowser;
let secondOwner: InvitedPerson;
let issuer: SignInIssuer;
let issuerId: string;

beforeAll(async () => {
  mail = await startMailServer({
    onRcptTo(_address, _session, done) {
      awayFor -= 1;
      if (awayFor < 0) done();
      else done(Object.assign(new Error("later"), { responseCode: 451 }));
    },
  });
  server = await startTestServer({
    settings: {
      OUTBOUND_ALLOW_LOOPBACK: "all",
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: "Florin <florin@example.com>",
    },
  });
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  secondOwner = await person(["OWNER"]);
  issuer = await startSignInIssuer();
  issuer.now = systemClock.now;
  [issuerId = ""] = await setSso(owner, [issuer], { names: ["mails"] });
});
afterAll(async () => {
  await endReceivers();
  await server.close();
  await endMailServers();
});

/** The mails since the last call but those of orders that wait, as `[to, subject]`, in the order of the addresses. */
async function mails(): Promise<readonly (readonly [string | undefined, string | undefined])[]> {
  await server.app.jobs.drain(workspaceId);
  const received = mail.received.splice(0);
  return received
    .map(({ to, headers }) => [to[0], headers.get("subject")] as const)
    .filter(([, subject]) => subject?.startsWith("Waits for you") !== true)
    .toSorted();
}

/** The link that an address got by mail; its mail counts no more. */
async function mailedTo(address: string): Promise<string> {
  await server.app.jobs.drain(workspaceId);
  const at = mail.received.findIndex(({ to, raw }) => to[0] === address && raw.includes("#"));
  const [{ raw = "" } = {}] = mail.received.splice(at, at < 0 ? 0 : 1);
  const text = raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  return present(/http\S+#\S+/.exec(text)?.[0], `a link for ${address}`);
}

const person = (roles: readonly string[]) => makePerson(owner, roles, { mailedTo });

const emailOf = async (browser: ConsoleBrowser): Promise<string> =>
  (await browser.call("GET", "/me")).json.email;
const codeOf = (url: string) => url.split("#")[1] ?? "";

/** A new person who came in by the issuer and has no passkey. */
async function bySso(roles: readonly string[]) {
  const invited = expectStatus(
    201,
    await owner.call("POST", "/workspace/invites", {
      email: `sso-${roles.join("-").toLowerCase()}@example.com`,
      name: HOSTILE.slice(0, 200),
      roles: [{ platformId: null, roles }],
    }),
  ).json;
  const { email } = invited.person;
  await mailedTo(email);
  return { browser: await comesIn(email), email };
}

/** An invited person comes in by the issuer. */
async function comesIn(email: string): Promise<ConsoleBrowser> {
  issuer.subject = { sub: email, email, email_verified: true };
  issuer.authTime = Math.floor(systemClock.now() / 1000);
  const browser = openBrowser(server);
  await walk(browser, { workspace: "mails", issuer: issuerId });
  await browser.call("GET", "/session");
  return browser;
}

async function addPasskey(browser: ConsoleBrowser, authenticator = browser.authenticator) {
  const options = await browser.call("POST", "/me/passkeys", {});
  const passkey = registrationOf({ ...browser, authenticator }, options.json);
  browser.personId = options.json.user.id;
  browser.counter += 1;
  expectStatus(201, await browser.call("POST", "/me/passkeys", { passkey }));
}

it("a change of single sign-on that lets more people in is told to every owner", async () => {
  const owners = [await emailOf(owner), await emailOf(secondOwner.browser)].toSorted();
  expect(await mails()).toEqual(owners.map((to) => [to, "Single sign-on was changed"]));
});

describe("a re-enrolment", () => {
  it("is told to the person when its link is issued, and when it is used", async () => {
    const { browser, id } = await person(["APPROVER"]);
    const email = await emailOf(browser);
    const issued = await owner.call("POST", `/workspace/people/${id}/re-enrol`);
    expect(expectStatus(201, issued).json).not.toHaveProperty("url");
    expect(issued.text).not.toContain("#");
    const url = await mailedTo(email);
    expect(await mails()).toEqual([]);
    const fresh = openBrowser(server);
    const path = `/re-enrolments/${codeOf(url)}/accept`;
    const options = await fresh.call("POST", path, { email });
    const passkey = registrationOf(fresh, options.json);
    expectStatus(200, await fresh.call("POST", path, { email, passkey }));
    expect(await mails()).toEqual([[email, "Passkeys were replaced"]]);
  });

  it("of somebody who has not come yet is a new invitation, and the old one leads nowhere", async () => {
    const email = "late@example.com";
    const invite = { email, name: "Late", roles: [] };
    const { person: late } = expectStatus(
      201,
      await owner.call("POST", "/workspace/invites", invite),
    ).json;
    const old = await mailedTo(email);
    expectStatus(201, await owner.call("POST", `/workspace/people/${late.id}/re-enrol`));
    const url = await mailedTo(email);
    expect(url).toContain("/console/invite#");
    const path = (of: string) => `/invites/${codeOf(of)}/accept`;
    expect((await openBrowser(server).call("POST", path(old), { email })).status).toBe(404);
    expect((await openBrowser(server).call("POST", path(url), { email })).status).toBe(200);
  });

  it("leaves no link in the database once it was mailed", async () => {
    const { rows } = await server.app.store.database.withClient((client) =>
      client.query("select 1 from person_links where url_sealed is not null"),
    );
    expect(rows).toEqual([]);
  });
});

describe("a first passkey under a sign-in at an issuer", () => {
  const subject = "A first passkey was added";

  it("of a person who decides about orders is told to them and to every owner", async () => {
    const owners = [await emailOf(owner), await emailOf(secondOwner.browser)];
    const { browser, email } = await bySso(["APPROVER"]);
    await addPasskey(browser);
    await server.app.jobs.drain(workspaceId);
    const texts = mail.received.map(({ raw }) => raw.replaceAll("=\r\n", ""));
    expect(await mails()).toEqual([...owners, email].toSorted().map((to) => [to, subject]));
    for (const raw of texts) {
      const head = raw.split("\r\n\r\n")[0] ?? "";
      expect(head).toMatch(/content-type: text\/plain/i);
      expect(head).not.toMatch(/^bcc:/im);
      expect(raw).not.toMatch(/\u202e|=E2=80=AE/);
    }
    // The next one is added under the first.
    expectStatus(200, await stepUp(browser));
    await addPasskey(browser, createSoftAuthenticator());
    expect(await mails()).toEqual([]);
  });

  it("of anybody else is told to them alone", async () => {
    const { browser, email } = await bySso(["DEVELOPER"]);
    await addPasskey(browser);
    expect(await mails()).toEqual([[email, subject]]);
  });
});

describe("a passkey whose counter went back", () => {
  const subject = "A passkey may have been copied";
  const shown = async (browser: ConsoleBrowser) =>
    (await browser.call("GET", "/me")).json.passkeys[0].counterBackAt;
  const acts = async (id: string) =>
    (await owner.call("GET", `/workspace/audit?actorId=${id}&act=passkey-counter-went-back`)).json
      .data;

  it("is refused at a sign-in, in the audit log each time, and told to the person once", async () => {
    const { browser, id } = await person(["VIEWER"]);
    expectStatus(200, await signIn(browser));
    expect(await shown(browser)).toBeUndefined();
    expect((await signIn(browser, { counter: 1 })).status).toBe(401);
    expect((await signIn(browser, { counter: 1 })).status).toBe(401);
    expect(await mails()).toEqual([[expect.stringContaining("@"), subject]]);
    expect(await acts(id)).toHaveLength(2);
    expectStatus(200, await signIn(browser));
    expect(await shown(browser)).toEqual(expect.any(String));
  });

  it("is refused at a step-up and at an approval alike", async () => {
    for (const show of [
      (browser: ConsoleBrowser) => stepUp(browser, { counter: 1 }),
      async (browser: ConsoleBrowser) => {
        const { accountId } = await fundedCustomer(story, 1_000);
        const { json } = await story.call("POST", "/adjustments", adjustmentOf(accountId));
        const path = `/workspace/approvals/${json.id}/decide`;
        const seen = { outcome: "APPROVED", shown: await sealedFor(browser, json.id) };
        const options = await browser.call("POST", path, seen);
        const assertion = assertionOf(browser, options.json, { counter: 1 });
        return browser.call("POST", path, { ...seen, assertion });
      },
    ]) {
      const { browser, id } = await person(["APPROVER"]);
      await signIn(browser);
      await signIn(browser);
      expect((await show(browser)).status).toBe(401);
      expect(await mails()).toEqual([[await emailOf(browser), subject]]);
      expect(await acts(id)).toMatchObject([
        { target: { kind: "Passkey" }, changes: [{ field: "counterBackAt", before: null }] },
      ]);
    }
  });
});

describe("an order to make a person an owner", () => {
  it("is not carried out when the person came in without a passkey meanwhile", async () => {
    await openStory(server, { workspaceId, environment: "PRODUCTION" });
    const invite = {
      email: "eva@example.com",
      name: "Eva",
      roles: [{ platformId: null, roles: ["VIEWER"] }],
    };
    const { person: eva } = expectStatus(
      201,
      await owner.call("POST", "/workspace/invites", invite),
    ).json;
    const roles = [{ platformId: null, roles: ["OWNER"] }];
    const path = `/workspace/people/${eva.id}`;
    const asked = expectStatus(202, await owner.call("PATCH", path, { roles })).json;
    expect(asked).toMatchObject({ kind: "ROLE_GRANT", summary: `OWNER for ${eva.id}` });
    await comesIn("eva@example.com");
    expect((await agree(secondOwner.browser, asked.id)).json).toMatchObject({
      state: "FAILED",
      failure: { code: "CONFLICT", details: { field: "roles" } },
    });
    // Now the lack is seen when it is asked for, and nothing waits.
    const again = await owner.call("PATCH", path, { roles });
    expect(again).toMatchObject({ status: 409, json: { details: { field: "roles" } } });
  });
});

it("the loss of an owner is told to both owners a day ahead", async () => {
  await mails();
  const { id } = (await owner.call("GET", "/me")).json;
  await stepUp(secondOwner.browser);
  const asked = await secondOwner.browser.call("DELETE", `/workspace/people/${id}`);
  expect(expectStatus(202, asked).json).toMatchObject({ kind: "OWNER_CHANGE", approvalsNeeded: 0 });
  const owners = [await emailOf(owner), await emailOf(secondOwner.browser)].toSorted();
  const subject = "A change of an owner takes effect in 24 hours";
  expect(await mails()).toEqual(owners.map((to) => [to, subject]));
  expect((await reject(owner, asked.json.id)).json.state).toBe("REJECTED");
});

it("a mail server that is away is asked again, and the mail comes once", async () => {
  const { browser, id } = await person(["VIEWER"]);
  awayFor = 1;
  expectStatus(201, await owner.call("POST", `/workspace/people/${id}/re-enrol`));
  const told = [await emailOf(browser), "A link for a new passkey was issued"];
  await expect.poll(mails, { timeout: 20_000 }).toEqual([told]);
});
