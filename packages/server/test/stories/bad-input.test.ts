/**
 * Malformed bodies, to every operation that takes one. Each is refused with a status that the document lists,
 * never with a 500, and leaves no row behind.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/http/operations/routes.ts";
import { present } from "../../src/std/assert.ts";
import { propertiesOf, type SchemaNode } from "../../src/validation/schema.ts";
import { probesOf, type ServedSchemas, servedSchemas, withValue } from "../kit/field-probes.ts";
import { optionsOf, type ValidCall } from "../kit/made-objects.ts";
import { endReceivers } from "../kit/receivers.ts";
import { sampleOf, sampleOfRow } from "../kit/sample.ts";
import { createStoppableClock } from "../kit/stoppable-clock.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../kit/story.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";
import { validCall } from "../kit/valid-calls.ts";

/**
 * Time stands still, so that no job falls due while rows are counted: an incoming payment whose question is not answered
 * within five seconds is refused by a job, which writes to five tables.
 */
const clock = createStoppableClock();

let server: TestServer;
let story: Story;
let schemas: ServedSchemas;
beforeAll(async () => {
  server = await startTestServer({ clock });
  clock.stop();
  story = await openStory(server);
  schemas = await servedSchemas(server.baseUrl);
});
afterAll(async () => {
  await endReceivers();
  await server.close();
});

const takers = operations
  .filter(({ body }) => body !== undefined)
  .map(({ id, method, path, bodyOptional }) => ({
    id,
    method,
    path,
    mayBeEmpty: bodyOptional === true,
  }));

/** How many rows each table holds, and how far each platform has come. */
async function rowCounts(): Promise<Readonly<Record<string, number>>> {
  return server.database.asSuperuser(async (client) => {
    const tables = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename not like all (array['webhook%', 'request_log%', 'token_uses', 'search%', 'row_changes'])",
    );
    const counts = tables.rows.map(({ name }) => `(select count(*)::int4 from ${name}) as ${name}`);
    const { rows } = await client.query(
      `select ${counts.join(", ")}, (select sum(seq + event_seq)::int4 from platform_heads) as heads`,
    );
    return rows[0];
  });
}

interface Sent {
  readonly why: string;
  readonly text: string;
  readonly type?: string;
  readonly status?: number;
  readonly code?: string;
}

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** Texts that are no body of any operation. */
const garbage: readonly Sent[] = [
  { why: "nothing", text: "" },
  { why: "a space", text: " " },
  { why: "no JSON", text: "{" },
  { why: "a trailing comma", text: '{"a":1,}' },
  { why: "single quotes", text: "{'a':1}" },
  { why: "two values", text: "{}{}" },
  { why: "a comment", text: "{}//" },
  { why: "NaN", text: '{"amount":NaN}' },
  { why: "an array", text: "[]" },
  { why: "an array of bodies", text: "[{}]" },
  { why: "a number", text: "7" },
  { why: "a huge number", text: "1e999" },
  { why: "a string", text: '"x"' },
  { why: "null", text: "null" },
  { why: "true", text: "true" },
  { why: "a byte order mark", text: "\ufeff{}" },
  { why: "deep arrays", text: nested(33), code: "INVALID_REQUEST_FORMAT" },
  { why: "very deep arrays", text: nested(100_000), code: "INVALID_REQUEST_FORMAT" },
  { why: "deep objects", text: `${'{"a":'.repeat(40)}1${"}".repeat(40)}` },
  { why: "a field twice", text: '{"name":"a","name":"b"}', code: "INVALID_REQUEST_FORMAT" },
  { why: "a NUL", text: '{"a":"\\u0000"}', code: "INVALID_INPUT" },
  { why: "a control character in a key", text: '{"\\u0001":1}', code: "INVALID_INPUT" },
  { why: "a lone high surrogate", text: '{"a":"\\ud800"}', code: "INVALID_INPUT" },
  { why: "a lone low surrogate", text: '{"a":["\\udc00x"]}', code: "INVALID_INPUT" },
  { why: "300 kB", text: `{"a":"${"x".repeat(300_000)}"}`, status: 413, code: "PAYLOAD_TOO_LARGE" },
  { why: "plain text", text: "{}", type: "text/plain", status: 415 },
  { why: "a form", text: "a=1", type: "application/x-www-form-urlencoded", status: 415 },
  {
    why: "JSON in another charset",
    text: "{}",
    type: "application/json; charset=utf-16",
    status: 415,
  },
  { why: "XML", text: "<a/>", type: "application/xml", status: 415 },
  { why: "a part of a form", text: "--x", type: "multipart/form-data; boundary=x", status: 415 },
];

/** What a field that takes text or a number may be sent, whatever it is. */
const hostileValues: readonly string[] = [
  "1e400",
  "-1e400",
  "9007199254740993",
  "99999999999999999999999999999999",
  "-1",
  "0",
  "1.0",
  "1e2",
  "-0",
  "0.1",
  '"5"',
  '"\\u0000"',
  '"\\u001b[31m"',
  '"\\ud800"',
  `"${"x".repeat(100_000)}"`,
  "[]",
  "[null]",
  "{}",
  '{"__proto__":{"amount":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"toString":1,"hasOwnProperty":2,"then":3}',
  "null",
  "true",
  nested(30),
];

function send(call: ValidCall & { readonly method: string }, sent: Sent): Promise<RawAnswer> {
  return story.call(call.method, call.path, sent.text, {
    ...optionsOf(call),
    headers: { "content-type": sent.type ?? "application/json" },
  });
}

function expectRefused(why: string, answer: RawAnswer): void {
  expect([why, answer.status >= 400 && answer.status < 500]).toEqual([why, true]);
  expect(answer.json, why).toMatchObject({ status: answer.status, code: expect.any(String) });
  expect(answer.json.message.length, why).toBeGreaterThan(0);
  expect(answer.text, why).not.toMatch(/select |insert |node_modules|at async|\.ts:/);
}

describe.each(sampleOf(takers))("$id", ({ id, method, path, mayBeEmpty }) => {
  let call: ValidCall & { readonly method: string };
  beforeAll(async () => {
    call = { ...(await validCall(story, id)), method };
    // Without a body it rejects the action all the same; once it is rejected, every further call is refused.
    if (id === "rejectAgentAction") await story.call(method, call.path, call.body);
    await story.settle();
  });

  it("refuses garbage and stores nothing", async () => {
    const before = await rowCounts();
    for (const sent of garbage) {
      if (sent.text === "" ? mayBeEmpty : sent.status === 413 && id.endsWith("Batch")) continue;
      const answer = await send(call, sent);
      // An object without known fields is all that a change of nothing needs.
      if (id === "updateConfig" && answer.status === 200) continue;
      expectRefused(sent.why, answer);
      if (sent.status !== undefined)
        expect([sent.why, answer.status]).toEqual([sent.why, sent.status]);
      if (sent.code !== undefined)
        expect([sent.why, answer.json.code]).toEqual([sent.why, sent.code]);
    }
    expect(await rowCounts()).toEqual(before);
  });

  it("refuses bytes that are not UTF-8", async () => {
    const answer = await fetch(`${server.baseUrl}${call.path}`, {
      method,
      headers: {
        authorization: call.authorization ?? story.authorization,
        "content-type": "application/json",
      },
      body: Buffer.from('{"name":"\xff\xfe"}', "latin1"),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "INVALID_REQUEST_FORMAT" });
  });

  it("refuses every wrong value of every field, by the field's name", async () => {
    const schema = present(schemas.bodyOf({ method, path }), `the body of ${id}`);
    const probes = probesOf(schema, call.body);
    expect(probes.length).toBeGreaterThan(3);
    const before = await rowCounts();
    const answers = await Promise.all(
      probes.map(({ body }) => story.call(method, call.path, body, optionsOf(call))),
    );
    for (const [index, { field, why }] of probes.entries()) {
      const what = `${field} ${why}`;
      const answer = present(answers[index], what);
      expectRefused(what, answer);
      expect([what, answer.status]).toEqual([what, 400]);
      const named = answer.json.details.errors.map((error: { field: string }) => error.field);
      const isNamed = named.some((name: string) => name === field || name.startsWith(`${field}.`));
      expect([what, named, isNamed]).toEqual([what, named, true]);
    }
    expect(await rowCounts()).toEqual(before);
  });

  it("never answers a hostile value with a 500", async () => {
    const fields = new Set(
      probesOf(present(schemas.bodyOf({ method, path }), id), call.body).map(({ field }) => field),
    );
    const mark = "@@@";
    for (const [row, field] of [...fields].entries()) {
      const text = JSON.stringify(withValue(call.body, field.split("."), mark));
      const statuses = await Promise.all(
        sampleOfRow(hostileValues, row).map(async (value) => {
          const answer = await send(call, { why: field, text: text.replace(`"${mark}"`, value) });
          return { field, value: value.slice(0, 40), isOurFault: answer.status >= 500 };
        }),
      );
      expect(statuses.filter(({ isOurFault }) => isOurFault)).toEqual([]);
    }
  });

  it("lists all bad fields at once", async () => {
    const schema = present(schemas.bodyOf({ method, path }), id);
    const objects = Object.entries((schema.properties ?? {}) as Record<string, { type?: string }>);
    // Metadata takes any names.
    const isLoose = mayBeEmpty || objects.every(([, member]) => "patternProperties" in member);
    const body = Object.fromEntries(
      objects.map(([name, { type }]) => [name, isLoose && type === "object" ? 7 : { no: "good" }]),
    );
    const answer = await story.call(method, call.path, body, optionsOf(call));
    expect(answer.status).toBe(400);
    const named: string[] = answer.json.details.errors.map(
      (error: { field: string }) => error.field,
    );
    for (const [name, member] of objects) {
      // An object none of whose members is needed finds nothing wrong with `{ no: "good" }`.
      if (member.type === "object" && !("required" in member) && !("oneOf" in member)) continue;
      expect(named.map((field) => field.split(".")[0])).toContain(name);
    }
    expect(new Set(named).size).toBe(named.length);
  });
});

describe("names that JavaScript gives a meaning", () => {
  it("are ignored as unknown fields, and change nothing for others", async () => {
    const text =
      '{"customerType":"INDIVIDUAL","currencies":["USD"],"__proto__":{"fullName":"X","isDeleted":true},' +
      '"constructor":{"prototype":{"region":"DE"}},"toString":"x","hasOwnProperty":1}';
    expect((await story.call("POST", "/customers", text)).status).toBe(400);
    await ignoreUnknownFields(story);
    const made = await story.call("POST", "/customers", text);
    expect(made.status).toBe(201);
    expect(made.json).not.toHaveProperty("fullName");
    expect(made.json.isDeleted).toBe(false);
    expect(made.text).not.toMatch(/prototype|toString|hasOwn|region/);
    const next = await story.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    expect(next.json).not.toHaveProperty("fullName");
    expect(next.json).not.toHaveProperty("region");
  });
});

describe("query parameters", () => {
  const lists = operations
    .filter(({ query }) => query !== undefined && "limit" in propertiesOf(query))
    .map(({ id, query = {} }) => ({ id, most: (propertiesOf(query).limit as SchemaNode).maximum }));

  it.each(sampleOf(lists))("of $id are refused when they do not fit", async ({ id, most }) => {
    const call = await validCall(story, id);
    const options = optionsOf(call);
    const path = call.path.includes("?") ? call.path : `${call.path}?`;
    const statusOf = async (query: string) =>
      (await story.call("GET", `${path}&${query}`, undefined, options)).status;
    for (const limit of [
      "0",
      "101",
      "-1",
      "1e1",
      "1e9",
      "abc",
      "",
      "5.0",
      "+5",
      "0x10",
      "NaN",
      "%00",
    ]) {
      const answer = await story.call("GET", `${path}&limit=${limit}`, undefined, options);
      expect([limit, answer.status, answer.json.code]).toEqual([limit, 400, "INVALID_INPUT"]);
      expect(answer.json.details.errors[0].field).toBe("limit");
    }
    for (const query of ["limit=5&limit=6", "cursor=a&cursor=b", "cursor=", "x=1", "__proto__=1"]) {
      expect([query, await statusOf(query)]).toEqual([query, 400]);
    }
    expect(await statusOf("%zz=1&limit=%zz")).toBe(400);
    for (const query of ["limit=1", `limit=${most}`, "&&=&"]) {
      expect([query, await statusOf(query)]).toEqual([query, 200]);
    }
  });

  const dated = ["/tokens", "/customers"].flatMap((path) =>
    ["createdAfter", "createdBefore", "updatedAfter", "updatedBefore"].map((name) => ({
      path,
      name,
    })),
  );

  it.each(dated)("of $path refuse a $name that is no moment", async ({ path, name }) => {
    for (const value of [
      "infinity",
      "-infinity",
      "now",
      "NaN",
      "2026",
      "2026-01-01",
      "2026-02-30T00:00:00Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:00:00",
      "10000-01-01T00:00:00Z",
      "0000-01-01T00:00:00Z",
      "1767225600000",
      "",
    ]) {
      const answer = await story.call("GET", `${path}?${name}=${encodeURIComponent(value)}`);
      expect([value, answer.status]).toEqual([value, 400]);
      expect(answer.json.details.errors[0].field).toBe(name);
    }
    for (const value of ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00.000000001+00:00"]) {
      const answer = await story.call("GET", `${path}?${name}=${encodeURIComponent(value)}`);
      expect([value, answer.status]).toEqual([value, 200]);
    }
  });
});

/** Queries in which every parameter is wrong: an id of another kind, a value that is not known, no number, no cursor. */
const wrongQueries: readonly string[] = [
  "/quotes?status=x&customerId=zzz&sendingAccountId=1&receivingAccountId=Customer:1&limit=0&cursor=abc",
  "/agents?customerId=Agent:1&isPaused=maybe&createdAfter=x&cursor=abc",
  "/agents/approvals?agentId=1&customerId=2&sortOrder=up&limit=x",
  "/customers/internal-accounts?customerId=1&currency=usd&type=x&limit=0",
  "/customers/external-accounts?customerId=1&currency=usd&cursor=!",
  "/transactions?customerId=1&accountIdentifier=2&senderAccountIdentifier=3&receiverAccountIdentifier=Quote:4&status=x",
  "/beneficial-owners?customerId=&limit=0",
  "/verifications?customerId=1&verificationStatus=x",
  "/documents?documentHolder=Quote:1&limit=0",
  "/receiver/uma/nobody?senderUmaAddress=x&customerId=1",
  "/tokens?limit=0&cursor=abc",
];

describe("a query that is wrong in several places", () => {
  it.each(wrongQueries)("%s is refused with all of them at once", async (path) => {
    const refused = await story.call("GET", path);
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
    const names = [...new URL(path, server.baseUrl).searchParams.keys()];
    const inPath = path.startsWith("/receiver/uma/") ? ["receiverUmaAddress"] : [];
    expect(fieldsOf(refused).sort()).toEqual([...names, ...inPath].sort());
  });

  it("is refused with all of them when an agent asks for its own lists", async () => {
    const options = optionsOf(await validCall(story, "agentListTransactions"));
    const path = "/agents/me/transactions?accountIdentifier=1&type=x&limit=0&cursor=abc";
    const refused = await story.call("GET", path, undefined, options);
    expect(fieldsOf(refused)).toEqual(["accountIdentifier", "type", "limit", "cursor"]);
  });

  it.each([
    ["/quotes?customerId=Agent:1", "customerId", "must be a Customer id"],
    [
      "/quotes?customerId=PlatformConfig:019a4f00-0000-7000-8000-000000000001",
      "customerId",
      "must be a Customer id",
    ],
    ["/quotes?sendingAccountId=1", "sendingAccountId", "must be an account id"],
    ["/agents/approvals?agentId=1", "agentId", "must be an Agent id"],
    ["/auth/sessions?accountId=1", "accountId", "must be an InternalAccount id"],
    ["/documents?documentHolder=1", "documentHolder", "must be a customer, owner or platform id"],
    ["/transactions?customerId=1", "customerId", "must be a Customer id"],
    [
      "/transactions?customerId=PlatformConfig:019a4f00-0000-7000-8000-000000000001",
      "customerId",
      "must be a Customer id",
    ],
    [
      "/transactions?accountIdentifier=1",
      "accountIdentifier",
      "must be an account id or a UMA address",
    ],
    ["/tokens?cursor=abc", "cursor", "must be the nextCursor of this list with the same filters"],
    [
      `/tokens?cursor=${"a".repeat(40)}`,
      "cursor",
      "must be the nextCursor of this list with the same filters",
    ],
  ])("%s has one fault, in words of its own", async (path, field, message) => {
    const refused = await story.call("GET", path);
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(refused.json.details.errors).toEqual([{ field, message }]);
  });
});

describe("a body that is wrong in ways that different eyes see", () => {
  it("is refused with all of them at once", async () => {
    const text = '{"name":"a\\u0000b","permissions":["NOPE"]}';
    const refused = await story.call("POST", "/tokens", text);
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(fieldsOf(refused)).toEqual(["name", "permissions.0"]);
  });

  const wallet = { accountId: "InternalAccount:1" };
  const amount = { receivingCurrencyAmount: 0 };
  const sent = { customerId: "Customer:1", receivingCurrencyCode: "USD", ...amount };
  const policy = {
    permissions: [],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "NOPE", perTransactionLimit: 1 },
    approvalThresholds: { amount: 1 },
  };
  const source = { sourceType: "REALTIME_FUNDING", currency: "USD" };
  const destination = { destinationType: "UMA_ADDRESS", umaAddress: "nobody" };

  it.each([
    [
      "/auth/credentials",
      { ...wallet, type: "EMAIL_OTP", email: "no address" },
      ["accountId", "email"],
    ],
    ["/auth/credentials", { ...wallet, type: "OAUTH", oidcToken: "x" }, ["accountId", "oidcToken"]],
    [
      "/agents",
      { name: "", customerId: "Customer:1", policy },
      ["name", "policy.approvalThresholds.currency", "policy.spendingLimits.currency"],
    ],
    [
      "/invitations",
      { inviterUma: "x", firstName: " ", amountToSend: 0, expiresAt: "2020-01-01T00:00:00Z" },
      ["inviterUma", "firstName", "amountToSend", "expiresAt"],
    ],
    [
      "/invitations",
      { inviterUma: "$ana@florin.test", amountToSend: 0, expiresAt: "2020-01-01T00:00:00Z" },
      ["amountToSend", "expiresAt"],
    ],
    [
      "/sandbox/uma/receive",
      { ...sent, senderUmaAddress: "x", receivingCurrencyCode: "NOPE" },
      ["senderUmaAddress", "receivingCurrencyCode", "receivingCurrencyAmount"],
    ],
    [
      "/sandbox/uma/receive",
      { ...sent, senderUmaAddress: "x", receiverUmaAddress: "y" },
      ["senderUmaAddress", "receiverUmaAddress", "customerId", "receivingCurrencyAmount"],
    ],
    [
      "/quotes",
      { source, destination, lockedCurrencySide: "x", lockedCurrencyAmount: 1 },
      ["lockedCurrencySide", "destination.umaAddress", "lookupId"],
    ],
    [
      "/quotes",
      {
        source: { ...source, customerId: "x" },
        destination: { destinationType: "ACCOUNT", accountId: "y" },
        lockedCurrencySide: "SENDING",
        lockedCurrencyAmount: 0,
      },
      ["source.customerId", "destination.accountId", "lockedCurrencyAmount"],
    ],
  ])("is refused by POST %s with all of them, case %#", async (path, body, fields) => {
    const refused = await story.call("POST", path, body);
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(fieldsOf(refused).sort()).toEqual([...fields].sort());
  });

  it("that has errors found at different stages names the currency of a payment when no such currency exists", async () => {
    const body = { ...sent, senderUmaAddress: "$a@b.test", receivingCurrencyAmount: 1 };
    const refused = await story.call("POST", "/sandbox/uma/receive", {
      ...body,
      receivingCurrencyCode: "NOPE",
    });
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_CURRENCY"]);
    expect(fieldsOf(refused)).toEqual(["receivingCurrencyCode"]);
  });

  it("is refused together with its key", async () => {
    const headers = { "idempotency-key": "a b", "content-type": "application/json" };
    const refused = await story.call("POST", "/customers", '{"umaAddress":"x"}', { headers });
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(fieldsOf(refused)).toEqual(["Idempotency-Key", "customerType", "umaAddress"]);
  });
});

function fieldsOf(answer: RawAnswer): string[] {
  return answer.json.details.errors.map(({ field }: { field: string }) => field);
}
