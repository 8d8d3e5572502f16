import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { lowBalance, outOfRange, wrongState } from "./refusal.ts";

const sources = fileURLToPath(new URL("..", import.meta.url));

describe("a refusal", () => {
  it("of a state names the state and the one that is needed", () => {
    const refusal = wrongState({
      object: "account",
      status: "CLOSED",
      needed: "ACTIVE",
      action: "funded",
    });
    expect([refusal.status, refusal.message, refusal.details]).toEqual([
      409,
      "The account is CLOSED; only an ACTIVE account can be funded.",
      { status: "CLOSED" },
    ]);
  });

  it("of an amount names the amounts", () => {
    const low = lowBalance({
      accountId: "InternalAccount:1",
      currency: "USD",
      availableMinor: 5n,
      neededMinor: 7n,
    });
    expect(low.details).toEqual({
      accountId: "InternalAccount:1",
      currency: "USD",
      available: 5,
      needed: 7,
    });
    const wide = outOfRange({ currency: "USD", amountMinor: 9n, minAmount: 1, maxAmount: 8 });
    expect(wide.message).toBe(
      "The amount 9 is not between 1 and 8, the limits of the platform in USD.",
    );
  });

  it("that is a CONFLICT has a message of its own wherever it is made", () => {
    const bare = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .flatMap((name) => {
        const text = readFileSync(join(sources, name), "utf8");
        const found = [
          ...text.matchAll(/new Refusal\(\s*"CONFLICT"(?:,\s*(?:undefined|\{[^}]*\}))?,?\s*\)/g),
        ];
        return found.map(() => name);
      });
    expect(bare).toEqual([]);
  });
});
