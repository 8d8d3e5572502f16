/**
 * Every operation of people with every role, on a sandbox and on a production platform. The expectation is the matrix below, in the
 * order of the roles; the calls are made from the operations.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Capability,
  capabilities,
  type Role,
  roles,
} from "../../../src/domain/people/role.ts";
import { consoleOperations } from "../../../src/http/console/console-routes.ts";
import { pathAtPlatform } from "../../../src/http/console/platform-path.ts";
import { operations } from "../../../src/http/operations/routes.ts";
import { present } from "../../../src/std/assert.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { randomIds } from "../../../src/std/ids.ts";
import { type ConsoleBrowser, signIn, stepUp } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sampleOf } from "../../kit/sample.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

/** Owner, admin, developer, finance, approver, compliance, support, viewer: yes, no, in sandboxes, or once an owner says so. */
const MATRIX: Readonly<Record<Capability, string>> = {
  "overview.read": "y y y y y y y y",
  "payments.read": "y y y y y y y y",
  "quotes.read": "y y y y y y y y",
  "rates.read": "y y y y y y y y",
  "agents.read": "y y y y y y y y",
  "invitations.read": "y y y y y y y y",
  "customers.read": "y y y y y y y y",
  "accounts.read": "y y y y y y y y",
  "ledger.read": "y y y y y y y y",
  "pii.read": "y y s y y y y n",
  "documents.read": "y o n n n y n n",
  "customers.write": "y y s y n y y n",
  "external-accounts.write": "y y s y n y y n",
  "invitations.write": "y y s y n y y n",
  "customers.freeze": "y y s n n y y n",
  "customers.unfreeze": "y y s n n y n n",
  "verifications.decide": "y n s n n y n n",
  "payments.create": "y n s y n n n n",
  "payments.approve": "y n s n y n n n",
  "adjustments.create": "y n s y n n n n",
  "adjustments.approve": "y n s n y n n n",
  "agents.write": "y y s n n n n n",
  "agents.connect": "y y s n n n n n",
  "rails.read": "y y y y y y y n",
  "rails.write": "y y s n n n n n",
  "reconciliation.write": "y n n y n n n n",
  "events.read": "y y y y n n y n",
  "deliveries.read": "y y y y n n y n",
  "webhooks.read": "y y y y n n y n",
  "webhooks.write": "y y y n n n n n",
  "webhooks.rotate": "y y y n n n n n",
  "deliveries.resend": "y y y n n n y n",
  "deliveries.resend-many": "y y y n n n n n",
  "logs.read": "y y y n n n y n",
  "logs.bodies": "y y y n n n n n",
  "tokens.read": "y y y n n n n n",
  "tokens.write": "y y y n n n n n",
  "sandbox.use": "y y y y y y y n",
  "statements.read": "y y s y y y n n",
  "exports.create": "y y s y n y n n",
  "settings.read": "y y y y y y n n",
  "settings.write": "y y s n n n n n",
  "people.read": "y y y y y y n n",
  "people.write": "y y n n n n n n",
  "policies.write": "y n n n n n n n",
  "workspace.write": "y n n n n n n n",
  "audit.read": "y y n n n y n n",
  // Of operators, whom no role makes: console-system.test.ts.
  "system.read": "n n n n n n n n",
  "system.write": "n n n n n n n n",
  "system.verifications": "n n n n n n n n",
};

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

it("the matrix names every capability", () => {
  expect(Object.keys(MATRIX).sort()).toEqual([...capabilities].sort());
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

function isHeld(
  capability: Capability,
  { index, kind }: { readonly index: number; readonly kind: "sandbox" | "production" },
): boolean {
  const mark = MATRIX[capability].split(" ")[index];
  return mark === "y" || (mark === "s" && kind === "sandbox");
}

describe.each(sampleOf(ofPeople))("$id", (operation) => {
  it.each(["sandbox", "production"] as const)(
    "is judged by the roles on a %s platform",
    async (kind) => {
      const { platformId } = kind === "sandbox" ? sandbox : production;
      const capability = present(operation.capability, "a capability");
      const { path, sent } = harmless(operation);
      for (const [index, role] of roles.entries()) {
        aheadMs += 50;
        const browser = present(browsers.get(role), role);
        const answer = await browser.at(platformId)(operation.method, path, sent);
        const details = answer.json?.details ?? {};
        const lacking = [capability, ...opened(operation)].find(
          (one) => !isHeld(one, { index, kind }),
        );
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
    ({ capability }) => capability !== undefined && MATRIX[capability].at(-1) === "n",
  );
  expect(refused.length).toBeGreaterThan(50);
  for (const operation of refused) {
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
  for (const operation of judged) {
    const capability = present(operation.capability, "a capability");
    const row = MATRIX[capability].split(" ");
    const path = operation.path.replaceAll(
      /\{(?!platformId)\w+\}/g,
      `Person:${randomIds().next(clock.now())}`,
    );
    const below = pathAtPlatform(path);
    for (const [index, role] of roles.entries()) {
      aheadMs += 50;
      const browser = present(browsers.get(role), role);
      const body = operation.body === undefined ? undefined : { nothing: true };
      const answer =
        below === undefined
          ? await browser.call(operation.method, path, body)
          : await browser.at(production.platformId)(operation.method, below, body);
      const isRefused = answer.status === 403 && answer.json.details?.capability === capability;
      expect([operation.id, role, isRefused]).toEqual([operation.id, role, row[index] !== "y"]);
    }
  }
});

describe("documents.read of ADMIN", () => {
  const readsDocuments = ofPeople.filter(({ capability }) => capability === "documents.read");
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

  it.each([
    [true, "y"],
    [false, "n"],
  ] as const)("is as an owner has set it, %s, and changes nothing else", async (isOn, mark) => {
    await setTo(isOn);
    for (const [place, isSandbox] of [
      [sandbox, true],
      [production, false],
    ] as const) {
      for (const operation of [...readsDocuments, ...sampleOf(ofPeople), ...own]) {
        const capability = present(operation.capability, "a capability");
        const asked: readonly Role[] = capability === "documents.read" ? roles : ["ADMIN"];
        const row = MATRIX[capability].replace("o", mark).split(" ");
        for (const role of asked) {
          const its = row[roles.indexOf(role)];
          const isHeld = its === "y" || (its === "s" && isSandbox && !own.includes(operation));
          // Making changes of the workspace's own people and sessions is not the matter here.
          if (isHeld && own.includes(operation) && operation.method !== "GET") continue;
          const lack = await lackOf(role, operation, place);
          const [expected, found] = isHeld ? [false, lack === capability] : [capability, lack];
          expect([operation.id, role, found]).toEqual([operation.id, role, expected]);
        }
      }
    }
    const { json } = await present(browsers.get("VIEWER"), "a viewer").call("GET", "/session");
    expect(json.platforms[0].capabilities).not.toContain("documents.read");
  });
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
