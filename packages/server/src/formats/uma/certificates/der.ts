/** Writes the DER of what certificates are made of. */

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return node(0x30, parts);
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return node(0x31, parts);
}

/** A constructed member with a tag of its context. */
export function tagged(number: number, ...parts: readonly Uint8Array[]): Buffer {
  return node(0xa0 | number, parts);
}

/** A primitive member with a tag of its context. */
export function taggedText(number: number, text: string): Buffer {
  return node(0x80 | number, [Buffer.from(text, "ascii")]);
}

/** A whole number that is not negative, from its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  // A first bit of one would make the number negative.
  const isNegative = (digits[0] ?? 0) >= 0x80;
  return node(0x02, isNegative ? [Buffer.from([0]), digits] : [digits]);
}

export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map((part) => Number.parseInt(part, 10));
  return node(0x06, [Buffer.from([first * 40 + second, ...rest.flatMap(base128)])]);
}

/** Seven bits a byte, all but the last with the highest bit set. */
function base128(value: number): readonly number[] {
  const groups = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return node(0x03, [Buffer.from([unusedBits]), bytes]);
}

export function octetString(bytes: Uint8Array): Buffer {
  return node(0x04, [bytes]);
}

export const TRUE = Buffer.from([0x01, 0x01, 0xff]);

export function utf8(text: string): Buffer {
  return node(0x0c, [Buffer.from(text, "utf8")]);
}

const FIRST_LONG_YEAR = 2050;

/** A moment in milliseconds, cut to seconds. Years have two digits up to 2049. */
export function time(at: number): Buffer {
  const date = new Date(at);
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
  const isLong = date.getUTCFullYear() >= FIRST_LONG_YEAR;
  return node(isLong ? 0x18 : 0x17, [Buffer.from(isLong ? digits : digits.slice(2), "ascii")]);
}

function node(tag: number, parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}
