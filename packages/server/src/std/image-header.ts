/**
 * Reads the format and the size in pixels from the header of an image. Nothing is decoded. The structure of the file is
 * walked to its end, so that a file that only begins like an image is rejected.
 */

export type ImageType = "image/png" | "image/jpeg" | "image/webp";

export interface ImageHeader {
  readonly mediaType: ImageType;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The header of a whole PNG, JPEG or WebP file; undefined for any other bytes, and for an image without pixels. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  for (const [mediaType, sizeOf] of FORMATS) {
    const size = sizeOf(bytes);
    if (size === undefined || size.width === 0 || size.height === 0) continue;
    return { mediaType, ...size };
  }
  return undefined;
}

const FORMATS: readonly (readonly [ImageType, (bytes: Buffer) => Size | undefined])[] = [
  ["image/png", sizeOfPng],
  ["image/jpeg", sizeOfJpeg],
  ["image/webp", sizeOfWebp],
];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length, type and checksum of a chunk. */
const PNG_CHUNK_BYTES = 12;

/** A PNG begins with IHDR, has an IDAT, and ends with IEND at the last byte. */
function sizeOfPng(bytes: Buffer): Size | undefined {
  if (!bytes.subarray(0, PNG.length).equals(PNG)) return undefined;
  let size: Size | undefined;
  let hasPixels = false;
  for (let at = PNG.length; at + PNG_CHUNK_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const next = at + PNG_CHUNK_BYTES + length;
    if (next > bytes.length || (at === PNG.length) !== (type === "IHDR")) return undefined;
    if (type === "IHDR") {
      if (length !== 13) return undefined;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (type === "IDAT") hasPixels = true;
    if (type === "IEND") return hasPixels && next === bytes.length ? size : undefined;
    at = next;
  }
  return undefined;
}

const JPEG_SCAN = 0xda;
const JPEG_END = 0xd9;

/** The first frame of a JPEG that has a scan and an end. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let size: Size | undefined;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Any number of 0xff may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === JPEG_SCAN) return endsAsJpeg(bytes) ? size : undefined;
    const length = bytes.readUInt16BE(at + 2);
    if (isFrame(marker)) {
      // A second frame would let the first one name a smaller size.
      if (size !== undefined || length < 8 || at + 9 > bytes.length) return undefined;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

function endsAsJpeg(bytes: Buffer): boolean {
  return bytes.at(-2) === 0xff && bytes.at(-1) === JPEG_END;
}

/** SOF0 to SOF15, without the tables that lie between them (DHT, JPG, DAC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The first chunk of a WebP whose RIFF length is that of the file. */
function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.toString("latin1", 0, 4) !== "RIFF") return undefined;
  if (bytes.toString("latin1", 8, 12) !== "WEBP") return undefined;
  // The length is even: an odd chunk is followed by a byte that does not count in the chunk's own length.
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return sizeOfVp8(bytes);
    case "VP8L":
      return sizeOfVp8l(bytes);
    case "VP8X":
      return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    default:
      return undefined;
  }
}

const FOURTEEN_BITS = 0x3fff;

function sizeOfVp8(bytes: Buffer): Size | undefined {
  if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
  const [width, height] = [bytes.readUInt16LE(26), bytes.readUInt16LE(28)];
  return { width: width & FOURTEEN_BITS, height: height & FOURTEEN_BITS };
}

function sizeOfVp8l(bytes: Buffer): Size | undefined {
  if (bytes[20] !== 0x2f) return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: 1 + (bits & FOURTEEN_BITS), height: 1 + ((bits >>> 14) & FOURTEEN_BITS) };
}
