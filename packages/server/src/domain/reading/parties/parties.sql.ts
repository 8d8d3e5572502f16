/**
 * Looks up the parties of a page of rows: at most one statement a kind, and none for a kind that the page does not name.
 *
 * Names of customers, people and agents change, so they are read each time. What an account, a token or the platform is, and who asked for
 * an object, never changes, but for the names of accounts beside the default ones: those facts are kept in memory, so a page that was read before costs one statement for its customers.
 */
import type { ReadCells, Reads } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { InternalAccountType } from "../../accounts/internal/internal-account.ts";
import {
  agentParty,
  type CustomerNames,
  customerParty,
  externalAccountParty,
  type Holder,
  heldBy,
  holderOf,
  internalAccountParty,
  outsideParty,
  type Party,
  type PartyReference,
  personParty,
  platformParty,
  type RowKind,
  referenceTo,
  referenceToActor,
  systemParty,
  tokenParty,
  umaParty,
} from "./party.ts";

/** The party that a reference of the page names; undefined for an object that the platform does not have. */
export type PartiesOfPage = (reference: PartyReference) => Party | undefined;

type Cells = readonly (string | null)[];

/** The platform's name, and the workspace to which its people belong. */
interface Own {
  readonly name: string;
  readonly workspaceId: string;
}

/** A row of a party, before the name of its holder is known. */
interface Fact {
  readonly customerId: string | null;
  readonly partyOf: (holder: Holder | undefined, own: Own) => Party;
}

interface RowSource {
  readonly statement: Statement;
  /** None of the columns of this row ever changes. */
  readonly isFixed: (cells: Cells) => boolean;
  /** People are rows of the workspace. */
  readonly isOfWorkspace?: true;
  /** `cells` are those after the id and the customer. */
  readonly factOf: (id: string, cells: Cells) => Fact["partyOf"];
}

/**
 * Answers the same object as long as the names are the same. A kept fact then gives the same party to every page, whose JSON is kept with it
 * (`wire/reading/party.ts`).
 */
function remembering(partyOf: Fact["partyOf"]): Fact["partyOf"] {
  let last: { readonly holder: Holder | undefined; readonly own: Own; readonly party: Party };
  return (holder, own) => {
    const isSame =
      last?.own.name === own.name &&
      last.holder?.name === holder?.name &&
      last.holder?.yourId === holder?.yourId;
    if (!isSame) last = { holder, own, party: partyOf(holder, own) };
    return last.party;
  };
}

/** With the limit PostgreSQL reads one row an id, whatever number of ids it expects. */
function byIds(table: string, columns: string): Statement {
  return {
    name: `parties/${table}`,
    text:
      `select r.* from unnest($2::uuid[]) k(id), lateral (select t.id, ${columns} from ${table} t ` +
      "where t.platform_id = $1::uuid and t.id = k.id limit 1) r",
  };
}

const sources: Readonly<Record<Exclude<RowKind, "CUSTOMER">, RowSource>> = {
  INTERNAL_ACCOUNT: {
    statement: byIds("internal_accounts", "t.customer_id, t.type, t.currency, t.name"),
    isFixed: ([, , name]) => name === null,
    factOf: (id, [type, currency, name = null]) => {
      const account = { id, type: type as InternalAccountType, currency: currency ?? "", name };
      return (holder, own) => internalAccountParty(account, holder ?? own);
    },
  },
  EXTERNAL_ACCOUNT: {
    statement: byIds(
      "external_accounts",
      "t.customer_id, t.account_type, t.account_info, t.primary_identifier",
    ),
    isFixed: () => true,
    factOf: (id, [accountType, info, primaryIdentifier]) => {
      const party = externalAccountParty({
        id,
        accountType: accountType ?? "",
        accountInfo: JSON.parse(info ?? "{}") as JsonObject,
        primaryIdentifier: primaryIdentifier ?? "",
      });
      return (holder) => heldBy(party, holder);
    },
  },
  AGENT: {
    statement: byIds("agents", "t.customer_id, t.name"),
    isFixed: () => false,
    factOf:
      (id, [name]) =>
      (holder) =>
        agentParty(id, name ?? "", holder),
  },
  PERSON: {
    statement: byIds("people", "null, t.name, t.email"),
    isFixed: () => false,
    isOfWorkspace: true,
    factOf: (id, [name, email]) => {
      const party = personParty(id, name ?? "", email ?? "");
      return () => party;
    },
  },
  TOKEN: {
    statement: byIds("tokens", "null, t.name, t.permissions"),
    isFixed: () => true,
    factOf: (id, [name, permissions]) => {
      const party = tokenParty(id, name ?? "", JSON.parse(permissions ?? "[]") as string[]);
      return () => party;
    },
  },
};

const CUSTOMER =
  "t.platform_customer_id, coalesce(t.full_name, t.business_info ->> 'legalName') as name";

const customersById = byIds("customers", CUSTOMER);

const ownOf: Statement = {
  name: "parties/platform",
  text: "select p.name, p.workspace_id from platforms p where p.platform_id = $1::uuid and p.id = $1::uuid",
};

const byAddress: Statement = {
  name: "parties/addresses",
  text:
    "select k.address, h.* from unnest($2::text[]) k(address), " +
    `lateral (select t.id, ${CUSTOMER} from customers t where t.platform_id = $1::uuid and t.uma_address = k.address ` +
    "and t.deleted_at is null limit 1) h",
};

/**
 * The actor of the command that emitted the first event of an object. Where that command was the decision of an approval, the one who had
 * asked is meant.
 */
const makers: Statement = {
  name: "parties/makers",
  text:
    "select k.subject, l.actor, q.requested_by from unnest($2::text[]) k(subject), " +
    "lateral (select e.command_seq from events e where e.platform_id = $1::uuid and e.subject = k.subject order by e.seq limit 1) e, " +
    "lateral (select c.actor from command_log c where c.platform_id = $1::uuid and c.seq = e.command_seq limit 1) l " +
    "left join lateral (select t.approval_id from audit_entries t where t.platform_id = $1::uuid and t.command_seq = e.command_seq limit 1) a on true " +
    "left join lateral (select t.requested_by from approvals t where t.platform_id = $1::uuid and t.id = a.approval_id limit 1) q on true",
};

/** The most facts that are kept of a database: with their JSON about twenty megabytes. Beyond it those that were added first are dropped. */
const MOST_KEPT = 20_000;

class Kept {
  readonly #values = new Map<string, unknown>();

  get<Value>(key: string): Value | undefined {
    return this.#values.get(key) as Value | undefined;
  }

  set(key: string, value: unknown): void {
    this.#values.set(key, value);
    if (this.#values.size <= MOST_KEPT) return;
    const [oldest = ""] = this.#values.keys();
    this.#values.delete(oldest);
  }
}

const keptOf = new WeakMap<Reads, Kept>();

/** The names of everything that the rows of a page refer to. A reference twice is looked up once. */
export function readParties(
  reads: Reads,
  platformId: string,
  references: readonly PartyReference[],
): Promise<PartiesOfPage> {
  if (references.length === 0) return Promise.resolve(() => undefined);
  let kept = keptOf.get(reads);
  if (kept === undefined) {
    kept = new Kept();
    keptOf.set(reads, kept);
  }
  const page = { platformId, kept };
  return reads.withPermit(platformId, async (cells) => {
    const makersOf = await askMakers(cells, page, references);
    const all = [...references, ...makersOf.values()];
    const own = await askOwn(cells, page);
    const facts = await askFacts(cells, page, { all, own });
    const holders = await askHolders(cells, page, { all, facts });
    const found = { facts, own, ...holders };
    return (reference) => {
      const one = reference.kind === "MAKER" ? makersOf.get(reference.subject) : reference;
      return one && partyIn(one, found);
    };
  });
}

interface Page {
  readonly platformId: string;
  readonly kept: Kept;
}

/** Asks nothing where the page names nothing of the kind. */
async function ask(
  cells: ReadCells,
  statement: Statement,
  { of, values }: { readonly of: string; readonly values: Iterable<string> },
): Promise<readonly Cells[]> {
  const distinct = [...new Set(values)];
  return distinct.length === 0 ? [] : cells(statement, [of, distinct]);
}

async function askMakers(
  cells: ReadCells,
  { platformId, kept }: Page,
  references: readonly PartyReference[],
): Promise<ReadonlyMap<string, PartyReference>> {
  const found = new Map<string, PartyReference>();
  const unknown: string[] = [];
  for (const reference of references) {
    if (reference.kind !== "MAKER") continue;
    const known = kept.get<PartyReference>(`${platformId} ${reference.subject}`);
    if (known === undefined) unknown.push(reference.subject);
    else found.set(reference.subject, known);
  }
  for (const [subject = "", actor, asker] of await ask(cells, makers, {
    of: platformId,
    values: unknown,
  })) {
    const maker = asker == null ? referenceToActor(actor ?? "") : referenceTo(asker);
    if (maker === undefined || subject === null) continue;
    found.set(subject, maker);
    kept.set(`${platformId} ${subject}`, maker);
  }
  return found;
}

async function askOwn(cells: ReadCells, { platformId, kept }: Page): Promise<Own> {
  const known = kept.get<Own>(platformId);
  if (known !== undefined) return known;
  const [[name, workspaceId] = []] = await cells(ownOf, [platformId]);
  const own = { name: name ?? "", workspaceId: workspaceId ?? "" };
  kept.set(platformId, own);
  return own;
}

/** By the kind and the id. */
async function askFacts(
  cells: ReadCells,
  { platformId, kept }: Page,
  { all, own }: { readonly all: readonly PartyReference[]; readonly own: Own },
): Promise<ReadonlyMap<string, Fact>> {
  const found = new Map<string, Fact>();
  const unknown = new Map<string, string[]>();
  for (const reference of all) {
    if (!("id" in reference) || reference.kind === "CUSTOMER") continue;
    const key = `${reference.kind}:${reference.id}`;
    const known = kept.get<Fact>(`${platformId} ${key}`);
    if (known !== undefined) found.set(key, known);
    else if (unknown.has(reference.kind)) unknown.get(reference.kind)?.push(reference.id);
    else unknown.set(reference.kind, [reference.id]);
  }
  for (const [kind, { statement, isFixed, isOfWorkspace, factOf }] of Object.entries(sources)) {
    const of = isOfWorkspace === true ? own.workspaceId : platformId;
    const values = unknown.get(kind) ?? [];
    for (const [id, customerId = null, ...rest] of await ask(cells, statement, { of, values })) {
      const fact: Fact = { customerId, partyOf: remembering(factOf(id ?? "", rest)) };
      found.set(`${kind}:${id}`, fact);
      if (isFixed(rest)) kept.set(`${platformId} ${kind}:${id}`, fact);
    }
  }
  return found;
}

interface Named extends CustomerNames {
  readonly holder: Holder;
}

interface Holders {
  /** Customers by their uuids, and by the UMA addresses of the page. */
  readonly byId: ReadonlyMap<string, Named>;
  readonly byAddress: ReadonlyMap<string, Named>;
}

async function askHolders(
  cells: ReadCells,
  { platformId }: Page,
  {
    all,
    facts,
  }: { readonly all: readonly PartyReference[]; readonly facts: ReadonlyMap<string, Fact> },
): Promise<Holders> {
  const ids = [
    ...all.flatMap((one) => (one.kind === "CUSTOMER" ? [one.id] : [])),
    ...[...facts.values()].flatMap(({ customerId }) => customerId ?? []),
  ];
  const addresses = all.flatMap((one) => (one.kind === "UMA" ? [one.address] : []));
  const named = await ask(cells, customersById, { of: platformId, values: ids });
  const addressed = await ask(cells, byAddress, { of: platformId, values: addresses });
  const namesIn = ([id, yourId, name]: Cells): Named => {
    const names = { id: id ?? "", yourId: yourId ?? "", name: name ?? null };
    return { ...names, holder: holderOf(names) };
  };
  return {
    byId: new Map(named.map((row) => [row[0] ?? "", namesIn(row)])),
    byAddress: new Map(addressed.map(([address, ...row]) => [address ?? "", namesIn(row)])),
  };
}

interface Found extends Holders {
  readonly facts: ReadonlyMap<string, Fact>;
  readonly own: Own;
}

function partyIn(
  reference: PartyReference,
  { facts, own, byId, byAddress: addressed }: Found,
): Party | undefined {
  switch (reference.kind) {
    case "UMA":
      return umaParty(reference, addressed.get(reference.address)?.holder);
    case "OUTSIDE":
      return outsideParty(reference);
    case "PLATFORM":
      return platformParty(own.name);
    case "SYSTEM":
      return systemParty(reference.by);
    case "MAKER":
      return undefined;
    case "CUSTOMER": {
      const customer = byId.get(reference.id);
      return customer && customerParty(customer);
    }
    default: {
      const fact = facts.get(`${reference.kind}:${reference.id}`);
      return fact?.partyOf(byId.get(fact.customerId ?? "")?.holder, own);
    }
  }
}
