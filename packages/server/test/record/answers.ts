/**
 * Records how the program answers: valid calls of every operation, calls that are refused, reads of what was made, and the events of all
 * that. Two recordings that are equal byte for byte say that a change moved code and no behaviour.
 */
import { consoleOperations } from "../../src/http/console/console-routes.ts";
import { operations } from "../../src/http/operations/routes.ts";
import { systemClock } from "../../src/std/clock.ts";
import { type ConsoleBrowser, signIn, stepUp } from "../kit/console.ts";
import { makeOwner } from "../kit/console-people.ts";
import { optionsOf, type ValidCall } from "../kit/made-objects.ts";
import { endReceivers } from "../kit/receivers.ts";
import { openStory, type RawAnswer, type Story } from "../kit/story.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";
import { validCall } from "../kit/valid-calls.ts";
import { type Json, withNumberedIds } from "./steady.ts";

export interface Recorded {
  readonly what: string;
  readonly answer: Json;
}

type Operation = (typeof operations)[number];

/** Time stands still, but for steps between calls: what is recorded does not depend on the speed of the machine. */
const BEGIN = Date.parse("2026-06-01T09:00:00Z");

/** Streams, a call that a connector signs, and what shows how far the workers are. */
const DRAWN = new Set([
  "streamRequestLogs",
  "streamEvents",
  "takeRailCallback",
  "listRequestLogs",
  "listWebhookEndpoints",
  "listWebhookDeliveries",
  "getWebhookDelivery",
]);
/** Its lines number the commands, of which workers make some. */
const NUMBERS_COMMANDS = "getExportFile";
/** Of each type of event: later ones are interleaved with what the workers do. */
const FIRST_EVENTS = 3;
const UNKNOWN_ID = "01970000-0000-7000-8000-000000000000";

interface Recorder {
  readonly story: Story;
  readonly owner: ConsoleBrowser;
  readonly step: () => void;
  readonly record: (what: string, answer: RawAnswer) => void;
}

export async function recordAnswers(): Promise<readonly Recorded[]> {
  let now = BEGIN;
  const server = await startTestServer({ clock: { ...systemClock, now: () => now } });
  try {
    const { workspaceId } = await server.makePlatform();
    const story = await openStory(server, { workspaceId });
    const owner = await makeOwner(server, workspaceId);
    const recorded: Recorded[] = [];
    const add = (what: string, answer: Json) =>
      recorded.push({ what, answer: withNumberedIds(answer) });
    const recorder: Recorder = {
      story,
      owner,
      step() {
        now += 1_000;
      },
      record: (what, answer) => add(what, jsonOf(answer)),
    };
    await recordValid(recorder);
    await recordRefused(recorder);
    await recordReads(recorder);
    await recordConsole(recorder);
    for (const event of await eventsOf(server, story)) add("event", event);
    return recorded;
  } finally {
    await endReceivers();
    await server.close();
  }
}

function jsonOf({ status, headers, text, json }: RawAnswer): Json {
  const named = ["content-type", "location", "retry-after", "cache-control", "content-disposition"];
  const told = named.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status, headers: Object.fromEntries(told), body: json ?? text.split("\n") };
}

async function recordValid({ story, step, record }: Recorder): Promise<void> {
  for (const { id, method } of operations) {
    if (DRAWN.has(id)) continue;
    step();
    const call = await validCall(story, id);
    record(id, await story.call(method, call.path, call.body, optionsOf(call)));
    await story.settle();
  }
}

function brokenBodies({ body }: ValidCall): readonly (readonly [string, unknown])[] {
  if (typeof body !== "object" || body === null || body instanceof FormData) return [];
  const fields = Object.keys(body);
  return [
    ["nothing", {}],
    ["one more member", { ...body, unexpected: 1 }],
    ...fields.map((field) => [`${field} of another type`, { ...body, [field]: [[]] }] as const),
    ...fields.map((field) => [`no ${field}`, { ...body, [field]: undefined }] as const),
  ];
}

async function recordRefused({ story, step, record }: Recorder): Promise<void> {
  for (const operation of operations) {
    const { id, method, access } = operation;
    if (DRAWN.has(id)) continue;
    step();
    const call = await validCall(story, id);
    const send = (what: string, path: string, body: unknown, authorization = optionsOf(call)) =>
      story
        .call(method, path, body, authorization)
        .then((answer) => record(`${id}, ${what}`, answer));
    if (access !== "PUBLIC")
      await send("no credential", call.path, call.body, { authorization: null });
    if (hasId(operation)) await send("unknown id", unknownPath(call), call.body);
    if (method === "GET") await send("limit 0", `${call.path.split("?")[0]}?limit=0`, undefined);
    for (const [what, body] of brokenBodies(call)) await send(what, call.path, body);
    await story.settle();
  }
}

const hasId = ({ path }: Operation) => path.includes("{");
const unknownPath = ({ path }: ValidCall) =>
  path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, UNKNOWN_ID);

/** Lists, now that there is something of everything, and the first object of each list. */
async function recordReads({ story, owner, step, record }: Recorder): Promise<void> {
  const reads = operations.filter((one) => one.method === "GET" && one.capability !== undefined);
  for (const operation of reads) {
    if (DRAWN.has(operation.id) || operation.id === NUMBERS_COMMANDS) continue;
    step();
    const { path } = await validCall(story, operation.id);
    record(`${operation.id}, at the end`, await story.call("GET", path));
    await refresh(owner);
    record(`${operation.id}, of a person`, await owner.at(story.platformId)("GET", path));
    if (hasId(operation) || path.includes("?")) continue;
    record(`${operation.id}, a page`, await story.call("GET", `${path}?limit=2`));
  }
}

async function refresh(owner: ConsoleBrowser): Promise<void> {
  if ((await owner.call("GET", "/session")).status === 200) await stepUp(owner);
  else await signIn(owner);
}

/** The console's own operations: its reads, and its refusals of a body with nothing in it. */
async function recordConsole({ story, owner, step, record }: Recorder): Promise<void> {
  for (const { id, method, path, access } of consoleOperations) {
    if (DRAWN.has(id) || id === "signOut" || id === "endMySessions") continue;
    step();
    if (access === "PERSON") await refresh(owner);
    const here = path.replace("{platformId}", `PlatformConfig:${story.platformId}`);
    const filled = here.replaceAll(/\{[^}]+\}/g, UNKNOWN_ID);
    const body = method === "GET" ? undefined : {};
    record(`console ${id}`, await owner.call(method, filled, body));
  }
}

async function eventsOf({ database }: TestServer, { platformId }: Story): Promise<readonly Json[]> {
  return database.asSuperuser(async (client) => {
    const { rows } = await client.query<{ type: string; body: string }>(
      `select type, body from
         (select type, seq, body, row_number() over (partition by type order by seq) as place
          from events where platform_id = $1) numbered
       where place <= $2 order by type, seq`,
      [platformId, FIRST_EVENTS],
    );
    return rows.map(({ type, body }) => ({ type, body: JSON.parse(body) }));
  });
}
