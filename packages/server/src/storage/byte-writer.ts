/** A growing buffer for protocol messages: written once from front to back, lengths patched in afterwards. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(initialBytes = 65_536) {
    this.#bytes = Buffer.allocUnsafe(initialBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** What was written so far. It changes with the next write after `clear`. */
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
    }
    this.#length = end;
    return at;
  }

  uint8(value: number): void {
    const at = this.#room(1);
    this.#bytes[at] = value;
  }

  int16(value: number): void {
    const at = this.#room(2);
    this.#bytes.writeInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.#room(4);
    this.#bytes.writeInt32BE(value, at);
  }

  int64(value: bigint): void {
    const at = this.#room(8);
    this.#bytes.writeBigInt64BE(value, at);
  }

  raw(value: Uint8Array): void {
    const at = this.#room(value.length);
    this.#bytes.set(value, at);
  }

  /** UTF-8 text without a terminator; answers how many bytes it took. */
  utf8(value: string): number {
    const most = value.length * 3;
    const at = this.#room(most);
    const size = this.#bytes.write(value, at, "utf8");
    this.#length = at + size;
    return size;
  }

  zeroTerminated(value: string): void {
    this.utf8(value);
    this.uint8(0);
  }

  /** A uuid in its 16 bytes. */
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

  /** Leaves four bytes for a length; `closeLength` fills them with what came after. */
  openLength(): number {
    return this.#room(4);
  }

  /** `counted` is whether the four bytes count themselves, as message lengths do and value lengths do not. */
  closeLength(at: number, counted: "with-itself" | "without-itself"): void {
    const size = this.#length - at;
    this.#bytes.writeInt32BE(counted === "with-itself" ? size : size - 4, at);
  }
}

/** The value of a lower-case hexadecimal digit. */
function nibble(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}
