/** What objects are called where a page shows only their ids: a party, an amount with a party, or a label. One statement a kind. */
import type { ReadCells, Reads } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import type { Table, TableRow } from "../../../tables/tables.ts";
import { webhookEndpoints } from "../../events/webhook-endpoint.ts";
import { type Quote, quotes } from "../../payments/quotes/quote.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import type { Capability } from "../../people/role.ts";
import { railConnections } from "../../rails/connections/rail-connection.ts";
import { type Payer, railEntries } from "../../rails/entries/rail-entry.ts";
import { railPayments } from "../../rails/orders/rail-payment.ts";
import { railReceivables } from "../../rails/returns/rail-receivable.ts";
import { readParties } from "./parties.sql.ts";
import { type Party, type PartyReference, referenceTo } from "./party.ts";
import { partiesOfQuote, partiesOfTransaction } from "./payment-parties.ts";
import { outsideOf, payerOf } from "./rail-parties.ts";

export interface ObjectName {
  /** A wire id. */
  readonly id: string;
  /** The object itself, or the other side of a payment. */
  readonly party?: Party | undefined;
  readonly amount?: { readonly minor: bigint; readonly currency: string } | undefined;
  readonly label?: string | undefined;
}

interface Draft extends Omit<ObjectName, "id" | "party"> {
  readonly party?: PartyReference | undefined;
}

interface Source {
  /** Without it the ids of this kind get no name. */
  readonly capability: Capability;
  readonly ask: (
    cells: ReadCells,
    platformId: string,
    ids: readonly string[],
  ) => Promise<readonly (readonly [string, Draft])[]>;
}

function rowsOf<Row extends TableRow>(
  capability: Capability,
  table: Table<Row>,
  draftOf: (row: Row) => Draft,
): Source {
  return {
    capability,
    async ask(cells, platformId, ids) {
      const found = await cells(table.selectByIds, [platformId, ids]);
      return found.map((cell) => {
        const row = table.decode(cell);
        return [row.id, draftOf(row)] as const;
      });
    },
  };
}

const eventTypes: Statement = {
  name: "names/events",
  text:
    "select r.id, r.type from unnest($2::uuid[]) k(id), lateral (select e.id, e.type from events e " +
    "where e.platform_id = $1::uuid and e.id = k.id limit 1) r",
};

const events: Source = {
  capability: "events.read",
  async ask(cells, platformId, ids) {
    const found = await cells(eventTypes, [platformId, ids]);
    return found.map(([id, type]) => [id ?? "", { label: type ?? undefined }] as const);
  },
};

const itemsWithPayers: Statement = {
  name: "names/items",
  text:
    "select r.* from unnest($2::uuid[]) k(id), lateral (select t.id, t.amount_minor, t.currency, e.payer from rail_items t " +
    "left join rail_entries e on e.platform_id = $1::uuid and e.id = t.entry_id " +
    "where t.platform_id = $1::uuid and t.id = k.id limit 1) r",
};

const items: Source = {
  capability: "rails.read",
  async ask(cells, platformId, ids) {
    const found = await cells(itemsWithPayers, [platformId, ids]);
    return found.map(([id, minor, currency, payer]) => {
      const told = payer == null ? undefined : { payer: JSON.parse(payer) as Payer };
      const amount = { minor: BigInt(minor ?? 0), currency: currency ?? "" };
      return [id ?? "", { amount, party: told && payerOf(told) }] as const;
    });
  },
};

const amountOf = (minor: bigint | null, currency: string | null) =>
  minor === null || currency === null ? undefined : { minor, currency };

function paymentDraft(payment: Transaction): Draft {
  const { sentMinor, sentCurrency, receivedMinor, receivedCurrency } = payment;
  const { from, to } = partiesOfTransaction(payment);
  const sent = amountOf(sentMinor, sentCurrency);
  const received = amountOf(receivedMinor, receivedCurrency);
  return payment.type === "INCOMING"
    ? { amount: received ?? sent, party: from }
    : { amount: sent ?? received, party: to };
}

function quoteDraft(quote: Quote): Draft {
  const amount = { minor: quote.sendingMinor, currency: quote.sendingCurrency };
  return { amount, party: partiesOfQuote(quote).to };
}

/** By the prefix of the wire id. The kinds of parties are not listed. */
const sources: Readonly<Record<string, Source>> = {
  Transaction: rowsOf("payments.read", transactions, paymentDraft),
  Quote: rowsOf("quotes.read", quotes, quoteDraft),
  RailPayment: rowsOf("rails.read", railPayments, ({ amountMinor, currency, counterparty }) => ({
    amount: { minor: amountMinor, currency },
    party: outsideOf(counterparty),
  })),
  RailEntry: rowsOf("rails.read", railEntries, (entry) => ({
    amount: { minor: entry.amountMinor, currency: entry.currency },
    party: payerOf(entry),
  })),
  RailItem: items,
  RailReceivable: rowsOf("rails.read", railReceivables, ({ amountMinor, currency, accountId }) => ({
    amount: { minor: amountMinor, currency },
    party: { kind: "INTERNAL_ACCOUNT", id: accountId },
  })),
  RailConnection: rowsOf("rails.read", railConnections, ({ name }) => ({ label: name })),
  WebhookEndpoint: rowsOf("webhooks.read", webhookEndpoints, ({ url }) => ({ label: url })),
  Webhook: events,
};

/** An id without a name is left out. */
export async function nameObjects(
  reads: Reads,
  platformId: string,
  {
    ids,
    capabilities,
  }: { readonly ids: readonly string[]; readonly capabilities: ReadonlySet<Capability> },
): Promise<readonly ObjectName[]> {
  const drafts = await reads.withPermit(platformId, async (cells) => {
    const found = new Map<string, Draft>();
    for (const [prefix, { capability, ask }] of Object.entries(sources)) {
      const own = ids.flatMap((id) =>
        id.startsWith(`${prefix}:`) ? [id.slice(prefix.length + 1)] : [],
      );
      if (own.length === 0 || !capabilities.has(capability)) continue;
      for (const [id, draft] of await ask(cells, platformId, own))
        found.set(`${prefix}:${id}`, draft);
    }
    return found;
  });
  const references = ids.flatMap((id) => drafts.get(id)?.party ?? partyOf(id) ?? []);
  const parties = await readParties(reads, platformId, references);
  return ids.flatMap((id): readonly ObjectName[] => {
    const { party: reference = partyOf(id), ...draft } = drafts.get(id) ?? {};
    const party = reference && parties(reference);
    const isNamed = party !== undefined || draft.amount !== undefined || draft.label !== undefined;
    return isNamed ? [{ id, ...draft, party }] : [];
  });
}

/** The books have the balance of an internal account under the id of the account. */
function partyOf(id: string): PartyReference | undefined {
  return referenceTo(id.replace(/^LedgerAccount:/, "InternalAccount:"));
}
