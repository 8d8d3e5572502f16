/** Balances of a story's platform, from the API and from the ledger. */
import type { RawAnswer, Story } from "./story.ts";

export interface Holdings {
  readonly available: number;
  /** The available balance plus money held for pending payments. */
  readonly total: number;
}

export async function holdingsOf(story: Story, accountId: string): Promise<Holdings> {
  const lists = await Promise.all(
    ["customers", "platform"].map((owner) =>
      story.call("GET", `/${owner}/internal-accounts${owner === "platform" ? "" : "?limit=100"}`),
    ),
  );
  const accounts = lists.flatMap((list) => list.json.data as RawAnswer["json"][]);
  const account = accounts.find(({ id }) => id === accountId);
  return { available: account.balance.amount, total: account.totalBalance.amount };
}

export interface LedgerLine {
  readonly available: number;
  readonly held: number;
}

export async function ledgerOf(story: Story, accountId: string): Promise<LedgerLine> {
  const id = accountId.slice(accountId.indexOf(":") + 1);
  const { rows } = await story.server.database.asSuperuser((client) =>
    client.query(
      "select balance_minor, held_minor from ledger_accounts where platform_id = $1 and id = $2",
      [story.platformId, id],
    ),
  );
  return { available: Number(rows[0].balance_minor), held: Number(rows[0].held_minor) };
}

/** Balances of the platform's system accounts by kind, without zero balances. */
export async function systemBalances(
  story: Story,
  currency = "USD",
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await story.server.database.asSuperuser((client) =>
    client.query(
      "select kind, balance_minor from ledger_accounts where platform_id = $1 and currency = $2 and " +
        "kind <> 'internal' and balance_minor <> 0",
      [story.platformId, currency],
    ),
  );
  return Object.fromEntries(rows.map((row) => [row.kind, Number(row.balance_minor)]));
}

/** Row counts of a platform by table, which a refusal must not change. */
export async function rowCounts(story: Story): Promise<Readonly<Record<string, number>>> {
  const { rows } = await story.server.database.asSuperuser((client) =>
    client.query(
      ["transactions", "ledger_entries", "events", "jobs", "external_accounts"]
        .map((table) => `select '${table}' as name, count(*) from ${table} where platform_id = $1`)
        .join(" union all "),
      [story.platformId],
    ),
  );
  return Object.fromEntries(rows.map((row) => [row.name, Number(row.count)]));
}

/** The internal account of this kind of a customer, or of the platform itself. */
export async function internalAccount(
  story: Story,
  wanted: { readonly customerId?: string; readonly currency: string; readonly type?: string },
): Promise<string> {
  const { customerId, currency, type } = wanted;
  const owner = customerId === undefined ? "platform" : "customers";
  const filters = new URLSearchParams({
    currency,
    ...(customerId === undefined ? {} : { customerId }),
    ...(type === undefined ? {} : { type }),
  });
  const list = await story.call("GET", `/${owner}/internal-accounts?${filters}`);
  return list.json.data[0].id;
}

export async function fund(story: Story, accountId: string, amount: number): Promise<void> {
  const funded = await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, {
    amount,
  });
  if (funded.status !== 200) throw new Error(`the account was not funded: ${funded.text}`);
}

export async function advance(story: Story, seconds: number): Promise<RawAnswer> {
  return story.call("POST", "/sandbox/clock/advance", { seconds });
}
