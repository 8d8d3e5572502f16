/**
 * A stored secret belongs to the server that it was given for: a change of the address alone never takes it to another one. Every
 * operation that changes an address is listed here with what is tried, or with the reason why no secret goes along.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { consoleOperations } from "../../src/http/console/console-routes.ts";
import { operations } from "../../src/http/operations/routes.ts";
import {
  documentKeyword,
  isNode,
  propertiesOf,
  type SchemaNode,
} from "../../src/validation/schema.ts";
import { type ConsoleBrowser, stepUp } from "../kit/console.ts";
import { makeOwner } from "../kit/console-people.ts";
import { openConnector, type TestConnector } from "../kit/rail-connector.ts";
import { openRatePage, type RatePage } from "../kit/rate-page.ts";
import { openStory, type RawAnswer, type Story } from "../kit/story.ts";
import { expectStatus, httpConnection } from "../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

let server: TestServer;
let story: Story;
let owner: ConsoleBrowser;
let page: RatePage;
let foreign: RatePage;
let connector: TestConnector;

beforeAll(async () => {
  [page, foreign, connector] = await Promise.all([openRatePage(), openRatePage(), openConnector()]);
  const hosts = [page, foreign, connector].map(({ port }) => `127.0.0.1:${port}`);
  server = await startTestServer({ settings: { RAIL_ALLOWED_HOSTS: hosts.join(",") } });
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  owner = await makeOwner(server, workspaceId);
});
afterAll(async () => {
  await server.close();
  await Promise.all([page, foreign, connector].map((one) => one.close()));
});

/** A noun that has an address and a secret: what changes it. */
interface Place {
  /** Sends the change to another server, with these members beside the address. */
  move(more?: object): Promise<RawAnswer>;
  /** Sends the change to another path of the same server. */
  stay(): Promise<RawAnswer>;
  /** The fields that a move must send again. */
  readonly fields: readonly string[];
  /** The members that set the secrets anew, or take them away. */
  readonly anew: object;
  readonly away: object | undefined;
}

let made = 0;

async function rateSource(): Promise<Place> {
  const body = {
    name: `feed ${++made}`,
    kind: "HTTP",
    settings: { url: page.url, pairs: [{ base: "EUR", quote: "USD", pointer: "/rate" }] },
    headers: { authorization: "Bearer secret-of-the-page" },
  };
  const { id } = expectStatus(201, await story.call("POST", "/rates/sources", body)).json;
  const change = (url: string, more: object) =>
    story.call("PATCH", `/rates/sources/${id}`, { settings: { url }, ...more });
  return {
    move: (more = {}) => change(foreign.url, more),
    stay: () => change(`${page.url}/other?day=1`, {}),
    fields: ["headers"],
    anew: { headers: { authorization: "Bearer another" } },
    away: { headers: {} },
  };
}

async function railConnection(): Promise<Place> {
  const body = httpConnection(connector);
  const { id } = expectStatus(201, await story.call("POST", "/rails/connections", body)).json;
  const change = (baseUrl: string | null, more: object) =>
    story.call("PATCH", `/rails/connections/${id}`, { settings: { baseUrl }, ...more });
  // An address that is taken away first leaves the secrets behind as well.
  expect(fieldsOf(await change(null, {}))).toEqual([
    "secrets.signingSecret",
    "secrets.callbackSecret",
  ]);
  return {
    move: (more = {}) => change(foreign.url, more),
    stay: () => change(`${connector.baseUrl}/v2`, {}),
    fields: ["secrets.signingSecret", "secrets.callbackSecret"],
    anew: { secrets: body.secrets },
    away: { secrets: { signingSecret: null, callbackSecret: null } },
  };
}

async function issuer(): Promise<Place> {
  await stepUp(owner);
  const first = { name: "A", issuer: "https://a.example/one", clientId: "florin" };
  const put = (one: object) =>
    owner.call("PUT", "/workspace/sso", {
      names: [`acme-${made}`],
      isRequired: false,
      issuers: [{ ...first, ...one }],
    });
  made += 1;
  const { id } = expectStatus(200, await put({ clientSecret: "secret" })).json.issuers[0];
  return {
    move: (more = {}) => put({ id, issuer: "https://b.example/one", ...more }),
    stay: () => put({ id }),
    fields: ["issuers.0.clientSecret"],
    anew: { clientSecret: "another" },
    away: undefined,
  };
}

const SIGNS = "its secret signs what is sent there, and is not sent itself";

/** By the operation that changes an address. */
const PLACES: Readonly<Record<string, (() => Promise<Place>) | string>> = {
  updateRateSource: rateSource,
  updateRailConnection: railConnection,
  updateSso: issuer,
  updateWebhookEndpoint: SIGNS,
  updateConfig: `webhookEndpoint: ${SIGNS}; logoUrl: the browser of a mail's reader opens it`,
};

const ADDRESS = /(^u|U)rl$|^issuer$|(^e|E)ndpoint$|^host$|^server$/;

/** The names of all members of a body. */
function namesIn(schema: unknown, seen = new Set<unknown>()): readonly string[] {
  if (!isNode(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const parts = ["oneOf", "anyOf", "allOf"].flatMap((key) => (schema[key] ?? []) as unknown[]);
  const members = Object.entries(propertiesOf(schema as never));
  return [
    ...members.flatMap(([name, member]) => [name, ...namesIn(member as SchemaNode, seen)]),
    ...[...parts, schema.items, schema[documentKeyword]].flatMap((part) => namesIn(part, seen)),
  ];
}

it("is looked at wherever an address can be changed", () => {
  const changing = [...operations, ...consoleOperations].filter(
    ({ method, body, shownBody }) =>
      (method === "PATCH" || method === "PUT") &&
      namesIn(shownBody ?? body).some((name) => ADDRESS.test(name)),
  );
  expect(changing.map(({ id }) => id).sort()).toEqual(Object.keys(PLACES).sort());
});

const fieldsOf = ({ status, json }: RawAnswer) => [
  ...(status === 400 ? [] : [status]),
  ...(json.details?.errors ?? []).map(({ field }: { readonly field: string }) => field),
];

const places = Object.entries(PLACES).flatMap(([id, make]) =>
  typeof make === "string" ? [] : [[id, make] as const],
);

it.each(places)("stays at its server under %s", async (_id, make) => {
  const place = await make();
  expect(fieldsOf(await place.move())).toEqual(place.fields);
  expectStatus(200, await place.stay());
  expect(fieldsOf(await place.move())).toEqual(place.fields);
  expectStatus(200, await place.move(place.anew));
  if (place.away === undefined) return;
  const other = await make();
  expectStatus(200, await other.move(other.away));
});

it("is never sent to a server that it was not given for", async () => {
  await story.settle();
  const sent = [...foreign.asked].map(({ authorization }) => authorization ?? "none");
  expect(new Set(sent)).toEqual(new Set(["Bearer another", "none"]));
  expect(page.asked.map(({ authorization }) => authorization)).toContain(
    "Bearer secret-of-the-page",
  );
});
