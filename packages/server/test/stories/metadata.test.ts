/** What callers attach to objects: kept, given back and told; never interpreted, searched or logged. */
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/http/operations/routes.ts";
import { createLog } from "../../src/std/log.ts";
import { propertiesOf } from "../../src/validation/schema.ts";
import { optionsOf } from "../kit/made-objects.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../kit/story.ts";
import { connectedAgent, OPEN_POLICY, type StoryAgent } from "../kit/story-agents.ts";
import { euroAccount, quoteBody } from "../kit/story-quotes.ts";
import { listenTo } from "../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";
import { validCall } from "../kit/valid-calls.ts";

/** The log as it is written, in full. */
const logFile = join(tmpdir(), `florin-metadata-${process.pid}.log`);
const logFd = openSync(logFile, "w");

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer({ log: createLog("debug", logFd) });
  story = await openStory(server);
});
afterAll(async () => {
  await server.close();
  closeSync(logFd);
  rmSync(logFile);
});

const CANARY = "canary-7f3a";
const metadata = { "order.id": CANARY, "a_b-C.9": "ü\n $", [`${"k".repeat(40)}`]: "v".repeat(500) };

const person = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] };
const usdAccount = (customerId: string, last: string) => ({
  customerId,
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: `99887766${last}`,
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
  },
});

describe("metadata of a customer", () => {
  it("is kept, replaced by a PATCH, left alone by one without it, and taken away when empty", async () => {
    const made = await story.call("POST", "/customers", { ...person, metadata });
    expect(made.json.metadata).toEqual(metadata);
    const path = `/customers/${made.json.id}`;
    const type = { customerType: "INDIVIDUAL" };
    const other = await story.call("PATCH", path, { ...type, email: "a@example.com" });
    expect(other.json.metadata).toEqual(metadata);
    const replaced = await story.call("PATCH", path, { ...type, metadata: { only: "this" } });
    expect(replaced.json.metadata).toEqual({ only: "this" });
    expect((await story.call("GET", path)).json.metadata).toEqual({ only: "this" });
    await story.call("PATCH", path, { ...type, metadata: {} });
    expect((await story.call("GET", path)).json).not.toHaveProperty("metadata");
  });
});

describe("metadata of a payment", () => {
  it("is in the answer, the list and each event of a transfer, with its description", async () => {
    const own = await openStory(server);
    const { customerId, accountId } = await fundedCustomer(own);
    const outside = await bankAccount(own, { customerId, suffix: "004" });
    const receiver = await listenTo(own);
    const more = { amount: 500, description: "Wages".repeat(100), metadata };
    const out = await own.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: outside },
      ...more,
    });
    const pulled = await own.call("POST", "/transfer-in", {
      source: { accountId: outside },
      destination: { accountId },
      ...more,
    });
    await own.settle();
    for (const { status, json } of [out, pulled]) {
      expect(status).toBe(201);
      const told = (await receiver.events()).filter(({ data }) => data.id === json.id);
      const listed = (await own.call("GET", "/transactions")).json.data;
      const shown = [
        json,
        ...told.map(({ data }) => data),
        listed.find((one: { id: string }) => one.id === json.id),
      ];
      expect(shown.length).toBeGreaterThan(3);
      for (const one of shown)
        expect(one).toMatchObject({ metadata, description: more.description });
    }
  });

  it("passes from a quote to its transaction", async () => {
    const { customerId, accountId } = await fundedCustomer(story);
    const to = await euroAccount(story, customerId);
    const more = { metadata, purposeOfPayment: "SALARY" };
    const quote = await story.call(
      "POST",
      "/quotes",
      quoteBody({ from: accountId, to, amount: 1_000, more }),
    );
    expect(quote.status).toBe(201);
    expect(quote.json.metadata).toEqual(metadata);
    expect((await story.call("GET", `/quotes/${quote.json.id}`)).json.metadata).toEqual(metadata);
    const { json } = await story.call("GET", `/transactions/${quote.json.transactionId}`);
    expect(json).toMatchObject({ metadata, purposeOfPayment: "SALARY" });
  });

  it("passes from an agent's action to its transaction, also when it waits first", async () => {
    const pay = (agent: StoryAgent) =>
      agent.call("POST", "/transfer-out", {
        source: { accountId: agent.accountId },
        destination: { accountId: agent.payeeId },
        amount: 100,
        metadata,
      });
    const made = await pay(await connectedAgent(story));
    expect(made.json).toMatchObject({ metadata, transaction: { metadata } });
    const policy = { ...OPEN_POLICY, defaultExecutionMode: "APPROVAL_REQUIRED" };
    const careful = await connectedAgent(story, { policy });
    const waiting = await pay(careful);
    expect(waiting.json).toMatchObject({ status: "PENDING_APPROVAL", metadata });
    const path = `/agents/${careful.agentId}/actions/${waiting.json.id}/approve`;
    const approved = await story.call("POST", path);
    expect(approved.json).toMatchObject({
      status: "APPROVED",
      metadata,
      transaction: { metadata },
    });
  });
});

it("metadata of an external account is in its answers", async () => {
  const { customerId } = await fundedCustomer(story, 0);
  const body = { ...usdAccount(customerId, "11"), metadata };
  const made = await story.call("POST", "/customers/external-accounts", body);
  expect(made.json.metadata).toEqual(metadata);
  const read = await story.call("GET", `/customers/external-accounts/${made.json.id}`);
  expect(read.json.metadata).toEqual(metadata);
  const { customerId: _, ...own } = { ...body, ...usdAccount(customerId, "12") };
  const ofPlatform = await story.call("POST", "/platform/external-accounts", own);
  expect(ofPlatform.json.metadata).toEqual(metadata);
});

const takingMetadata = operations.filter(
  ({ body }) => body !== undefined && "metadata" in propertiesOf(body),
);

describe("the metadata of every operation", () => {
  it.each(takingMetadata.map(({ id, method }) => ({ id, method })))(
    "of $id loses no key: a reserved one is refused by its name",
    async ({ id, method }) => {
      const call = await validCall(story, id);
      const send = (members: string) => {
        const text = JSON.stringify({ ...(call.body as object), metadata: {} });
        const body = text.replace('"metadata":{}', `"metadata":{${members}}`);
        return story.call(method, call.path, body, optionsOf(call));
      };
      for (const key of ["__proto__", "constructor"]) {
        const { status, json } = await send(`"kept":"a","${key}":"b"`);
        expect([status, json.details?.errors]).toEqual([
          400,
          [{ field: `metadata.${key}`, message: "is a reserved name: choose another one" }],
        ]);
      }
      const taken = await send('"kept":"a","prototype":"b","toString":"c"');
      expect([taken.status, taken.text]).toEqual([
        expect.toSatisfy((code) => code < 300),
        taken.text,
      ]);
    },
  );

  it("is that of seven operations or more", () => {
    expect(takingMetadata.length).toBeGreaterThan(6);
  });
});

describe("metadata is refused", () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, "v"]));
  it.each([
    ["a key too many", many],
    ["a key with a space", { "a b": "v" }],
    ["a key that is too long", { ["k".repeat(41)]: "v" }],
    ["an empty key", { "": "v" }],
    ["a value that is too long", { k: "v".repeat(501) }],
    ["a number", { k: 1 }],
    ["an object within it", { k: { a: "b" } }],
    ["null", null],
    ["a list", ["v"]],
  ])("with %s, and nothing is made", async (_what, bad) => {
    const before = (await story.call("GET", "/customers?limit=1")).json.totalCount;
    const refused = await story.call("POST", "/customers", { ...person, metadata: bad });
    expect(refused.status).toBe(400);
    expect(refused.json.code).toBe("INVALID_INPUT");
    expect(refused.json.details.errors[0].field).toMatch(/^metadata/);
    expect((await story.call("GET", "/customers?limit=1")).json.totalCount).toBe(before);
  });

  it("and a key that cannot be one is named with the characters that it may have", async () => {
    const { json } = await story.call("POST", "/customers", {
      ...person,
      metadata: { "a b": "v" },
    });
    expect(json.details.errors).toEqual([
      {
        field: "metadata.a b",
        message: "is no key: 1 to 40 characters of A-Z, a-z, 0-9, _, . and -",
      },
    ]);
  });

  it("but twenty keys and unusual names are taken", async () => {
    const full = Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`k${n}`, ""]));
    const sent = JSON.stringify({ ...person, metadata: { ...full, toString: "t" } });
    const made = await story.call("POST", "/customers", sent);
    expect(made.status).toBe(201);
    expect(made.json.metadata).toEqual({ ...full, toString: "t" });
  });
});

it("no value of metadata is in the log, not even of a write that the database refuses", async () => {
  const refuse = (sql: string) => server.database.asSuperuser((client) => client.query(sql));
  const check = "customers_no_dana check (full_name is distinct from 'Dana') not valid";
  await refuse(`alter table customers add constraint ${check}`);
  const sent = { ...person, fullName: "Dana", metadata };
  expect((await story.call("POST", "/customers", sent)).status).toBeGreaterThanOrEqual(500);
  await refuse("alter table customers drop constraint customers_no_dana");
  const log = readFileSync(logFile, "utf8");
  expect(log).toContain("customers_no_dana");
  expect(log).not.toContain(CANARY);
});
