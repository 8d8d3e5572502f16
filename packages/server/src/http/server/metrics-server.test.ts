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

it("reports that its port is taken", async () => {
  const { clock, metrics, port } = await start();
  const second = startMetricsServer({ metrics, clock, host: "127.0.0.1", port });
  await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
});
