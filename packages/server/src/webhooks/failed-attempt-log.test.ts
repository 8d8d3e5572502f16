import { expect, it } from "vitest";
import { type LogLine, recordingLog } from "../../test/kit/http-shell.ts";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { createFailedAttemptLog, ENDPOINTS_A_WINDOW } from "./failed-attempt-log.ts";

function failedAttempts() {
  const lines: LogLine[] = [];
  const clock = createManualClock(0);
  return { clock, lines, note: createFailedAttemptLog({ log: recordingLog(lines), clock }) };
}

const attempt = {
  platformId: "p",
  endpoint: "https://shop.test/hook/s3cret?key=s3cret",
  outcome: "answered 500",
};
const line = { platformId: "p", origin: "https://shop.test", outcome: "answered 500" };
const said = { level: "warn", message: "webhook attempts failed" };

it("has the first failure of an endpoint at once, and then a line a minute with the count", async () => {
  const { clock, lines, note } = failedAttempts();
  for (let count = 0; count < 6; count++) note(attempt);
  expect(lines).toEqual([{ ...line, ...said, count: 1 }]);
  await clock.advance(60_000);
  expect(lines.splice(0)).toEqual([
    { ...line, ...said, count: 1 },
    { ...line, ...said, count: 5 },
  ]);
  note({ ...attempt, outcome: "timeout" });
  expect(lines).toEqual([]);
  await clock.advance(60_000);
  expect(lines.splice(0)).toEqual([{ ...line, ...said, outcome: "timeout", count: 1 }]);
  await clock.advance(60_000);
  expect(lines).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});

it("names no part of the address that may hold a secret", () => {
  const { lines, note } = failedAttempts();
  note(attempt);
  expect(JSON.stringify(lines)).not.toContain("s3cret");
});

it("counts two platforms separately, and lines beyond the limit together", async () => {
  const { clock, lines, note } = failedAttempts();
  for (let index = 0; index < ENDPOINTS_A_WINDOW + 10; index++)
    note({ ...attempt, platformId: `p${index}` });
  expect(lines).toHaveLength(ENDPOINTS_A_WINDOW + 1);
  await clock.advance(60_000);
  expect(lines.at(-1)).toMatchObject({ count: 9 });
});
