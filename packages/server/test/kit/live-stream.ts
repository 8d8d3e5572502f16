/** Readers of `GET /console/api/p/{platformId}/live`, as a page of the console reads it. */
import { type ConsoleBrowser, originOf } from "./console.ts";
import { type EventStreamReader, readFrames } from "./event-stream.ts";
import type { TestServer } from "./test-server.ts";

export interface LiveReader extends Omit<EventStreamReader, "events"> {
  readonly notices: readonly Readonly<Record<string, unknown>>[];
  /** Sequences of `missed`. */
  readonly missed: readonly number[];
  /** All positions that came, also without a notice. */
  readonly positions: readonly number[];
  hasEnded(): boolean;
}

export async function readLive(
  browser: ConsoleBrowser,
  platformId: string,
  {
    query = "",
    headers = {},
    server = browser.server,
  }: {
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly server?: TestServer;
  } = {},
): Promise<LiveReader> {
  const notices: Readonly<Record<string, unknown>>[] = [];
  const missed: number[] = [];
  const positions: number[] = [];
  const base = `http://127.0.0.1:${server.app.address.port}/console/api`;
  const sent = {
    "sec-fetch-site": "same-origin",
    origin: originOf(server),
    cookie: browser.cookie ?? "",
    "florin-csrf": browser.csrf ?? "",
    ...headers,
  };
  const url = `${base}/p/PlatformConfig:${platformId}/live${query}`;
  let isEnded = false;
  const reader = await readFrames(url, sent, (frame) => {
    const lines = new Map(
      frame.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]),
    );
    if (lines.has("id")) positions.push(Number(lines.get("id")));
    if (lines.get("event") === "notice") notices.push(JSON.parse(lines.get("data") ?? ""));
    if (lines.get("event") === "missed") missed.push(JSON.parse(lines.get("data") ?? "").seq);
  });
  void reader.ended.then(() => {
    isEnded = true;
  });
  return { ...reader, notices, missed, positions, hasEnded: () => isEnded };
}
