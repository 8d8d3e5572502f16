/** `florin listen` against a stream that breaks and a receiver that restarts. */
import { setMaxListeners } from "node:events";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeEvents, startFakeEvents } from "./kit/fake-events.ts";
import { startReceiver } from "./kit/receiver.ts";
import { type Ended, openShell } from "./kit/shell.ts";

const shell = openShell({ FLORIN_CLIENT_ID: "id", FLORIN_CLIENT_SECRET: "tell-nobody" });
afterAll(() => shell.remove());

let api: FakeEvents;
beforeEach(async () => {
  api = await startFakeEvents();
});
afterEach(() => api.close());

interface Listening {
  /** All that was written, of both streams. */
  text(): string;
  stop(): Promise<Ended>;
}

function listen(words: readonly string[] = []): Listening {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  let text = "";
  const ended = shell.run(["listen", ...words], {
    env: { FLORIN_URL: api.baseUrl },
    stopped: stopping.signal,
    onOutput: (piece) => {
      text += piece;
    },
  });
  return {
    text: () => text,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

const opened = (count: number) => expect.poll(() => api.starts.length).toBe(count);

describe("listen", () => {
  it("begins behind the newest event, and shows those that come", async () => {
    api.add({ resource: "Transaction:old" });
    const listening = listen();
    await opened(1);
    api.add({ resource: "Transaction:new" });
    await expect.poll(listening.text).toContain("Transaction:new");
    const { code, out, errors } = await listening.stop();
    expect(code).toBe(0);
    expect(out).toMatch(
      /^ +2 {2}2026-11-21T10:00:00.000Z {2}OUTGOING_PAYMENT.PENDING +Transaction:new\n$/,
    );
    expect(errors).toContain("stopped; to go on: florin listen --since 3\n");
  });

  it("goes on after a cut and after an end without a gap or a repeat", async () => {
    const listening = listen(["--json"]);
    await opened(1);
    const bodies: string[] = [];
    for (const [index, how] of (["cut", "end", "cut"] as const).entries()) {
      bodies.push(api.add({ resource: "Transaction:1", text: "ü\u2028\\n𝄞" }).body);
      await expect.poll(listening.text).toContain(bodies.at(-1));
      api.drop(how);
      // Happens while nobody listens.
      bodies.push(api.add({ resource: "Transaction:1" }).body);
      await opened(index + 2);
    }
    await expect.poll(listening.text).toContain(bodies.at(-1));
    const { out } = await listening.stop();
    expect(out).toBe(bodies.map((body) => `${body}\n`).join(""));
    expect(api.starts).toEqual([0, 1, 3, 5]);
  });

  it("begins with the event that --since names", async () => {
    for (const name of ["a", "b", "c"]) api.add({ resource: `Transaction:${name}` });
    const listening = listen(["--since", "2"]);
    await expect.poll(listening.text).toContain("Transaction:c");
    expect((await listening.stop()).out).not.toContain("Transaction:a");
  });

  it("shows the types alone that were asked for", async () => {
    const listening = listen(["--events", "CUSTOMER.*,TEST"]);
    await opened(1);
    for (const type of ["CUSTOMER.FROZEN", "OUTGOING_PAYMENT.PENDING", "TEST"]) {
      api.add({ resource: "Thing:1", type });
    }
    await expect.poll(listening.text).toContain("TEST");
    const { out } = await listening.stop();
    expect(out).toContain("CUSTOMER.FROZEN");
    expect(out).not.toContain("OUTGOING_PAYMENT");
  });

  it.each([
    [["--since", "yesterday"], 2],
    [["--forward-to", "ftp://localhost"], 2],
    [["--forward-to", "http://a:tell-nobody@localhost"], 2],
    [["--events", ","], 2],
  ])("refuses %j", async (words, code) => {
    const { code: ended, errors } = await listen(words).stop();
    expect(ended).toBe(code);
    expect(errors).not.toContain("tell-nobody");
  });

  it.each([
    [401, 4],
    [403, 1],
  ])("ends on a refusal with %i", async (status, code) => {
    const listening = listen();
    await opened(1);
    api.refuse(status);
    api.drop("cut");
    await expect.poll(listening.text).toContain("florin: REFUSED: No.".slice(8));
    expect((await listening.stop()).code).toBe(code);
  });

  it("waits for a server that restarts", async () => {
    const listening = listen();
    await opened(1);
    api.refuse(503);
    api.drop("end");
    await expect.poll(() => listening.text().match(/broke/g)?.length ?? 0).toBeGreaterThan(5);
    api.refuse(undefined);
    api.add({ resource: "Transaction:late" });
    await expect.poll(listening.text).toContain("Transaction:late");
    expect((await listening.stop()).code).toBe(0);
  });
});

describe("forwarding", () => {
  it("posts the exact bytes with signature and sequence to the URL as given", async () => {
    const receiver = await startReceiver(({ sequence }) => (sequence === 1 ? 200 : 500));
    const listening = listen(["--forward-to", `http://127.0.0.1:${receiver.port}/hook?a=b%20c&a`]);
    await opened(1);
    const events = [api.add({ resource: "A:1", text: "ü𝄞" }), api.add({ resource: "A:1" })];
    await expect.poll(listening.text).toMatch(/-> 500 {2}\d+ ms/);
    expect((await listening.stop()).out).toMatch(/-> 200 {2}\d+ ms/);
    expect(receiver.posts).toEqual(
      events.map(({ sequence, body }) => ({
        url: "/hook?a=b%20c&a",
        sequence,
        body,
        signature: `{"v":"1","s":"sig-${sequence}"}`,
      })),
    );
    await receiver.close();
  });

  it("keeps the order of a resource and does not let one wait for another", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const receiver = await startReceiver(async ({ sequence }) => {
      if (sequence === 1) await held;
      return 200;
    });
    const listening = listen(["--forward-to", `http://127.0.0.1:${receiver.port}/`]);
    await opened(1);
    for (const resource of ["A:1", "A:1", "B:1", "C:1"]) api.add({ resource });
    await expect.poll(() => receiver.posts.map(({ sequence }) => sequence)).toEqual([1, 3, 4]);
    release();
    await expect.poll(() => receiver.posts.map(({ sequence }) => sequence)).toEqual([1, 3, 4, 2]);
    await listening.stop();
    await receiver.close();
  });

  it("loses and doubles nothing over restarts of the server and of the receiver", async () => {
    const first = await startReceiver();
    const { port } = first;
    const listening = listen(["--forward-to", `http://127.0.0.1:${port}/`]);
    await opened(1);
    for (let index = 0; index < 50; index += 1) api.add({ resource: `A:${index % 5}` });
    await expect.poll(() => first.posts.length).toBe(50);
    await first.close();
    for (let index = 0; index < 50; index += 1) api.add({ resource: `A:${index % 5}` });
    await expect.poll(listening.text).toContain("posting it again");
    api.drop("cut");
    await opened(2);
    const second = await startReceiver(() => 200, port);
    for (let index = 0; index < 50; index += 1) api.add({ resource: `A:${index % 5}` });
    await expect.poll(() => second.posts.length).toBe(100);
    const { errors } = await listening.stop();
    expect(errors).toContain("--since 151");
    const posts = [...first.posts, ...second.posts];
    expect(new Set(posts.map(({ sequence }) => sequence)).size).toBe(150);
    for (let resource = 0; resource < 5; resource += 1) {
      const own = posts.filter(({ body }) => body.includes(`"A:${resource}"`));
      const sequences = own.map(({ sequence }) => sequence);
      expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
    }
    await second.close();
  });

  it("reads no more than it can hold, and stops all the same", async () => {
    const listening = listen(["--forward-to", "http://127.0.0.1:9/"]);
    await opened(1);
    for (let index = 0; index < 1_100; index += 1) api.add({ resource: `A:${index % 50}` });
    await expect.poll(listening.text).toContain("posting it again");
    expect((await listening.stop()).errors).toContain("--since 1\n");
  });

  it("names the first event that the receiver does not have when it is stopped", async () => {
    const listening = listen(["--forward-to", "http://127.0.0.1:9/"]);
    await opened(1);
    api.add({ resource: "A:1" });
    await expect.poll(listening.text).toContain("posting it again");
    api.add({ resource: "A:1" });
    expect((await listening.stop()).errors).toContain("--since 1\n");
  });
});
