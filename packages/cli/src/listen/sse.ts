/** Server-sent events of `GET /events/stream`, from the bytes of its answer. */

export interface StreamedEvent {
  readonly sequence: number;
  readonly type: string;
  /** The exact text of the event. */
  readonly body: string;
  /** The value of `X-Service-Signature` for these bytes. */
  readonly signature: string | undefined;
}

/** A heartbeat is a frame without an event. */
export interface Frame {
  readonly event?: StreamedEvent;
  readonly retryMs?: number;
}

/** Far above what an event takes; more is no stream of events. */
const LONGEST_FRAME = 16 * 1024 * 1024;
const SIGNATURE = "sig ";

export async function* readFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    if (rest.length > LONGEST_FRAME) throw new Error("the event stream has a frame without an end");
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
  if (id === undefined || type === undefined || body === undefined || !/^\d{1,15}$/.test(id))
    return retryMs;
  return { ...retryMs, event: { sequence: Number(id), type, body, signature } };
}
