import { expect, it } from "vitest";
import { type Frame, framesOf } from "./frames.ts";

async function read(...pieces: readonly string[]): Promise<readonly Frame[]> {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of bytes) controller.enqueue(piece);
      controller.close();
    },
  });
  const frames: Frame[] = [];
  for await (const frame of framesOf(stream)) frames.push(frame);
  return frames;
}

it("reads positions, events and data, wherever the stream is cut", async () => {
  const text = ': florin live\n\nid: 7\nevent: notice\ndata: {"seq":7,"id":"A:b"}\n\nid: 8\n\n';
  const whole = await read(text);
  expect(whole).toEqual([
    { seq: undefined, event: "", data: "" },
    { seq: 7, event: "notice", data: '{"seq":7,"id":"A:b"}' },
    { seq: 8, event: "", data: "" },
  ]);
  for (let cut = 1; cut < text.length; cut++) {
    expect(await read(text.slice(0, cut), text.slice(cut))).toEqual(whole);
  }
});

it("drops a frame that has no end, and refuses one that grows without an end", async () => {
  expect(await read("id: 7\nevent: notice")).toEqual([]);
  await expect(read("x".repeat(70_000))).rejects.toThrow("no end");
});
