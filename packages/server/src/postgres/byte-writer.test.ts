import fc from "fast-check";
import { expect, it } from "vitest";
import { Bug } from "../std/assert.ts";
import { ByteWriter } from "./byte-writer.ts";

function bytesOf(write: (writer: ByteWriter) => void, initialBytes = 1): Buffer {
  const writer = new ByteWriter(initialBytes);
  write(writer);
  return Buffer.from(writer.written());
}

it("writes numbers in network order, negative ones in two's complement", () => {
  const bytes = bytesOf((writer) => {
    writer.uint8(0xfe);
    writer.int16(-2);
    writer.int32(-3);
    writer.int64(-4n);
  });
  expect(bytes.toString("hex")).toBe("fefffefffffffdfffffffffffffffc");
});

it("refuses a number that does not fit", () => {
  for (const write of [
    (writer: ByteWriter) => writer.int64(2n ** 63n),
    (writer: ByteWriter) => writer.int32(2 ** 31),
    (writer: ByteWriter) => writer.int32(0.5),
    (writer: ByteWriter) => writer.int16(2 ** 15),
    (writer: ByteWriter) => writer.wholeInt64(2 ** 53),
    (writer: ByteWriter) => writer.wholeInt64(Number.NaN),
  ]) {
    expect(() => bytesOf(write)).toThrow(Bug);
  }
});

it("writes integers of eight bytes like bigints", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      const whole = bytesOf((writer) => writer.wholeInt64(value));
      expect(whole).toEqual(bytesOf((writer) => writer.int64(BigInt(value))));
    }),
  );
});

it("writes the sixteen bytes of any uuid", () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(bytesOf((writer) => writer.uuid(uuid)).toString("hex")).toBe(uuid.replaceAll("-", ""));
    }),
  );
});

/** Characters of one to four bytes, and a lone surrogate, which becomes a replacement character. */
const CHARACTER = fc.constantFrom("a", "\0", "é", "€", "\u2028", "💶", "\ud83d");

it("writes text as UTF-8 and counts its bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: CHARACTER }), (text) => {
      let counted = -1;
      const bytes = bytesOf((writer) => {
        counted = writer.utf8(text);
      });
      expect(bytes).toEqual(Buffer.from(text, "utf8"));
      expect(counted).toBe(bytes.length);
    }),
  );
});

it("terminates a name with a zero byte", () => {
  expect(bytesOf((writer) => writer.zeroTerminated("e"))).toEqual(Buffer.from("e\0"));
  expect(bytesOf((writer) => writer.zeroTerminated("é"))).toEqual(Buffer.from([0xc3, 0xa9, 0]));
});

it("fills in nested lengths afterwards, with or without their own bytes", () => {
  const bytes = bytesOf((writer) => {
    const outer = writer.openLength();
    const inner = writer.openLength();
    writer.raw(Buffer.from("abc"));
    writer.closeLength(inner, "without-itself");
    writer.closeLength(outer, "with-itself");
  });
  expect(bytes.toString("hex")).toBe("0000000b00000003616263");
});

it("keeps its bytes when it grows, and starts again when cleared", () => {
  const writer = new ByteWriter(1);
  for (let index = 0; index < 10_000; index++) writer.uint8(index & 0xff);
  expect(writer.length).toBe(10_000);
  expect([...writer.written().subarray(9_997)]).toEqual([13, 14, 15]);
  writer.clear();
  expect(writer.written()).toHaveLength(0);
});
