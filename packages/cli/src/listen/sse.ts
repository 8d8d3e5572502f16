/** Parses server-sent events from the bytes of an answer. */

export interface Message {
  readonly id: string;
  readonly type: string;
  /** The exact text of the data. */
  readonly body: string;
  /** For an event, the value of `X-Service-Signature` for these bytes. */
  readonly signature: string | undefined;
}

/** A heartbeat is a frame without a message. */
export interface Frame {
  readonly message?: Message;
  readonly retryMs?: number;
}

/** Far above the size of any message; a longer frame is not from such a stream. */
const LONGEST_FRAME = 16 * 1024 * 1024;
const SIGNATURE = "sig ";

export async function* readFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    if (rest.length > LONGEST_FRAME) throw new Error("the stream has a frame without an end");
    for (const part of parts) yield toFrame(part);
  }
}

function toFrame(text: string): Frame {
  const fields = new Map<string, string>();
  let signature: string | undefined;
  for (const line of text.split("\n")) {
    const place = line.indexOf(":");
    const name = place < 0 ? line : line.slice(0, place);
    const value = place < 0 ? "" : line.slice(place + (line[place + 1] === " " ? 2 : 1));
    if (name === "" && value.startsWith(SIGNATURE)) signature = value.slice(SIGNATURE.length);
    else if (name === "data" && fields.has("data"))
      fields.set("data", `${fields.get("data")}\n${value}`);
    else if (name !== "") fields.set(name, value);
  }
  const [id, type, body, retry] = ["id", "event", "data", "retry"].map((name) => fields.get(name));
  const retryMs = retry !== undefined && /^\d{1,6}$/.test(retry) ? { retryMs: Number(retry) } : {};
  if (id === undefined || type === undefined || body === undefined) return retryMs;
  return { ...retryMs, message: { id, type, body, signature } };
}
