/** Readers of `GET /events/stream` and of other server-sent events. */
import { present } from "../../src/std/assert.ts";
import type { Story } from "./story.ts";

export interface StreamedEvent {
  readonly id: number;
  readonly event: string;
  readonly data: string;
  readonly signature: string;
}

export interface EventStreamReader {
  readonly events: readonly StreamedEvent[];
  /** All that has come, with comments. */
  text(): string;
  readonly ended: Promise<void>;
  leave(): void;
}

export async function readEvents(
  story: Story,
  { query = "", headers = {}, baseUrl = story.server.baseUrl } = {},
): Promise<EventStreamReader> {
  const events: StreamedEvent[] = [];
  const url = `${baseUrl}/events/stream${query}`;
  const sent = { authorization: story.authorization, ...headers };
  const reader = await readFrames(url, sent, (frame) => events.push(...toEvent(frame)));
  return { events, ...reader };
}

/** Reads any stream of server-sent events, and hands on its frames. */
export async function readFrames(
  url: string,
  headers: Readonly<Record<string, string>>,
  onFrame: (frame: string) => void,
): Promise<Omit<EventStreamReader, "events">> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  let text = "";
  let rest = "";
  const body = present(response.body, "the body of a stream");
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      const frames = (rest + piece).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) onFrame(frame);
    }
  };
  return {
    text: () => text,
    ended: read().catch(() => undefined),
    leave: () => leaving.abort(),
  };
}

function toEvent(frame: string): readonly StreamedEvent[] {
  const lines = new Map(
    frame.split("\n").map((line) => {
      const place = line.indexOf(": ");
      return [line.slice(0, place), line.slice(place + 2)];
    }),
  );
  const [id, event, data] = [lines.get("id"), lines.get("event"), lines.get("data")];
  if (id === undefined || event === undefined || data === undefined) return [];
  return [{ id: Number(id), event, data, signature: (lines.get("") ?? "").slice("sig ".length) }];
}
