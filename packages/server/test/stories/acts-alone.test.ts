/**
 * Who can move money, or widen what may be paid, alone. Each operation's own call is made, and what it wrote says whether it does so; such an
 * operation waits for a second person in a workspace with two owners, or stands with a reason in money-acts.ts.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { markOf, roles } from "../../src/domain/people/role.ts";
import { permissions } from "../../src/domain/token.ts";
import { consoleOperations } from "../../src/http/console/console-routes.ts";
import { operations } from "../../src/http/operations/routes.ts";
import { present } from "../../src/std/assert.ts";
import { optionsOf } from "../kit/made-objects.ts";
import { REVIEWED, WAITING, waitingCall } from "../kit/money-acts.ts";
import { sampleOf } from "../kit/sample.ts";
import { openStory, type Story } from "../kit/story.ts";
import { type Guarded, openGuarded } from "../kit/story-guarded.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";
import { validCall } from "../kit/valid-calls.ts";

let server: TestServer;
let guarded: Guarded;
beforeAll(async () => {
  server = await startTestServer();
  guarded = await openGuarded(server);
});
afterAll(() => server.close());

/** What a call can have moved or widened. */
const WATCHED = [
  "select count(*) from ledger_entries where platform_id = $1",
  "select count(*) from rail_payments where platform_id = $1",
  "select id, status, currencies, account, settings, control, funding, secret_facts from rail_connections where platform_id = $1 order by id",
  "select id, priority, account_types, payment_rails, min_minor, max_minor, connection_id, enabled, deleted_at from rail_routes where platform_id = $1 order by id",
  "select spreads, fees from price_rules where platform_id = $1",
  "select id, max_long, max_short from fx_positions where platform_id = $1 order by id",
];

function watched({ platformId }: Pick<Story, "platformId">): Promise<string> {
  return server.app.store.database.withClient(async (client) => {
    const hash = createHash("sha256");
    for (const text of WATCHED) {
      hash.update(JSON.stringify((await client.query(text, [platformId])).rows));
    }
    return hash.digest("hex");
  });
}

/** Signed by a connector that two owners have activated. */
const OF_CONNECTORS = "takeRailCallback";

const changing = operations.filter(
  ({ id, method, sandboxOnly }) => method !== "GET" && sandboxOnly !== true && id !== OF_CONNECTORS,
);

describe.each(sampleOf(changing))("$id", ({ id, method }) => {
  it("moves no money and widens nothing, or is known to", async () => {
    const story = await openStory(server);
    const call = await validCall(story, id);
    await story.settle();
    const before = await watched(story);
    await story.call(method, call.path, call.body, optionsOf(call));
    const isKnown = id in WAITING || id in REVIEWED;
    if (!isKnown) expect(await watched(story)).toBe(before);
  });
});

describe.each(sampleOf(Object.keys(WAITING)))("%s", (id) => {
  it("waits for a second person, of a token and of a person who holds it", async () => {
    const { story, owner } = guarded;
    for (const ask of [story.call, owner.at(story.platformId)]) {
      const { method, path, body } = await waitingCall(guarded, id);
      await story.settle();
      const before = await watched(story);
      const answer = await ask(method, path, body);
      expect([id, answer.status, answer.json.code]).toEqual([id, 202, undefined]);
      expect(await watched(story)).toBe(before);
    }
  });
});

it("the tables name operations that exist, and none twice", () => {
  const ids = operations.map(({ id }) => id);
  const named = [...Object.keys(WAITING), ...Object.keys(REVIEWED)];
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  expect(named.length).toBe(new Set(named).size);
});

/** Its order is carried out by the command of the operation that was asked for. */
const OF_THE_CONSOLE = ["decideApproval"];

it("the console's own operations move money by approvals alone", () => {
  const moving = consoleOperations.filter(
    ({ capability }) => capability?.startsWith("payments.") || capability?.startsWith("rails."),
  );
  expect(moving.filter(({ method }) => method !== "GET").map(({ id }) => id)).toEqual([]);
  expect(consoleOperations.map(({ id }) => id)).toEqual(expect.arrayContaining(OF_THE_CONSOLE));
});

const PAGE = new URL("../../../../docs/threats.md", import.meta.url);
const BEGIN = "<!-- made by test: who can do what alone -->";
const END = "<!-- end: who can do what alone -->";

function who(id: string, isPerson: boolean): string {
  if (id in WAITING) return "second person";
  const { waitsOfPeople, decides } = present(REVIEWED[id], "a reviewed operation");
  if (decides === true) return "as the second";
  return isPerson && waitsOfPeople === true ? "second person" : "alone";
}

function tableOfWho(): string {
  const named = operations.filter(({ id }) => id in WAITING || id in REVIEWED);
  const rows = named.map(({ id, access, capability }) => {
    const ofRoles = roles.map((role) =>
      capability !== undefined && markOf(role, capability) === "ALWAYS" ? who(id, true) : "no",
    );
    const ofTokens = permissions.map((one) => (access === one ? who(id, false) : "no"));
    const ofAgent = access === "AGENT" ? who(id, false) : "no";
    return [`\`${id}\``, ...ofRoles, ...ofTokens, ofAgent, REVIEWED[id]?.why ?? ""];
  });
  const head = ["Operation", ...roles, ...permissions.map((one) => `${one} token`), "agent", "Why"];
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${BEGIN}\n\n${lines.join("\n")}\n\n${END}`;
}

/** Set WRITE_PAGES to write the section anew. */
it("docs/threats.md says who can do what alone", () => {
  const text = readFileSync(PAGE, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  expect(begin).toBeGreaterThan(0);
  const made = `${text.slice(0, begin)}${tableOfWho()}${text.slice(end + END.length)}`;
  if (process.env.WRITE_PAGES !== undefined) writeFileSync(PAGE, made);
  else expect(text).toBe(made);
});
