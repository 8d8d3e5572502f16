import { randomBytes } from "node:crypto";

/**
 * UUIDv7: 48 bits of time, then a counter, then chance. Ids made by one process for one platform rise strictly, so the
 * order of ids is the order of creation and an index on the id serves "newest first".
 */
export interface Ids {
  /** A new id whose time part is `epochMs`, or that of the last one if it was later, by `LONGEST_LEAD_MS` at most. */
  next(epochMs: number): string;
}

/**
 * An id's time is never before the time it was made at, and after it by so much at most. Time that has gone back further
 * than this has not come to be: what was made of it was never committed.
 */
export const LONGEST_LEAD_MS = 3_600_000;

const POOL_BYTES = 8192;
/** Of each id, these many bytes come after its time: the counter and chance. */
const TAIL_BYTES = 10;
/** Where the sixteen bytes of a uuid stand in its text. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const TAIL_PLACES = PLACES.slice(-TAIL_BYTES);
const DIGITS = Buffer.from("0123456789abcdef", "latin1");

export function randomIds(fill: (size: number) => Buffer = randomBytes): Ids {
  let pool = fill(POOL_BYTES);
  let offset = 0;
  let lastMs = 0;
  let counter = 0;
  // One text is written over and over: an id is wanted flat, and its time is mostly that of the one before.
  const text = Buffer.from("00000000-0000-7000-8000-000000000000", "latin1");

  function write(place: number, byte: number): void {
    text[place] = DIGITS[byte >> 4] ?? 0;
    text[place + 1] = DIGITS[byte & 0xf] ?? 0;
  }

  function moveTo(epochMs: number): void {
    lastMs = epochMs;
    let rest = epochMs;
    for (let index = 5; index >= 0; index--) {
      write(PLACES[index] ?? 0, rest % 256);
      rest = Math.floor(rest / 256);
    }
  }

  return {
    next(epochMs) {
      if (offset + TAIL_BYTES > POOL_BYTES) {
        pool = fill(POOL_BYTES);
        offset = 0;
      }
      if (epochMs > lastMs || epochMs < lastMs - LONGEST_LEAD_MS) {
        moveTo(epochMs);
        counter = pool.readUInt16BE(offset) & 0x1ff;
      } else if (++counter > 0xfff) {
        moveTo(lastMs + 1);
        counter = 0;
      }
      pool[offset] = 0x70 | (counter >> 8);
      pool[offset + 1] = counter & 0xff;
      pool[offset + 2] = 0x80 | ((pool[offset + 2] ?? 0) & 0x3f);
      for (const place of TAIL_PLACES) write(place, pool[offset++] ?? 0);
      return text.toString("latin1");
    },
  };
}

const TIME_DIGITS = 12;

/** What stands behind the time of an id. */
export function tailOf(id: string): string {
  return id.slice(TIME_DIGITS + 2);
}

/** An id whose tail was drawn before its time was known. */
export function idAt(epochMs: number, tail: string): string {
  const time = epochMs.toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail}`;
}

/** No id that was made at this time or later is lower. */
export function lowestIdAt(epochMs: number): string {
  const time = Math.min(Math.max(Math.floor(epochMs), 0), LAST_MS);
  return idAt(time, "0000-0000-000000000000");
}

/** Where a walk through ids begins: no row has it. */
export const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

/** The last time that an id can say. */
const LAST_MS = 2 ** 48 - 1;

/** One spelling of a uuid, as a regular expression in text. */
export const uuidPattern = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

const CANONICAL = new RegExp(`^${uuidPattern}$`);

/** One spelling of an id is accepted, the one we print: lower case, with dashes. */
export function isUuid(text: string): boolean {
  return CANONICAL.test(text);
}

/** The first 128 bits of a digest, in the form of a uuid. */
export function uuidOfDigest(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
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
