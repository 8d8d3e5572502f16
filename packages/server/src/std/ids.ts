import { randomBytes } from "node:crypto";

/**
 * UUIDv7: 48 bits of time, a counter, random bits. Ids that one process makes for one platform increase strictly, so id
 * order is creation order and an index on the id serves "newest first".
 */
export interface Ids {
  /** A new id with the time `epochMs`, or with the time of the last id when that is later by `LONGEST_LEAD_MS` at most. */
  next(epochMs: number): string;
}

/**
 * The time in an id is at or after the time of its creation, by this much at most. A clock that goes back further does so
 * only because a command that advanced it was not committed, so ids of the later time were not committed either.
 */
export const LONGEST_LEAD_MS = 3_600_000;

const POOL_BYTES = 8192;
/** Bytes of an id after its time: the counter and the random bits. */
const TAIL_BYTES = 10;
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const TAIL_PLACES = PLACES.slice(-TAIL_BYTES);
const DIGITS = Buffer.from("0123456789abcdef", "latin1");

export function randomIds(fill: (size: number) => Buffer = randomBytes): Ids {
  let pool = fill(POOL_BYTES);
  let offset = 0;
  let lastMs = 0;
  let counter = 0;
  // The buffer is reused: a flat string is cheaper than a concatenated one, and consecutive ids mostly share their time.
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

/** The part of an id after its time. */
export function tailOf(id: string): string {
  return id.slice(TIME_DIGITS + 2);
}

/** An id from a time and a tail that was generated before the time was known. */
export function idAt(epochMs: number, tail: string): string {
  const time = epochMs.toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail}`;
}

/** The time in an id, in milliseconds. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** A lower bound of the ids that are made at this time or later. */
export function lowestIdAt(epochMs: number): string {
  const time = Math.min(Math.max(Math.floor(epochMs), 0), LAST_MS);
  return idAt(time, "0000-0000-000000000000");
}

/** The cursor before the first id. No row has this id. */
export const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

const LAST_MS = 2 ** 48 - 1;

/** The text of a regular expression for a uuid in lower case with dashes. */
export const uuidPattern = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** The text of a regular expression for a wire id of any kind; the id of a delivery has two uuids. */
export const anyIdPattern = `[A-Za-z]{1,32}:${uuidPattern}(?:\\.${uuidPattern})?`;

const CANONICAL = new RegExp(`^${uuidPattern}$`);

/** Accepts only the form that we print: lower case, with dashes. */
export function isUuid(text: string): boolean {
  return CANONICAL.test(text);
}

/** The first 128 bits of a digest, formatted as a uuid. */
export function uuidOfDigest(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** `Kind:uuid`, the form of an id in the API. */
export function toWireId(kind: string, id: string): string {
  return `${kind}:${id}`;
}

/** The uuid of a wire id of this kind; undefined for any other text. */
export function fromWireId(kind: string, wireId: string): string | undefined {
  if (!wireId.startsWith(kind) || wireId.charAt(kind.length) !== ":") return undefined;
  const id = wireId.slice(kind.length + 1);
  return isUuid(id) ? id : undefined;
}
