/** Reads from the database for tests: the events of a platform, and a search over all stored text. */
import type { Story } from "./story.ts";

export interface PlatformEvent {
  readonly type: string;
  readonly subject: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads events of every shape
  readonly body: any;
}

export async function eventsOf(story: Story, subject?: string): Promise<readonly PlatformEvent[]> {
  return story.server.database.asSuperuser(async (client) => {
    const { rows } = await client.query<{ type: string; subject: string; body: string }>(
      "select type, subject, body from events where platform_id = $1 and ($2::text is null or subject = $2) order by seq",
      [story.platformId, subject ?? null],
    );
    return rows.map((row) => ({ ...row, body: JSON.parse(row.body) }));
  });
}

/** The tables in which a row contains this text. */
export async function tablesThatHold(story: Story, text: string): Promise<readonly string[]> {
  return story.server.database.asSuperuser(async (client) => {
    const tables = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    );
    const found: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query(
        `select 1 from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0 limit 1`,
        [text, Buffer.from(text).toString("hex")],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  });
}

/** Reads all pages of a list and returns all items. */
export async function allPages(
  story: Story,
  path: string,
  between: () => Promise<unknown> = async () => undefined,
  // biome-ignore lint/suspicious/noExplicitAny: items of every shape
): Promise<readonly any[]> {
  const items = [];
  let next = path;
  for (;;) {
    const page = await story.call("GET", next);
    if (page.status !== 200) throw new Error(`${next} answered ${page.text}`);
    items.push(...page.json.data);
    const { hasMore, nextCursor } = page.json;
    if (hasMore !== (nextCursor !== undefined))
      throw new Error("a cursor without more, or the reverse");
    if (!hasMore) return items;
    await between();
    next = `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(nextCursor)}`;
  }
}
