import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import {
  isIn,
  type SandboxFaultKind,
  sandboxFaultKinds,
  sandboxFaults,
  setSandboxFault,
  takeSandboxFault,
} from "./sandbox-fault.ts";

const AS = { actor: { kind: "worker", id: "uma" }, at: DECIDED_AT } as const;
const faulty = (kind: SandboxFaultKind, next: number) =>
  new DecidedRows(PLATFORM, [
    rowsOf(sandboxFaults, { id: PLATFORM, kind, next, updatedAt: DECIDED_AT }),
  ]);

describe("the fault of a sandbox", () => {
  it("is taken once by each exchange, until none is left", () => {
    const rows = faulty("HANG", 2);
    const taken = ["LOOKUP", "PAY_REQUEST", "LOOKUP"] as const;
    expect(taken.map((exchange) => rows.run(takeSandboxFault, exchange, AS))).toEqual([
      "HANG",
      "HANG",
      undefined,
    ]);
    expect(rows.all(sandboxFaults)).toMatchObject([{ next: 0 }]);
  });

  it("is taken by none before one was set, and replaced as a whole", () => {
    const rows = new DecidedRows(PLATFORM, []);
    expect(rows.run(takeSandboxFault, "LOOKUP", AS)).toBeUndefined();
    rows.run(setSandboxFault, { kind: "HUGE", next: 3 }, AS);
    rows.run(setSandboxFault, { kind: "REDIRECT", next: 1 }, AS);
    expect(rows.all(sandboxFaults)).toMatchObject([{ kind: "REDIRECT", next: 1 }]);
  });

  it("waits for an exchange that it can be in", () => {
    const inBoth = sandboxFaultKinds.filter(
      (kind) => isIn({ kind, next: 1 }, "LOOKUP") && isIn({ kind, next: 1 }, "PAY_REQUEST"),
    );
    expect(inBoth).toHaveLength(8);
    const rows = faulty("SHORT_EXPIRY", 1);
    expect(rows.run(takeSandboxFault, "LOOKUP", AS)).toBeUndefined();
    expect(rows.run(takeSandboxFault, "PAY_REQUEST", AS)).toBe("SHORT_EXPIRY");
    expect(faulty("VERSION_0_3", 1).run(takeSandboxFault, "PAY_REQUEST", AS)).toBeUndefined();
  });
});
