/**
 * Personal data of a customer, of accounts and of payments are in no request log, line of the log, trace, export or stream that a reader
 * without `pii.read` gets. The request log has none of them for any reader.
 */
import { type Span, type SpanOptions, type Tracer, trace } from "@opentelemetry/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exportKinds } from "../../../src/domain/reading/exports/export.ts";
import { operations } from "../../../src/http/operations/routes.ts";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { type LogLine, recordingLog } from "../../kit/http-shell.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { activeConnection, manualConnection } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const CANARIES = {
  name: "Zoltanine Quixworthy",
  identifier: "219-09-9998",
  birthDate: "1971-03-29",
  accountNumber: "774411882255",
  street: "77 Canarybird Lane",
  city: "Canarytown",
  mail: "zoltanine.q@canary.example",
  phone: "+14155550173",
  description: "canary for the rent of March",
  note: "canary note of a person",
  reference: "CANARY-REFERENCE-77",
} as const;

const leaked = (text: string) => Object.values(CANARIES).filter((one) => text.includes(one));

let server: TestServer;
let story: Story;
let viewer: ConsoleBrowser;
const lines: LogLine[] = [];
const spans: unknown[] = [];

const tracer: Tracer = {
  startSpan(name: string, options?: SpanOptions) {
    const recorded = { name, attributes: options?.attributes, more: [] as unknown[] };
    spans.push(recorded);
    const span: Partial<Span> = {
      setAttributes: (attributes) => {
        recorded.more.push(attributes);
        return span as Span;
      },
      setStatus: (status) => {
        recorded.more.push(status);
        return span as Span;
      },
      end: () => undefined,
      spanContext: () => ({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 }),
    };
    return span as Span;
  },
  startActiveSpan: () => {
    throw new Error("spans are started alone");
  },
};

beforeAll(async () => {
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  const log = recordingLog(lines);
  server = await startTestServer({ log, settings: { LOG_REQUESTS: "all" } });
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  const owner = await makeOwner(server, workspaceId);
  viewer = (await makePerson(owner, ["VIEWER"])).browser;
  await plant();
});
afterAll(async () => {
  trace.disable();
  await endReceivers();
  await server.close();
});

const ADDRESS = {
  line1: CANARIES.street,
  city: CANARIES.city,
  state: "CA",
  postalCode: "94105",
  country: "US",
};

/** Calls with each canary that are answered, and calls with them that are refused. */
async function plant(): Promise<void> {
  const customer = {
    customerType: "INDIVIDUAL",
    fullName: CANARIES.name,
    birthDate: CANARIES.birthDate,
    nationality: "US",
    email: CANARIES.mail,
    phoneNumber: CANARIES.phone,
    address: ADDRESS,
    idType: "SSN",
    identifier: CANARIES.identifier,
    currencies: ["USD"],
  };
  const made = await story.call("POST", "/customers", customer);
  expect([made.status, made.text]).toEqual([201, made.text]);
  await story.call("PATCH", `/customers/${made.json.id}`, {
    email: `x${CANARIES.mail}`,
    currencies: 5,
  });
  await story.call("POST", "/customers", { ...customer, birthDate: `${CANARIES.birthDate}T25` });
  const account = {
    customerId: made.json.id,
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: CANARIES.accountNumber,
      routingNumber: "021000021",
      paymentRails: ["ACH"],
      beneficiary: {
        beneficiaryType: "INDIVIDUAL",
        fullName: CANARIES.name,
        birthDate: CANARIES.birthDate,
        nationality: "US",
        phoneNumber: CANARIES.phone,
        email: CANARIES.mail,
        address: ADDRESS,
      },
    },
  };
  const payee = await story.call("POST", "/customers/external-accounts", account);
  expect(payee.status).toBe(201);
  const odd = { ...account, currency: "XXX" };
  expect((await story.call("POST", "/customers/external-accounts", odd)).status).toBe(400);
  const { customerId, accountId } = await fundedCustomer(story, 10_000);
  const own = await story.call("POST", "/customers/external-accounts", { ...account, customerId });
  expect(own.status).toBe(201);
  const paid = await story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: own.json.id },
    amount: 500,
    description: CANARIES.description,
    remittanceInformation: CANARIES.reference,
  });
  expect(paid.status).toBe(201);
  await story.call("GET", `/search?q=${encodeURIComponent(CANARIES.name)}`);
  await story.call("GET", `/transactions?reference=${CANARIES.reference}`);
  const desk = await activeConnection(story, manualConnection());
  const entry = await story.call("POST", `/rails/connections/${desk}/entries`, {
    bankReference: CANARIES.reference,
    direction: "CREDIT",
    amount: 100,
    currency: "USD",
    bookedOn: "2026-11-21",
    reference: CANARIES.reference,
    remittance: CANARIES.description,
    payer: { name: CANARIES.name, account: CANARIES.accountNumber },
  });
  expect(entry.status).toBe(201);
  await story.settle();
  await server.app.requestLog?.flush();
}

it("are in no request log, for a token with MANAGE either", async () => {
  const { json } = await story.call("GET", "/request-logs?limit=100");
  expect(json.data.length).toBeGreaterThan(10);
  const found: string[] = [];
  let text = "";
  for (const { id, operationId } of json.data) {
    const detail = await story.call("GET", `/request-logs/${id}`);
    expect(detail.status).toBe(200);
    text += detail.text;
    found.push(...leaked(detail.text).map((canary) => `${operationId} ${canary}`));
  }
  expect(found).toEqual([]);
  // A name becomes initials and an account number its last digits, so the test reads the right bodies.
  expect([text.includes("Z. Q."), text.includes("•••2255"), text.includes("•••9998")]).toEqual([
    true,
    true,
    false,
  ]);
});

it("are in no line of the log, and in no trace", () => {
  expect(lines.length).toBeGreaterThan(5);
  expect(leaked(lines.map((line) => JSON.stringify(line)).join("\n"))).toEqual([]);
  expect(spans.length).toBeGreaterThan(5);
  expect(leaked(JSON.stringify(spans))).toEqual([]);
});

it("are in no export and in no stream of a person without pii.read", async () => {
  const at = viewer.at(story.platformId);
  for (const kind of exportKinds) {
    const made = await at("POST", "/exports", { kind, format: "CSV" });
    expect([kind, made.status]).toEqual([kind, 403]);
  }
  const { json } = await story.call("POST", "/exports", { kind: "CUSTOMERS", format: "CSV" });
  await story.settle();
  const whole = await story.call("GET", `/exports/${json.id}/file`);
  expect(leaked(whole.text)).toContain(CANARIES.mail);
  const file = await at("GET", `/exports/${json.id}/file`);
  expect([file.status, leaked(file.text)]).toEqual([403, []]);
  const streams = operations.filter(({ answers }) =>
    Object.values(answers).some(({ contentType }) => contentType === "text/event-stream"),
  );
  expect(streams.length).toBeGreaterThan(1);
  for (const { path } of streams) {
    const answer = await at("GET", path);
    expect([path, answer.status, leaked(answer.text)]).toEqual([path, 403, []]);
  }
});
