import { Bug } from "../std/assert.ts";

/** A growing buffer for protocol messages, written front to back; message lengths are filled in afterwards. */
export class ByteWriter {
  #bytes: Buffer;
  /** A view of the same memory: writing numbers through it is several times faster than through Buffer. */
  #view: DataView;
  #length = 0;

  constructor(initialBytes = 65_536) {
    this.#bytes = Buffer.allocUnsafe(initialBytes);
    this.#view = viewOf(this.#bytes);
  }

  get length(): number {
    return this.#length;
  }

  /** A view of the bytes written so far. Writes after `clear` overwrite it. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #room(size: number): number {
    const at = this.#length;
    const end = at + size;
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
      this.#view = viewOf(larger);
    }
    this.#length = end;
    return at;
  }

  uint8(value: number): void {
    const at = this.#room(1);
    this.#bytes[at] = value;
  }

  int16(value: number): void {
    if ((value << 16) >> 16 !== value) throw new Bug(`${value} does not fit two bytes`);
    const at = this.#room(2);
    this.#view.setInt16(at, value);
  }

  int32(value: number): void {
    if ((value | 0) !== value) throw new Bug(`${value} does not fit four bytes`);
    const at = this.#room(4);
    this.#view.setInt32(at, value);
  }

  int64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new Bug(`${value} does not fit eight bytes`);
    const at = this.#room(8);
    this.#view.setBigInt64(at, value);
  }

  /** An integer that a double holds exactly. */
  wholeInt64(value: number): void {
    if (!Number.isSafeInteger(value)) throw new Bug(`${value} is not a whole number`);
    const at = this.#room(8);
    const high = Math.floor(value / 2 ** 32);
    this.#view.setInt32(at, high);
    this.#view.setUint32(at + 4, value - high * 2 ** 32);
  }

  raw(value: Uint8Array): void {
    const at = this.#room(value.length);
    this.#bytes.set(value, at);
  }

  /** UTF-8 text without a terminator; returns the number of bytes. */
  utf8(value: string): number {
    if (value.length <= SHORT && this.#ascii(value)) return value.length;
    const most = value.length * 3;
    const at = this.#room(most);
    const size = this.#bytes.write(value, at, "utf8");
    this.#length = at + size;
    return size;
  }

  /** Writes ASCII text; writes nothing and returns false when the text has another character. */
  #ascii(value: string): boolean {
    const { length } = value;
    const at = this.#room(length);
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 0x7f) {
        this.#length = at;
        return false;
      }
      this.#bytes[at + index] = code;
    }
    return true;
  }

  zeroTerminated(value: string): void {
    this.utf8(value);
    this.uint8(0);
  }

  uuid(value: string): void {
    const at = this.#room(16);
    const bytes = this.#bytes;
    let from = 0;
    for (let index = 0; index < 16; index++) {
      if (value.charCodeAt(from) === 45) from++;
      bytes[at + index] =
        (nibble(value.charCodeAt(from)) << 4) | nibble(value.charCodeAt(from + 1));
      from += 2;
    }
  }

  /** Reserves four bytes for a length, which `closeLength` fills in. */
  openLength(): number {
    return this.#room(4);
  }

  /** `counted`: message lengths include their own four bytes, value lengths do not. */
  closeLength(at: number, counted: "with-itself" | "without-itself"): void {
    const size = this.#length - at;
    this.#view.setInt32(at, counted === "with-itself" ? size : size - 4);
  }
}

/** Up to this length, writing character by character is faster than a call of Buffer. */
const SHORT = 40;

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The value of a lower-case hexadecimal digit, given by its character code. */
function nibble(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}
