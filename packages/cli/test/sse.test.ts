import { expect, it } from "vitest";
import { type Frame, readFrames } from "../src/listen/sse.ts";

async function framesIn(chunks: readonly Uint8Array[]): Promise<readonly Frame[]> {
  async function* bytes() {
    yield* chunks;
  }
  const frames: Frame[] = [];
  for await (const frame of readFrames(bytes())) frames.push(frame);
  return frames;
}

it("frames are read whole, wherever the bytes are cut", async () => {
  const text = ': sig s1\nid: 1\nevent: A\ndata: {"a":"é"}\n\n:\n\nretry: 50\n\nid: 2\ndata';
  const frames = [
    { message: { id: "1", type: "A", body: '{"a":"é"}', signature: "s1" } },
    {},
    { retryMs: 50 },
  ];
  const bytes = Buffer.from(text);
  expect(await framesIn([bytes])).toEqual(frames);
  expect(await framesIn([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(frames);
});

it("a frame without an end is no stream, and is not collected for ever", async () => {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  await expect(framesIn(Array.from({ length: 16 }, () => chunk))).resolves.toEqual([]);
  await expect(framesIn(Array.from({ length: 17 }, () => chunk))).rejects.toThrow(
    "a frame without an end",
  );
});
