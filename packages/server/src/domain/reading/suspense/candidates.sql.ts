/**
 * What the suggestions for a page of items are chosen from. One statement for each kind, however many items the page has; each has a
 * bound of its own, so that a long history or a long queue costs no more than a short one.
 */
import type { Reads } from "../../../postgres/database.ts";
import { lowestIdAt } from "../../../std/ids.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import type { RailEntry } from "../../rails/entries/rail-entry.ts";
import type { RailItem } from "../../rails/entries/rail-item.ts";
import { nearReferences } from "../../rails/funding/near-references.ts";
import { referencesIn } from "../../rails/funding/payment-reference.ts";
import { openStates } from "../../rails/orders/rail-payment.ts";
import { findByTerms } from "../search/find.sql.ts";
import { fold, wordsOf } from "../search/terms.ts";
import type {
  AccountCandidate,
  AddressCandidate,
  Candidates,
  NamedAccount,
  OrderCandidate,
  QuoteCandidate,
  SeenPayer,
  SuggestedFor,
} from "./suggestions.ts";

export interface ItemWithEntry {
  readonly item: RailItem;
  readonly entry: RailEntry | undefined;
}

interface Surroundings {
  /** In platform time. */
  readonly now: number;
  /** Whether names of customers and payers count, because the reader may see them. */
  readonly withNames: boolean;
}

/** The references in the texts of each entry. Of a resolved item nothing is looked up. */
export function withReferences(rows: readonly ItemWithEntry[]): readonly SuggestedFor[] {
  return rows.map(({ item, entry }) => {
    const isOpen = item.state !== "RESOLVED" && item.direction === "CREDIT";
    const texts = isOpen ? [entry?.reference, entry?.remittance] : [];
    const told = texts.filter((text) => text != null);
    return {
      ...{ item, entry },
      references: { exact: told.flatMap(referencesIn), near: told.flatMap(nearReferences) },
    };
  });
}

export async function findCandidates(
  reads: Reads,
  platformId: string,
  rows: readonly SuggestedFor[],
  { now, withNames }: Surroundings,
): Promise<Candidates> {
  const open = rows.filter(({ item }) => item.state !== "RESOLVED");
  if (open.length === 0) return NOTHING;
  const credits = open.filter(({ item }) => item.direction === "CREDIT");
  const references = credits.flatMap(({ references: { exact, near } }) => [...exact, ...near]);
  const [addresses, quotes, orders, people] = await Promise.all([
    findAddresses(reads, platformId, references),
    findWaitingQuotes(reads, platformId, credits, now),
    findOrders(reads, platformId, open),
    withNames ? findByNames(reads, platformId, credits) : NO_PEOPLE,
  ]);
  const accountIds = new Set([
    ...credits.flatMap(({ item }) => item.accountId ?? []),
    ...addresses.flatMap(({ accountId }) => accountId ?? []),
    ...people.seen.map(({ accountId }) => accountId),
  ]);
  const currencies = new Set(credits.map(({ item }) => item.currency));
  const { accounts, named } = await findAccounts(reads, platformId, {
    accountIds: [...accountIds],
    customerIds: people.customerIds,
    currencies: [...currencies],
  });
  return { addresses, quotes, orders, accounts, named, seen: people.seen };
}

const NOTHING: Candidates = {
  ...{ accounts: new Map(), quotes: new Map() },
  ...{ orders: [], addresses: [], seen: [], named: [] },
};

/** The most references of a page that are looked up. */
const MOST_REFERENCES = 2_000;

const addressesText = {
  name: "suspense/addresses",
  text:
    "select t.reference, t.account_id, t.quote_id from funding_addresses t " +
    "where t.platform_id = $1::uuid and t.reference = any ($2::text[])",
};

async function findAddresses(
  reads: Reads,
  platformId: string,
  references: readonly string[],
): Promise<readonly AddressCandidate[]> {
  const looked = [...new Set(references)].slice(0, MOST_REFERENCES);
  if (looked.length === 0) return [];
  const rows = await reads.cells(addressesText, [platformId, looked]);
  return rows.map(([reference, accountId, quoteId]) => ({
    reference: reference ?? "",
    accountId: accountId ?? null,
    quoteId: quoteId ?? null,
  }));
}

/** A quote waits three days for its money and two more for its line at most. */
const LONGEST_WAIT_MS = 6 * 86_400_000;
const MOST_ADDRESSES = 1_000;

const CUSTOMER_NAME = "coalesce(u.full_name, u.business_info ->> 'legalName')";

const quotesText = {
  name: "suspense/quotes",
  text:
    `select distinct q.id, q.sending_currency, q.sending_minor, ${CUSTOMER_NAME}, u.platform_customer_id from (` +
    "select a.quote_id from funding_addresses a where a.platform_id = $1::uuid and a.id > $2::uuid " +
    `and a.quote_id is not null order by a.id desc limit ${MOST_ADDRESSES}) a ` +
    "join quotes q on q.platform_id = $1::uuid and q.id = a.quote_id " +
    "left join customers u on u.platform_id = $1::uuid and u.id = q.customer_id " +
    "where q.status = 'PENDING' and q.sending_minor = any ($3::int8[])",
};

async function findWaitingQuotes(
  reads: Reads,
  platformId: string,
  credits: readonly SuggestedFor[],
  now: number,
): Promise<ReadonlyMap<string, QuoteCandidate>> {
  if (credits.length === 0) return new Map();
  const since = lowestIdAt(now - LONGEST_WAIT_MS);
  const rows = await reads.cells(quotesText, [platformId, since, amountsOf(credits)]);
  return new Map(
    rows.map(([id, currency, minor, name, detail]) => {
      const amountMinor = BigInt(minor ?? 0);
      const quote = { id: id ?? "", currency: currency ?? "", amountMinor, isWaiting: true };
      return [id ?? "", { ...quote, name: name ?? null, detail: detail ?? null }];
    }),
  );
}

const amountsOf = (rows: readonly SuggestedFor[]) => [
  ...new Set(rows.map(({ item }) => String(item.amountMinor))),
];

/** The most orders of each state of a connection, the latest first. */
const MOST_ORDERS = 200;
const ORDER_CELLS =
  "t.id, t.connection_id, t.direction, t.currency, t.amount_minor, t.counterparty ->> 'name', t.reference, t.state";

const ordersText = {
  name: "suspense/orders",
  text:
    `select ${ORDER_CELLS} from unnest($2::uuid[]) c(id) cross join unnest($3::text[]) s(state), lateral (` +
    "select t.* from rail_payments t where t.platform_id = $1::uuid and t.connection_id = c.id and t.state = s.state " +
    `and t.state in (${openStates.map((state) => `'${state}'`).join(", ")}) order by t.id desc limit ${MOST_ORDERS}) t ` +
    "where t.amount_minor = any ($4::int8[]) union all " +
    // Settled by a report or a mark, and told by no line yet.
    `select ${ORDER_CELLS} from unnest($2::uuid[]) c(id), lateral (` +
    "select t.* from rail_payments t where t.platform_id = $1::uuid and t.connection_id = c.id and t.untold_minor <> 0 " +
    `limit ${MOST_ORDERS}) t where t.amount_minor = any ($4::int8[]) and t.state = 'SETTLED' union all ` +
    `select ${ORDER_CELLS} from rail_payments t where t.platform_id = $1::uuid and t.id = any ($5::uuid[])`,
};

async function findOrders(
  reads: Reads,
  platformId: string,
  open: readonly SuggestedFor[],
): Promise<readonly OrderCandidate[]> {
  const connectionIds = [...new Set(open.map(({ item }) => item.connectionId))];
  const named = open.flatMap(({ item }) => item.suggestedPaymentId ?? []);
  const values = [platformId, connectionIds, openStates, amountsOf(open), named];
  const rows = await reads.cells(ordersText, values);
  const orders = new Map<string, OrderCandidate>();
  for (const [id, connectionId, direction, currency, minor, name, reference, state] of rows) {
    const amountMinor = BigInt(minor ?? 0);
    const order = {
      ...{ id: id ?? "", connectionId: connectionId ?? "", currency: currency ?? "", amountMinor },
      direction: (direction ?? "OUT") as OrderCandidate["direction"],
      ...{ name: name ?? null, reference: reference ?? "" },
      isReturnable: state === "SETTLED" && named.includes(id ?? ""),
    };
    orders.set(order.id, order);
  }
  return [...orders.values()];
}

interface FoundPeople {
  readonly seen: readonly SeenPayer[];
  readonly customerIds: readonly string[];
}

const NO_PEOPLE: FoundPeople = { seen: [], customerIds: [] };

/** The most payments and customers that are found by the names of a page. */
const MOST_BY_NAME = 200;
/** The most different names of a page that are looked up. */
const MOST_NAMES = 50;

/** Earlier credits by payers of these names, and customers of these names, by the index of the search. */
async function findByNames(
  reads: Reads,
  platformId: string,
  credits: readonly SuggestedFor[],
): Promise<FoundPeople> {
  const names = new Set(credits.flatMap(({ entry }) => entry?.payer?.name ?? []).map(fold));
  const alternatives = [...names]
    .slice(0, MOST_NAMES)
    .map(wordsOf)
    .filter((words) => words.length > 0);
  if (alternatives.length === 0) return NO_PEOPLE;
  const found = await findByTerms(reads, platformId, {
    alternatives,
    kinds: ["Customer", "Transaction"],
    withPersonal: true,
    fields: ["name"],
    limit: MOST_BY_NAME,
  });
  const idsOf = (kind: string) => found.filter((one) => one.kind === kind).map(({ id }) => id);
  const credited = idsOf("Transaction");
  const rows =
    credited.length === 0
      ? []
      : await reads.rows(transactions, transactions.selectByIds, [platformId, credited]);
  const seen = rows.flatMap(({ source, destinationAccountId, status }) =>
    source.type === "REALTIME_FUNDING" &&
    source.accountHolderName !== undefined &&
    destinationAccountId !== null &&
    status === "COMPLETED"
      ? [{ name: source.accountHolderName, accountId: destinationAccountId }]
      : [],
  );
  return { seen, customerIds: idsOf("Customer") };
}

const accountsText = {
  name: "suspense/accounts",
  text:
    `select t.id, t.currency, t.status = 'ACTIVE' and u.deleted_at is null, ${CUSTOMER_NAME}, u.platform_customer_id, ` +
    "t.customer_id = any ($3::uuid[]) from (" +
    "select a.id from internal_accounts a where a.platform_id = $1::uuid and a.id = any ($2::uuid[]) union " +
    "select a.id from internal_accounts a where a.platform_id = $1::uuid and a.customer_id = any ($3::uuid[]) " +
    "and a.currency = any ($4::text[]) and a.additional is null) k join internal_accounts t on t.platform_id = $1::uuid and t.id = k.id " +
    "left join customers u on u.platform_id = $1::uuid and u.id = t.customer_id",
};

interface LookedAccounts {
  readonly accountIds: readonly string[];
  readonly customerIds: readonly string[];
  readonly currencies: readonly string[];
}

interface FoundAccounts {
  readonly accounts: ReadonlyMap<string, AccountCandidate>;
  readonly named: readonly NamedAccount[];
}

export async function findAccounts(
  reads: Reads,
  platformId: string,
  { accountIds, customerIds, currencies }: LookedAccounts,
): Promise<FoundAccounts> {
  if (accountIds.length === 0 && customerIds.length === 0)
    return { accounts: new Map(), named: [] };
  const rows = await reads.cells(accountsText, [platformId, accountIds, customerIds, currencies]);
  const found = rows.map(([id, currency, isOpen, name, detail, isNamed]) => ({
    account: {
      ...{ id: id ?? "", currency: currency ?? "", isOpen: isOpen === "t" },
      ...{ name: name ?? null, detail: detail ?? null },
    },
    isNamed: isNamed === "t",
  }));
  const named = found.flatMap(({ account: { id, name }, isNamed }) =>
    isNamed && name !== null ? [{ name, accountId: id }] : [],
  );
  return { accounts: new Map(found.map(({ account }) => [account.id, account])), named };
}
