/**
 * Paging of lists: the shared parameters, the cursor of the next page, the envelope.
 *
 * A cursor is base64url(MAC ‖ position). The MAC also covers the platform, the operation and the filters, so a cursor
 * is valid only for its own list, and a forged cursor is refused before its content is read. A cursor is not secret:
 * the position is a value that the caller has seen. Cursors are valid as long as the MAC key.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import Type from "typebox";
import { invalidFields, type Refusal } from "../../engine/refusal.ts";
import { canonicalJson } from "../../std/json.ts";
import { formedText } from "../../validation/schema.ts";

const MAC_BYTES = 16;
const MAX_CURSOR_LENGTH = 1024;
const NOT_A_CURSOR = "must be the nextCursor of this list with the same filters";

/** Part of the query schema of every list. */
export const pageParameters = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description:
      "How many items a page holds at most. A page of very large items ends earlier; `hasMore` tells whether there are more.",
  }),
  cursor: Type.Optional(
    // The common form of all cursors, so that malformed text is reported together with other faults.
    formedText(`^[A-Za-z0-9_-]{${Math.ceil(((MAC_BYTES + 1) * 4) / 3)},}$`, NOT_A_CURSOR, {
      minLength: 1,
      maxLength: MAX_CURSOR_LENGTH,
      description: "The `nextCursor` of the page before, with the same filters.",
      // Only the server can make one.
      examples: [],
    }),
  ),
};

/** The list that a cursor belongs to; `filters` are the query parameters except `limit` and `cursor`. */
export interface CursorBinding {
  readonly platformId: string;
  readonly operationId: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

export type Position = readonly string[];

export interface Cursors {
  /** The position after which the page starts. Throws INVALID_INPUT when the MAC does not match this list. */
  read(cursor: string, binding: CursorBinding): Position;
  write(position: Position, binding: CursorBinding): string;
}

export function createCursors(key: Buffer): Cursors {
  function macOf(position: Buffer, binding: CursorBinding): Buffer {
    const { platformId, operationId, filters } = binding;
    // A JSON array is self-delimiting, so the position after it cannot be read as part of it.
    const context = canonicalJson([platformId, operationId, filters]);
    const mac = createHmac("sha256", key).update(context).update(position).digest();
    return mac.subarray(0, MAC_BYTES);
  }

  return {
    write(position, binding) {
      const bytes = Buffer.from(JSON.stringify(position));
      return Buffer.concat([macOf(bytes, binding), bytes]).toString("base64url");
    },
    read(cursor, binding) {
      if (cursor.length > MAX_CURSOR_LENGTH) throw invalidCursor();
      const bytes = Buffer.from(cursor, "base64url");
      // The decoder ignores foreign characters and spare bits; only the canonical encoding is accepted.
      if (bytes.length <= MAC_BYTES || bytes.toString("base64url") !== cursor)
        throw invalidCursor();
      const position = bytes.subarray(MAC_BYTES);
      if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(position, binding)))
        throw invalidCursor();
      return JSON.parse(position.toString()) as Position;
    },
  };
}

function invalidCursor(): Refusal {
  return invalidFields([{ field: "cursor", message: NOT_A_CURSOR }]);
}

export interface PageFacts {
  readonly hasMore: boolean;
  readonly nextCursor?: string | undefined;
  readonly totalCount?: number | undefined;
}

/** The list envelope around items that are encoded JSON. */
export function toListBody(items: readonly string[], page: PageFacts): string {
  const next =
    page.hasMore && page.nextCursor !== undefined
      ? `,"nextCursor":${JSON.stringify(page.nextCursor)}`
      : "";
  const total = page.totalCount === undefined ? "" : `,"totalCount":${page.totalCount}`;
  return `{"data":[${items.join(",")}],"hasMore":${page.hasMore}${next}${total}}`;
}
