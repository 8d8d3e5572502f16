/** Reads the books of a kill run of UMA payments: those of the programs outside from their files, ours from the database. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { openDatabase } from "../../src/postgres/database.ts";
import { silentLog } from "../../src/std/log.ts";
import { verified } from "./judge.ts";
import type { Acknowledged, UmaCalls } from "./uma-load.ts";
import { linesOf } from "./uma-programs.ts";
import type { UmaRig } from "./uma-rig.ts";

export interface BankEntry {
  readonly id: string;
  readonly amount: string;
  readonly direction: "CREDIT" | "DEBIT";
  readonly invoiceId?: string;
  readonly paymentId?: string;
}

export interface BankOrder {
  readonly id: string;
  readonly invoice: string;
  readonly amount: string;
}

export interface BankInvoice {
  readonly id: string;
  readonly invoice: string;
  readonly amount: string;
}

export interface BankBook {
  readonly orders: readonly BankOrder[];
  readonly invoices: readonly BankInvoice[];
  readonly entries: readonly BankEntry[];
}

export interface Promised {
  readonly id: string;
  readonly how: string;
  readonly invoice: string;
  readonly converted: { readonly amount: number; readonly currencyCode: string };
}

export interface OurTransaction {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly isRefunded: boolean;
  /** Of its quote; null for a payment in. */
  readonly quoteStatus: string | null;
  readonly invoice: string | null;
  readonly accountId: string | null;
  readonly orderIds: readonly string[];
}

export interface OurEntry {
  readonly invoiceId: string | null;
  readonly bookedAs: string;
  readonly reason: string | null;
  readonly itemMinor: string | null;
}

export interface UmaBooks {
  readonly bank: BankBook;
  readonly otherBank: BankBook;
  /** The ends of invoices on the network. */
  readonly ends: ReadonlyMap<string, { readonly kind: string; readonly by?: string }>;
  /** What the institution was promised, and the invoices that it gave away. */
  readonly promised: readonly Promised[];
  readonly received: readonly { readonly invoice: string; readonly amount: string }[];
  readonly quotes: readonly Acknowledged[];
  readonly transactions: readonly OurTransaction[];
  readonly entries: readonly OurEntry[];
  readonly balances: ReadonlyMap<string, bigint>;
  readonly clearing: bigint;
  /** Each statement of the bank that the books do not explain. */
  readonly unexplained: readonly string[];
  readonly problems: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: lines of several shapes
type Line = any;

async function bankBook(rig: UmaRig, name: string): Promise<BankBook> {
  const lines = (await linesOf(join(rig.place, name, "books.jsonl"))) as readonly Line[];
  const from = (key: string) => lines.map((line) => line[key]).filter((one) => one !== undefined);
  return {
    orders: from("order").map(({ id, body }) => ({
      ...{ id, invoice: body.settlement.invoice, amount: body.amount },
    })),
    invoices: from("invoice").map(({ id, invoice, body }) => ({
      ...{ id, invoice, amount: body.amount },
    })),
    entries: from("entry"),
  };
}

async function endsOf(rig: UmaRig): Promise<UmaBooks["ends"]> {
  const ends = new Map();
  const folder = join(rig.place, "network");
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".end")) continue;
    const end = JSON.parse(await readFile(join(folder, name), "utf8"));
    ends.set(name.slice(0, -".end".length), end);
  }
  return ends;
}

const TRANSACTIONS = `
  select t.id, t.type, t.status, t.refund ->> 'status' as refund, q.status as quote_status, q.settlement ->> 'invoice' as invoice,
    coalesce(t.source_account_id, t.destination_account_id) as account_id,
    (select coalesce(string_agg(p.id::text, ' '), '') from rail_payments p where p.platform_id = t.platform_id and p.transaction_id = t.id) as orders
  from transactions t left join quotes q on q.platform_id = t.platform_id and q.id = t.quote_id
  where t.platform_id = $1 and (t.source ->> 'type' = 'UMA_ADDRESS' or t.destination ->> 'type' = 'UMA_ADDRESS')`;

const ENTRIES = `
  select e.invoice_id, e.booked_as, m.reason, m.amount_minor as item_minor
  from rail_entries e left join rail_items m on m.platform_id = e.platform_id and m.entry_id = e.id
  where e.platform_id = $1 and e.connection_id = $2`;

const BALANCES =
  "select id, balance_minor from ledger_accounts where platform_id = $1 and id = any($2::uuid[])";

const CLEARING =
  "select balance_minor from ledger_accounts where platform_id = $1 and kind = 'clearing' and connection_id = $2";

const UNEXPLAINED =
  "select connection_id, currency, unexplained_minor from rail_books where platform_id = $1 and unexplained_minor <> 0";

const bare = (id: string) => id.slice(id.indexOf(":") + 1);

async function ours(rig: UmaRig, client: pg.Client) {
  const platform = rig.platformId;
  const connection = bare(rig.connectionId);
  const rows = async (text: string, values: readonly unknown[]): Promise<readonly Line[]> =>
    (await client.query(text, [...values])).rows;
  const accounts = rig.payees.flatMap(({ dollars, euros }) => [bare(dollars), bare(euros)]);
  const balances = await rows(BALANCES, [platform, accounts]);
  const [clearing] = await rows(CLEARING, [platform, connection]);
  return {
    transactions: (await rows(TRANSACTIONS, [platform])).map((row) => ({
      ...{ id: row.id, type: row.type, status: row.status, isRefunded: row.refund === "COMPLETED" },
      ...{ quoteStatus: row.quote_status, invoice: row.invoice, accountId: row.account_id },
      orderIds: row.orders.split(" ").filter((id: string) => id !== ""),
    })),
    entries: (await rows(ENTRIES, [platform, connection])).map((row) => ({
      ...{ invoiceId: row.invoice_id, bookedAs: row.booked_as, reason: row.reason },
      itemMinor: row.item_minor === null ? null : String(row.item_minor),
    })),
    balances: new Map(balances.map((row) => [row.id, BigInt(row.balance_minor)])),
    clearing: BigInt(clearing?.balance_minor ?? 0),
    unexplained: (await rows(UNEXPLAINED, [platform])).map((row) => JSON.stringify(row)),
  };
}

export async function readBooks(rig: UmaRig, { quotes }: UmaCalls): Promise<UmaBooks> {
  const lines = (await linesOf(join(rig.place, "institution/book.jsonl"))) as readonly Line[];
  const wishes = new Map(lines.flatMap(({ wish }) => (wish ? [[wish.id, wish]] : [])));
  const database = openDatabase({ address: rig.address, log: silentLog });
  try {
    return {
      bank: await bankBook(rig, "bank"),
      otherBank: await bankBook(rig, "other-bank"),
      ends: await endsOf(rig),
      promised: lines.flatMap(({ promise }) =>
        promise ? [{ ...promise, how: wishes.get(promise.id).how }] : [],
      ),
      received: lines.flatMap(({ received }) => (received ? [received] : [])),
      quotes,
      ...(await database.withClient((client) => ours(rig, client))),
      problems: (await verified(rig.address)).map((problem) => JSON.stringify(problem)),
    };
  } finally {
    await database.close();
  }
}
