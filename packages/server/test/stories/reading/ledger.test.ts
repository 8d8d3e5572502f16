/** The books as a platform reads them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;

let clock: ManualClock;
let server: TestServer;
let story: Story;
let customerId: string;
let internalAccountId: string;
let accountId: string;
let transactionId: string;

beforeAll(async () => {
  clock = createManualClock(NOON);
  server = await startTestServer({ clock });
  story = await openStory(server);
  const funded = await fundedCustomer(story, 10_000);
  customerId = funded.customerId;
  internalAccountId = funded.accountId;
  accountId = internalAccountId.replace("InternalAccount", "LedgerAccount");
  await clock.advance(DAY_MS);
  const paid = await story.call("POST", "/transfer-out", {
    source: { accountId: internalAccountId },
    destination: { accountId: await bankAccount(story, { customerId }) },
    amount: 1_500,
  });
  transactionId = paid.json.id;
  await story.settle();
});
afterAll(async () => {
  const closed = server.close();
  await clock.advance(1_000);
  await closed;
});

async function read(path: string, from: Story = story) {
  const answer = await from.call("GET", path);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

interface Leg {
  readonly accountId: string;
  readonly amount: { readonly amount: string; readonly currency: string };
}

interface Listed {
  readonly id: string;
  readonly reason: string;
  readonly transactionId?: string;
  readonly legs: readonly Leg[];
}

describe("ledger accounts", () => {
  it("show what each holds, and which internal account they are of", async () => {
    const { data } = await read("/ledger/accounts?kind=internal&currency=USD");
    expect(data.find((one: { id: string }) => one.id === accountId)).toMatchObject({
      internalAccountId,
      balance: { amount: "8500", currency: "USD" },
      held: { amount: "0", currency: "USD" },
      version: 2,
    });
  });

  it("are found by kind, currency, internal account and customer", async () => {
    const kinds = async (query: string): Promise<readonly string[]> =>
      (await read(`/ledger/accounts${query}`)).data.map((one: { kind: string }) => one.kind);
    expect(await kinds("?kind=in-flight")).toEqual(["in-flight"]);
    expect(await kinds("?kind=in-flight&currency=EUR")).toEqual([]);
    expect(await kinds(`?internalAccountId=${internalAccountId}`)).toEqual(["internal"]);
    expect(await kinds(`?customerId=${customerId}`)).toEqual(["internal"]);
    expect((await kinds("")).toSorted()).toContain("sandbox-funding");
  });

  it("are paged without a gap or repeat", async () => {
    const all = (await read("/ledger/accounts?limit=100")).data;
    const found = [];
    for (let cursor = ""; ; ) {
      const page = await read(`/ledger/accounts?limit=1${cursor}`);
      found.push(...page.data);
      if (!page.hasMore) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(found).toEqual(all);
    expect(found.length).toBeGreaterThan(3);
  });
});

describe("entries", () => {
  it("carry the balance after them, and the transaction that their command told of", async () => {
    const { data } = await read(`/ledger/accounts/${accountId}/entries`);
    expect(data).toMatchObject([
      {
        version: 2,
        reason: "payout.hold",
        amount: { amount: "-1500" },
        balanceAfter: { amount: "8500" },
        transactionId,
      },
      { version: 1, reason: "sandbox.fund", balanceAfter: { amount: "10000" } },
    ]);
    expect(data[1].transactionId).not.toBe(transactionId);
  });

  it("are filtered by reason and time, in either order, and paged", async () => {
    const versions = async (query: string): Promise<readonly number[]> =>
      (await read(`/ledger/accounts/${accountId}/entries${query}`)).data.map(
        (one: { version: number }) => one.version,
      );
    expect(await versions("?reason=payout.hold")).toEqual([2]);
    expect(await versions("?sortOrder=asc")).toEqual([1, 2]);
    const between = new Date(NOON + DAY_MS / 2).toISOString();
    expect(await versions(`?since=${between}`)).toEqual([2]);
    expect(await versions(`?until=${between}`)).toEqual([1]);
    const first = await read(`/ledger/accounts/${accountId}/entries?limit=1`);
    expect(await versions(`?limit=1&cursor=${first.nextCursor}`)).toEqual([1]);
    const { data } = await read("/ledger/accounts?kind=in-flight");
    const other = `/ledger/accounts/${data[0].id}/entries?limit=1&cursor=${first.nextCursor}`;
    expect((await story.call("GET", other)).status).toBe(400);
  });

  it("of no account are not found", async () => {
    for (const id of ["LedgerAccount:7", internalAccountId, "x"]) {
      const { status, json } = await story.call("GET", `/ledger/accounts/${id}/entries`);
      expect([status, json.code]).toEqual([404, "LEDGER_ACCOUNT_NOT_FOUND"]);
    }
  });
});

describe("postings", () => {
  it("have legs that sum to zero in each currency", async () => {
    const { data }: { data: readonly Listed[] } = await read("/ledger/postings?limit=100");
    expect(data.map(({ reason }) => reason)).toEqual([
      "payout.settle",
      "payout.hold",
      "sandbox.fund",
    ]);
    for (const { legs } of data) {
      expect(legs.length).toBeGreaterThan(1);
      expect(legs.reduce((sum, { amount }) => sum + BigInt(amount.amount), 0n)).toBe(0n);
    }
  });

  it("are found by account, reason, transaction and time", async () => {
    const reasons = async (query: string): Promise<readonly string[]> =>
      (await read(`/ledger/postings${query}`)).data.map(({ reason }: Listed) => reason);
    expect(await reasons(`?accountId=${accountId}`)).toEqual(["payout.hold", "sandbox.fund"]);
    expect(await reasons(`?accountId=${accountId}&reason=sandbox.fund`)).toEqual(["sandbox.fund"]);
    expect(await reasons("?reason=payout.settle")).toEqual(["payout.settle"]);
    expect(await reasons(`?transactionId=${transactionId}`)).toEqual([
      "payout.settle",
      "payout.hold",
    ]);
    const between = new Date(NOON + DAY_MS / 2).toISOString();
    expect(await reasons(`?until=${between}`)).toEqual(["sandbox.fund"]);
    expect(await reasons(`?since=${between}`)).toEqual(["payout.settle", "payout.hold"]);
  });

  it.each(["", "&accountId="])("are paged without a gap or repeat%s", async (filter) => {
    const query = filter === "" ? "" : filter + accountId;
    const all: readonly Listed[] = (await read(`/ledger/postings?limit=100${query}`)).data;
    const found: Listed[] = [];
    for (let cursor = ""; ; ) {
      const page = await read(`/ledger/postings?limit=1${query}${cursor}`);
      found.push(...page.data);
      if (!page.hasMore) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(found).toEqual(all);
  });

  it("are read one by one", async () => {
    const [first] = (await read("/ledger/postings?limit=1")).data;
    expect(await read(`/ledger/postings/${first.id}`)).toEqual(first);
    const other = await openStory(server);
    for (const id of [first.id, "999999.0", "0.0", "x", "1", "1.-1", `${"9".repeat(30)}.0`]) {
      const { status, json } = await other.call("GET", `/ledger/postings/${id}`);
      expect([id, status, json.code]).toEqual([id, 404, "POSTING_NOT_FOUND"]);
    }
  });
});

interface Line {
  readonly kind: string;
  readonly balance: { readonly amount: string; readonly currency: string };
}

const figures = (lines: readonly Line[]) =>
  Object.fromEntries(lines.map(({ kind, balance }) => [kind, balance.amount]));

describe("balances at a moment", () => {
  it("are sums of the entries up to its end", async () => {
    const then = await read(`/ledger/balances?at=${new Date(NOON + 60_000).toISOString()}`);
    expect(figures(then.balances)).toEqual({ internal: "10000", "sandbox-funding": "-10000" });
    const now = await read("/ledger/balances");
    expect(figures(now.balances)).toEqual({
      "in-flight": "0",
      internal: "8500",
      "rail-clearing": "1500",
      "sandbox-funding": "-10000",
    });
    const before = await read("/ledger/balances?at=1999-01-01T00:00:00Z");
    expect(before).toEqual({ commandSeq: 0, balances: [] });
  });

  it("are the same from a checkpoint on", async () => {
    // A command of a worker may come between, so the number of the last command is not compared.
    const { balances } = await read("/ledger/balances");
    await server.database.asSuperuser((client) =>
      client.query(
        "insert into ledger_checkpoints select e.platform_id, e.command_seq, v.kind, 'USD', v.minor " +
          "from (select platform_id, min(command_seq) as command_seq from ledger_entries where platform_id = $1 group by 1) e, " +
          "(values ('internal', 10000), ('sandbox-funding', -10000), ('', 0)) v(kind, minor)",
        [story.platformId],
      ),
    );
    expect((await read("/ledger/balances")).balances).toEqual(balances);
  });
});

describe("the trial balance", () => {
  it("sums to zero on each day, and shows nothing of later ones", async () => {
    const first = await read("/ledger/trial-balance?date=2026-11-20");
    expect(figures(first.lines)).toEqual({ internal: "10000", "sandbox-funding": "-10000" });
    const today = await read("/ledger/trial-balance");
    expect(today.date).toBe("2026-11-21");
    const sum = (today.lines as readonly Line[]).reduce(
      (total, { balance }) => total + BigInt(balance.amount),
      0n,
    );
    expect(sum).toBe(0n);
  });

  it("is written as CSV with debits and credits", async () => {
    const path = "/ledger/trial-balance?date=2026-11-20&format=CSV";
    const { status, text, headers } = await story.call("GET", path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(text).toBe(
      "date,kind,currency,debit,credit\r\n2026-11-20,internal,USD,0,10000\r\n" +
        "2026-11-20,sandbox-funding,USD,10000,0\r\n",
    );
  });

  it("of another platform is empty", async () => {
    const other = await openStory(server, { environment: "PRODUCTION" });
    expect((await read("/ledger/trial-balance", other)).lines).toEqual([]);
  });
});

it.each([
  ["/ledger/accounts?kind=No", "kind"],
  ["/ledger/accounts?currency=x", "currency"],
  ["/ledger/accounts?internalAccountId=7", "internalAccountId"],
  ["/ledger/postings?accountId=7", "accountId"],
  ["/ledger/postings?reason=%00", "reason"],
  ["/ledger/postings?since=now", "since"],
  ["/ledger/balances?at=now", "at"],
  ["/ledger/trial-balance?date=2026-02-30", "date"],
  ["/ledger/trial-balance?date=2026-11-22", "date"],
  ["/ledger/trial-balance?format=PDF", "format"],
])("refuses %s", async (path, field) => {
  const { status, json } = await story.call("GET", path);
  expect([status, json.code, json.details.field]).toEqual([400, "INVALID_INPUT", field]);
});
