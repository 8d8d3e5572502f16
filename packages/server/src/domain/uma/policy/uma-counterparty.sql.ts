/** Reads of counterparties. */
import type { Reads } from "../../../postgres/database.ts";
import {
  type CounterpartyRoom,
  MOST_COUNTERPARTIES,
  type UmaCounterparty,
  umaCounterparties,
} from "./uma-counterparty.ts";

const ofDomain = {
  name: "uma_counterparties/of-domain",
  text:
    `select ${umaCounterparties.selectList("t")} from uma_counterparties t ` +
    "where t.platform_id = $1::uuid and t.domain = $2::text and t.deleted_at is null",
};

export async function findCounterpartyOf(
  reads: Reads,
  platformId: string,
  domain: string,
): Promise<UmaCounterparty | undefined> {
  const [found] = await reads.rows(umaCounterparties, ofDomain, [platformId, domain]);
  return found;
}

const known = {
  name: "uma_counterparties/count",
  text: "select count(*) from uma_counterparties t where t.platform_id = $1::uuid and t.deleted_at is null",
};

const longestUnseen = {
  name: "uma_counterparties/longest-unseen",
  text:
    "select t.id from uma_counterparties t where t.platform_id = $1::uuid and t.deleted_at is null " +
    "and t.status = 'DEFAULT' order by t.last_seen_at nulls first, t.id limit 1",
};

/**
 * The room for one more counterparty. It is read before the command: two servers that add one at the same time may find the same room, and
 * then there is one too many until the next is added.
 */
export async function findRoom(
  reads: Reads,
  platformId: string,
  most = MOST_COUNTERPARTIES,
): Promise<CounterpartyRoom> {
  const [counted] = await reads.cells(known, [platformId]);
  if (Number(counted?.[0] ?? 0) < most) return { kind: "free" };
  const [oldest] = await reads.cells(longestUnseen, [platformId]);
  const id = oldest?.[0] ?? undefined;
  return id === undefined ? { kind: "full" } : { kind: "forget", id };
}

/** What providers are listed by. */
export interface CounterpartyWithStatus extends Pick<UmaCounterparty, "domain" | "name"> {
  readonly status: Exclude<UmaCounterparty["status"], "DEFAULT">;
}

const withStatus = {
  name: "uma_counterparties/with-status",
  text:
    "select t.domain, t.name, t.status from uma_counterparties t where t.platform_id = $1::uuid " +
    `and t.deleted_at is null and t.status <> 'DEFAULT' order by t.id limit ${MOST_COUNTERPARTIES}`,
};

/** The counterparties that are allowed or blocked, the first made first. */
export async function listWithStatus(
  reads: Reads,
  platformId: string,
): Promise<readonly CounterpartyWithStatus[]> {
  const rows = await reads.cells(withStatus, [platformId]);
  return rows.map(([domain, name, status]) => ({
    domain: domain ?? "",
    name: name ?? null,
    status: status === "ALLOWED" ? "ALLOWED" : "BLOCKED",
  }));
}
