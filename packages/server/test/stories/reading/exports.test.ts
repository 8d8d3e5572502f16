/** Exports: a list as a file, for the moment that it names, for seven days. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seenNow } from "../../../src/domain/reading/exports/export.sql.ts";
import type { SeenState } from "../../../src/domain/reading/exports/export.ts";
import { createExportRows } from "../../../src/http/operations/reading/export-kinds.ts";
import { present } from "../../../src/std/assert.ts";
import { basic } from "../../kit/basic.ts";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { endReceivers } from "../../kit/receivers.ts";
import {
  bankAccount,
  fundedCustomer,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";
import { listenTo } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const DAY_MS = 86_400_000;

let clock: ManualClock;
let server: TestServer;
let story: Story;
let customerId: string;
let accountId: string;

beforeAll(async () => {
  clock = createManualClock(Date.UTC(2026, 9, 1, 12));
  server = await startTestServer({ clock });
  story = await openStory(server);
  ({ customerId, accountId } = await fundedCustomer(story, 10_000));
  const payee = await bankAccount(story, { customerId });
  for (const amount of [100, 250]) {
    const paid = { source: { accountId }, destination: { accountId: payee }, amount };
    await story.call("POST", "/transfer-out", paid);
  }
  await story.settle();
});
afterAll(async () => {
  const closed = server.close();
  await clock.advance(1_000);
  await closed;
});

interface Wish {
  readonly kind: string;
  readonly format?: string;
  readonly filter?: object;
}

async function exported({ kind, format = "JSONL", filter = {} }: Wish, of: Story = story) {
  const made = await of.call("POST", "/exports", { kind, format, filter });
  expect([made.status, made.json?.state, made.json?.rows]).toEqual([202, "PENDING", 0]);
  await of.settle();
  const ready = await of.call("GET", `/exports/${made.json.id}`);
  expect(ready.json).toMatchObject({ state: "READY", kind, format, filter });
  const file = await of.call("GET", `/exports/${made.json.id}/file`);
  expect(file.status).toBe(200);
  expect(Buffer.byteLength(file.text)).toBe(ready.json.bytes);
  return { ...ready.json, text: file.text, file };
}

const objectsIn = ({ text }: Pick<RawAnswer, "text">) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The rows of a list. An export leaves the deliveries of an event out: they change after its moment. */
const listed = async (path: string) =>
  (await story.call("GET", path)).json.data.map(
    ({ deliverySummary: _, ...row }: Record<string, unknown>) => row,
  );

describe("the rows of an export", () => {
  it.each([
    ["TRANSACTIONS", {}, "/transactions?limit=100&sortOrder=asc"],
    ["TRANSACTIONS", { type: "OUTGOING" }, "/transactions?type=OUTGOING&sortOrder=asc"],
    ["TRANSACTIONS", { status: "COMPLETED" }, "/transactions?status=COMPLETED&sortOrder=asc"],
    ["TRANSACTIONS", { status: "REJECTED" }, "/transactions?status=REJECTED"],
    ["EVENTS", {}, "/events?limit=100&sortOrder=asc"],
    ["EVENTS", { type: ["OUTGOING_PAYMENT.*"] }, "/events?type=OUTGOING_PAYMENT.*&sortOrder=asc"],
    ["EVENTS", { after: 2, before: 5 }, "/events?after=2&before=5&sortOrder=asc"],
    ["LEDGER", {}, "/ledger/postings?limit=100"],
    ["LEDGER", { reason: "payout.hold" }, "/ledger/postings?reason=payout.hold"],
    ["CUSTOMERS", {}, "/customers?limit=100"],
    ["CUSTOMERS", { customerType: "BUSINESS" }, "/customers?customerType=BUSINESS"],
  ])("of %s with %o are those of %s", async (kind, filter, path) => {
    const found = await exported({ kind, filter });
    const rows = await listed(path);
    expect(objectsIn(found)).toEqual(rows);
    expect(found.rows).toBe(rows.length);
  });

  it("are calls for a token with MANAGE", async () => {
    await story.call("GET", "/customers/Customer:1");
    await server.app.requestLog?.flush();
    const filter = { operationId: "getCustomer" };
    const found = await exported({ kind: "REQUESTS", filter });
    expect(objectsIn(found)).toEqual(await listed("/request-logs?operationId=getCustomer"));
    expect(found.rows).toBeGreaterThan(0);

    const viewer = await story.call("POST", "/tokens", { name: "v", permissions: ["VIEW"] });
    const authorization = basic(viewer.json.clientId, viewer.json.clientSecret);
    const options = { authorization };
    const body = { kind: "REQUESTS", format: "CSV" };
    for (const refused of [
      await story.call("POST", "/exports", body, options),
      await story.call("GET", `/exports/${found.id}/file`, undefined, options),
    ]) {
      expect([refused.status, refused.json.code]).toEqual([403, "FORBIDDEN"]);
      expect(refused.json.details).toEqual({ permission: "MANAGE" });
    }
    const own = await story.call("POST", "/exports", { ...body, kind: "EVENTS" }, options);
    expect(own.status).toBe(202);
    await story.settle();
  });

  it("are the same for the same moment, and name it", async () => {
    for (const kind of ["LEDGER", "TRANSACTIONS", "EVENTS", "CUSTOMERS"]) {
      for (const format of ["CSV", "JSONL"]) {
        const [one, other] = [await exported({ kind, format }), await exported({ kind, format })];
        expect(other.text).toBe(one.text);
        expect(other.sequence).toBe(one.sequence);
        expect(other.commandSeq).toBeGreaterThan(one.commandSeq);
      }
    }
    const last = (await listed("/events?limit=1"))[0].sequence;
    expect((await exported({ kind: "EVENTS" })).sequence).toBe(last);
  });

  it("leave out another platform's", async () => {
    const other = await openStory(server);
    for (const kind of ["LEDGER", "TRANSACTIONS", "CUSTOMERS", "EVENTS"]) {
      expect(await exported({ kind }, other)).toMatchObject({ text: "", rows: 0, bytes: 0 });
    }
  });

  it("of another platform's object are none, as of one that does not exist", async () => {
    const other = await openStory(server);
    await fundedCustomer(other, 1);
    const { id: transactionId } = (await listed("/transactions?limit=1"))[0];
    const { id: tokenId } = (await listed("/tokens?limit=1"))[0];
    const ids: readonly (readonly [kind: string, field: string, id: string])[] = [
      ["LEDGER", "accountId", accountId.replace("InternalAccount", "LedgerAccount")],
      ["LEDGER", "transactionId", transactionId],
      ["TRANSACTIONS", "customerId", customerId],
      ["TRANSACTIONS", "accountIdentifier", accountId],
      ["TRANSACTIONS", "senderAccountIdentifier", accountId],
      ["TRANSACTIONS", "receiverAccountIdentifier", accountId],
      ["EVENTS", "resourceId", transactionId],
      ["REQUESTS", "tokenId", tokenId],
      ["REQUESTS", "resourceId", transactionId],
    ];
    for (const [kind, field, id] of ids) {
      const unknown = id.replace(/.{12}$/, "0".repeat(12));
      for (const value of [id, unknown]) {
        const { rows } = await exported({ kind, filter: { [field]: value } }, other);
        expect([kind, field, value, rows]).toEqual([kind, field, value, 0]);
      }
      if (kind === "REQUESTS") continue;
      const own = await exported({ kind, filter: { [field]: id } });
      expect([kind, field, own.rows > 0]).toEqual([kind, field, true]);
    }
  });
});

describe("the deliveries of an export", () => {
  let sent: Story;
  const logged = async (query = ""): Promise<readonly { readonly id: string }[]> =>
    (await sent.call("GET", `/webhook-deliveries?limit=100${query}`)).json.data;

  beforeAll(async () => {
    sent = await openStory(server);
    const receiver = await listenTo(sent);
    const payer = await fundedCustomer(sent, 1_000);
    const payee = await bankAccount(sent, payer);
    const ends = { source: { accountId: payer.accountId }, destination: { accountId: payee } };
    await sent.call("POST", "/transfer-out", { ...ends, amount: 100 });
    await sent.settle();
    await receiver.received(5);
    await untilLogged();
  });

  /** Attempts are written aside from the deliveries. */
  async function untilLogged(): Promise<void> {
    for (let turn = 0; turn < 1_000; turn++) {
      await clock.advance(1_000);
      const all = await logged();
      if (all.length >= 5 && all.every((each) => "lastStatus" in each)) return;
    }
    throw new Error("the attempts are not logged");
  }

  afterAll(() => endReceivers());

  it.each([
    ["", {}],
    ["&state=DELIVERED", { state: "DELIVERED" }],
    ["&state=FAILED", { state: "FAILED" }],
    ["&eventType=OUTGOING_PAYMENT.*", { eventType: ["OUTGOING_PAYMENT.*"] }],
  ])("with %s are those of the list", async (query, filter) => {
    const rows = await logged(query);
    const found = await exported({ kind: "DELIVERIES", filter }, sent);
    expect(objectsIn(found)).toEqual(rows);
    expect(found.rows).toBe(rows.length);
  });

  it("are those of the events up to its moment", async () => {
    const [latest] = await logged();
    const { eventSequence } = present(latest, "a delivery") as unknown as { eventSequence: number };
    const { reads } = server.app.store.database;
    const rows = createExportRows({ reads, requestLogs: noCalls });
    const seen = { commandSeq: 0n, eventSeq: BigInt(eventSequence) - 1n, asOf: clock.now() };
    const wish = {
      platformId: sent.platformId,
      kind: "DELIVERIES",
      format: "JSONL",
      ...PROGRAMS,
    } as const;
    const { text } = await rows.next({ ...wish, filter: {}, seen, position: null });
    expect(objectsIn({ text })).toEqual((await logged()).filter((each) => each.id !== latest?.id));
  });

  it("are none of another platform's", async () => {
    const [{ id = "" } = {}] = await logged();
    const [endpointUuid] = id.replace("WebhookDelivery:", "").split(".");
    const filter = { endpointId: `WebhookEndpoint:${endpointUuid}` };
    expect((await exported({ kind: "DELIVERIES", filter }, sent)).rows).toBeGreaterThan(4);
    expect((await exported({ kind: "DELIVERIES", filter })).rows).toBe(0);
  });
});

describe("CSV", () => {
  it("has a heading, a line a row, and the legs of a posting one below the other", async () => {
    const { file, text, rows } = await exported({ kind: "LEDGER", format: "CSV" });
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("content-disposition")).toMatch(
      /^attachment; filename="ledger-[0-9a-f-]{36}\.csv"$/,
    );
    const [heading, first, second] = text.split("\r\n");
    expect(heading).toBe(
      "posting,commandSeq,line,at,reason,accountId,version,amount.amount,amount.currency,balanceAfter.amount,transactionId",
    );
    const [posting] = await listed("/ledger/postings?limit=1");
    const { legs } = posting;
    expect(first).toBe(
      [
        legs[0].posting,
        legs[0].commandSeq,
        legs[0].line,
        legs[0].at,
        legs[0].reason,
        legs[0].accountId,
        legs[0].version,
        legs[0].amount.amount,
        legs[0].amount.currency,
        legs[0].balanceAfter.amount,
        legs[0].transactionId,
      ].join(","),
    );
    expect(second?.startsWith(`${legs[1].posting},`)).toBe(true);
    expect(rows).toBe((await listed("/ledger/postings?limit=100")).length);
  });

  it("runs nothing in a spreadsheet, and keeps numbers", async () => {
    const fullName = '=HYPERLINK("http://x.test","a, b")';
    await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName,
      platformCustomerId: "+1+1",
      currencies: ["USD"],
    });
    const { text } = await exported({
      kind: "CUSTOMERS",
      format: "CSV",
      filter: { platformCustomerId: "+1+1" },
    });
    const [, line = ""] = text.split("\r\n");
    expect(line).toContain(`,'+1+1,INDIVIDUAL,`);
    expect(line).toContain(`,"'=HYPERLINK(""http://x.test"",""a, b"")",`);
    expect(line).toContain(`,"[""USD""]",`);
    const paid = await exported({ kind: "TRANSACTIONS", format: "CSV" });
    expect(paid.text).toMatch(/,250,USD,/);
  });
});

describe("an export", () => {
  it("is listed, the latest first", async () => {
    const { id } = await exported({ kind: "EVENTS" });
    const { json } = await story.call("GET", "/exports?limit=1");
    expect(json.data[0].id).toBe(id);
    expect(json.hasMore).toBe(true);
  });

  it("is kept under its idempotency key", async () => {
    const body = { kind: "EVENTS", format: "CSV" };
    const one = await story.call("POST", "/exports", body, { key: "exports" });
    const again = await story.call("POST", "/exports", body, { key: "exports" });
    expect(again.json.id).toBe(one.json.id);
    await story.settle();
  });

  it("shows a transaction as it was at its moment, whatever happened since", async () => {
    const { rowsAt, now } = walk();
    const payee = await bankAccount(story, { customerId });
    const paid = { source: { accountId }, destination: { accountId: payee }, amount: 70 };
    const { json } = await story.call("POST", "/transfer-out", paid);
    await story.settle();
    const [told] = await listed(`/events?resourceId=${json.id}&sortOrder=asc&limit=1`);
    const seen = {
      commandSeq: 0n,
      eventSeq: BigInt(told.sequence),
      asOf: Date.parse(told.timestamp),
    };
    await clock.advance(1_000);
    const later = await story.call("POST", "/transfer-out", paid);
    await story.settle();
    const states = (rows: readonly { readonly id: string; readonly status: string }[]) =>
      rows.filter(({ id }) => id === json.id || id === later.json.id).map(({ status }) => status);
    expect(states(await rowsAt(seen))).toEqual([json.status]);
    expect(states(await rowsAt(await now()))).toEqual(["COMPLETED", "COMPLETED"]);
    const inState = async (status: string) => states(await rowsAt(seen, { status }));
    expect(await inState(json.status)).toEqual([json.status]);
    expect(await inState("COMPLETED")).toEqual([]);
  });

  it("of logged calls has a moment of the server's clock, by which they are logged", async () => {
    const own = await openStory(server);
    const moved = await own.call("POST", "/sandbox/clock/advance", { seconds: 86_400 });
    expect(moved.status).toBe(200);
    const { asOf } = await exported({ kind: "REQUESTS" }, own);
    expect(asOf).toBe(new Date(clock.now()).toISOString());
  });

  it("is deleted after seven days", async () => {
    const { id, completedAt, expiresAt } = await exported({ kind: "EVENTS" });
    expect(Date.parse(expiresAt) - Date.parse(completedAt)).toBe(7 * DAY_MS);
    await clock.advance(7 * DAY_MS - 60_000);
    await story.settle();
    expect((await story.call("GET", `/exports/${id}/file`)).status).toBe(200);
    await clock.advance(120_000);
    await story.settle();
    const gone = await story.call("GET", `/exports/${id}/file`);
    expect([gone.status, gone.json.code, gone.json.details]).toEqual([
      409,
      "CONFLICT",
      { state: "EXPIRED" },
    ]);
    expect((await story.call("GET", `/exports/${id}`)).json.state).toBe("EXPIRED");
    const { rows } = await server.database.asSuperuser((client) =>
      client.query(
        "select from file_chunks c join export_parts p on p.platform_id = c.platform_id and p.id = c.file_id " +
          "join exports e on e.platform_id = p.platform_id and e.id = p.export_id where e.state <> 'READY'",
      ),
    );
    expect(rows).toEqual([]);
  });
});

/** Walks the transactions of this platform as an export does, for a moment that may be over. */
function walk() {
  const { reads } = server.app.store.database;
  const { platformId } = story;
  const rows = createExportRows({ reads, requestLogs: noCalls });
  const what = {
    platformId,
    kind: "TRANSACTIONS",
    format: "JSONL",
    ...PROGRAMS,
    position: null,
  } as const;
  return {
    now: () => seenNow(reads, platformId),
    rowsAt: async (seen: SeenState, filter = {}) =>
      objectsIn(await rows.next({ ...what, filter, seen })),
  };
}

const PROGRAMS = { audience: "PROGRAMS", timeZone: null } as const;

const noCalls = {
  contentOf: async () => undefined,
  keyDigest: () => "",
};

describe("refusals", () => {
  it.each([
    ["kind", {}],
    ["kind", { kind: "ATTEMPTS" }],
    ["kind", { kind: 1 }],
    ["format", { kind: "EVENTS", format: "PDF" }],
    ["filter", { kind: "EVENTS", filter: [] }],
    ["filter.status", { kind: "EVENTS", filter: { status: "FAILED" } }],
    ["filter.status", { kind: "TRANSACTIONS", filter: { status: "DONE" } }],
    ["filter.sortOrder", { kind: "TRANSACTIONS", filter: { sortOrder: "asc" } }],
    ["filter.limit", { kind: "CUSTOMERS", filter: { limit: 5 } }],
    ["filter.type", { kind: "EVENTS", filter: { type: ["NO_SUCH.*"] } }],
    ["filter.type", { kind: "EVENTS", filter: { type: "OUTGOING_PAYMENT.*" } }],
    ["filter.after", { kind: "EVENTS", filter: { after: "2" } }],
    ["filter.since", { kind: "LEDGER", filter: { since: "yesterday" } }],
    ["filter.accountId", { kind: "LEDGER", filter: { accountId: "Customer:1" } }],
    ["filter.customerId", { kind: "TRANSACTIONS", filter: { customerId: "Token:1" } }],
    ["filter.idempotencyKey", { kind: "REQUESTS", filter: { idempotencyKey: "k" } }],
    ["filter.isIncludingDeleted", { kind: "CUSTOMERS", filter: { isIncludingDeleted: "yes" } }],
  ])("name a wrong %s of %o", async (field, change) => {
    const { status, json } = await story.call("POST", "/exports", { format: "CSV", ...change });
    expect([status, json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(json.details.errors.map((error: { readonly field: string }) => error.field)).toContain(
      field,
    );
  });

  it("are one for an unknown id, another platform's id and one of another kind", async () => {
    const other = await openStory(server);
    const theirs = await exported({ kind: "EVENTS" }, other);
    const unknown = "Export:019a4f00-0000-7000-8000-00000000000c";
    for (const id of [theirs.id, unknown, "Customer:1"]) {
      for (const path of [`/exports/${id}`, `/exports/${id}/file`]) {
        const { status, json } = await story.call("GET", path);
        expect([status, json.code]).toEqual([404, "EXPORT_NOT_FOUND"]);
      }
    }
  });

  it("come for a file that is not written yet, and for a fourth unfinished export", async () => {
    const busy = await openStory(server);
    const { app } = server;
    await app.jobs.stop();
    const order = { kind: "EVENTS", format: "CSV" };
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { status, json } = await busy.call("POST", "/exports", order);
      expect(status).toBe(202);
      ids.push(json.id);
    }
    const fourth = await busy.call("POST", "/exports", order);
    expect([fourth.status, fourth.json.code, fourth.json.details]).toEqual([
      409,
      "CONFLICT",
      { most: 3 },
    ]);
    const early = await busy.call("GET", `/exports/${present(ids[0], "an export")}/file`);
    expect([early.status, early.json.details]).toEqual([409, { state: "PENDING" }]);
  });
});
