import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jpeg, png, pngOf, webp } from "../../test/kit/images.ts";
import { readImageHeader } from "./image-header.ts";

describe("the header of an image", () => {
  it.each([
    ["a PNG", png({ width: 30, height: 20 }), "image/png"],
    ["a JPEG", jpeg(), "image/jpeg"],
    ["a lossy WebP", webp("VP8 "), "image/webp"],
    ["a lossless WebP", webp("VP8L"), "image/webp"],
    ["an extended WebP", webp("VP8X"), "image/webp"],
  ] as const)("of %s has its format and size", (_what, bytes, mediaType) => {
    expect(readImageHeader(bytes)).toEqual({ mediaType, width: 30, height: 20 });
  });

  it("has the size that is declared, however large", () => {
    const bomb = pngOf({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 });
    expect(readImageHeader(bomb)).toMatchObject({ width: 2 ** 31 - 1 });
    const sizes = { width: 16_384, height: 16_384 };
    expect(readImageHeader(webp("VP8L", sizes))).toMatchObject(sizes);
  });

  const whole = png();
  it.each([
    ["nothing", Buffer.alloc(0)],
    ["markup", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["a PDF", Buffer.from("%PDF-1.7\n")],
    ["the first bytes of a PNG", whole.subarray(0, 16)],
    ["a PNG without its end", whole.subarray(0, -1)],
    ["a PNG with something after its end", Buffer.concat([whole, Buffer.from("<script>")])],
    ["a PNG without pixels", pngOf({ width: 0, height: 20 })],
    [
      "a PNG that begins with another chunk",
      Buffer.concat([whole.subarray(0, 8), whole.subarray(33)]),
    ],
    ["a JPEG without its end", jpeg().subarray(0, -2)],
    ["a JPEG without a frame", Buffer.concat([jpeg().subarray(0, 8), jpeg().subarray(21)])],
    ["a JPEG with two frames", Buffer.concat([jpeg().subarray(0, 21), jpeg().subarray(8)])],
    [
      "a JPEG whose segment ends beyond it",
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0]),
    ],
    ["a WebP of another length", webp("VP8L").subarray(0, -1)],
    ["a WebP without a known chunk", Buffer.from(webp("VP8L")).fill("X", 12, 16)],
  ])("is missing in %s", (_what, bytes) => {
    expect(readImageHeader(bytes)).toBeUndefined();
  });

  it("is looked for in any bytes without a failure", () => {
    const samples = [
      png({ width: 4, height: 4 }),
      jpeg(),
      webp("VP8 "),
      webp("VP8L"),
      webp("VP8X"),
    ];
    const broken = fc
      .tuple(fc.constantFrom(...samples), fc.nat(), fc.uint8Array({ maxLength: 8 }), fc.nat())
      .map(([sample, at, patch, end]) => {
        const bytes = Buffer.from(sample);
        bytes.set(
          patch.subarray(0, Math.max(0, bytes.length - (at % bytes.length))),
          at % bytes.length,
        );
        return bytes.subarray(0, end % (bytes.length + 1));
      });
    fc.assert(
      fc.property(broken, (bytes) => {
        const header = readImageHeader(bytes);
        if (header !== undefined) expect(Math.min(header.width, header.height)).toBeGreaterThan(0);
      }),
      { numRuns: 3_000 },
    );
  });
});
