/**
 * Two workspaces: a credential of one, in which an id was exchanged for an id of the other, opens nothing. The server has just accepted the
 * genuine credential, so whatever it keeps of that is warm, and its clock stands still, so nothing that it keeps expires.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consoleOperations } from "../../src/http/console/console-routes.ts";
import { SSO_START } from "../../src/http/console/sso/sso-pages.ts";
import { operations } from "../../src/http/operations/routes.ts";
import { present } from "../../src/std/assert.ts";
import { basic } from "../kit/basic.ts";
import {
  assertionOf,
  type ConsoleBrowser,
  openBrowser,
  originOf,
  registrationOf,
  signIn,
} from "../kit/console.ts";
import { makeOwner, startCodeOf } from "../kit/console-people.ts";
import { openConnector, signedCallback, type TestConnector } from "../kit/rail-connector.ts";
import { sampleOf } from "../kit/sample.ts";
import { createStoppableClock } from "../kit/stoppable-clock.ts";
import { openStory, type Story } from "../kit/story.ts";
import { connectedAgent, newAgent, redeem } from "../kit/story-agents.ts";
import { activeConnection, httpConnection } from "../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

/** The credential of each kind of caller, and of each operation that is open to everybody. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  VIEW: "a token",
  TRANSACT: "a token",
  MANAGE: "a token",
  AGENT: "an access token",
  PERSON: "a session",
  takeRailCallback: "a callback",
  redeemAgentDeviceCode: "a device code",
  signInWithPasskey: "a challenge",
  start: "a challenge",
  acceptInvite: "a challenge",
  acceptReEnrolment: "a challenge",
  lookAtLink: "none: it takes the code of a link",
  findIssuers: "none: it takes the domain of an address",
};

interface Tenant {
  readonly workspaceId: string;
  readonly story: Story;
  readonly owner: ConsoleBrowser;
}

const clock = createStoppableClock();
let server: TestServer;
let connector: TestConnector;
let ours: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  connector = await openConnector();
  const settings = { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  server = await startTestServer({ clock, settings });
  ours = await makeTenant("ours@example.com");
  theirs = await makeTenant("theirs@example.com");
});
beforeEach(async () => {
  clock.go();
  for (const { owner } of [ours, theirs]) expect((await signIn(owner)).status).toBe(200);
  clock.stop();
});
afterAll(async () => {
  clock.go();
  await server.close();
  await connector.close();
});

async function makeTenant(email: string): Promise<Tenant> {
  const { workspaceId } = await server.makePlatform();
  const story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  return { workspaceId, story, owner: await makeOwner(server, workspaceId, email) };
}

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");

it("covers every kind of caller, and every operation that is open to everybody", () => {
  const all = [...operations, ...consoleOperations];
  const kinds = new Set(all.map(({ id, access }) => (access === "PUBLIC" ? id : access)));
  expect([...kinds].sort()).toEqual(Object.keys(CREDENTIALS).sort());
});

describe("a session", () => {
  /** The cookie with the other workspace in place of its own. */
  function exchanged(cookie: string | undefined): string {
    const [name, value = ""] = present(cookie, "a cookie").split("=");
    const bytes = Buffer.from(value, "base64url");
    bytesOf(theirs.workspaceId).copy(bytes);
    return `${name}=${bytes.toString("base64url")}`;
  }

  function callsAt({ story }: Tenant): readonly (readonly [method: string, path: string])[] {
    const platform = `PlatformConfig:${story.platformId}`;
    const own = consoleOperations.filter(({ access }) => access === "PERSON");
    const shared = operations.filter(({ access }) => access !== "AGENT" && access !== "PUBLIC");
    return [
      ...own.map(({ method, path }) => [method, path] as const),
      ...shared.map(({ method, path }) => [method, `/p/{platformId}${path}`] as const),
    ].map(([method, path]) => [
      method,
      path.replace("{platformId}", platform).replaceAll(/\{[^}]+\}/g, platform),
    ]);
  }

  it("opens no operation with the id of another workspace in its cookie", async () => {
    const { owner } = ours;
    expect((await owner.call("GET", "/session")).status).toBe(200);
    const headers = { cookie: exchanged(owner.cookie) };
    for (const [method, path] of sampleOf([...callsAt(theirs), ...callsAt(ours)])) {
      const body = method === "GET" ? undefined : {};
      const { status } = await owner.call(method, path, body, { headers });
      expect([method, path, status]).toEqual([method, path, 401]);
    }
    const { workspace } = (await owner.call("GET", "/session")).json;
    expect(workspace.id).toBe(`Workspace:${ours.workspaceId}`);
  });

  it("opens its own workspace after the exchanged cookie was refused, and not the other way round", async () => {
    const { owner } = ours;
    const headers = { cookie: exchanged(owner.cookie) };
    const statuses = [
      await owner.call("GET", "/me", undefined, { headers }),
      await owner.call("GET", "/me"),
      await owner.call("GET", "/me", undefined, { headers }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 200, 401]);
  });

  it("begins no test of an issuer of another workspace", async () => {
    const issuer = { name: "A", issuer: "https://login.example.com", clientId: "c" };
    const set = await theirs.owner.call("PUT", "/workspace/sso", {
      names: ["theirs"],
      isRequired: false,
      issuers: [{ ...issuer, clientSecret: "s" }],
    });
    expect(set.status).toBe(200);
    const { owner } = ours;
    await owner.call("GET", "/session");
    const query = new URLSearchParams({ for: "test", issuer: set.json.issuers[0].id });
    const answer = await fetch(`${originOf(server)}${SSO_START}?${query}`, {
      redirect: "manual",
      headers: { cookie: exchanged(owner.cookie), "sec-fetch-site": "same-origin" },
    });
    expect(answer.headers.get("location")).toBe("/console/sign-in?sso=EXPIRED");
  });
});

describe("a token", () => {
  it("opens nothing with the client id of another platform", async () => {
    const [own, other] = [ours.story, theirs.story];
    const crossed = [
      basic(other.clientId, own.clientSecret),
      basic(own.clientId, other.clientSecret),
    ];
    for (const story of [own, other]) expect((await story.call("GET", "/config")).status).toBe(200);
    for (const authorization of crossed) {
      const { status } = await own.call("GET", "/config", undefined, { authorization });
      expect(status).toBe(401);
    }
  });
});

describe("an access token", () => {
  it("opens its own agent alone, and no operation of tokens", async () => {
    const [own, other] = [await connectedAgent(ours.story), await connectedAgent(theirs.story)];
    for (const agent of [own, other, own]) {
      const { json } = await agent.call("GET", "");
      expect(json.id).toBe(agent.agentId);
    }
    const token = { authorization: own.bearer };
    expect((await theirs.story.call("GET", "/config", undefined, token)).status).toBe(401);
  });
});

describe("a device code", () => {
  it("that was redeemed connects no other agent, and a new one the agent of its own platform", async () => {
    const [own, other] = [await newAgent(ours.story), await newAgent(theirs.story)];
    const bearer = await redeem(theirs.story, own.code);
    const { json } = await ours.story.call("GET", "/agents/me", undefined, {
      authorization: bearer,
    });
    expect(json.id).toBe(own.agentId);
    await expect(redeem(theirs.story, own.code)).rejects.toThrow(/access token/);
    expect(await redeem(ours.story, other.code)).not.toBe(bearer);
  });
});

describe("a callback", () => {
  it("is refused at the connection of another platform, which has the same secret", async () => {
    const own = await activeConnection(ours.story, httpConnection(connector));
    const other = await activeConnection(theirs.story, httpConnection(connector));
    const send = async (connectionId: string, signedFor: string) => {
      const pathOf = (id: string) => `/rails/callbacks/${id.slice(id.indexOf(":") + 1)}`;
      const payment = { id: connectionId.slice(-36), status: "settled" };
      const { text, headers } = signedCallback(`/2025-10-13${pathOf(signedFor)}`, payment);
      const options = { authorization: null, headers };
      return (await ours.story.call("POST", pathOf(connectionId), text, options)).status;
    };
    expect(await send(own, own)).toBe(204);
    expect(await send(other, other)).toBe(204);
    expect(await send(other, own)).toBe(401);
  });
});

describe("a challenge", () => {
  it("signs the holder of a passkey in at the workspace of the passkey, whatever the browser held before", async () => {
    const { owner } = ours;
    const options = await theirs.owner.call("POST", "/sign-in/passkey", {});
    const passkey = assertionOf(owner, options.json);
    const signedIn = await theirs.owner.call("POST", "/sign-in/passkey", { passkey });
    expect(signedIn.json.workspace.id).toBe(`Workspace:${ours.workspaceId}`);
  });

  it("of one link makes nothing with the code of another workspace's link", async () => {
    const [first, second] = [await server.makePlatform(), await server.makePlatform()];
    const codes = await Promise.all(
      [first, second].map(({ workspaceId }) => startCodeOf(server, workspaceId)),
    );
    const [code, otherCode] = codes;
    const browser = openBrowser(server);
    const body = { name: "Ana", email: "ana@example.com" };
    const options = await browser.call("POST", "/start", { ...body, code });
    const passkey = registrationOf(browser, options.json);
    const crossed = await browser.call("POST", "/start", { ...body, code: otherCode, passkey });
    expect(crossed.status).toBe(401);
    const genuine = await browser.call("POST", "/start", { ...body, code, passkey });
    expect(genuine.json.workspace.id).toBe(`Workspace:${first.workspaceId}`);
  });
});
