import { describe, expect, it } from "vitest";
import { currentTrace, runTraced, traceIdOf, traceparentOf } from "./trace.ts";

const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("a traceparent", () => {
  it("is taken as it is, and names its trace", () => {
    expect(traceparentOf(TRACE)).toBe(TRACE);
    expect(traceIdOf(TRACE)).toBe("0af7651916cd43dd8448eb211c80319c");
  });

  it("of a later version is taken as far as it is known", () => {
    expect(traceparentOf(`cc${TRACE.slice(2)}`)).toBe(TRACE);
    expect(traceparentOf(`cc${TRACE.slice(2)}-what-comes-later`)).toBe(TRACE);
  });

  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["repeated", [TRACE, TRACE]],
    ["joined", `${TRACE}, ${TRACE}`],
    ["too long for its version", `${TRACE}-more`],
    ["of a later version, with more that is not separated", `cc${TRACE.slice(2)}more`],
    ["of no version", `ff${TRACE.slice(2)}`],
    ["in capitals", TRACE.toUpperCase()],
    ["without a trace", `00-${"0".repeat(32)}-b7ad6b7169203331-01`],
    ["without a parent", `00-0af7651916cd43dd8448eb211c80319c-${"0".repeat(16)}-01`],
    ["with a line end", `${TRACE.slice(0, -1)}\n`],
  ])("that is %s counts as not sent", (_what, header) => {
    expect(traceparentOf(header)).toBeUndefined();
  });
});

it("a trace goes with the work and no further", async () => {
  expect(currentTrace()).toBeUndefined();
  const seen = await runTraced(TRACE, async () => {
    await Promise.resolve();
    const inner = runTraced(undefined, currentTrace);
    return [currentTrace(), inner];
  });
  expect(seen).toEqual([TRACE, undefined]);
  expect(currentTrace()).toBeUndefined();
});
