import { beforeAll, describe, expect, it } from "vitest";
import { allTexts } from "../../text/messages.ts";
import { actorText, changeText, deedText, toldOf } from "./audit-sentence.ts";

beforeAll(allTexts);

it.each([
  ["create-token", "created token"],
  ["freeze-customer", "froze customer"],
  ["decideVerification", "decided verification"],
  ["update-config", "changed config"],
  ["sign-in", "signed in"],
  ["frobnicate-account", "frobnicate account"],
])("%s is told as %s", (act, told) => {
  expect(deedText(act)).toBe(told);
});

it.each([
  [{ kind: "person", id: "Person:1", name: "Ana Ruiz" }, "Ana Ruiz"],
  [{ kind: "operator", id: "shell" }, "Operator"],
  [{ kind: "token", id: "Token:1" }, "API key"],
] as const)("%j is told by a name, never by an id", (actor, told) => {
  expect(actorText(actor)).toBe(told);
});

describe("of the changes", () => {
  const change = (field: string, after: unknown) => ({ field, before: null, after });
  const account = "InternalAccount:019a4f00-0000-7000-8000-000000000002";

  it("the amount and the account are told", () => {
    const changes = [
      change("accountId", account),
      change("amountMinor", "301250"),
      change("currency", "USD"),
    ];
    expect(toldOf(changes, "Adjustment:1")).toEqual({ amount: "3,012.50 USD", accountId: account });
    expect(toldOf(changes, account).accountId).toBeUndefined();
  });

  it("nothing is told that is hidden or not there", () => {
    const hidden = [change("amountMinor", "(changed)"), change("currency", "USD")];
    expect(toldOf(hidden, undefined)).toEqual({ amount: undefined, accountId: undefined });
    expect(toldOf([], undefined)).toEqual({ amount: undefined, accountId: undefined });
  });

  it("each is shown before and after", () => {
    expect(changeText(null, ["VIEW"])).toBe('\u2013 \u2192 ["VIEW"]');
    expect(changeText("Ana", "Bea")).toBe("Ana \u2192 Bea");
  });
});
