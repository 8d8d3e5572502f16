import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import type { Metrics } from "./metrics.ts";
import { type MetricsServer, startMetricsServer } from "./metrics-server.ts";

let server: MetricsServer | undefined;
afterEach(() => server?.close());

async function start() {
  let renderings = 0;
  const clock = createManualClock(1_000);
  const metrics = {
    contentType: "text/plain; version=0.0.4",
    text: async () => `rendered ${++renderings}\n`,
  } as unknown as Metrics;
  server = await startMetricsServer({ metrics, clock, host: "127.0.0.1", port: 0 });
  const { port } = server;
  const get = (path: string, method = "GET") =>
    fetch(`http://127.0.0.1:${port}${path}`, { method });
  return { clock, metrics, port, get };
}

it("renders the metrics once a second, however often they are requested", async () => {
  const { clock, get } = await start();
  const texts = await Promise.all([1, 2, 3].map(async () => (await get("/metrics")).text()));
  expect(new Set(texts)).toEqual(new Set(["rendered 1\n"]));
  await clock.advance(999);
  expect(await (await get("/metrics?a=b")).text()).toBe("rendered 1\n");
  await clock.advance(1);
  const answer = await get("/metrics");
  expect(await answer.text()).toBe("rendered 2\n");
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4");
});

it("answers nothing else", async () => {
  const { get } = await start();
  expect((await get("/")).status).toBe(404);
  expect((await get("/metrics", "POST")).status).toBe(405);
  const head = await get("/metrics", "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

/** Sends so many requests at once on one connection, and reads until it ends or all are answered. */
async function pipeline(port: number, count: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  const ended = once(socket, "close");
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => {
    text += bytes.toString("latin1");
    if (text.split("HTTP/1.1 ").length > count) socket.end();
  });
  socket.write("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".repeat(count));
  await ended;
  return text;
}

it("answers the requests of a connection one at a time, and ends a connection with too many", async () => {
  const { port, clock } = await start();
  expect((await pipeline(port, 20)).split("HTTP/1.1 200").length).toBe(21);
  const flood = await pipeline(port, 1_700);
  expect(flood.split("HTTP/1.1").length).toBeLessThan(3);
  // New connections of the address are not read until its debt is paid.
  expect(await pipeline(port, 1)).toBe("");
  await clock.advance(60_000);
  expect(await pipeline(port, 1)).toMatch(/^HTTP\/1.1 200/);
});

it("answers an address at a bounded rate", async () => {
  const { get, clock } = await start();
  const statuses = async (count: number) => {
    const found = [];
    for (let index = 0; index < count; index += 1) found.push((await get("/metrics")).status);
    return found;
  };
  expect(new Set(await statuses(100))).toEqual(new Set([200]));
  expect(await statuses(2)).toEqual([429, 429]);
  await clock.advance(1_000);
  expect((await get("/metrics")).status).toBe(200);
});

it("reports that its port is taken", async () => {
  const { clock, metrics, port } = await start();
  const second = startMetricsServer({ metrics, clock, host: "127.0.0.1", port });
  await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
});
