import { describe, expect, it } from "vitest";
import { type LogLine, recordingLog } from "../../../test/kit/http-shell.ts";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { Fault } from "../../std/errors.ts";
import { createFailureLog, FAULTS_A_WINDOW } from "./failure-log.ts";

const request = { requestId: "request-1", operationId: "getConfig" };

function failureLog() {
  const lines: LogLine[] = [];
  const clock = createManualClock(0);
  return { clock, lines, ...createFailureLog({ log: recordingLog(lines), clock }) };
}

describe("the log of failed requests", () => {
  it("has a fault in a line without a stack, with what it came of", () => {
    const { fault, lines } = failureLog();
    const cause = new Error("connect ENOENT", { cause: "no way" });
    fault(request, new Fault("the database did not answer", { cause }));
    const err = "the database did not answer: connect ENOENT: no way";
    const message = "a request met a fault";
    expect(lines).toEqual([{ ...request, err, level: "warn", message }]);
  });

  it("names a cause that has no message by its code", () => {
    const { fault, lines } = failureLog();
    const cause = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
    fault(request, new Fault("the database did not answer", { cause }));
    expect(lines[0]?.err).toBe("the database did not answer: ECONNREFUSED");
  });

  it("has so many faults a second, and then how many were left out", async () => {
    const { fault, lines, clock } = failureLog();
    for (let count = 0; count < FAULTS_A_WINDOW + 5; count++) fault(request, new Fault("down"));
    expect(lines).toHaveLength(FAULTS_A_WINDOW);
    await clock.advance(1_000);
    expect(lines.splice(0).at(-1)).toMatchObject({ level: "warn", leftOut: 5 });
    fault(request, new Fault("down"));
    expect(lines).toHaveLength(1);
    await clock.advance(1_000);
    expect(lines).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it("has every bug with its stack", () => {
    const { bug, lines } = failureLog();
    const thrown = new Error("out of step");
    for (let count = 0; count < FAULTS_A_WINDOW + 1; count++) bug(request, thrown);
    expect(lines).toHaveLength(FAULTS_A_WINDOW + 1);
    expect(lines[0]).toEqual({
      ...request,
      err: thrown,
      level: "error",
      message: "a request failed on a bug",
    });
    expect(lines[0]?.err).toBe(thrown);
  });
});
