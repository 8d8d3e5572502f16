import { expect, it } from "vitest";
import type { VerifyReport } from "../audit/verify-platform.ts";
import { toLines } from "./verify.ts";

const sound: VerifyReport = {
  ok: true,
  platforms: 2,
  workspaces: 1,
  commands: 30,
  entries: 40,
  events: 50,
  accounts: 6,
  problems: [],
  problemCount: 0,
};
const CHECKED =
  "Checked 2 platforms and 1 workspace: 30 commands, 40 ledger entries, 50 events, 6 ledger accounts.";

const problem = { platformId: "p", table: "events", row: "event 3", what: "it is not there" };
const problems = [problem, { ...problem, row: "event 4" }];
const spoiled: VerifyReport = { ...sound, ok: false, problems, problemCount: 2 };

it("prints the counts and the result", () => {
  expect(toLines(sound)).toEqual([CHECKED, "Everything adds up."]);
  const [first] = toLines({ ...sound, platforms: 1 });
  expect(first).toMatch(/^Checked 1 platform and 1 workspace: /);
});

it("says that there is nothing to check while there is no platform", () => {
  const [, second] = toLines({ ...sound, platforms: 0 });
  expect(second).toBe("There is no platform yet, and nothing to check.");
});

it("names each problem that was kept, the first one first", () => {
  expect(toLines(spoiled)).toEqual([
    CHECKED,
    "Something does not add up; the first problem found is the first line:",
    "platform p, events, event 3: it is not there",
    "platform p, events, event 4: it is not there",
  ]);
});

it("counts the problems that were not kept", () => {
  expect(toLines({ ...spoiled, problemCount: 25 }).at(-1)).toBe("… and 23 more");
});
