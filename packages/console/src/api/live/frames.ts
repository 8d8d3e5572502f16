/** Parses the frames of a stream of server-sent events. */
export interface Frame {
  /** The position after this frame; undefined for a comment. */
  readonly seq: number | undefined;
  readonly event: string;
  readonly data: string;
}

/** The server's frames are far shorter. A longer one is an error, which bounds the memory. */
const LONGEST_FRAME = 65_536;

/** Ends with the stream. A partial frame at the end is dropped; its position was not passed on, so it is sent again. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      for (let end = rest.indexOf("\n\n"); end !== -1; end = rest.indexOf("\n\n")) {
        yield toFrame(rest.slice(0, end));
        rest = rest.slice(end + 2);
      }
      if (rest.length > LONGEST_FRAME) throw new Error("a frame of the live stream has no end");
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function toFrame(text: string): Frame {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const colon = line.indexOf(": ");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const id = fields.get("id");
  return {
    seq: id === undefined ? undefined : Number(id),
    event: fields.get("event") ?? "",
    data: fields.get("data") ?? "",
  };
}
