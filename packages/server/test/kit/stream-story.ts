/** A server for each test whose time is moved on by hand, a platform, and the streams that a test has opened. */
import { afterEach, beforeEach, expect } from "vitest";
import { systemClock } from "../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser } from "./console.ts";
import { makeOwner } from "./console-people.ts";
import { type EventStreamReader, readEvents } from "./event-stream.ts";
import { type LiveReader, readLive } from "./live-stream.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { soon } from "./soon.ts";
import { openStory, type Story } from "./story.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

export interface StreamStory {
  clock: ManualClock;
  server: TestServer;
  story: Story;
  /** Of the workspace, where the story has people. */
  owner: ConsoleBrowser;
  /** Time goes on until the expectation holds. */
  asTimePasses(expectation: () => void | Promise<void>): Promise<void>;
  /** A stop waits for connections that are silent, by the clock. */
  closeAsTimePasses(stopping: TestServer): Promise<void>;
  lastSequence(): Promise<number>;
  endsWithin(reader: LiveReader, ms: number): Promise<void>;
  /** A reader of the console's live stream; the owner's, unless it is told. */
  live(browser?: ConsoleBrowser, options?: Parameters<typeof readLive>[2]): Promise<LiveReader>;
  /** A reader of the API's stream of events. */
  events(wish?: Parameters<typeof readEvents>[1]): Promise<EventStreamReader>;
  /** Leaves the stream that was opened last. */
  leaveLast(): void;
}

export function streamStory({ hasPeople }: { readonly hasPeople: boolean }): StreamStory {
  const readers: { leave(): void }[] = [];
  const streams = {
    async asTimePasses(expectation) {
      await soon(async () => {
        await streams.clock.advance(50);
        await expectation();
      });
    },
    async closeAsTimePasses(stopping) {
      let isClosed = false;
      const closed = stopping.close().finally(() => {
        isClosed = true;
      });
      await streams.asTimePasses(() => expect(isClosed).toBe(true));
      await closed;
    },
    async lastSequence() {
      return (await streams.story.call("GET", "/events?limit=1")).json.data[0].sequence;
    },
    async endsWithin(reader, ms) {
      const began = streams.clock.now();
      await streams.asTimePasses(() => expect(reader.hasEnded()).toBe(true));
      expect(streams.clock.now() - began).toBeLessThanOrEqual(ms);
    },
    async live(browser = streams.owner, options = {}) {
      const reader = await readLive(browser, streams.story.platformId, options);
      readers.push(reader);
      await soon(() => expect(reader.text()).toContain(": florin live"));
      return reader;
    },
    async events(wish = {}) {
      const reader = await readEvents(streams.story, wish);
      readers.push(reader);
      await soon(() => expect(reader.text()).toContain(": florin events"));
      return reader;
    },
    leaveLast: () => readers.pop()?.leave(),
  } as StreamStory;

  beforeEach(async () => {
    streams.clock = createManualClock(systemClock.now());
    streams.server = await startTestServer({ clock: streams.clock });
    const { workspaceId } = await streams.server.makePlatform();
    streams.story = await openStory(streams.server, { workspaceId });
    streams.owner = hasPeople
      ? await makeOwner(streams.server, workspaceId)
      : openBrowser(streams.server);
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.leave();
    await streams.closeAsTimePasses(streams.server);
  });
  return streams;
}
