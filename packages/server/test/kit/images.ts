/** Small images: a PNG that every browser shows, and the structure of a JPEG and of a WebP. */
import { crc32, deflateSync } from "node:zlib";

export interface Pixels {
  readonly width?: number;
  readonly height?: number;
}

/** A mark on a transparent ground: a disc with a bar. */
export function png({ width = 120, height = 120 }: Pixels = {}): Buffer {
  const rows = Array.from({ length: Math.min(height, 400) }, (_, y) => rowOf(y, width, height));
  return pngOf({ width, height, pixels: deflateSync(Buffer.concat(rows)) });
}

/** A PNG that declares this size, whatever its pixels are. */
export function pngOf(of: {
  readonly width: number;
  readonly height: number;
  readonly pixels?: Buffer;
}): Buffer {
  const { width, height, pixels = deflateSync(Buffer.alloc(5)) } = of;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function rowOf(y: number, width: number, height: number): Buffer {
  const row = Buffer.alloc(1 + width * 4);
  for (let x = 0; x < width; x += 1) {
    const [right, down] = [(2 * x) / width - 1, (2 * y) / height - 1];
    const isDisc = right * right + down * down < 1;
    const isBar = Math.abs(right) < 0.18 && Math.abs(down) < 0.55;
    if (isDisc) row.set(isBar ? [255, 255, 255, 255] : [11, 110, 79, 255], 1 + x * 4);
  }
  return row;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Markers of a JPEG: a comment, a frame of this size, a scan, the end. */
export function jpeg({ width = 30, height = 20 }: Pixels = {}): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 4, 0x68, 0x69]),
    frame,
    Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 0x2a, 0xff, 0xd9]),
  ]);
}

/** A WebP whose first chunk is of this kind. */
export function webp(
  kind: "VP8 " | "VP8L" | "VP8X",
  { width = 30, height = 20 }: Pixels = {},
): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write(`WEBP${kind}`, 8, "latin1");
  bytes.writeUInt32LE(20, 16);
  if (kind === "VP8X") {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (kind === "VP8L") {
    bytes[20] = 0x2f;
    bytes.writeUInt32LE(((height - 1) << 14) | (width - 1), 21);
  } else {
    bytes.writeUIntBE(0x9d012a, 23, 3);
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  }
  return bytes;
}
