/** Production platforms where one token alone can report that money moved. A start names them: a relaxed control is easily forgotten. */
import type { Reads } from "../../postgres/database.ts";

const MOST_NAMED = 5;

const unchecked = {
  name: "platforms/unchecked-rails",
  text:
    "select p.name, count(*) over () from platforms p where p.environment = 'PRODUCTION' " +
    "and exists (select from rail_connections c where c.platform_id = p.platform_id and c.status <> 'ARCHIVED') " +
    "and not exists (select from rail_connections c where c.platform_id = p.platform_id and c.status <> 'ARCHIVED' " +
    `and c.control ->> 'approval' <> 'NONE') order by p.name, p.id limit ${MOST_NAMED}`,
};

/** The line that a start prints; undefined when every production platform with connections requires approval at one of them. */
export async function uncheckedRails(reads: Reads): Promise<string | undefined> {
  const found = await reads.withPermit("deployment", (cells) => cells(unchecked, []));
  if (found.length === 0) return undefined;
  const names = found.map(([name]) => name ?? "");
  const more = Number(found[0]?.[1]) - names.length;
  const list = more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
  return (
    `Money is not checked by a second person at any connection of ${list}: control.approval is NONE. ` +
    "PATCH /rails/connections/{id} sets it to FOUR_EYES (docs/rails.md)."
  );
}
