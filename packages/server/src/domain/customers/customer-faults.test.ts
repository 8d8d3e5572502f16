import { describe, expect, it } from "vitest";
import { futureFault } from "./customer-faults.ts";

const AT = Date.parse("2026-05-04T10:00:00Z");

describe("a day that must not lie in the future", () => {
  it("may be today, and not tomorrow", () => {
    expect(futureFault("incorporatedOn", "2026-05-04", AT)).toEqual([]);
    expect(futureFault("incorporatedOn", "2026-05-05", AT)).toHaveLength(1);
  });

  it("may be unknown", () => {
    expect(futureFault("incorporatedOn", null, AT)).toEqual([]);
    expect(futureFault("incorporatedOn", undefined, AT)).toEqual([]);
  });
});
