/**
 * Short marks of the top-level fields of a body, kept behind its digest, so that a key that is used with another body can be
 * refused with the name of a field that differs.
 *
 * A mark has two bytes of a hash of the field's name and one byte of a hash of its value, salted with the key. One byte says
 * too little to find a value by: the full digest beside it, which already confirms a guess of the whole body, says more. One
 * in 256 changed values has the same byte; the refusal then names no field.
 */
export interface BodyMarks {
  /** In the order of their marks. */
  readonly sent: readonly string[];
  /** The fields that the operation takes, which the body may have left out. */
  readonly known: readonly string[];
  readonly bytes: Buffer;
}

const DIGEST_BYTES = 32;
const MARK_BYTES = 3;
const MOST_MARKS = 32;

/** `texts`: each field with its value as canonical JSON. */
export function bodyMarks(
  texts: readonly (readonly [name: string, value: string])[],
  { key, known }: { readonly key: string; readonly known: readonly string[] },
): BodyMarks {
  const marked = texts.slice(0, MOST_MARKS);
  const bytes = Buffer.alloc(marked.length * MARK_BYTES);
  for (const [index, [name, value]] of marked.entries()) {
    bytes.writeUInt16BE(nameMark(name), index * MARK_BYTES);
    bytes.writeUInt8(hashOf(`${key}\n${name}\n${value}`) & 0xff, index * MARK_BYTES + 2);
  }
  return { sent: marked.map(([name]) => name), known, bytes };
}

/** What is kept of a body: its digest, with the marks behind it. */
export function digestWithMarks(bodyDigest: Buffer, marks: BodyMarks | undefined): Buffer {
  return marks === undefined ? bodyDigest : Buffer.concat([bodyDigest, marks.bytes]);
}

/** Whether the bytes have the length of a digest with marks behind it. */
export function isKeptDigest({ length }: Buffer): boolean {
  const marks = (length - DIGEST_BYTES) / MARK_BYTES;
  return Number.isInteger(marks) && marks >= 0 && marks <= MOST_MARKS;
}

/** Whether what is kept is of the body with this digest. */
export function isOfBody(kept: Buffer, bodyDigest: Buffer): boolean {
  return kept.subarray(0, DIGEST_BYTES).equals(bodyDigest);
}

/** The first field whose value differs from what is kept, or that only one of the two bodies has. */
export function differingField(kept: Buffer, marks: BodyMarks | undefined): string | undefined {
  if (marks === undefined || kept.length === DIGEST_BYTES) return undefined;
  const before = valuesByName(kept.subarray(DIGEST_BYTES));
  const now = valuesByName(marks.bytes);
  return [...marks.sent, ...marks.known].find(
    (name) => before.get(nameMark(name)) !== now.get(nameMark(name)),
  );
}

function valuesByName(bytes: Buffer): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (let at = 0; at + MARK_BYTES <= bytes.length; at += MARK_BYTES) {
    values.set(bytes.readUInt16BE(at), bytes.readUInt8(at + 2));
  }
  return values;
}

function nameMark(name: string): number {
  return hashOf(name) & 0xffff;
}

/** FNV-1a with a last mixing step, so that its lowest bits depend on all characters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
