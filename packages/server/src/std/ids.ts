import { randomBytes } from "node:crypto";

/**
 * UUIDv7: 48 bits of time, then a counter, then chance. Ids made by one process for one platform rise strictly, so the
 * order of ids is the order of creation and an index on the id serves "newest first".
 */
export interface Ids {
  /** A new id whose time part is `epochMs` (or the last one given, if that was later). */
  next(epochMs: number): string;
}

const POOL_BYTES = 8192;

export function randomIds(fill: (size: number) => Buffer = randomBytes): Ids {
  let pool = fill(POOL_BYTES);
  let offset = 0;
  let lastMs = 0;
  let counter = 0;
  return {
    next(epochMs) {
      if (offset + 10 > POOL_BYTES) {
        pool = fill(POOL_BYTES);
        offset = 0;
      }
      if (epochMs > lastMs) {
        lastMs = epochMs;
        counter = pool.readUInt16BE(offset) & 0x1ff;
      } else if (++counter > 0xfff) {
        lastMs += 1;
        counter = 0;
      }
      const time = lastMs.toString(16).padStart(12, "0");
      const tail = pool.toString("hex", offset + 2, offset + 10);
      offset += 10;
      const variant = ((Number.parseInt(tail.charAt(0), 16) & 0x3) | 0x8).toString(16);
      const count = counter.toString(16).padStart(3, "0");
      return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
    },
  };
}

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** One spelling of an id is accepted, the one we print: lower case, with dashes. */
export function isUuid(text: string): boolean {
  return CANONICAL.test(text);
}

/** `Kind:uuid`, the form of every id on the wire. */
export function toWireId(kind: string, id: string): string {
  return `${kind}:${id}`;
}

/** The uuid inside a wire id of this kind, or undefined for anything else. */
export function fromWireId(kind: string, wireId: string): string | undefined {
  if (!wireId.startsWith(kind) || wireId.charAt(kind.length) !== ":") return undefined;
  const id = wireId.slice(kind.length + 1);
  return isUuid(id) ? id : undefined;
}
