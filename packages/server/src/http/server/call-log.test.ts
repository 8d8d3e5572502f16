import { describe, expect, it } from "vitest";
import { type LogLine, recordingLog } from "../../../test/kit/http-shell.ts";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import {
  createCallLog,
  type LogRequests,
  PLATFORM_REFUSALS_A_WINDOW,
  STRANGERS_REFUSALS_A_WINDOW,
} from "./call-log.ts";
import { toErrorBody } from "./errors.ts";

function callLog(logRequests?: LogRequests) {
  const lines: LogLine[] = [];
  const clock = createManualClock(0);
  const log = recordingLog(lines);
  const made = createCallLog({ log, clock, ...(logRequests === undefined ? {} : { logRequests }) });
  return { clock, lines, ...made };
}

const caller = {
  platformId: "p",
  environment: "SANDBOX",
  tokenId: "t",
  permissions: new Set<never>(),
  people: [],
  personId: null,
} as const;
const call = { requestId: "r", operationId: "transferOut", durationMs: 3, caller };
const refused = { ...call, status: 404, body: toErrorBody("REFERENCE_NOT_FOUND") };

describe("the log of calls", () => {
  it("has a line for a refused and for a failed call, and none for others", () => {
    const { lines, record } = callLog("refused");
    record({ ...call, status: 200, body: "{}" });
    record(refused);
    record({ ...call, status: 500, body: toErrorBody("INTERNAL_ERROR"), caller: undefined });
    const shared = { requestId: "r", operationId: "transferOut", durationMs: 3 };
    expect(lines).toEqual([
      {
        ...shared,
        status: 404,
        code: "REFERENCE_NOT_FOUND",
        tokenId: "t",
        platformId: "p",
        level: "info",
        message: "a call was refused",
      },
      {
        ...shared,
        status: 500,
        code: "INTERNAL_ERROR",
        level: "warn",
        message: "a call failed",
      },
    ]);
  });

  it("has every call with LOG_REQUESTS=all, and none with none", () => {
    const { lines, record } = callLog("all");
    record({ ...call, status: 200, body: '{"fullName":"Ana"}' });
    expect(lines).toMatchObject([{ status: 200, message: "a call was answered", tokenId: "t" }]);
    expect(lines[0]).not.toHaveProperty("code");
    const silent = [callLog("none"), callLog()];
    for (const { record } of silent) record(refused);
    expect(silent.flatMap(({ lines }) => lines)).toEqual([]);
  });

  it("has no code where an answer begins in another way", () => {
    const { lines, record } = callLog("refused");
    for (const body of ['{"code":"Ana Ruiz"}', '{"status":404,"code":"Ana"}', Buffer.from("x")])
      record({ ...refused, body });
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).not.toHaveProperty("code");
  });

  it("counts lines beyond the limits, separately for each platform and for callers without credentials", async () => {
    const { clock, lines, record } = callLog("refused");
    for (let count = 0; count < PLATFORM_REFUSALS_A_WINDOW + 5; count++) record(refused);
    for (let count = 0; count < STRANGERS_REFUSALS_A_WINDOW + 3; count++)
      record({ ...refused, caller: undefined });
    expect(lines.splice(0)).toHaveLength(PLATFORM_REFUSALS_A_WINDOW + STRANGERS_REFUSALS_A_WINDOW);
    await clock.advance(1_000);
    const message = "more calls were refused";
    expect(lines.splice(0)).toEqual([
      { platformId: "p", leftOut: 5, level: "warn", message },
      { leftOut: 3, level: "warn", message },
    ]);
    record(refused);
    expect(lines).toHaveLength(1);
    await clock.advance(1_000);
    expect(clock.pendingTimers).toBe(0);
  });
});
