/** The filter of lists by metadata: exactly these values of keys that the platform has declared. */
import Type from "typebox";
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
      "Exactly these values, as `metadata[orderId]=17`; up to three keys, which `searchableMetadata` of the configuration has to name.",
    examples: [{ orderId: "17" }],
  }),
);

/** The index may have objects whose value was changed since, so the object itself is compared. */
function conditionOf(list: SearchableList, [key, value]: readonly [string, string]): Condition {
  return {
    sql:
      "t.id in (select m.id from metadata_terms m where m.platform_id = $1::uuid " +
      `and m.list = '${list}' and m.key = (?::text[])[1] and m.digest = md5((?::text[])[2])::uuid) ` +
      "and t.metadata ->> (?::text[])[1] = (?::text[])[2]",
    value: [key, value],
  };
}

/** Refuses keys that the platform has not declared, and people who may not see metadata. */
export async function metadataConditions(
  { reads, platformId, withPersonal }: Seeker,
  list: SearchableList,
  wanted: Readonly<Record<string, string>> | undefined,
): Promise<readonly Condition[]> {
  const entries = Object.entries(wanted ?? {});
  if (entries.length === 0) return [];
  if (!withPersonal) {
    const message = "Metadata may be personal: finding by it takes the capability pii.read.";
    throw new Refusal("FORBIDDEN", { capability: "pii.read" }, message);
  }
  const keys = (await findMetadataSettings(reads, platformId))?.keys ?? [];
  const faults = entries
    .filter(([key]) => !keys.includes(key))
    .map(([key]) => ({
      field: `metadata[${key}]`,
      message: "is no declared key: PATCH /config searchableMetadata declares it",
    }));
  if (faults.length > 0) throw invalidFields(faults);
  return entries.map((entry) => conditionOf(list, entry));
}
