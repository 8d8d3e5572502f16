/** The index of metadata: its rows are added for older objects, counted for a filter, and deleted with the choice of their key. */
import { arrayParameter, parameter } from "../../postgres/columns.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Statement, Step } from "../../postgres/pipeline.ts";
import { BEFORE_ALL_IDS } from "../../std/ids.ts";
import { type SearchableList, searchableLists } from "./searchable-metadata.ts";

/**
 * A job of an earlier choice does nothing. If it was held up until the keys were declared anew, it would delete rows of a new key, which no other job
 * adds again.
 */
const isCurrent = (since: string) =>
  "exists (select from metadata_settings c where c.platform_id = $1::uuid and c.id = $1::uuid " +
  `and c.build ->> 'since' = ${since}::text)`;

const drop: Statement = {
  name: "metadata_terms/drop",
  text:
    "delete from metadata_terms t where t.platform_id = $1::uuid and t.ctid = any (array(" +
    "select s.ctid from metadata_terms s where s.platform_id = $1::uuid and s.key <> all ($2::text[]) " +
    `and ${isCurrent("$4")} limit $3::int8))`,
};

/** What is to be done for a choice of keys. `since` names the choice. */
interface TermsPage {
  readonly since: string;
  readonly keys: readonly string[];
  readonly limit: number;
}

/** Deletes rows of other keys; its count says how many. */
export function dropTermsStep(platformId: string, { since, keys, limit }: TermsPage): Step {
  return {
    statement: drop,
    parameters: [
      parameter("uuid", platformId),
      arrayParameter("text", keys),
      parameter("int8", BigInt(limit)),
      parameter("text", since),
    ],
  };
}

const pages = new Map<SearchableList, Statement>(
  searchableLists.map((list) => [
    list,
    {
      name: `metadata_terms/add-${list}`,
      text:
        `with page as materialized (select t.id, t.metadata from ${list} t where t.platform_id = $1::uuid ` +
        `and t.id > $2::uuid and ${isCurrent("$5")} order by t.id limit $4::int8), added as (` +
        "insert into metadata_terms (platform_id, list, key, digest, id) " +
        `select $1::uuid, '${list}', k.key, md5(p.metadata ->> k.key)::uuid, p.id from page p, unnest($3::text[]) k(key) ` +
        "where p.metadata ->> k.key is not null order by 2, 3, 4, 5 on conflict do nothing) " +
        "select count(*), (array_agg(p.id order by p.id desc))[1] from page p",
    },
  ]),
);

/** Adds the next objects of a list. Answers how many there were, and the last of them. */
export function addTermsStep(
  platformId: string,
  page: TermsPage & { readonly list: SearchableList; readonly after: string | null },
): Step {
  return {
    statement: pages.get(page.list) ?? drop,
    parameters: [
      parameter("uuid", platformId),
      parameter("uuid", page.after ?? BEFORE_ALL_IDS),
      arrayParameter("text", page.keys),
      parameter("int8", BigInt(page.limit)),
      parameter("text", page.since),
    ],
  };
}

/** In order, so that PostgreSQL does not come upon other values first. */
const count: Statement = {
  name: "metadata_terms/count",
  text:
    "select (select count(*) from (select from metadata_terms m where m.platform_id = $1::uuid and m.list = $2::text " +
    "and m.key = w.key and m.digest = md5(w.value)::uuid order by m.id limit $5::int8) c) " +
    "from unnest($3::text[], $4::text[]) with ordinality w(key, value, n) order by w.n",
};

/** How many rows each key and value has, counted to `most`. */
export async function countTerms(
  reads: Reads,
  platformId: string,
  {
    list,
    terms,
    most,
  }: {
    readonly list: SearchableList;
    readonly terms: readonly (readonly [string, string])[];
    readonly most: number;
  },
): Promise<readonly number[]> {
  const [keys, values] = [terms.map(([key]) => key), terms.map(([, value]) => value)];
  const rows = await reads.cells(count, [platformId, list, keys, values, most]);
  return rows.map(([found]) => Number(found));
}
