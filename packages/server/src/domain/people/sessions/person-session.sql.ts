/** Reads of sessions, and the statement that notes their use. */
import { parameter } from "../../../postgres/columns.ts";
import type { Reads } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";
import { present } from "../../../std/assert.ts";
import { type Person, people } from "../person.ts";
import type { RoleSwitches } from "../role.ts";
import { type PersonSession, personSessions } from "./person-session.ts";

export interface SessionUse {
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly lastActAt: number;
  readonly usedProduction: boolean;
}

export interface FoundSession {
  /** The workspace of the session. */
  readonly workspaceId: string;
  readonly session: PersonSession;
  readonly person: Person;
  /** Undefined before the first use is recorded. */
  readonly lastActAt: number | undefined;
  readonly usedProduction: boolean;
  /** The role switches of the workspace. */
  readonly switches: RoleSwitches;
}

const USE =
  "floor(extract(epoch from u.last_act_at) * 1000)::int8, coalesce(u.used_production, false)";

/** Selects a session that was not ended and whose issuer, if it has one, was not removed. */
const IS_OPEN =
  "t.ended_at is null and (t.issuer_id is null or exists (" +
  "select from sso_issuers i where i.platform_id = $1::uuid and i.id = t.issuer_id and i.deleted_at is null))";

const bySecret = {
  name: "person_sessions/by-secret",
  text:
    `select t.platform_id, ${USE}, ${personSessions.selectList("t")}, ${people.selectList("p")}, w.admins_read_documents ` +
    "from person_sessions t join workspaces w on w.platform_id = t.platform_id join people p on p.platform_id = t.platform_id and p.id = t.person_id " +
    "left join person_session_uses u on u.platform_id = t.platform_id and u.session_id = t.id " +
    `where t.platform_id = $1::uuid and t.secret_hash = $2::text and ${IS_OPEN}`,
};

/** The open session of a secret, with its person. */
export async function findSession(
  reads: Reads,
  platformId: string,
  secretHash: string,
): Promise<FoundSession | undefined> {
  const [cells] = await reads.cells(bySecret, [platformId, secretHash]);
  if (cells === undefined) return undefined;
  return {
    workspaceId: present(cells[0], "the workspace of a session"),
    lastActAt: cells[1] == null ? undefined : Number(cells[1]),
    usedProduction: isTrue(cells[2]),
    session: personSessions.decode(cells, 3),
    person: people.decode(cells, 3 + personSessions.columns.length),
    switches: { adminsReadDocuments: isTrue(cells.at(-1)) },
  };
}

function isTrue(cell: string | null | undefined): boolean {
  return cell === "t" || cell === "true";
}

const openOf = {
  name: "person_sessions/open-of-person",
  text:
    `select ${USE}, ${personSessions.selectList("t")} from person_sessions t ` +
    "left join person_session_uses u on u.platform_id = t.platform_id and u.session_id = t.id " +
    `where t.platform_id = $1::uuid and t.person_id = $2::uuid and ${IS_OPEN} and t.expires_at > $3::timestamptz ` +
    "order by t.id desc",
};

export interface ListedSession {
  readonly session: PersonSession;
  readonly lastActAt: number | undefined;
}

/** The open sessions of a person, the newest first. A person has a bounded number of them. */
export async function listSessions(
  reads: Reads,
  platformId: string,
  { personId, now }: { readonly personId: string; readonly now: number },
): Promise<readonly ListedSession[]> {
  const at = new Date(now).toISOString();
  const found = await reads.cells(openOf, [platformId, personId, at]);
  return found.map((cells) => ({
    lastActAt: cells[0] == null ? undefined : Number(cells[0]),
    session: personSessions.decode(cells, 2),
  }));
}

const lastActs = {
  name: "person_session_uses/of-people",
  text:
    "select t.person_id, max(floor(extract(epoch from u.last_act_at) * 1000))::int8 from person_sessions t " +
    "join person_session_uses u on u.platform_id = t.platform_id and u.session_id = t.id " +
    "where t.platform_id = $1::uuid and t.person_id = any($2::uuid[]) group by t.person_id",
};

/** When each of these people was last seen. */
export async function lastSeenOf(
  reads: Reads,
  platformId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await reads.cells(lastActs, [platformId, ids]);
  return new Map(found.map(([id, at]) => [id ?? "", Number(at)]));
}

const record: Statement = {
  name: "person_session_uses/record",
  text:
    "insert into person_session_uses as u (platform_id, session_id, last_act_at, used_production) " +
    "values ($1::uuid, $2::uuid, $3::timestamptz, $4::bool) on conflict (platform_id, session_id) do update " +
    "set last_act_at = greatest(u.last_act_at, excluded.last_act_at), used_production = u.used_production or excluded.used_production",
};

export function sessionUseStep(use: SessionUse): Step {
  return {
    statement: record,
    parameters: [
      parameter("uuid", use.workspaceId),
      parameter("uuid", use.sessionId),
      parameter("time", use.lastActAt),
      parameter("bool", use.usedProduction),
    ],
  };
}
