/** Every operation is called with a canary wherever a secret can be; the request log and the exports have none of them, nor a secret of an answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ExportKind,
  exportFormats,
  exportKinds,
} from "../../../src/domain/reading/exports/export.ts";
import { operations } from "../../../src/http/operations/routes.ts";
import type { Operation } from "../../../src/http/request/operation.ts";
import { marksSecrets, redactorOf } from "../../../src/http/request-log/redact.ts";
import { isNode, sensitiveKeyword } from "../../../src/validation/schema.ts";
import { optionsOf, type ValidCall } from "../../kit/made-objects.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { validCall } from "../../kit/valid-calls.ts";

/** A connector calls it with a signature and without a token, so it is in no platform's log. */
const OF_CONNECTORS = "takeRailCallback";
const called = operations.filter(({ id }) => id !== OF_CONNECTORS);

const CANARY = "canary-5f0c2a9be47d1836";
const UNDECLARED = "canaryUndeclared";

let server: TestServer;
let story: Story;
const secrets = new Set<string>([CANARY]);

beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  secrets.add(story.clientSecret);
});
afterAll(async () => {
  await endReceivers();
  await server.close();
});

interface Property {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Every property of a schema, with those of its variants and items. */
function propertiesIn(schema: unknown): readonly Property[] {
  if (Array.isArray(schema)) return schema.flatMap(propertiesIn);
  if (!isNode(schema)) return [];
  const { properties, oneOf, anyOf, allOf, items } = schema;
  const own = isNode(properties) ? Object.entries(properties) : [];
  return [
    ...own.flatMap(([name, property]) => [
      ...(isNode(property) ? [{ name, schema: property }] : []),
      ...propertiesIn(property),
    ]),
    ...propertiesIn(oneOf),
    ...propertiesIn(anyOf),
    ...propertiesIn(allOf),
    ...propertiesIn(items),
  ];
}

const bodySchema = <C>({ shownBody, body }: Operation<C>) => shownBody ?? body;
const schemasOf = <C>(operation: Operation<C>) => [
  bodySchema(operation),
  ...Object.values(operation.answers).map(({ schema }) => schema),
];

const sensitiveNames = (schema: unknown): ReadonlySet<string> =>
  new Set(
    propertiesIn(schema)
      .filter(({ schema: property }) => property[sensitiveKeyword] === true)
      .map(({ name }) => name),
  );

/** A copy with a canary in each sensitive property of the object and its parts, and an undeclared property in each object. */
function withCanaries(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withCanaries(item, names));
  if (!isNode(value)) return value;
  const copy: Record<string, unknown> = { [UNDECLARED]: CANARY, [CANARY]: "a name", Otp: CANARY };
  for (const [name, member] of Object.entries(value)) {
    copy[name] = names.has(name) ? CANARY : withCanaries(member, names);
  }
  return copy;
}

/** The values of sensitive properties of an answer. */
function secretsIn(value: unknown, names: ReadonlySet<string>): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, names));
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    names.has(name) && typeof member === "string" ? [member] : secretsIn(member, names),
  );
}

const HEADERS = {
  "wallet-signature": CANARY,
  "x-api-key": CANARY,
  cookie: `session=${CANARY}`,
  referer: `https://app.example/?token=${CANARY}`,
};

async function callWith(
  { id, method }: Pick<Operation<never>, "id" | "method">,
  call: ValidCall,
  body: unknown,
): Promise<RawAnswer> {
  const mark = call.path.includes("?") ? "&" : "?";
  // An unknown parameter and a signature that is no stamp are refused, so they go with the second call alone.
  const isValid = body === call.body;
  const path = isValid ? call.path : `${call.path}${mark}canary=${CANARY}`;
  const headers = isValid ? { "x-api-key": CANARY } : HEADERS;
  return story.call(method, path, body, {
    ...optionsOf(call),
    headers: { ...headers, "x-request-id": `${id}.1` },
  });
}

const leakedInto = (text: string) => [...secrets].filter((secret) => text.includes(secret));

async function everythingLogged(): Promise<{
  readonly ids: readonly string[];
  readonly text: string;
}> {
  await server.app.requestLog?.flush();
  const { rows } = await server.app.store.database.withClient((client) =>
    client.query<{ id: string; text: string; content_id: string; platform_id: string }>(
      "select id, platform_id, content_id, t::text as text from request_logs t",
    ),
  );
  const sealed = await server.app.store.database.withClient((client) =>
    client.query<{ id: string; platform_id: string; sealed: string }>(
      "select id, platform_id, encode(sealed, 'hex') as sealed from request_log_contents",
    ),
  );
  const contents = sealed.rows.map(({ id, platform_id, sealed: hex }) =>
    server.app.store.dataSealer
      .openBytes(Buffer.from(hex, "hex"), `request_log_contents.sealed ${platform_id} ${id}`)
      .toString("utf8"),
  );
  const ids = rows.filter((row) => row.platform_id === story.platformId).map(({ id }) => id);
  return { ids, text: [...rows.map(({ text }) => text), ...contents].join("\n") };
}

it("has no canary and no secret of an answer, in the table or in its own answers", async () => {
  for (const operation of called) {
    const names = new Set(schemasOf(operation).flatMap((schema) => [...sensitiveNames(schema)]));
    const call = await validCall(story, operation.id);
    const first = await callWith(operation, call, call.body);
    const { schema } = operation.answers[first.status] ?? {};
    // Such an answer is kept as it is, so it must have nothing that its schema does not declare.
    if (
      first.status < 400 &&
      operation.method !== "GET" &&
      schema !== undefined &&
      !marksSecrets(schema)
    ) {
      // Metadata has names of the caller's own; it is hidden with the personal data of the answer.
      const { metadata: _own, ...declared } = first.json;
      expect(redactorOf(schema)(declared), operation.id).toEqual(declared);
    }
    for (const secret of secretsIn(first.json, names)) {
      // A shorter one is a currency's code, which has the name of a device code.
      if (secret.length >= 16) secrets.add(secret);
    }
    if (bodySchema(operation) !== undefined && isNode(call.body)) {
      await callWith(operation, call, withCanaries(call.body, names));
    }
    if (operation.path.includes("{")) {
      const path = operation.path.replaceAll(/\{[^}]+\}/g, CANARY);
      await callWith(operation, { ...call, path }, undefined);
    }
  }
  expect(secrets.size).toBeGreaterThan(6);
  const { ids, text } = await everythingLogged();
  expect(ids.length).toBeGreaterThan(operations.length);
  expect(leakedInto(text)).toEqual([]);
  for (const id of ids) {
    const detail = await story.call("GET", `/request-logs/RequestLog:${id}`);
    expect(detail.status).toBe(200);
    expect(leakedInto(detail.text)).toEqual([]);
  }
  // What is no secret is there: the test would pass on an empty log.
  expect(text.includes('"A. R."') && text.includes("[redacted]")).toBe(true);
  expect(text.includes("Ana Ruiz")).toBe(false);
  const spent = await spentSecrets();
  for (const kind of exportKinds) {
    const exported = await exportedText(kind);
    expect(exported.length, kind).toBeGreaterThan(200);
    const leaked = leakedInto(exported).filter((secret) => !spent.has(secret));
    expect(leaked, kind).toEqual([]);
  }
});

/** An invitation is named by its code, also by the event of its claim; after the claim the code opens nothing. */
async function spentSecrets(): Promise<ReadonlySet<string>> {
  const { json } = await story.call("GET", "/events?type=INVITATION_CLAIMED");
  return new Set(json.data.flatMap(({ data }: { data: Spent }) => [data.code, data.url]));
}
interface Spent {
  readonly code: string;
  readonly url: string;
}

/** Both formats of a whole export. */
async function exportedText(kind: ExportKind): Promise<string> {
  const files = exportFormats.map(async (format) => {
    const { json } = await story.call("POST", "/exports", { kind, format });
    await story.settle();
    const file = await story.call("GET", `/exports/${json.id}/file`);
    expect(file.status).toBe(200);
    return file.text;
  });
  return (await Promise.all(files)).join("\n");
}

describe("every property whose name sounds like a secret is marked", () => {
  const SOUNDS =
    /secret|otp$|token$|password|signature|signing|private|credentials$|challenge|attestation|assertion|authenticator|clientData|userHandle|publicKey|accessCode|deviceCode|Url$|^code$|^key$/i;
  /** Of these the name alone sounds like one. */
  const KNOWN: ReadonlySet<string> = new Set([
    // A currency's, a refusal's and an error's code.
    "code",
    "logoUrl",
    // Where anybody may pay in, where webhooks and connectors are, and a key that everybody may know.
    "paymentUrl",
    "url",
    "baseUrl",
    "publicKey",
  ]);
  /** That of a checkpoint is handed out for people to keep. */
  const KNOWN_IN: ReadonlySet<string> = new Set([
    "createCheckpoint signature",
    "listCheckpoints signature",
  ]);

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    "%s",
    (_, operation) => {
      const unmarked = schemasOf(operation)
        .flatMap(propertiesIn)
        .filter(({ name }) => SOUNDS.test(name) && !KNOWN.has(name))
        .filter(({ name }) => !KNOWN_IN.has(`${operation.id} ${name}`))
        .filter(({ schema }) => schema[sensitiveKeyword] !== true && schema.type !== "object")
        // One of a few words, such as the kind of a signature, is no secret.
        .filter(({ schema }) => schema.enum === undefined)
        .map(({ name }) => name);
      expect(unmarked).toEqual([]);
    },
  );
});
