/**
 * Every operation of people is judged by its capability, on a sandbox and on a production platform. Which role has which capability is
 * said by src/domain/people/role.test.ts; here each role has what that says, and the roles take turns at the operations.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Capability,
  capabilitiesOf,
  markOf,
  type Role,
  roles,
} from "../../../src/domain/people/role.ts";
import { consoleOperations } from "../../../src/http/console/console-routes.ts";
import { pathAtPlatform } from "../../../src/http/console/place.ts";
import { operations } from "../../../src/http/operations/routes.ts";
import { present } from "../../../src/std/assert.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { randomIds } from "../../../src/std/ids.ts";
import { type ConsoleBrowser, signIn, stepUp } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sampleOf, sampleOfRow } from "../../kit/sample.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let sandbox: Story;
let production: Story;
const browsers = new Map<string, ConsoleBrowser>();

/** Time that is moved on alone, so that neither the limit on calls of a person nor the age of a passkey is what is measured. */
const beganAt = systemClock.now();
let aheadMs = 0;
const clock = { ...systemClock, now: () => beganAt + aheadMs };

beforeAll(async () => {
  server = await startTestServer({ clock });
  const { workspaceId } = await server.makePlatform();
  sandbox = await openStory(server, { workspaceId });
  production = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  const owner = await makeOwner(server, workspaceId);
  browsers.set("OWNER", owner);
  for (const role of roles.slice(1)) browsers.set(role, (await makePerson(owner, [role])).browser);
});
afterAll(() => server.close());

it.each(roles)("%s has its capabilities on each platform, and no other", async (role) => {
  aheadMs += 50;
  const { json } = await present(browsers.get(role), role).call("GET", "/session");
  for (const { platformId, environment } of [
    { platformId: sandbox.platformId, environment: "SANDBOX" },
    { platformId: production.platformId, environment: "PRODUCTION" },
  ] as const) {
    const shown = json.platforms.find(
      ({ id }: { readonly id: string }) => id === `PlatformConfig:${platformId}`,
    );
    expect([...shown.capabilities].sort()).toEqual([...capabilitiesOf([role], environment)].sort());
  }
});

it("every operation of tokens names a capability, and no other does", () => {
  const ofTokens = operations.filter(({ access }) => access !== "AGENT" && access !== "PUBLIC");
  expect(ofTokens.filter(({ capability }) => capability === undefined)).toEqual([]);
  const others = operations.filter((one) => !ofTokens.includes(one));
  expect(others.filter(({ capability }) => capability !== undefined)).toEqual([]);
});

const changes = operations.filter(({ method, access }) => method !== "GET" && access !== "AGENT");

/** A call that reaches the operation and changes nothing: an id that nobody has, a body that is refused. */
function harmless(operation: (typeof operations)[number]) {
  const { path, body, form, bodyOptional } = operation;
  const unknown = path.replaceAll(/\{([a-z]+)[A-Z][a-z]+\}/gi, (_, kind: string) => {
    const name =
      kind === "account" ? "InternalAccount" : kind.charAt(0).toUpperCase() + kind.slice(1);
    return `${name}:${randomIds().next(clock.now())}`;
  });
  const sent =
    form !== undefined ? new FormData() : body === undefined ? undefined : { limit: "none" };
  return { path: unknown, sent: bodyOptional === true && form === undefined ? sent : sent };
}

const ofPeople = operations.filter(({ capability }) => capability !== undefined);

/** Beside its own capability. */
function opened({ opensPersonalData }: (typeof operations)[number]): readonly Capability[] {
  return opensPersonalData === true ? ["pii.read"] : [];
}

/** To everybody in production. */
function isClosed({ sandboxOnly, closedToPeople }: (typeof operations)[number]): boolean {
  return sandboxOnly === true || closedToPeople === true;
}

type Operation = (typeof operations)[number];

/** The capability that the role lacks for the operation on a platform of this kind. */
function lackedBy(role: Role, operation: Operation, kind: "sandbox" | "production") {
  const held = capabilitiesOf([role], kind === "sandbox" ? "SANDBOX" : "PRODUCTION");
  const needed = [present(operation.capability, "a capability"), ...opened(operation)];
  return needed.find((one) => !held.has(one));
}

/** One role that may call the operation and one that may not, where there are such; each is another one for the next operation. */
function turnOf(operation: Operation, kind: "sandbox" | "production"): readonly Role[] {
  const place = ofPeople.indexOf(operation);
  const may = roles.filter((role) => lackedBy(role, operation, kind) === undefined);
  const mayNot = roles.filter((role) => !may.includes(role));
  const turns = [may, mayNot].map((some) => some[place % Math.max(some.length, 1)]);
  return turns.filter((role) => role !== undefined);
}

describe.each(sampleOf(ofPeople))("$id", (operation) => {
  it.each(["sandbox", "production"] as const)(
    "is judged by the roles on a %s platform",
    async (kind) => {
      const { platformId } = kind === "sandbox" ? sandbox : production;
      const capability = present(operation.capability, "a capability");
      const { path, sent } = harmless(operation);
      const turns = turnOf(operation, kind);
      expect(turns.length).toBeGreaterThan(0);
      for (const role of turns) {
        aheadMs += 50;
        const browser = present(browsers.get(role), role);
        const answer = await browser.at(platformId)(operation.method, path, sent);
        const details = answer.json?.details ?? {};
        const lacking = lackedBy(role, operation, kind);
        if (lacking !== undefined) {
          expect([role, answer.status, details.capability]).toEqual([role, 403, lacking]);
        } else if (kind === "production" && isClosed(operation)) {
          expect([role, answer.status]).toEqual([role, 403]);
        } else {
          expect([role, details.capability]).not.toEqual([role, capability]);
          expect([role, answer.status]).not.toEqual([role, 401]);
        }
      }
    },
  );
});

it("a refused change leaves nothing behind", async () => {
  const viewer = present(browsers.get("VIEWER"), "a viewer");
  const { rows: before } = await countedCommands();
  const refused = changes.filter(
    ({ capability }) => capability !== undefined && markOf("VIEWER", capability) === "NEVER",
  );
  expect(refused.length).toBeGreaterThan(50);
  for (const operation of sampleOf(refused)) {
    aheadMs += 50;
    const { path, sent } = harmless(operation);
    const answer = await viewer.at(sandbox.platformId)(operation.method, path, sent);
    expect([operation.id, answer.status]).toEqual([operation.id, 403]);
  }
  const { rows: after } = await countedCommands();
  expect(after).toEqual(before);
});

function countedCommands() {
  return server.app.store.database.withClient((client) =>
    client.query("select count(*)::int4 from command_log where platform_id = $1", [
      sandbox.platformId,
    ]),
  );
}

it("the console's own operations are judged by the roles as well", async () => {
  const judged = consoleOperations.filter(
    ({ access, capability }) =>
      access === "PERSON" && capability !== undefined && !capability.startsWith("system."),
  );
  expect(judged.length).toBeGreaterThan(5);
  for (const [place, operation] of judged.entries()) {
    const capability = present(operation.capability, "a capability");
    const path = operation.path.replaceAll(
      /\{(?!platformId)\w+\}/g,
      `Person:${randomIds().next(clock.now())}`,
    );
    const below = pathAtPlatform(path);
    for (const role of sampleOfRow(roles, place)) {
      aheadMs += 50;
      const browser = present(browsers.get(role), role);
      const body = operation.body === undefined ? undefined : { nothing: true };
      const answer =
        below === undefined
          ? await browser.call(operation.method, path, body)
          : await browser.at(production.platformId)(operation.method, below, body);
      const isRefused = answer.status === 403 && answer.json.details?.capability === capability;
      expect([operation.id, role, isRefused]).toEqual([
        operation.id,
        role,
        markOf(role, capability) !== "ALWAYS",
      ]);
    }
  }
});

describe("documents.read of ADMIN", () => {
  const own = consoleOperations.filter(
    ({ access, capability }) =>
      access === "PERSON" && capability !== undefined && !capability.startsWith("system."),
  );

  async function setTo(adminsReadDocuments: boolean): Promise<void> {
    const owner = present(browsers.get("OWNER"), "an owner");
    await stepUp(owner);
    const answer = await owner.call("PATCH", "/workspace/roles", { adminsReadDocuments });
    expect(answer).toMatchObject({ status: 200, json: { adminsReadDocuments } });
    const admin = present(browsers.get("ADMIN"), "an admin");
    expect((await admin.call("GET", "/session")).status).toBe(401);
    await signIn(admin);
  }

  /** The capability that a person of this role lacks for the operation. */
  async function lackOf(
    role: Role,
    operation: (typeof operations)[number],
    { platformId }: Story,
  ): Promise<unknown> {
    aheadMs += 50;
    const browser = present(browsers.get(role), role);
    const below = pathAtPlatform(operation.path);
    const { path, sent } = harmless({ ...operation, path: below ?? operation.path });
    const isOfWorkspace = own.includes(operation) && below === undefined;
    const answer = isOfWorkspace
      ? await browser.call(operation.method, path, sent)
      : await browser.at(platformId)(operation.method, path, sent);
    return answer.status === 403 ? answer.json.details?.capability : undefined;
  }

  it.each([true, false])(
    "is as an owner has set it, %s, and changes nothing else",
    async (isOn) => {
      await setTo(isOn);
      const switches = { adminsReadDocuments: isOn };
      const readers = [...ofPeople, ...own].filter(
        ({ capability, method }) => capability === "documents.read" && method === "GET",
      );
      expect(readers.length).toBeGreaterThan(1);
      for (const [place, environment] of [
        [sandbox, "SANDBOX"],
        [production, "PRODUCTION"],
      ] as const) {
        for (const operation of readers) {
          for (const role of roles) {
            const isHeld = capabilitiesOf([role], environment, switches).has("documents.read");
            const lack = await lackOf(role, operation, place);
            expect([operation.id, role, lack === "documents.read"]).toEqual([
              operation.id,
              role,
              !isHeld,
            ]);
          }
        }
      }
      const admin = (await present(browsers.get("ADMIN"), "an admin").call("GET", "/session")).json;
      const environments = {
        [sandbox.platformId]: "SANDBOX",
        [production.platformId]: "PRODUCTION",
      };
      for (const [platformId, environment] of Object.entries(environments)) {
        const shown = admin.platforms.find(
          ({ id }: { readonly id: string }) => id === `PlatformConfig:${platformId}`,
        );
        const held = capabilitiesOf(
          ["ADMIN"],
          environment === "SANDBOX" ? "SANDBOX" : "PRODUCTION",
          switches,
        );
        expect([...shown.capabilities].sort()).toEqual([...held].sort());
      }
      const { json } = await present(browsers.get("VIEWER"), "a viewer").call("GET", "/session");
      expect(json.platforms[0].capabilities).not.toContain("documents.read");
    },
  );
});

describe("a person without pii.read", () => {
  it("sees customers masked, and no file or stream", async () => {
    const made = await sandbox.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana María Ruiz",
      email: "ana@mail.example.com",
      birthDate: "1990-01-31",
      currencies: ["USD"],
    });
    const viewer = present(browsers.get("VIEWER"), "a viewer").at(sandbox.platformId);
    const shown = await viewer("GET", `/customers/${made.json.id}`);
    expect(shown.json).toMatchObject({
      id: made.json.id,
      fullName: "A. M. R.",
      email: "a•••@m•••.com",
      birthDate: "•••",
    });
    const text = JSON.stringify([
      shown.json,
      (await viewer("GET", "/customers")).json,
      (await viewer("GET", `/customers/internal-accounts?customerId=${made.json.id}`)).json,
    ]);
    for (const secret of ["María", "ana@", "mail.example", "1990-01-31"])
      expect(text).not.toContain(secret);
    const support = present(browsers.get("SUPPORT"), "support").at(sandbox.platformId);
    expect((await support("GET", `/customers/${made.json.id}`)).json.fullName).toBe(
      "Ana María Ruiz",
    );
    const developer = present(browsers.get("DEVELOPER"), "a developer").at(production.platformId);
    const stream = await developer("GET", "/events/stream");
    await production.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana María Ruiz",
      currencies: ["USD"],
    });
    const { data } = (await developer("GET", "/events?type=CUSTOMER.*&limit=1")).json;
    for (const { id } of data) {
      const event = await developer("GET", `/events/${id}`);
      expect([event.status, event.text.includes("María")]).toEqual([200, false]);
      expect(JSON.parse(event.json.body).id).toBe(id);
    }
    expect(stream).toMatchObject({ status: 403, json: { details: { capability: "pii.read" } } });
  });
});

describe("a person makes a token", () => {
  it.each([
    ["OWNER", "production", ["VIEW", "TRANSACT", "MANAGE"]],
    ["ADMIN", "production", ["VIEW"]],
    ["DEVELOPER", "sandbox", ["VIEW", "TRANSACT", "MANAGE"]],
    ["DEVELOPER", "production", []],
  ] as const)("%s on a %s platform grants %j", async (role, kind, allowed) => {
    const { platformId } = kind === "sandbox" ? sandbox : production;
    const call = present(browsers.get(role), role).at(platformId);
    for (const permission of ["VIEW", "TRANSACT", "MANAGE"] as const) {
      const { status } = await call("POST", "/tokens", { name: "t", permissions: [permission] });
      const isAllowed = (allowed as readonly string[]).includes(permission);
      // What the person lacks another one must agree to.
      expect([permission, status]).toEqual([permission, isAllowed ? 201 : 202]);
    }
  });
});
