import { describe, expect, it } from "vitest";
import { createMetrics } from "./metrics.ts";

describe("the request figures", () => {
  it("put each duration into the buckets that hold it, and count each status class", async () => {
    const metrics = createMetrics();
    const figures = metrics.requests("op");
    figures.record(200, 0);
    figures.record(201, 2);
    figures.record(404, 3);
    figures.record(500, 60_000);
    figures.record(200, -5);
    const text = await metrics.text();
    const value = (name: string) => text.match(new RegExp(`^${name} (\\S+)$`, "m"))?.[1];
    const bucket = (le: string) =>
      value(`florin_http_request_duration_seconds_bucket\\{operation="op",le="${le}"\\}`);
    expect(["0.001", "0.002", "0.005", "10", "\\+Inf"].map(bucket)).toEqual([
      "2",
      "3",
      "4",
      "4",
      "5",
    ]);
    expect(value('florin_http_request_duration_seconds_sum\\{operation="op"\\}')).toBe("60.005");
    const total = (status: string) =>
      value(`florin_http_requests_total\\{operation="op",status="${status}"\\}`);
    expect(["2xx", "4xx", "5xx", "3xx"].map(total)).toEqual(["3", "1", "1", undefined]);
  });

  it("are one object for each operation", async () => {
    const metrics = createMetrics();
    metrics.requests("op").record(200, 1);
    metrics.requests("op").record(200, 1);
    expect(await metrics.text()).toContain('{operation="op",status="2xx"} 2');
  });
});
