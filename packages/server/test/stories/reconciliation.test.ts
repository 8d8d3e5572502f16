/** What `florin verify` finds in the rows of accounts and payments: edited on purpose, and rolled back. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reconciliations } from "../../src/domain/reconciliation.sql.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../kit/story.ts";
import { internalAccount } from "../kit/story-money.ts";
import { euroAccount, sendFunds } from "../kit/story-quotes.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

const HELD = 2_500;
const ARRIVED = 77_000;

let server: TestServer;
let story: Story;
let transferId: string;
let quoteId: string;
let emptyAccountId: string;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  const { customerId, accountId } = await fundedCustomer(story, 10_000);
  emptyAccountId = bare(await internalAccount(story, { currency: "EUR" }));
  transferId = await underWay(accountId, customerId);
  quoteId = await stuck(customerId);
});
afterAll(() => server.close());

const bare = (wireId: string) => wireId.slice(wireId.indexOf(":") + 1);

/** A transfer whose bank says nothing for now. */
async function underWay(accountId: string, customerId: string): Promise<string> {
  const sent = await story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: await bankAccount(story, { suffix: "005", customerId }) },
    amount: HELD,
  });
  await story.settle();
  return bare(sent.json.id);
}

/** A quote that was paid with a wrong amount, which could not be sent back. */
async function stuck(customerId: string): Promise<string> {
  const quote = await story.call("POST", "/quotes", {
    source: { sourceType: "REALTIME_FUNDING", customerId, currency: "USD" },
    destination: {
      destinationType: "ACCOUNT",
      accountId: await euroAccount(story, customerId, "007"),
    },
    lockedCurrencySide: "RECEIVING",
    lockedCurrencyAmount: 92_000,
  });
  await sendFunds(story, quote.json.id, { currencyAmount: ARRIVED });
  await story.settle();
  return bare(quote.json.id);
}

/** What is found after such an edit, each finding as one line. */
function foundAfter(edit: string, values: readonly string[] = []): Promise<readonly string[]> {
  return server.database.asSuperuser(async (client) => {
    await client.query("begin");
    try {
      await client.query("set local session_replication_role = replica");
      await client.query(edit, [...values]);
      const found: string[] = [];
      for (const text of reconciliations) {
        const { rows } = await client.query<string[]>({
          text,
          values: [story.platformId],
          rowMode: "array",
        });
        found.push(...rows.map((cells) => cells.join(" | ")));
      }
      return found;
    } finally {
      await client.query("rollback");
    }
  });
}

const PLACE = "ledger_accounts | in-flight and paid-in in USD";

describe("money that is set aside", () => {
  it("is that of a transfer under way and of a refund that failed, with what had come in", async () => {
    expect(await foundAfter("select 1")).toEqual([]);
    const { json } = await story.call("GET", `/quotes/Quote:${quoteId}`);
    expect(json).toMatchObject({ status: "FAILED" });
    expect(json.totalSendingAmount).not.toBe(ARRIVED);
  });

  it("is missed by nobody once its transfer is said to be over", async () => {
    const edit = "update transactions set status = 'COMPLETED' where id = $1";
    const what = `${HELD + ARRIVED} is set aside, payments that are not over come to ${ARRIVED}`;
    expect(await foundAfter(edit, [transferId])).toEqual([`${PLACE} | ${what}`]);
  });

  it("is told of a refund that is said to have gone well, and of one over another amount", async () => {
    const refunded =
      'update transactions set refund = \'{"status":"COMPLETED"}\' where quote_id = $1';
    expect(await foundAfter(refunded, [quoteId])).toEqual([
      `${PLACE} | ${HELD + ARRIVED} is set aside, payments that are not over come to ${HELD}`,
    ]);
    const asked = "update quotes set arrived_minor = null where id = $1";
    expect(await foundAfter(asked, [quoteId])).toHaveLength(1);
  });

  it("is waited for in vain when the books do not have it", async () => {
    const edit =
      "insert into jobs (platform_id, id, kind, payload, due_at, run_at, attempts) " +
      "select platform_id, gen_random_uuid(), 'send-uma-deposit', " +
      `'{"currency":"EUR","minor":"5"}', now(), now(), 0 from quotes where id = $1`;
    expect(await foundAfter(edit, [quoteId])).toEqual([
      "ledger_accounts | uma-transit in EUR | 0 is set aside, payments that are not over come to 5",
    ]);
  });
});

describe("an internal account", () => {
  const missing = () =>
    `internal_accounts | account ${emptyAccountId} | the books have no account for it in EUR`;

  it("without an account in the books is told, though nothing was ever on it", async () => {
    const edit = "delete from ledger_accounts where id = $1";
    expect(await foundAfter(edit, [emptyAccountId])).toEqual([missing()]);
  });

  it("in another currency than its account in the books is told from both sides", async () => {
    const edit = "update ledger_accounts set currency = 'MXN' where id = $1";
    expect(await foundAfter(edit, [emptyAccountId])).toEqual([
      missing(),
      `ledger_accounts | account ${emptyAccountId} | no internal account in MXN is behind it`,
    ]);
  });

  it("that is not there leaves an account in the books that is told", async () => {
    const edit = "delete from internal_accounts where id = $1";
    expect(await foundAfter(edit, [emptyAccountId])).toEqual([
      `ledger_accounts | account ${emptyAccountId} | no internal account in EUR is behind it`,
    ]);
  });
});
