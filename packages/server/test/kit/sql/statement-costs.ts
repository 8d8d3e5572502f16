/**
 * What the statements of reads cost on a database with many rows: operations are called as a caller would, each with each of its filters and its
 * second page, the statements that the server sends are recorded, and each is executed once more and judged.
 */
import { operations } from "../../../src/http/operations/routes.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { isNode } from "../../../src/validation/schema.ts";
import type { ValidCall } from "../made-objects.ts";
import { openStory, type Story } from "../story.ts";
import type { TestServer } from "../test-server.ts";
import { validCall } from "../valid-calls.ts";
import { fillManyRows, type ManyRows } from "./many-rows.ts";
import { fillMetadata, METADATA_KEY, metadataValues } from "./many-terms.ts";
import { type RecordedRead, recordReads } from "./recorded-reads.ts";
import { type Cost, costOf } from "./rows-read.ts";

export interface CostlyRead extends RecordedRead {
  readonly cost: Cost;
}

/** A statement that may read more, with the reason. */
interface Exempt {
  /** Of its name, or of its text. */
  readonly part: RegExp;
  readonly why: string;
}

export const exempt: readonly Exempt[] = [
  {
    part: /^select count\(\*\) from|from list_totals n/,
    why: "totalCount: days are summed, and what no total is kept of is counted (ADR 49, ADR 111)",
  },
  {
    part: /^with walked as materialized/,
    why: "a search without an index goes through 20,000 rows at most (tables/search.ts)",
  },
  {
    part: /walk as materialized .* join endpoints|walk e cross join endpoints/,
    why: "deliveries of 1,000 events at most, with a few lookups for each",
  },
  {
    part: /^webhook_endpoints\/statuses$/,
    why: "counts 10,000 parked deliveries and looks at 1,000 events of an endpoint at most",
  },
  {
    part: /^ledger\/sums$/,
    why: "sums since the last checkpoint, which is made every 20,000 commands",
  },
  {
    part: /from (tokens|customers|rail_routes|agents) t .*(t\.name = |t\.updated_at|t\.currencies::jsonb|t\.connection_id = |t\.is_paused)/,
    why: "a filter that no index leads to: the list is read in its order until the page is full (ADR 111)",
  },
  {
    part: /^select t\.id.* from (\(select \* from )?request_logs t where .*(limit 20000\) t|offset 19999)/,
    why: "walks 20,000 calls at most a page (ADR 142)",
  },
  {
    part: /^rail_connections\/health$/,
    why: "counts 10,000 orders of each open state of a connection at most",
  },
];

/** Twenty rows for each that is answered, a thousand besides, and no temporary file. */
const isCostly = ({ read, answered, spilled }: Cost) => read > 20 * answered + 1_000 || spilled > 0;

export const isExempt = ({ name, text }: RecordedRead) =>
  exempt.some(({ part }) => part.test(name) || part.test(text));

interface Wish extends Pick<ManyRows, "commands" | "payments" | "others"> {
  /** Of the path of an operation. */
  readonly paths: RegExp;
}

export interface JudgedReads {
  /** Of the platform that was asked. */
  readonly story: Story;
  readonly recorded: number;
  readonly costly: readonly CostlyRead[];
}

/** The reads of a server with two platforms of so many rows. */
export async function judgeReads(server: TestServer, wish: Wish): Promise<JudgedReads> {
  const story = await openStory(server);
  const calls = await callsOf(story, wish.paths);
  for (const each of [await openStory(server), story]) {
    const entries = await validCall(each, ENTRIES);
    const [accountId = ""] = /[0-9a-f-]{36}/.exec(entries.path) ?? [];
    const place = { platformId: each.platformId, accountId, ...wish };
    await server.database.asSuperuser(async (client) => {
      await fillManyRows(client, place);
      await fillMetadata(client, each.platformId);
    });
    if (each === story && calls.has(ENTRIES)) calls.set(ENTRIES, entries);
  }
  const reads = await readsOf(story, calls);
  const costly: CostlyRead[] = [];
  await server.database.asSuperuser(async (client) => {
    for (const read of reads) {
      const cost = await costOf(client, read);
      if (isCostly(cost)) costly.push({ ...read, cost });
    }
  });
  return { story, recorded: reads.length, costly };
}

const ENTRIES = "listLedgerEntries";

async function callsOf(story: Story, paths: RegExp): Promise<Map<string, ValidCall>> {
  const calls = new Map<string, ValidCall>();
  for (const { id, method, path } of operations) {
    if (method !== "GET" || path.endsWith("/stream") || !paths.test(path)) continue;
    calls.set(id, await validCall(story, id));
  }
  return calls;
}

async function readsOf(
  story: Story,
  calls: ReadonlyMap<string, ValidCall>,
): Promise<readonly RecordedRead[]> {
  const recording = recordReads();
  try {
    for (const { id, query } of operations) {
      const call = calls.get(id);
      if (call === undefined) continue;
      for (const search of searchesOf(call, query)) {
        recording.during(`${id} ${JSON.stringify(search)}`);
        const next = await get(story, call, search);
        if (next !== undefined) await get(story, call, { ...search, cursor: next });
      }
    }
  } finally {
    recording.stop();
  }
  return recording.reads;
}

type Search = Readonly<Record<string, string>>;

/** The cursor of the next page. Answers are not judged here: some filters are refused, and some copies of rows lead nowhere. */
async function get(story: Story, call: ValidCall, search: Search): Promise<string | undefined> {
  const url = new URL(`${story.server.baseUrl}${call.path}`);
  for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value);
  const headers = { authorization: call.authorization ?? story.authorization };
  const answer = await fetch(url, { headers });
  const text = await answer.text();
  const isPage = answer.headers.get("content-type")?.startsWith("application/json") === true;
  return isPage ? JSON.parse(text).nextCursor : undefined;
}

/** Without a filter, and with each of them. */
function searchesOf(call: ValidCall, query: unknown): readonly Search[] {
  const properties = isNode(query) && isNode(query.properties) ? query.properties : {};
  const base: Search = "limit" in properties ? { limit: highestOf(properties.limit) } : {};
  const filters = Object.entries(properties).flatMap(([name, schema]) => {
    if (name === "limit" || name === "cursor" || call.path.includes(`${name}=`)) return [];
    if (name === "metadata")
      return metadataValues.map((text) => ({ ...base, [`metadata[${METADATA_KEY}]`]: text }));
    const value = VALUES[name] ?? (isNode(schema) ? exampleOf(schema) : undefined);
    return value === undefined ? [] : [{ ...base, [name]: value }];
  });
  return [base, ...filters];
}

const highestOf = (schema: unknown) => String(isNode(schema) ? (schema.maximum ?? 100) : 100);

/** Values that rows have, where the schema names none. */
const VALUES: Search = { reason: "book.transfer", currency: "USD", region: "US" };
/** Copies of rows are younger and older. */
const AGO_MS = 12 * 3_600_000;

function exampleOf(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { enum: names, examples, type, format, minimum = 1 } = schema;
  if (Array.isArray(names)) return String(names[0]);
  if (type === "boolean") return "true";
  if (format === "date-time") return new Date(systemClock.now() - AGO_MS).toISOString();
  if (Array.isArray(examples)) return String(examples[0]);
  return type === "integer" ? String(minimum) : undefined;
}
