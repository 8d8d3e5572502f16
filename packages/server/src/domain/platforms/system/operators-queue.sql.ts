/**
 * The open cases of all platforms that leave their verifications to operators. A page costs one index probe for each such platform, and
 * the first rows of at most as many platforms as the page has rows. Platforms are ranked by their oldest case, and only the first ones
 * can have a case on the page.
 */
import type { ReadCells, ReadValue } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import {
  caseSource,
  leaseRuns,
  type QueuedVerification,
} from "../../customers/verification/verification.sql.ts";
import type { Environment } from "../../platform.ts";

export interface OperatorsCase extends QueuedVerification {
  readonly platform: {
    readonly id: string;
    readonly name: string;
    readonly environment: Environment;
  };
}

const PLATFORM_CELLS = "p.platform_id, p.name, p.environment";

function decode(cells: readonly (string | null)[]): OperatorsCase {
  const [id, name, environment, ...rest] = cells;
  return {
    ...caseSource.decode(rest),
    platform: { id: id ?? "", name: name ?? "", environment: environment as Environment },
  };
}

/** Sorts before all ids. */
const FIRST = "00000000-0000-0000-0000-000000000000";

/**
 * The first `limit` cases of one platform after the position `$1`. `offset 0` keeps PostgreSQL from joining the customers of all open
 * cases before it applies the limit, which it would do because it expects the join to find one row.
 */
const casesOf = (columns: string, condition: string, limit: string) =>
  `select ${columns} from verifications t cross join lateral (select k.* from customers k ` +
  "where k.platform_id = t.platform_id and k.id = t.customer_id offset 0) c " +
  "join platform_heads h on h.platform_id = p.platform_id where t.platform_id = p.platform_id and t.id > $1::uuid " +
  "and t.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') and c.deleted_at is null " +
  `and ${condition} order by t.id limit ${limit}`;

/** Two statements: in a single one, PostgreSQL would look for the first cases again for each platform that it joins. */
interface Queue {
  /** The platforms whose first cases are the oldest. */
  readonly platforms: Statement;
  readonly cases: Statement;
}

const queueOf = (name: string, condition: string, ids: string): Queue => ({
  platforms: {
    name: `system/platforms-with-${name}`,
    text:
      `select p.platform_id from platforms p cross join lateral (${casesOf("t.id", condition, "1")}) first ` +
      "where p.reviewers = 'OPERATOR' order by first.id limit $2::int8",
  },
  cases: {
    name: `system/${name}`,
    text:
      `select ${PLATFORM_CELLS}, found.* from platforms p cross join lateral (` +
      `${casesOf(`${caseSource.selectList}, t.id as position`, condition, "$2::int8")}) found ` +
      `where p.platform_id = any(${ids}::uuid[]) order by found.position limit $2::int8`,
  },
});

/** `$3` is the time of the host, `$4` the person. */
const LEASED = leaseRuns("$3");

const queues = {
  ALL: queueOf("cases", "true", "$3"),
  NONE: queueOf("free-cases", `(${LEASED}) is not true`, "$4"),
  MINE: queueOf("cases-of-person", `t.taken_by = $4::uuid and ${LEASED}`, "$5"),
} as const;

export interface OperatorsQueueQuery {
  readonly assigned: keyof typeof queues;
  readonly personId: string;
  /** Host time. */
  readonly now: string;
  readonly after: string | undefined;
  readonly limit: number;
}

/** The oldest first. */
export async function listOperatorsQueue(
  cells: ReadCells,
  { assigned, personId, now, after = FIRST, limit }: OperatorsQueueQuery,
): Promise<{ readonly rows: readonly OperatorsCase[]; readonly hasMore: boolean }> {
  const { platforms, cases } = queues[assigned];
  const values: readonly ReadValue[] = { ALL: [], NONE: [now], MINE: [now, personId] }[assigned];
  const holders = await cells(platforms, [after, limit + 1, ...values]);
  if (holders.length === 0) return { rows: [], hasMore: false };
  const ids = holders.map(([id]) => id ?? "");
  const found = await cells(cases, [after, limit + 1, ...values, ids]);
  return { rows: found.slice(0, limit).map(decode), hasMore: found.length > limit };
}

const byId = {
  name: "verifications/operators-case",
  text:
    `select ${PLATFORM_CELLS}, ${caseSource.selectList} from ${caseSource.from} ` +
    "join platforms p on p.platform_id = $1::uuid and p.reviewers = 'OPERATOR' " +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

/** Finds a case in any status. Cases of a platform whose workspace decides its verifications are not found. */
export async function findOperatorsCase(
  cells: ReadCells,
  platformId: string,
  id: string,
): Promise<OperatorsCase | undefined> {
  const [found] = await cells(byId, [platformId, id]);
  return found && decode(found);
}
