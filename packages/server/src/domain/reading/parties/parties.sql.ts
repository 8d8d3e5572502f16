/** Looks up the parties of a page of rows: at most one statement a kind, and none for a kind that the page does not name. */
import type { ReadCells, Reads } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { InternalAccountType } from "../../accounts/internal/internal-account.ts";
import {
  agentParty,
  customerParty,
  externalAccountParty,
  type Holder,
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

interface RowSource {
  readonly statement: Statement;
  /** People are rows of the workspace. */
  readonly isOfWorkspace?: true;
  /** `cells` are those after the id. */
  readonly party: (id: string, cells: Cells, own: Own) => Party;
}

const CUSTOMER =
  "t.id, t.platform_customer_id, coalesce(t.full_name, t.business_info ->> 'legalName') as name";

/** The one row of an id. With the limit PostgreSQL reads one row an id, whatever number of ids it expects. */
const rowOf = (table: string, columns: string, id = "k.id") =>
  `lateral (select ${columns} from ${table} t where t.platform_id = $1::uuid and t.id = ${id} limit 1)`;

const HOLDER = `left join ${rowOf("customers", CUSTOMER, "r.customer_id")} h on true`;
const HOLDER_COLUMNS = "h.id, h.platform_customer_id, h.name";

function holderIn([id, yourId, name]: Cells): Holder | undefined {
  if (id == null) return undefined;
  return holderOf({ id, yourId: yourId ?? "", name: name ?? null });
}

function listOf(cell: string | null | undefined): readonly string[] {
  return JSON.parse(cell ?? "[]") as readonly string[];
}

const sources: Readonly<Record<RowKind, RowSource>> = {
  CUSTOMER: {
    statement: {
      name: "parties/customers",
      text: `select r.* from unnest($2::uuid[]) k(id), ${rowOf("customers", CUSTOMER)} r`,
    },
    party: (id, [yourId, name]) => customerParty({ id, yourId: yourId ?? "", name: name ?? null }),
  },
  INTERNAL_ACCOUNT: {
    statement: {
      name: "parties/internal-accounts",
      text:
        `select r.id, r.type, r.currency, ${HOLDER_COLUMNS} from unnest($2::uuid[]) k(id), ` +
        `${rowOf("internal_accounts", "t.id, t.type, t.currency, t.customer_id")} r ${HOLDER}`,
    },
    party: (id, [type, currency, ...holder], own) =>
      internalAccountParty(
        { id, type: type as InternalAccountType, currency: currency ?? "" },
        holderIn(holder) ?? own,
      ),
  },
  EXTERNAL_ACCOUNT: {
    statement: {
      name: "parties/external-accounts",
      text:
        `select r.id, r.account_type, r.account_info, r.primary_identifier, ${HOLDER_COLUMNS} from unnest($2::uuid[]) k(id), ` +
        `${rowOf("external_accounts", "t.id, t.account_type, t.account_info, t.primary_identifier, t.customer_id")} r ${HOLDER}`,
    },
    party: (id, [accountType, info, primaryIdentifier, ...holder]) =>
      externalAccountParty(
        {
          id,
          accountType: accountType ?? "",
          accountInfo: JSON.parse(info ?? "{}") as JsonObject,
          primaryIdentifier: primaryIdentifier ?? "",
        },
        holderIn(holder),
      ),
  },
  AGENT: {
    statement: {
      name: "parties/agents",
      text:
        `select r.id, r.name, ${HOLDER_COLUMNS} from unnest($2::uuid[]) k(id), ` +
        `${rowOf("agents", "t.id, t.name, t.customer_id")} r ${HOLDER}`,
    },
    party: (id, [name, ...holder]) => agentParty(id, name ?? "", holderIn(holder)),
  },
  PERSON: {
    statement: {
      name: "parties/people",
      text: `select r.* from unnest($2::uuid[]) k(id), ${rowOf("people", "t.id, t.name, t.email")} r`,
    },
    isOfWorkspace: true,
    party: (id, [name, email]) => personParty(id, name ?? "", email ?? ""),
  },
  TOKEN: {
    statement: {
      name: "parties/tokens",
      text: `select r.* from unnest($2::uuid[]) k(id), ${rowOf("tokens", "t.id, t.name, t.permissions")} r`,
    },
    party: (id, [name, permissions]) => tokenParty(id, name ?? "", listOf(permissions)),
  },
};

const ownOf: Statement = {
  name: "parties/platform",
  text: "select p.name, p.workspace_id from platforms p where p.platform_id = $1::uuid and p.id = $1::uuid",
};

const byAddress: Statement = {
  name: "parties/addresses",
  text:
    "select k.address, h.* from unnest($2::text[]) k(address), " +
    `lateral (select ${CUSTOMER} from customers t where t.platform_id = $1::uuid and t.uma_address = k.address ` +
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

/** The names of everything that the rows of a page refer to. A reference twice is looked up once. */
export function readParties(
  reads: Reads,
  platformId: string,
  references: readonly PartyReference[],
): Promise<PartiesOfPage> {
  if (references.length === 0) return Promise.resolve(() => undefined);
  return reads.withPermit(platformId, async (cells) => {
    const ask = (statement: Statement, values: Iterable<string>, of = platformId) =>
      askFor(cells, statement, { of, values });
    const subjects = references.flatMap((one) => (one.kind === "MAKER" ? [one.subject] : []));
    const actors = new Map(
      (await ask(makers, subjects)).map(([subject, actor, asker]) => [
        subject ?? "",
        asker == null ? referenceToActor(actor ?? "") : referenceTo(asker),
      ]),
    );
    const all = [...references, ...[...actors.values()].filter((one) => one !== undefined)];
    const [[name = "", workspaceId = ""] = []] = (await cells(ownOf, [platformId])) as string[][];
    const own = { name, workspaceId };
    const rows = new Map<string, Party>();
    for (const [kind, { statement, isOfWorkspace, party }] of Object.entries(sources)) {
      const ids = all.flatMap((one) => (one.kind === kind && "id" in one ? [one.id] : []));
      const found = await ask(statement, ids, isOfWorkspace === true ? workspaceId : platformId);
      for (const [id, ...rest] of found) rows.set(`${kind}:${id}`, party(id ?? "", rest, own));
    }
    const addresses = all.flatMap((one) => (one.kind === "UMA" ? [one.address] : []));
    const holders = new Map(
      (await ask(byAddress, addresses)).map(([address, ...rest]) => [address, holderIn(rest)]),
    );
    return (reference) => {
      const one = reference.kind === "MAKER" ? actors.get(reference.subject) : reference;
      return one && partyIn(one, { rows, holders, own });
    };
  });
}

/** Asks nothing where the page names nothing of the kind. */
async function askFor(
  cells: ReadCells,
  statement: Statement,
  { of, values }: { readonly of: string; readonly values: Iterable<string> },
): Promise<readonly Cells[]> {
  const distinct = [...new Set(values)];
  return distinct.length === 0 ? [] : cells(statement, [of, distinct]);
}

function partyIn(
  reference: PartyReference,
  {
    rows,
    holders,
    own,
  }: {
    readonly rows: ReadonlyMap<string, Party>;
    readonly holders: ReadonlyMap<string | null | undefined, Holder | undefined>;
    readonly own: Own;
  },
): Party | undefined {
  switch (reference.kind) {
    case "UMA":
      return umaParty(reference, holders.get(reference.address));
    case "OUTSIDE":
      return outsideParty(reference);
    case "PLATFORM":
      return platformParty(own.name);
    case "SYSTEM":
      return systemParty(reference.by);
    case "MAKER":
      return undefined;
    default:
      return rows.get(`${reference.kind}:${reference.id}`);
  }
}
