import { describe, expect, it } from "vitest";
import type { PendingCode } from "./credential.ts";
import { judgeGuess, mailBudgetRef } from "./one-time-code.ts";

const AT = 1_000_000;
const code: PendingCode = { id: "a", digest: "ab".repeat(32), tries: 0, expiresAt: AT + 1 };
const right = { codeId: "a", digest: code.digest };

describe("a guess", () => {
  it.each([
    ["the code", code, right, "right"],
    ["the code at the fifth try", { ...code, tries: 4 }, right, "right"],
    ["another code", code, { ...right, digest: "cd".repeat(32) }, "wrong"],
    ["something shorter", code, { ...right, digest: "ab" }, "wrong"],
    ["the code after five tries", { ...code, tries: 5 }, right, "unjudged"],
    ["the code when it has run out", { ...code, expiresAt: AT }, right, "unjudged"],
    ["the code before this one", code, { ...right, codeId: "b" }, "unjudged"],
    ["anything when there is no code", null, right, "unjudged"],
    ["nothing", code, undefined, "unjudged"],
  ] as const)("of %s is judged", (_what, pending, guess, verdict) => {
    expect(judgeGuess(pending, guess, AT)).toBe(verdict);
  });
});

describe("the budget of an address", () => {
  it("is the same for every spelling of its case, and another for another address", () => {
    expect(mailBudgetRef("Ana@Example.com").id).toBe(mailBudgetRef("ana@example.com").id);
    expect(mailBudgetRef("ana@example.org").id).not.toBe(mailBudgetRef("ana@example.com").id);
    expect(mailBudgetRef("ana@example.com").id).toMatch(
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    );
  });
});
