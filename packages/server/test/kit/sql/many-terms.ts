/** Metadata of many rows, and its index. */
import type pg from "pg";
import { searchableLists } from "../../../src/domain/platforms/searchable-metadata.ts";

export const METADATA_KEY = "orderId";
const [FREQUENT, RARE] = ["17", "18"];
export const metadataValues = [FREQUENT, RARE] as const;

/** Declares a key; a fiftieth of the rows has one value and all others have another one. */
export async function fillMetadata(client: pg.Client, platformId: string): Promise<void> {
  await client.query(
    "insert into metadata_settings (platform_id, id, keys, updated_at) values ($1, $1, json_build_array($2::text), now()) " +
      "on conflict (platform_id, id) do update set keys = excluded.keys, build = null",
    [platformId, METADATA_KEY],
  );
  for (const list of searchableLists) {
    await client.query(
      `update ${list} t set metadata = json_build_object($2::text, case when hashtext(t.id::text) % 50 = 0 then '${RARE}' else '${FREQUENT}' end) where t.platform_id = $1`,
      [platformId, METADATA_KEY],
    );
    await client.query(
      "insert into metadata_terms (platform_id, list, key, digest, id) " +
        `select $1, $3, $2, md5(t.metadata ->> $2)::uuid, t.id from ${list} t where t.platform_id = $1 on conflict do nothing`,
      [platformId, METADATA_KEY, list],
    );
  }
  await client.query("vacuum (analyze)");
}
