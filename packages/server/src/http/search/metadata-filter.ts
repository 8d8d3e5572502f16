/** The filter of lists by metadata: exactly these values of keys that the platform has declared. */
import Type from "typebox";
import { countTerms } from "../../domain/platforms/metadata-terms.sql.ts";
import {
  findMetadataSettings,
  type SearchableList,
} from "../../domain/platforms/searchable-metadata.ts";
import { invalidFields, Refusal } from "../../engine/refusal.ts";
import type { Condition } from "../../tables/list-query.ts";
import type { Seeker } from "./seeker.ts";

const MOST_KEYS = 3;

export const metadataParameter = Type.Optional(
  Type.Record(Type.String({ pattern: "^[A-Za-z0-9_.-]{1,40}$" }), Type.String({ maxLength: 500 }), {
    maxProperties: MOST_KEYS,
    additionalProperties: false,
    description:
      "Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the configuration has to name. Where more than 1,000 " +
      "objects have the value there is no `totalCount`, and a page with other filters may hold few objects, or none, and still have a next one.",
    examples: [{ orderId: "17" }],
  }),
);

/** So many rows of the index are all looked up for a page. */
export const MOST_LOOKED_UP = 1_000;

/** The index may have objects whose value was changed since, so the object itself is compared. */
function conditionOf(entry: Term): Condition {
  const sql = "t.metadata ->> (?::text[])[1] = (?::text[])[2]";
  return { sql, value: entry, isUnordered: true };
}

type Term = readonly [string, string];

/** The list is walked along the rows of the rarest value, which are in the order of ids. */
async function conditionsOf(
  { reads, platformId }: Seeker,
  list: SearchableList,
  terms: readonly Term[],
): Promise<readonly Condition[]> {
  const counts = await countTerms(reads, platformId, { list, terms, most: MOST_LOOKED_UP + 1 });
  const fewest = Math.min(...counts);
  const sql =
    `from metadata_terms t where t.platform_id = $1::uuid and t.list = '${list}' ` +
    "and t.key = (?::text[])[1] and t.digest = md5((?::text[])[2])::uuid";
  const walk = { sql, isShort: fewest <= MOST_LOOKED_UP };
  const rarest = counts.indexOf(fewest);
  return terms.map((term, place) =>
    place === rarest ? { ...conditionOf(term), walk } : conditionOf(term),
  );
}

/** Refuses keys that the platform has not declared, and people who may not see metadata. */
export async function metadataConditions(
  seeker: Seeker,
  list: SearchableList,
  wanted: Readonly<Record<string, string>> | undefined,
): Promise<readonly Condition[]> {
  const entries = Object.entries(wanted ?? {});
  if (entries.length === 0) return [];
  if (!seeker.withPersonal) {
    const message = "Metadata may be personal: finding by it takes the capability pii.read.";
    throw new Refusal("FORBIDDEN", { capability: "pii.read" }, message);
  }
  const keys = (await findMetadataSettings(seeker.reads, seeker.platformId))?.keys ?? [];
  const faults = entries
    .filter(([key]) => !keys.includes(key))
    .map(([key]) => ({
      field: `metadata[${key}]`,
      message: "is no declared key: PATCH /config searchableMetadata declares it",
    }));
  if (faults.length > 0) throw invalidFields(faults);
  return conditionsOf(seeker, list, entries);
}
