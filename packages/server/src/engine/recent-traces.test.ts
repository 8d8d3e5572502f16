import { expect, it } from "vitest";
import { createRecentTraces, TRACES_KEPT } from "./recent-traces.ts";

it("knows the trace of an event and of a job, and forgets the oldest", () => {
  const { keep, ofEvent, ofJob } = createRecentTraces();
  keep("p", [{ traceparent: "t", eventSeqs: [1n, 2n], jobIds: ["j"] }]);
  expect([ofEvent("p", 1n), ofEvent("p", 2n), ofJob("j")]).toEqual(["t", "t", "t"]);
  expect([ofEvent("q", 1n), ofEvent("p", 3n), ofJob("k")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const eventSeqs = Array.from({ length: TRACES_KEPT - 1 }, (_, index) => BigInt(index));
  keep("q", [{ traceparent: "u", eventSeqs, jobIds: [] }]);
  expect([ofEvent("p", 1n), ofJob("j"), ofEvent("q", 0n)]).toEqual([undefined, "t", "u"]);
});
