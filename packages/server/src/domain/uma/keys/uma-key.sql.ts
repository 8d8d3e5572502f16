/** Reads of UMA keys. */
import type { Reads } from "../../../postgres/database.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { type UmaKey, umaKeys } from "./uma-key.ts";

export const findUmaKey = finderOf(umaKeys);
export const listUmaKeyPage = listerOf(umaKeys);

const live = {
  name: "uma_keys/live-of-platform",
  text:
    `select ${umaKeys.selectList("t")} from uma_keys t ` +
    "where t.platform_id = $1::uuid and t.status <> 'DESTROYED'",
};

/** The keys that are not destroyed. */
export function listLiveUmaKeys(reads: Reads, platformId: string): Promise<readonly UmaKey[]> {
  return reads.rows(umaKeys, live, [platformId]);
}
