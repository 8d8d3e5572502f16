/**
 * The index of objects by their metadata, for the keys that a platform has declared. It is written in the commit of the object, so a caller finds
 * an object as soon as it is answered. Without a declared key nothing is written.
 *
 * A row of the index is never changed or taken back with its object: a reader of it compares the object's own metadata.
 */
import { arrayParameter, parameter } from "../../postgres/columns.ts";
import type { Statement, Step } from "../../postgres/pipeline.ts";
import type { Ref, TableRow } from "../../tables/tables.ts";
import type { Batch } from "../batch.ts";

/** Where a platform declares its keys. */
export interface MetadataKeys {
  readonly ref: (platformId: string) => Ref<TableRow>;
  readonly keysOf: (row: TableRow | undefined) => readonly string[];
}

/** The digest of a value is no secret and no proof: it only makes the values of an index short. */
const add: Statement = {
  name: "metadata_terms/add",
  text:
    "insert into metadata_terms (platform_id, list, key, digest, id) " +
    "select $1::uuid, x.list, x.key, md5(x.value)::uuid, x.id " +
    "from unnest($2::text[], $3::text[], $4::text[], $5::uuid[]) x(list, key, value, id) " +
    "order by x.list, x.key, md5(x.value)::uuid, x.id on conflict do nothing",
};

interface Term {
  readonly list: string;
  readonly key: string;
  readonly value: string;
  readonly id: string;
}

export function metadataSteps(
  platformId: string,
  dirty: Batch["dirty"],
  keys: readonly string[],
): readonly Step[] {
  if (keys.length === 0) return [];
  const terms = termsOf(dirty, keys);
  if (terms.length === 0) return [];
  const column = (name: keyof Term) => terms.map((term) => term[name]);
  return [
    {
      statement: add,
      parameters: [
        parameter("uuid", platformId),
        arrayParameter("text", column("list")),
        arrayParameter("text", column("key")),
        arrayParameter("text", column("value")),
        arrayParameter("uuid", column("id")),
      ],
    },
  ];
}

function termsOf(dirty: Batch["dirty"], keys: readonly string[]): readonly Term[] {
  const terms: Term[] = [];
  for (const [table, rows] of dirty) {
    const { name: list } = table;
    for (const { row, before } of rows.values()) {
      const metadata = table.metadataOf(row);
      if (metadata === null) continue;
      const earlier = before === undefined ? null : table.metadataOf(before);
      for (const key of keys) {
        const value = metadata[key];
        if (value !== undefined && value !== earlier?.[key])
          terms.push({ list, key, value, id: row.id });
      }
    }
  }
  return terms;
}
