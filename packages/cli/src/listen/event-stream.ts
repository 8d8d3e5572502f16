/**
 * A stream of server-sent events that reconnects: each connection resumes after the last received message, so none is missed or
 * repeated. A connection without even a heartbeat is aborted.
 */
import { accepted, type Endpoint, reasonOf } from "../connection/send.ts";
import { NotReached } from "../failures.ts";
import type { Host } from "../host.ts";
import { type Message, readFrames } from "./sse.ts";

/** The server sends a line at least every 20 s. */
const SILENCE_MS = 50_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;
/** The tries until the first connection succeeds; after that the stream reconnects until it is stopped. */
const FIRST_TRIES = 4;

export interface StreamedEvent {
  readonly sequence: number;
  readonly type: string;
  /** The exact text of the event. */
  readonly body: string;
  readonly signature: string | undefined;
}

export interface Followed {
  /** The path below the version segment. */
  readonly path: string;
  /** The id of the message after which the stream begins; undefined to begin now. */
  readonly after: string | undefined;
  /** Whether the message with this id comes after the last one. */
  readonly isNew: (id: string, after: string | undefined) => boolean;
}

interface Line {
  /** The id of the last received message. */
  after: string | undefined;
  hasConnected: boolean;
  delayMs: number;
  failures: number;
}

/** The events of a platform after this sequence. */
export async function* followEvents(
  host: Host,
  endpoint: Endpoint,
  after: number,
): AsyncGenerator<StreamedEvent, void> {
  const isNew = (id: string, last: string | undefined) =>
    /^\d{1,15}$/.test(id) && Number(id) > Number(last);
  const followed = { path: "/events/stream", after: String(after), isNew };
  for await (const { id, ...event } of followStream(host, endpoint, followed)) {
    yield { ...event, sequence: Number(id) };
  }
}

export async function* followStream(
  host: Host,
  endpoint: Endpoint,
  { path, after, isNew }: Followed,
): AsyncGenerator<Message, void> {
  const line: Line = { after, hasConnected: false, delayMs: FIRST_DELAY_MS, failures: 0 };
  while (!host.stopped.aborted) {
    const watch = new AbortController();
    const silence = watchSilence(host, watch);
    let lost = "the server ended the stream";
    try {
      const url = `${endpoint.url}${path}`;
      yield* readConnection(host, { endpoint, url, isNew, line, watch, heard: silence.heard });
    } catch (error) {
      if (isFinal(error) || host.stopped.aborted) {
        if (host.stopped.aborted) return;
        throw error;
      }
      lost = `the stream broke: ${reasonOf(error)}`;
    } finally {
      silence.end();
      watch.abort();
    }
    if (host.stopped.aborted) return;
    line.failures += 1;
    if (!line.hasConnected && line.failures >= FIRST_TRIES) throw new NotReached(lost);
    const from = line.after === undefined ? "" : ` after ${line.after}`;
    host.writeError(`florin: ${lost}; going on${from}\n`);
    await host.pause(line.delayMs, host.stopped);
    line.delayMs = Math.min(LONGEST_DELAY_MS, line.delayMs * 2);
  }
}

/** Whether the error is a refusal, which another try would get again. */
function isFinal(error: unknown): boolean {
  return error instanceof Error && (error.name === "Refused" || error.name === "NotSignedIn");
}

async function* readConnection(
  host: Host,
  from: {
    readonly endpoint: Endpoint;
    readonly url: string;
    readonly isNew: Followed["isNew"];
    readonly line: Line;
    readonly watch: AbortController;
    readonly heard: () => void;
  },
): AsyncGenerator<Message, void> {
  const { endpoint, url, isNew, line, watch, heard } = from;
  const response = await host.fetch(url, {
    headers: {
      accept: "text/event-stream",
      ...(line.after === undefined ? {} : { "last-event-id": line.after }),
      ...(endpoint.authorization === undefined ? {} : { authorization: endpoint.authorization }),
    },
    redirect: "manual",
    signal: AbortSignal.any([watch.signal, host.stopped]),
  });
  heard();
  if (response.status !== 200 || response.body === null) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const answer = { status: response.status, bytes, text: new TextDecoder().decode(bytes) };
    if (response.status === 429) throw new Error("the platform has too many of these streams open");
    accepted(answer);
    throw new Error(`status ${response.status}`);
  }
  line.hasConnected = true;
  for await (const { message, retryMs } of readFrames(heardChunks(response.body, heard))) {
    line.delayMs = retryMs ?? FIRST_DELAY_MS;
    if (message === undefined || !isNew(message.id, line.after)) continue;
    line.after = message.id;
    yield message;
  }
}

async function* heardChunks(
  body: AsyncIterable<Uint8Array>,
  heard: () => void,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of body) {
    heard();
    yield chunk;
  }
}

/** Aborts the connection when no bytes were read for `SILENCE_MS`, even if the reader was slow; the stream then resumes. */
function watchSilence(host: Host, connection: AbortController) {
  let heardAt = host.now();
  const ending = new AbortController();
  const watch = async () => {
    while (!ending.signal.aborted) {
      await host.pause(SILENCE_MS / 5, ending.signal);
      if (!ending.signal.aborted && host.now() - heardAt > SILENCE_MS) connection.abort();
    }
  };
  void watch();
  return {
    heard: () => {
      heardAt = host.now();
    },
    end: () => ending.abort(),
  };
}
