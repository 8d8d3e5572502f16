/** Changes by which money may come, go or be asserted more freely wait for another owner, of tokens and of people. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "../../kit/console.ts";
import { openConnector, signedCallback, type TestConnector } from "../../kit/rail-connector.ts";
import { openStory, type RawAnswer } from "../../kit/story.ts";
import { agree, reject, verdictOf } from "../../kit/story-approvals.ts";
import { type Guarded, openGuarded } from "../../kit/story-guarded.ts";
import {
  activeConnection,
  expectStatus,
  httpConnection,
  manualConnection,
  routeTo,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
let guarded: Guarded;
beforeAll(async () => {
  connector = await openConnector();
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
  guarded = await openGuarded(server);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const GUARDED = {
  approval: "FOUR_EYES",
  payoutCeiling: 0,
  creditCeiling: 0,
  importers: null,
  returnDays: 10,
};
const OPEN = { approval: "NONE", payoutCeiling: null, creditCeiling: null, returnDays: 10 };

const call = (method: string, path: string, body?: unknown) =>
  guarded.story.call(method, path, body);
const read = async (id: string) => (await call("GET", `/rails/connections/${id}`)).json;
const patch = (id: string, body: object) => call("PATCH", `/rails/connections/${id}`, body);
const newDesk = async (more: object = {}): Promise<string> =>
  expectStatus(201, await call("POST", "/rails/connections", { ...manualConnection(), ...more }))
    .json.id;

async function activeDesk(): Promise<string> {
  const id = await newDesk();
  await guarded.agreed(await call("POST", `/rails/connections/${id}/activate`));
  return id;
}

async function activeBank(): Promise<string> {
  const made = await call("POST", "/rails/connections", httpConnection(connector));
  const { id } = expectStatus(201, made).json;
  await guarded.agreed(await call("POST", `/rails/connections/${id}/activate`));
  expect((await read(id)).status).toBe("ACTIVE");
  return id;
}

const held = (answer: RawAnswer) => {
  const { kind, state, operation, summary } = expectStatus(202, answer).json;
  return [kind, state, operation, summary];
};

describe("a new connection of a workspace with two people who decide", () => {
  it("has four eyes and ceilings of 0 until they are set", async () => {
    expect((await read(await newDesk())).control).toEqual(GUARDED);
    // As it was answered, it may be sent.
    expectStatus(
      201,
      await call("POST", "/rails/connections", {
        ...manualConnection(),
        control: GUARDED,
      }),
    );
  });

  it("waits for another owner when it asks for less, and is as it was asked for then", async () => {
    const asked = await call("POST", "/rails/connections", {
      ...manualConnection(),
      control: OPEN,
    });
    expect(held(asked)).toEqual([
      "CONTROL",
      "PENDING",
      "createRailConnection",
      "A connection with less control than usual: control.approval, control.payoutCeiling, control.creditCeiling",
    ]);
    expect(JSON.stringify(asked.json)).not.toContain("signingSecret");
    expect((await read(await guarded.made(asked))).control).toEqual({ ...OPEN, importers: null });
  });

  it("keeps its secrets out of the order", async () => {
    const body = { ...httpConnection(connector), control: { approval: "NONE" } };
    const asked = expectStatus(202, await call("POST", "/rails/connections", body));
    expect(asked.text).not.toContain(body.secrets.signingSecret);
    const id = await guarded.made(asked);
    expect((await read(id)).secrets.signingSecret.fingerprint).toMatch(/^[0-9a-f]{8}$/);
    const activated = await guarded.agreed(await call("POST", `/rails/connections/${id}/activate`));
    expect(activated.state).toBe("DONE");
  });

  it("tells of no money, and carries none, before an owner has agreed to it", async () => {
    const made = await call("POST", "/rails/connections", httpConnection(connector));
    const { id } = expectStatus(201, made).json;
    const asked = await call("POST", `/rails/connections/${id}/activate`);
    expect(held(asked).slice(0, 3)).toEqual(["CONTROL", "PENDING", "activateRailConnection"]);
    expect((await read(id)).status).toBe("SETUP");
    const path = `/rails/callbacks/${id.slice("RailConnection:".length)}`;
    const entry = { id: "E-1", direction: "CREDIT", amount: "100", currency: "USD" };
    const { text, headers } = signedCallback(`/2025-10-13${path}`, undefined, {
      entry: { ...entry, bookedAt: "2026-11-24T10:00:00Z" },
    });
    const told = await guarded.story.call("POST", path, text, { authorization: null, headers });
    expect([told.status, told.json.details?.status]).toEqual([409, "SETUP"]);
  });
});

describe("a connection that is active", () => {
  it("gets looser control once another owner has agreed", async () => {
    const id = await activeDesk();
    const asked = await patch(id, { control: OPEN });
    expect(held(asked).slice(0, 3)).toEqual(["CONTROL", "PENDING", "updateRailConnection"]);
    expect((await read(id)).control).toEqual(GUARDED);
    const again = await patch(id, { control: { approval: "NONE" } });
    expect([again.status, again.json.code]).toEqual([409, "CONFLICT"]);
    await guarded.made(asked);
    expect((await read(id)).control.approval).toBe("NONE");
    // A tightening, and what has no bearing on money, do not wait.
    expectStatus(200, await patch(id, { control: { approval: "FOUR_EYES", payoutCeiling: 7 } }));
    expectStatus(200, await patch(id, { name: `renamed ${id}`, calendar: { timeZone: "UTC" } }));
    expect(held(await patch(id, { control: { payoutCeiling: 8 } })).at(-1)).toContain(
      "control.payoutCeiling",
    );
  });

  it("is called at another address, with another secret or account once an owner has agreed", async () => {
    const id = await activeBank();
    const baseUrl = "https://evil.example/rails";
    const secrets = { signingSecret: "x".repeat(32), callbackSecret: "y".repeat(32) };
    for (const [change, name] of [
      [
        { settings: { baseUrl }, secrets },
        "settings.baseUrl, secrets.signingSecret, secrets.callbackSecret",
      ],
      [{ secrets: { callbackSecret: "x".repeat(32) } }, "secrets.callbackSecret"],
      [{ account: { label: "mine" } }, "account"],
      [{ funding: { mode: "NONE", onLate: "RETURN" } }, "funding"],
    ] as const) {
      const asked = await patch(id, change);
      expect(held(asked).at(-1)).toBe(`A looser ${id}: ${name}`);
      await reject(guarded.otherOwner.browser, asked.json.id);
    }
    expect((await read(id)).settings.baseUrl).toBe(connector.baseUrl);
  });

  it("is not changed to what was asked for before another change", async () => {
    const id = await activeDesk();
    const asked = await patch(id, { control: OPEN });
    expectStatus(200, await patch(id, { name: `meanwhile ${id}` }));
    const { state, failure } = await guarded.agreed(asked);
    expect([state, failure.details.changed]).toEqual(["FAILED", "connection"]);
    expect((await read(id)).control).toEqual(GUARDED);
  });

  it("is loosened by no admin and no owner alone", async () => {
    const id = await activeDesk();
    const { platformId } = guarded.story;
    const ask = ({ at }: typeof guarded.owner) =>
      at(platformId)("PATCH", `/rails/connections/${id}`, { control: OPEN });
    const byAdmin = expectStatus(202, await ask(guarded.admin.browser)).json;
    const verdict = await agree(guarded.admin.browser, byAdmin.id);
    expect(verdictOf(verdict)).toEqual([403, "APPROVAL_NOT_YOURS", "CAPABILITY"]);
    await reject(guarded.owner, byAdmin.id);
    const byOwner = expectStatus(202, await ask(guarded.owner)).json;
    const own = await agree(guarded.owner, byOwner.id);
    expect(verdictOf(own)).toEqual([403, "APPROVAL_NOT_YOURS", "REQUESTER"]);
    expectStatus(200, await agree(guarded.otherOwner.browser, byOwner.id));
    expect((await read(id)).control.approval).toBe("NONE");
  });
});

describe("a route", () => {
  const body = (connectionId: string, more: object = {}) => ({
    name: "dollars",
    direction: "OUT",
    currency: "USD",
    connectionId,
    ...more,
  });

  it("sends payments to a connection once another owner has agreed to that connection", async () => {
    const [one, other] = [await newDesk(), await newDesk()];
    const asked = await call("POST", "/rails/routes", body(one, { maxAmount: 500 }));
    expect(held(asked)).toEqual([
      "CONTROL",
      "PENDING",
      "createRailRoute",
      `A route to ${one}: enabled`,
    ]);
    const route = await guarded.made(asked);
    const change = (more: object) => call("PATCH", `/rails/routes/${route}`, more);
    expectStatus(200, await change({ maxAmount: 400, name: "fewer" }));
    for (const [more, name] of [
      [{ connectionId: other }, "connectionId"],
      [{ maxAmount: null }, "maxMinor"],
      [{ priority: 1 }, "priority"],
    ] as const) {
      const waiting = await change(more);
      expect(held(waiting).at(-1)).toMatch(new RegExp(`: ${name}$`));
      await reject(guarded.otherOwner.browser, waiting.json.id);
    }
    await guarded.made(await change({ connectionId: other }));
    expect((await call("GET", `/rails/routes/${route}`)).json.connectionId).toBe(other);
    expectStatus(204, await call("DELETE", `/rails/routes/${route}`));
  });

  it("is not made to a connection that was changed meanwhile", async () => {
    const made = await call("POST", "/rails/connections", httpConnection(connector));
    const { id } = expectStatus(201, made).json;
    const asked = await call("POST", "/rails/routes", body(id));
    // It may be changed alone: it carries nothing yet.
    const secrets = { signingSecret: "x".repeat(32), callbackSecret: "y".repeat(32) };
    const moved = { settings: { baseUrl: "https://evil.example" }, secrets };
    expectStatus(200, await patch(id, moved));
    const { state, failure } = await guarded.agreed(asked);
    expect([state, failure.details.changed]).toEqual(["FAILED", "connection"]);
  });
});

it("fees, spreads and limits are lowered and widened by two owners", async () => {
  const fee = (fixedMinor: number) => ({ rules: [{ from: "USD", to: "*", fixedMinor, bps: 10 }] });
  expectStatus(200, await call("PUT", "/fees", fee(50)));
  expectStatus(200, await call("PUT", "/fees", fee(60)));
  expect(held(await call("PUT", "/fees", fee(59)))[3]).toBe("Lower fees: USD *");
  await guarded.made(await call("PUT", "/fees", { rules: [] }));
  expect((await call("GET", "/fees")).json.rules).toEqual([]);
  const spread = (bps: number) => ({ spreads: [{ from: "USD", to: "*", bps }] });
  expectStatus(200, await call("PUT", "/rates/spreads", spread(50)));
  const lower = await call("PUT", "/rates/spreads", spread(49));
  expect(held(lower)[3]).toBe("Lower spreads: USD *");
  await guarded.made(lower);
  const limit = (maxLong: number) => ({ limits: [{ currency: "EUR", maxLong, maxShort: 0 }] });
  expectStatus(200, await call("PUT", "/fx/limits", limit(10)));
  const wider = await call("PUT", "/fx/limits", limit(11));
  expect(held(wider)[3]).toBe("Wider limits of positions: EUR");
  await guarded.made(wider);
});

it("a sandbox, and a workspace without two people, decide alone", async () => {
  await signIn(guarded.owner);
  const { platformId: id } = guarded.story;
  const { workspaceId } = expectStatus(200, await guarded.owner.call("GET", "/session")).json;
  for (const wish of [
    { workspaceId: String(workspaceId).replace("Workspace:", "") },
    { environment: "PRODUCTION" } as const,
  ]) {
    const story = await openStory(server, wish);
    expect(story.platformId).not.toBe(id);
    const desk = await activeConnection(story, manualConnection());
    const { json } = await story.call("GET", `/rails/connections/${desk}`);
    expect(json.control).toEqual({ ...OPEN, importers: null });
    await routeTo(story, desk);
    const path = `/rails/connections/${desk}`;
    expectStatus(200, await story.call("PATCH", path, { control: GUARDED }));
    expectStatus(200, await story.call("PATCH", path, { control: OPEN }));
  }
});
