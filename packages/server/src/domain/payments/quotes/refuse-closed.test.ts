import { describe, expect, it } from "vitest";
import { refuseClosed } from "./execute-quote.ts";
import type { Quote } from "./quote.ts";

const EXPIRES_AT = Date.parse("2026-05-04T10:00:00Z");
const PENDING = { status: "PENDING", expiresAt: EXPIRES_AT } as Quote;

const at = (moment: number) => ({ at: moment, action: "executed" }) as const;

describe("a quote within its time", () => {
  it("is open until the very moment it expires", () => {
    expect(() => refuseClosed(PENDING, at(EXPIRES_AT - 1))).not.toThrow();
    expect(() => refuseClosed(PENDING, at(EXPIRES_AT))).toThrow(
      expect.objectContaining({ code: "QUOTE_EXPIRED" }),
    );
  });

  it("has no end any more once it is under way", () => {
    const processing: Quote = { ...PENDING, status: "PROCESSING" };
    expect(() => refuseClosed(processing, at(EXPIRES_AT))).toThrow(
      expect.objectContaining({
        code: "CONFLICT",
        message: "The quote is PROCESSING; only a PENDING quote can be executed.",
      }),
    );
  });
});
