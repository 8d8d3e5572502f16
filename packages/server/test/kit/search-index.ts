/** Waits until the search index has all that was committed. A run ends early while the server's own one has the lease. */
import { vi } from "vitest";
import type { TestServer } from "./test-server.ts";

const BEHIND =
  "select count(*)::int as behind from platform_heads h left join search_positions s on s.platform_id = h.platform_id " +
  "where h.event_seq > coalesce(s.event_seq, 0) or s.build_kind is not null " +
  "or exists (select 1 from row_changes c where c.platform_id = h.platform_id)";

export async function indexAll(server: TestServer): Promise<void> {
  const look = async () => {
    await server.app.searchIndex?.runOnce();
    const { rows } = await server.database.asSuperuser((client) => client.query(BEHIND));
    if (rows[0].behind > 0) throw new Error(`${rows[0].behind} platforms are not indexed`);
  };
  await vi.waitFor(look, { timeout: 30_000, interval: 100 });
}
