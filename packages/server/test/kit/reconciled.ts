/** The findings of the reconciliation queries after an edit, which is rolled back. */
import { reconciliations } from "../../src/audit/reconciliation.sql.ts";
import type { Story } from "./story.ts";
import type { TestServer } from "./test-server.ts";

/** Each finding as one line. */
export function foundAfter(
  { server, story }: { readonly server: TestServer; readonly story: Story },
  edit: string,
  values: readonly string[] = [],
): Promise<readonly string[]> {
  return server.database.asSuperuser(async (client) => {
    await client.query("begin");
    try {
      // Also on the nodes of a cluster.
      await client.query("set local citus.propagate_set_commands = local");
      await client.query("set local session_replication_role = replica");
      await client.query(edit, [...values]);
      const found: string[] = [];
      for (const text of reconciliations) {
        const query = { text, values: [story.platformId], rowMode: "array" } as const;
        const { rows } = await client.query<string[]>(query);
        found.push(...rows.map((cells) => cells.join(" | ")));
      }
      return found;
    } finally {
      await client.query("rollback");
    }
  });
}
