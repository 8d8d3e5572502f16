/** A word that is no command gets the nearest one, and exits with 2. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nearestCommand } from "../src/shell/nearest-command.ts";
import { openShell, type Shell } from "./kit/shell.ts";

let shell: Shell;
beforeAll(() => {
  shell = openShell({});
});
afterAll(() => shell.remove());

describe("a word that is no command", () => {
  it.each([
    [["custmers", "list"], "unknown command 'custmers'\n(Did you mean customers?)"],
    [["transfer-otu"], "unknown command 'transfer-otu'\n(Did you mean transfer-out?)"],
    [["customers", "lsit"], "unknown command 'lsit'\n(Did you mean list?)"],
    [["zzzzzzzz"], "unknown command 'zzzzzzzz'\n(--help"],
  ])("%j", async (words, says) => {
    const { code, errors } = await shell.run(words);
    expect([code, errors.includes(says)]).toEqual([2, true]);
  });
});

it.each([
  ["verifi", "verify"],
  ["STRAT", "start"],
  ["vrfy!!", undefined],
  ["", undefined],
  ["x".repeat(100), undefined],
])("of the commands of another program as well: %s", (word, nearest) => {
  expect(nearestCommand(word, ["start", "verify", "migrate"])).toBe(nearest);
});
