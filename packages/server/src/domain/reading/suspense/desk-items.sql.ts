/** Items in suspense with the line of the bank that each came by. */
import type { Reads } from "../../../postgres/database.ts";
import { type RailEntry, railEntries } from "../../rails/entries/rail-entry.ts";
import type { RailItem } from "../../rails/entries/rail-item.ts";
import type { ItemWithEntry } from "./candidates.sql.ts";

export async function withEntries(
  reads: Reads,
  platformId: string,
  items: readonly RailItem[],
): Promise<readonly ItemWithEntry[]> {
  const ids = [...new Set(items.flatMap(({ entryId }) => entryId ?? []))];
  const rows: readonly RailEntry[] =
    ids.length === 0
      ? []
      : await reads.rows(railEntries, railEntries.selectByIds, [platformId, ids]);
  const byId = new Map(rows.map((entry) => [entry.id, entry]));
  return items.map((item) => ({ item, entry: byId.get(item.entryId ?? "") }));
}

const peopleText = {
  name: "suspense/people",
  text: "select t.id, t.name from people t where t.platform_id = $1::uuid and t.id = any ($2::uuid[])",
};

const tokensText = {
  name: "suspense/tokens",
  text: "select t.id, t.name from tokens t where t.platform_id = $1::uuid and t.id = any ($2::uuid[])",
};

interface Place {
  readonly platformId: string;
  readonly workspaceId: string;
}

/** The names of the people and tokens that resolved the items, by `person <id>` and `token <id>`. */
export async function resolversOf(
  reads: Reads,
  { platformId, workspaceId }: Place,
  items: readonly RailItem[],
): Promise<ReadonlyMap<string, string>> {
  const by = [...new Set(items.flatMap(({ resolution }) => resolution?.by ?? []))];
  const idsOf = (kind: string) =>
    by.flatMap((text) => (text.startsWith(`${kind} `) ? [text.slice(kind.length + 1)] : []));
  const sources = [
    { kind: "person", statement: peopleText, ofPlatform: workspaceId },
    { kind: "token", statement: tokensText, ofPlatform: platformId },
  ] as const;
  const found = await Promise.all(
    sources.map(async ({ kind, statement, ofPlatform: platformId }) => {
      const ids = idsOf(kind);
      const rows = ids.length === 0 ? [] : await reads.cells(statement, [platformId, ids]);
      return rows.map(([id, name]) => [`${kind} ${id}`, name ?? ""] as const);
    }),
  );
  return new Map(found.flat());
}
