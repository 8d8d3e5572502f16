import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "../../engine/refusal.ts";
import { type CursorBinding, createCursors, toListBody } from "./paging.ts";

const cursors = createCursors(Buffer.alloc(32, 7));
const binding: CursorBinding = {
  platformId: "platform-a",
  operationId: "listThings",
  filters: { name: "Ada", kind: ["A"] },
};

function isRefused(cursor: string, bound: CursorBinding = binding): boolean {
  try {
    cursors.read(cursor, bound);
    return false;
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    expect(thrown.code).toBe("INVALID_INPUT");
    expect(thrown.details).toMatchObject({ errors: [{ field: "cursor" }] });
    return true;
  }
}

describe("a cursor", () => {
  it("gives its position back in the list that it came from", () => {
    const position = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 4 });
    fc.assert(
      fc.property(position, (parts) => {
        const cursor = cursors.write(parts, binding);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(cursors.read(cursor, binding)).toEqual(parts);
      }),
    );
  });

  it("does not depend on the order of the filters", () => {
    const cursor = cursors.write(["a"], binding);
    const reordered = { ...binding, filters: { kind: ["A"], name: "Ada" } };
    expect(cursors.read(cursor, reordered)).toEqual(["a"]);
  });

  it("is refused with any one byte changed, added or taken away", () => {
    const cursor = cursors.write(["2025-10-13T09:30:00Z", "019a2f6e-7c1b-7d3e"], binding);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \n\u00e9";
    for (let index = 0; index <= cursor.length; index += 1) {
      const [head, tail] = [cursor.slice(0, index), cursor.slice(index)];
      if (tail !== "") expect(isRefused(head + tail.slice(1))).toBe(true);
      for (const char of alphabet) {
        expect(isRefused(head + char + tail)).toBe(true);
        if (tail !== "" && char !== tail[0])
          expect(isRefused(head + char + tail.slice(1))).toBe(true);
      }
    }
  });

  it("is refused by another platform, in another list, with other filters, under another key", () => {
    const cursor = cursors.write(["a"], binding);
    expect(isRefused(cursor, { ...binding, platformId: "platform-b" })).toBe(true);
    expect(isRefused(cursor, { ...binding, operationId: "listOthers" })).toBe(true);
    expect(isRefused(cursor, { ...binding, filters: {} })).toBe(true);
    expect(isRefused(cursor, { ...binding, filters: { name: "Ada", kind: ["B"] } })).toBe(true);
    const foreign = createCursors(randomBytes(32)).write(["a"], binding);
    expect(isRefused(foreign)).toBe(true);
  });

  it("is refused when it is no cursor", () => {
    const made = Buffer.from('["a"]').toString("base64url");
    for (const text of ["", "a", made, "' or 1=1 --", "A".repeat(1_000_000), "0", "null"]) {
      expect(isRefused(text)).toBe(true);
    }
    fc.assert(fc.property(fc.base64String(), (text) => isRefused(text)));
  });

  it("keeps invalid UTF-8 apart from the character that stands for it", () => {
    const cursor = cursors.write(["\ufffd"], binding);
    const bytes = Buffer.from(cursor, "base64url");
    const at = bytes.indexOf(Buffer.from("\ufffd"));
    const forged = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from([0xff]),
      bytes.subarray(at + 3),
    ]);
    expect(isRefused(forged.toString("base64url"))).toBe(true);
  });
});

describe("the list envelope", () => {
  it.each([
    [[], { hasMore: false, totalCount: 0 }, { data: [], hasMore: false, totalCount: 0 }],
    [['{"a":1}'], { hasMore: false }, { data: [{ a: 1 }], hasMore: false }],
    [
      ['{"a":1}', '{"a":2}'],
      { hasMore: true, nextCursor: 'x"y', totalCount: 9 },
      { data: [{ a: 1 }, { a: 2 }], hasMore: true, nextCursor: 'x"y', totalCount: 9 },
    ],
    [[], { hasMore: false, nextCursor: "left over" }, { data: [], hasMore: false }],
  ])("holds %j with %j", (items, page, expected) => {
    expect(JSON.parse(toListBody(items, page))).toEqual(expected);
  });
});
