/** Statements: what came and went in a period, adding up to what there was before and after. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { sampleOf } from "../../kit/sample.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 8, 30, 12);

let clock: ManualClock;
let server: TestServer;
let story: Story;
let accountId: string;
let payeeId: string;

beforeAll(async () => {
  clock = createManualClock(START);
  server = await startTestServer({ clock });
  story = await openStory(server);
  const funded = await fundedCustomer(story, 10_000);
  ({ accountId } = funded);
  payeeId = await bankAccount(story, { customerId: funded.customerId });
});
afterAll(async () => {
  const closed = server.close();
  await clock.advance(1_000);
  await closed;
});

interface Wish {
  readonly from: string;
  readonly to: string;
  readonly format?: "JSON" | "CSV";
  readonly account?: string;
}

async function ordered({ from, to, format = "JSON", account = accountId }: Wish) {
  const order = { accountId: account, from, to, format };
  const made = await story.call("POST", "/statements", order);
  expect([made.status, made.json.state]).toEqual([202, "PENDING"]);
  await story.settle();
  const ready = await story.call("GET", `/statements/${made.json.id}`);
  expect(ready.json.state).toBe("READY");
  const file = await story.call("GET", `/statements/${made.json.id}/file`);
  expect(file.status).toBe(200);
  expect(createHash("sha256").update(file.text).digest("hex")).toBe(ready.json.sha256);
  return { ...ready.json, file };
}

const figures = ({ openingBalance, totalIn, totalOut, closingBalance, entries }: Listed) => [
  openingBalance.amount,
  totalIn.amount,
  totalOut.amount,
  closingBalance.amount,
  entries,
];

interface Amount {
  readonly amount: string;
}
interface Listed {
  readonly openingBalance: Amount;
  readonly closingBalance: Amount;
  readonly totalIn: Amount;
  readonly totalOut: Amount;
  readonly entries: number;
}

const pay = (amount: number) =>
  story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: payeeId },
    amount,
  });

describe("a statement", () => {
  beforeAll(async () => {
    await clock.advance(2 * DAY_MS);
    await pay(1_500);
    await story.settle();
    await clock.advance(31 * DAY_MS);
  });

  it("says what there was before, what came and went, and what there was after", async () => {
    const october = await ordered({ from: "2026-10-01", to: "2026-10-31" });
    expect(figures(october)).toEqual(["10000", "0", "1500", "8500", 1]);
    expect(october.number).toBe(2);
    const { statement, lines } = october.file.json;
    expect(statement.closingBalance.amount).toBe("8500");
    expect(lines).toMatchObject([{ reason: "payout.hold", amount: "-1500", balance: "8500" }]);
    const september = await ordered({ from: "2026-09-01", to: "2026-09-30" });
    expect(figures(september)).toEqual(["0", "10000", "0", "10000", 1]);
    expect(september.number).toBe(1);
    const before = await ordered({ from: "2020-01-01", to: "2020-01-31" });
    expect(figures(before)).toEqual(["0", "0", "0", "0", 0]);
    expect(before).not.toHaveProperty("number");
  });

  it("has the same bytes each time that it is ordered", async () => {
    for (const format of ["JSON", "CSV"] as const) {
      const wish = { from: "2026-09-30", to: "2026-10-15", format };
      const [one, other] = [await ordered(wish), await ordered(wish)];
      expect(other.id).not.toBe(one.id);
      expect(other.file.text).toBe(one.file.text);
      expect(one).not.toHaveProperty("number");
    }
  });

  it("is CSV that opens with the opening balance and closes with the closing one", async () => {
    const { file } = await ordered({ from: "2026-10-01", to: "2026-10-31", format: "CSV" });
    expect(file.headers.get("content-disposition")).toBe(
      'attachment; filename="statement-2026-10-01-2026-10-31.csv"',
    );
    const lines = file.text.split("\r\n");
    expect(lines[0]).toBe("date,reason,amount,currency,balance,transactionId,posting");
    expect(lines[1]).toBe("2026-10-01,opening,,USD,10000,,");
    expect(lines[2]).toMatch(
      /^2026-10-02T12:00:00\.\d{3}Z,payout\.hold,-1500,USD,8500,Transaction:/,
    );
    expect(lines[3]).toBe("2026-10-31,closing,,USD,8500,,");
  });

  it("is kept under its idempotency key", async () => {
    const order = { accountId, from: "2026-10-01", to: "2026-10-31", format: "CSV" };
    const one = await story.call("POST", "/statements", order, { key: "october" });
    const again = await story.call("POST", "/statements", order, { key: "october" });
    expect(again.json.id).toBe(one.json.id);
    await story.settle();
  });

  it("is listed, the latest first, also of one account", async () => {
    const { id } = await ordered({ from: "2026-10-01", to: "2026-10-02" });
    const all = await story.call("GET", "/statements?limit=1");
    expect(all.json.data[0].id).toBe(id);
    const other = await fundedCustomer(story, 0);
    const none = await story.call("GET", `/statements?accountId=${other.accountId}`);
    expect(none.json).toEqual({ data: [], hasMore: false, totalCount: 0 });
  });

  it.each([
    ["to", { to: "2026-11-30" }],
    ["to", { to: "2026-09-30" }],
    ["to", { from: "2020-01-01" }],
    ["from", { from: "2026-02-30" }],
    ["format", { format: "PDF" }],
  ])("refuses a wrong %s", async (field, change) => {
    const order = { accountId, from: "2026-10-01", to: "2026-10-31", format: "CSV", ...change };
    const { status, json } = await story.call("POST", "/statements", order);
    expect([status, json.code, json.details.field]).toEqual([400, "INVALID_INPUT", field]);
  });

  it("of an unknown account, or of another platform, is not found", async () => {
    const order = { accountId, from: "2026-10-01", to: "2026-10-31", format: "CSV" };
    const other = await openStory(server, { environment: "PRODUCTION" });
    expect((await other.call("POST", "/statements", order)).json.code).toBe("REFERENCE_NOT_FOUND");
    const { id } = await ordered(order as Wish);
    for (const path of [`/statements/${id}`, `/statements/${id}/file`, "/statements/Statement:7"]) {
      const { status, json } = await other.call("GET", path);
      expect([status, json.code]).toEqual([404, "STATEMENT_NOT_FOUND"]);
    }
  });

  it("that is not ready has no file", async () => {
    const order = { accountId, from: "2026-10-01", to: "2026-10-31", format: "CSV" };
    const { json } = await story.call("POST", "/statements", order);
    await story.settle();
    await server.database.asSuperuser((client) =>
      client.query("update statements set state = 'PENDING', sha256 = null where id = $1", [
        json.id.split(":")[1],
      ]),
    );
    const file = await story.call("GET", `/statements/${json.id}/file`);
    expect([file.status, file.json.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("statements of any history", () => {
  it.each(sampleOf([1, 2, 3, 4]))(
    "add up, and each opens with what the one before closed with (%i)",
    async () => {
      const step = fc.record({
        amount: fc.integer({ min: 1, max: 900 }),
        isIn: fc.boolean(),
        days: fc.integer({ min: 0, max: 9 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          const account = (await fundedCustomer(story, 1_000)).accountId;
          const began = dayOf(clock.now());
          for (const { amount, isIn, days } of steps) {
            await clock.advance(days * DAY_MS);
            const fund = `/sandbox/internal-accounts/${account}/fund`;
            if (isIn) await story.call("POST", fund, { amount });
            else {
              const body = {
                source: { accountId: account },
                destination: { accountId: payeeId },
                amount,
              };
              await story.call("POST", "/transfer-out", body);
            }
          }
          await story.settle();
          await clock.advance(DAY_MS);
          await checkChain(account, { from: began, to: dayOf(clock.now() - DAY_MS) });
        }),
        { numRuns: 2 },
      );
    },
  );
});

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const nextDay = (date: string) => dayOf(Date.parse(date) + DAY_MS);
const minor = ({ amount }: Amount) => BigInt(amount);

/** The whole period, and its parts of three days: their figures against each other and against the account. */
async function checkChain(
  account: string,
  { from, to }: { readonly from: string; readonly to: string },
) {
  const whole = await ordered({ account, from, to });
  const { data } = (await story.call("GET", `/ledger/accounts?internalAccountId=${account}`)).json;
  expect(whole.closingBalance).toEqual(present(data[0], "the account").balance);
  let [opening, entries] = [0n, 0];
  for (let day = from; day <= to; ) {
    const end = [dayOf(Date.parse(day) + 2 * DAY_MS), to].toSorted()[0] ?? to;
    const part: Listed = await ordered({ account, from: day, to: end });
    expect(minor(part.openingBalance)).toBe(opening);
    const flow = minor(part.totalIn) - minor(part.totalOut);
    expect(opening + flow).toBe(minor(part.closingBalance));
    opening = minor(part.closingBalance);
    entries += part.entries;
    day = nextDay(end);
  }
  expect([opening, entries]).toEqual([minor(whole.closingBalance), whole.entries]);
}
