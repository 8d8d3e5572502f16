import type { Page } from "./api-types.ts";
import { FlorinError } from "./errors.ts";
import type { Item, ListId, OperationCall, Send } from "./operations.ts";
import type { ReadOptions } from "./transport.ts";

/**
 * A list: `await` returns its first page, `for await` iterates over the items of all pages, and
 * `pages()` iterates over the pages. The first page is requested at once, each further page when the
 * loop reaches it.
 */
export interface PageList<Item> extends Promise<Page<Item>>, AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
}

/** The list of an operation. Each page repeats the query, with the cursor of the page before. */
export function list<Id extends ListId>(
  send: Send,
  call: OperationCall<Id>,
  options: ReadOptions | undefined,
): PageList<Item<Id>> {
  return listPages((cursor) => {
    const query = cursor === undefined ? call.query : { ...call.query, cursor };
    const page: Promise<unknown> = send<Id>({ ...call, query, isList: true }, options);
    // The answer of a list operation is a page of its items, but the compiler cannot infer that for a generic `Id`.
    return page as Promise<Page<Item<Id>>>;
  });
}

/** `load` is called at once for the first page, with an undefined cursor. */
export function listPages<Item>(
  load: (cursor: string | undefined) => Promise<Page<Item>>,
): PageList<Item> {
  const first = load(undefined);
  const pages = () => eachPage(first, load);
  return Object.assign(first, { pages, [Symbol.asyncIterator]: () => eachItem(pages()) });
}

async function* eachPage<Item>(
  first: Promise<Page<Item>>,
  load: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Page<Item>, void> {
  let page = await first;
  let cursor: string | undefined;
  for (;;) {
    yield page;
    if (page.hasMore !== true) return;
    const next = page.nextCursor ?? undefined;
    if (next === undefined || next === cursor) throw brokenList();
    cursor = next;
    page = await load(cursor);
  }
}

async function* eachItem<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Item, void> {
  for await (const page of pages) yield* page.data;
}

/** A repeated cursor throws: to stop would truncate the list silently, to continue would loop forever. */
function brokenList(): FlorinError {
  return new FlorinError({
    status: 200,
    code: "UNEXPECTED_ANSWER",
    message: "The list says it has more, but its cursor does not lead on",
  });
}
