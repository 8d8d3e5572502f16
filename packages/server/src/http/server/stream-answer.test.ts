import { createServer, request as requestOf, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { soon } from "../../../test/kit/soon.ts";
import type { StreamLife } from "../request/operation.ts";
import { createStreams } from "./stream-answer.ts";

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

type Pieces = (life: StreamLife) => AsyncIterable<string | Buffer>;

async function serve(body: Pieces) {
  const streams = createStreams((response) => response.writeHead(200));
  const failures: unknown[] = [];
  server = createServer((_request, response) => {
    const answer = { status: 200 as const, contentType: "text/plain", body };
    const confirm = () => Promise.resolve();
    streams.send(response, "request", { answer, confirm }).catch((thrown: unknown) => {
      failures.push(thrown);
      response.writeHead(418).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, streams, failures };
}

it("makes no piece before the connection has taken the one before", async () => {
  let made = 0;
  const { port } = await serve(async function* () {
    for (; made < 200; made++) yield Buffer.alloc(256 * 1024);
  });
  const response = await new Promise<import("node:http").IncomingMessage>((resolve) => {
    requestOf({ host: "127.0.0.1", port }, resolve).end();
  });
  let before = -1;
  await soon(async () => {
    const now = made;
    const isStill = now === before;
    before = now;
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStill && now > 0).toBe(true);
  });
  expect(made).toBeLessThan(100);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(200 * 256 * 1024);
});

it("ends the generator when the caller leaves", async () => {
  let hasEnded = false;
  const { url } = await serve(async function* (life) {
    try {
      yield "first";
      await new Promise<void>((resolve) => life.onEnding(resolve));
      yield "for no caller";
    } finally {
      hasEnded = true;
    }
  });
  const response = await fetch(url);
  await response.body?.cancel();
  await soon(() => expect(hasEnded).toBe(true));
});

it("tells open streams of a stop, and streams that begin later at once", async () => {
  const body: Pieces = async function* (life) {
    yield "open;";
    await new Promise<void>((resolve) => life.onEnding(resolve));
    yield `ending: ${life.isEnding()}`;
  };
  const { url, streams } = await serve(body);
  const open = await fetch(url);
  streams.beginClosing();
  expect(await open.text()).toBe("open;ending: true");
  expect(await (await fetch(url)).text()).toBe("open;ending: true");
});

it("fails before the first piece, and cuts the connection after it", async () => {
  let hasFirst = false;
  let cut: () => void = () => undefined;
  const cutNow = new Promise<void>((resolve) => {
    cut = resolve;
  });
  const { url, failures } = await serve(async function* () {
    if (hasFirst) {
      yield "first";
      await cutNow;
    }
    throw new Error("broken");
  });
  expect((await fetch(url)).status).toBe(418);
  expect(failures).toHaveLength(1);
  hasFirst = true;
  const begun = await fetch(url);
  expect(begun.status).toBe(200);
  cut();
  await expect(begun.text()).rejects.toThrow();
  expect(failures).toHaveLength(1);
});
