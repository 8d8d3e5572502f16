import { describe, expect, it } from "vitest";
import type { Page } from "./api-types.ts";
import { listPages } from "./pages.ts";

function loader(pages: readonly Page<number>[]) {
  const asked: (string | undefined)[] = [];
  const load = (cursor: string | undefined): Promise<Page<number>> => {
    asked.push(cursor);
    const page = pages[asked.length - 1];
    return page === undefined ? Promise.reject(new Error("no such page")) : Promise.resolve(page);
  };
  return { asked, load };
}

const three: readonly Page<number>[] = [
  { data: [1, 2], hasMore: true, nextCursor: "b", totalCount: 5 },
  { data: [3, 4], hasMore: true, nextCursor: "c", totalCount: 5 },
  { data: [5], hasMore: false, totalCount: 5 },
];

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("a list", () => {
  it("returns its first page when awaited, and requests no other", async () => {
    const { asked, load } = loader(three);
    expect(await listPages(load)).toEqual(three[0]);
    expect(asked).toEqual([undefined]);
  });

  it("gives every item of every page in order", async () => {
    const { asked, load } = loader(three);
    expect(await all(listPages(load))).toEqual([1, 2, 3, 4, 5]);
    expect(asked).toEqual([undefined, "b", "c"]);
  });

  it("gives its pages one by one", async () => {
    const { load } = loader(three);
    expect(await all(listPages(load).pages())).toEqual(three);
  });

  it("asks for no page beyond the item where the loop ends", async () => {
    const { asked, load } = loader(three);
    for await (const item of listPages(load)) if (item === 2) break;
    expect(asked).toEqual([undefined]);
  });

  it("goes on past an empty page and ends on a null cursor", async () => {
    const { load } = loader([
      { data: [], hasMore: true, nextCursor: "b" },
      { data: [7], hasMore: false, nextCursor: null as unknown as string },
    ]);
    expect(await all(listPages(load))).toEqual([7]);
  });

  it("takes an answer without hasMore as the last page", async () => {
    const { load } = loader([{ data: [1] } as unknown as Page<number>]);
    expect(await all(listPages(load))).toEqual([1]);
  });

  it.each([
    ["is missing", [{ data: [1], hasMore: true }]],
    [
      "does not move",
      [
        { data: [1], hasMore: true, nextCursor: "b" },
        { data: [2], hasMore: true, nextCursor: "b" },
        { data: [3], hasMore: false },
      ],
    ],
  ])("fails loudly when the cursor %s", async (_, pages) => {
    const { load } = loader(pages);
    await expect(all(listPages(load))).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
  });

  it("hands on the failure of a page", async () => {
    const { load } = loader(three.slice(0, 1));
    await expect(all(listPages(load))).rejects.toThrow("no such page");
    await expect(listPages(loader([]).load)).rejects.toThrow("no such page");
  });
});
