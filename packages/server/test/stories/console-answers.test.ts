/** Every operation through the console: hostile input gives no 500, and a person without `pii.read` sees no personal data. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleOperations } from "../../src/http/console/console-routes.ts";
import { operations } from "../../src/http/operations/routes.ts";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser, signIn, stepUp } from "../kit/console.ts";
import { makeOwner, makePerson } from "../kit/console-people.ts";
import { makeObject, transfer } from "../kit/made-objects.ts";
import { endReceivers } from "../kit/receivers.ts";
import { sampleOf, sampleOfRow } from "../kit/sample.ts";
import { bankAccountBody, openStory, type Story } from "../kit/story.ts";
import { activeConnection, manualConnection } from "../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";
import { validCall } from "../kit/valid-calls.ts";

/** Time that can be moved on, so that limits on calls are not what is measured. */
let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let story: Story;
let production: Story;
let owner: ConsoleBrowser;
let viewer: ConsoleBrowser;
let developer: ConsoleBrowser;

beforeAll(async () => {
  server = await startTestServer({ clock });
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  production = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  viewer = (await makePerson(owner, ["VIEWER"])).browser;
  developer = (await makePerson(owner, ["DEVELOPER"])).browser;
});
afterAll(async () => {
  await endReceivers();
  await server.close();
});

const BODIES: readonly unknown[] = [
  "",
  "{",
  "[]",
  "null",
  "1e999",
  '{"__proto__":{}}',
  { code: "x".repeat(10_000) },
  { code: "\u0000", name: "\u202e<script>", email: "a@b" },
  { email: { $gt: "" }, roles: "OWNER", name: 5, isSuspended: "yes" },
  {
    roles: [
      { platformId: 5, roles: [null] },
      { platformId: null, roles: ["ROOT"] },
    ],
  },
  {
    passkey: {
      id: "AAAA",
      response: {
        clientDataJSON: "AAAA",
        attestationObject: "AAAA",
        authenticatorData: "AAAA",
        signature: "AAAA",
      },
    },
    code: "a",
    name: "a",
    email: "a@example.com",
  },
  { passkey: { id: "*", response: {} } },
  { locale: "xx-".repeat(50), timeZone: "../../etc" },
];

const SEGMENTS = ["%00", "Person:", "..%2f..", "%F0%9F%92%A9", "a".repeat(400), "Person:1"];

const drawn = sampleOf(consoleOperations).map((operation, place) => ({ ...operation, place }));

describe.each(drawn)("$method $path", ({ place, ...operation }) => {
  it("answers hostile input with a refusal", async () => {
    for (const segment of SEGMENTS) {
      const here = operation.path.replace("{platformId}", `PlatformConfig:${story.platformId}`);
      const path = here.replaceAll(/\{[^}]+\}/g, segment);
      const bodies = operation.body === undefined ? [undefined] : sampleOfRow(BODIES, place);
      for (const body of bodies) {
        aheadMs += 60_000;
        // Ending one's own sessions would end the test.
        if (operation.id === "endMySessions" || operation.id === "signOut") continue;
        const browser = operation.access === "PUBLIC" ? openBrowser(server) : owner;
        const { status, json } = await browser.call(operation.method, path, body);
        expect([operation.id, body, status < 500]).toEqual([operation.id, body, true]);
        if (status === 401 && operation.access === "PERSON") {
          expect(json.code).toBe("UNAUTHORIZED");
        }
        if (aheadMs % 600_000 < 60_000) await refresh();
      }
      if (!operation.path.replace("{platformId}", "").includes("{")) break;
    }
  });
});

async function refresh(): Promise<void> {
  const { status } = await owner.call("GET", "/session");
  if (status === 200) await stepUp(owner);
  else await signIn(owner);
}

it("odd paths, methods and cookies are refused", async () => {
  const base = `http://127.0.0.1:${server.app.address.port}`;
  const cookies = [
    "florin-local=",
    "florin-local=a; florin-local=b",
    `florin-local=${"A".repeat(64)}`,
    "x".repeat(4_000),
  ];
  for (const path of [
    "/console/api",
    "/console/api/",
    "/console/api/p",
    "/console/api/p/x",
    "/console/api/p//config",
    "/console/api/..%2fsession",
  ])
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      for (const cookie of cookies) {
        aheadMs += 1_000;
        const { status } = await fetch(base + path, { method, headers: { cookie } });
        expect([path, method, status >= 400 && status < 500]).toEqual([path, method, true]);
      }
});

const PERSONAL =
  /Ruiz|Lindqvist|Lind Boats|"Mara|@example\.com|\b[12]\d{8}789\b|1990-0|CANARY|not on the statement|January|W-1\b/;

/** Personal data, and texts that people typed, in the members that every platform has. */
async function plantTexts(on: Story): Promise<void> {
  const metadata = { tenant: "CANARY metadata" };
  const { json } = await on.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    email: "ana@example.com",
    birthDate: "1990-01-31",
    currencies: ["USD"],
    metadata,
  });
  const account = { ...bankAccountBody({ customerId: json.id }), metadata };
  await on.call("POST", "/customers/external-accounts", account);
  const line = {
    bankReference: "CANARY bank reference",
    direction: "CREDIT",
    amount: 100,
    currency: "USD",
    bookedOn: "2026-11-21",
    reference: "CANARY reference",
    remittance: "CANARY remittance",
    payer: { name: "Ana Ruiz", account: "123456789" },
  };
  const control = { approval: "FOUR_EYES" };
  for (const more of [{}, { control }]) {
    const desk = await activeConnection(on, { ...manualConnection(), ...more });
    const { status } = await on.call("POST", `/rails/connections/${desk}/entries`, line);
    expect(status).toBe("control" in more ? 202 : 201);
  }
}

/** The newest object of the list above the path's id; an id that nothing has where there is none. */
async function pathInProduction({ path }: (typeof operations)[number]): Promise<string> {
  const [list = ""] = path.split("/{");
  const found = path.includes("{") ? await production.call("GET", list) : undefined;
  const id = found?.json?.data?.[0]?.id ?? "1";
  return path.replace(/\{[^}]+\}/, id).replaceAll(/\{[^}]+\}/g, "1");
}

describe("a person without pii.read", () => {
  beforeAll(async () => {
    for (const make of Object.values(makeObject)) await make(story);
    await plantTexts(story);
    const { path, body } = await transfer(story, "out");
    const texts = { description: "CANARY description", remittanceInformation: "CANARY text" };
    const metadata = { shelf: "CANARY shelf" };
    const paid = await story.call("POST", path, { ...(body as object), ...texts, metadata });
    expect(paid.status).toBe(201);
    await story.settle();
    await plantTexts(production);
    await production.call("POST", "/webhook-endpoints", { url: "https://platform.example/in" });
    await production.call("POST", "/tokens", { name: "t", permissions: ["VIEW"] });
    await production.settle();
    await server.app.requestLog?.flush();
  }, 120_000);

  const reads = operations.filter(
    ({ method, capability }) => method === "GET" && capability !== undefined,
  );

  const inProduction = reads.filter(({ sandboxOnly }) => sandboxOnly !== true);

  it.each(sampleOf(reads))("reads no personal data by $id", async (operation) => {
    aheadMs += 1_000;
    if ((await viewer.call("GET", "/session")).status !== 200) await signIn(viewer);
    const call = await validCall(story, operation.id);
    const answer = await viewer.at(story.platformId)("GET", call.path);
    expect([200, 403, 404]).toContain(answer.status);
    if (answer.status === 403) expect(answer.json.details.capability).toBeDefined();
    expect(present(answer.text, "a text").match(PERSONAL)).toBeNull();
  });

  /** In production, where a developer has no `pii.read`, a call is one on what the platform has. */
  it.each(sampleOf(inProduction))("reads none in production by $id", async (operation) => {
    aheadMs += 1_000;
    if ((await developer.call("GET", "/session")).status !== 200) await signIn(developer);
    const path = await pathInProduction(operation);
    const answer = await developer.at(production.platformId)("GET", path);
    expect([200, 400, 403, 404]).toContain(answer.status);
    if (answer.status === 403) expect(answer.json.details.capability).toBeDefined();
    expect(present(answer.text, "a text").match(PERSONAL)).toBeNull();
  });

  it("finds no text that somebody typed by the id of its object", async () => {
    const { json } = await production.call("GET", "/rails/entries");
    const path = `/search?q=${json.data[0].id}`;
    for (const [browser, isShown] of [
      [developer, false],
      [owner, true],
    ] as const) {
      await signIn(browser);
      const answer = await browser.at(production.platformId)("GET", path);
      expect([answer.json.groups.length, PERSONAL.test(answer.text)]).toEqual([1, isShown]);
    }
  });

  it("is shown less than others are", async () => {
    await signIn(owner);
    const shown = { sandbox: 0, production: 0 };
    for (const operation of reads) {
      if (shown.sandbox > 8) break;
      aheadMs += 1_000;
      const call = await validCall(story, operation.id);
      const answer = await owner.at(story.platformId)("GET", call.path);
      if (PERSONAL.test(answer.text)) shown.sandbox += 1;
    }
    for (const operation of inProduction) {
      if (shown.production > 5) break;
      aheadMs += 1_000;
      const path = await pathInProduction(operation);
      const answer = await owner.at(production.platformId)("GET", path);
      if (PERSONAL.test(answer.text)) shown.production += 1;
    }
    expect(shown.sandbox).toBeGreaterThan(8);
    expect(shown.production).toBeGreaterThan(5);
  });
});
