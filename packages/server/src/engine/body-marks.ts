/**
 * Short marks of the top-level fields of a body, stored after its digest. When an idempotency key is used with another body, the
 * refusal can name a field that differs.
 *
 * A mark has two bytes of a hash of the field's name and one byte of a hash of its value, salted with the key. One byte
 * does not reveal a value: the full digest beside it, which confirms a guess of the whole body, reveals more. One in 256
 * changed values has the same byte; the refusal then names no field.
 */
export interface BodyMarks {
  /** The names of the fields of the body, in the order of their marks. */
  readonly sent: readonly string[];
  /** The names of all fields that the operation takes, also of those that this body lacks. */
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

/** The stored form of a body: its digest, followed by the marks. */
export function digestWithMarks(bodyDigest: Buffer, marks: BodyMarks | undefined): Buffer {
  return marks === undefined ? bodyDigest : Buffer.concat([bodyDigest, marks.bytes]);
}

/** Whether the bytes have the length of a digest followed by marks, or of a digest alone. */
export function isKeptDigest({ length }: Buffer): boolean {
  const marks = (length - DIGEST_BYTES) / MARK_BYTES;
  return Number.isInteger(marks) && marks >= 0 && marks <= MOST_MARKS;
}

/** Whether the stored digest is that of the given body. */
export function isOfBody(kept: Buffer, bodyDigest: Buffer): boolean {
  return kept.subarray(0, DIGEST_BYTES).equals(bodyDigest);
}

/** The first field whose mark differs between the two bodies, or that only one of them has. */
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
