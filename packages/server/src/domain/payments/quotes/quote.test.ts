import { describe, expect, it } from "vitest";
import { Bug } from "../../../std/assert.ts";
import { canLeaveQuote, moveQuote, type Quote, type QuoteStatus, quoteStatuses } from "./quote.ts";

const WAYS: ReadonlySet<string> = new Set([
  "PENDING PROCESSING",
  "PENDING FAILED",
  "PENDING EXPIRED",
  "PROCESSING COMPLETED",
  "PROCESSING FAILED",
]);

const pairs = quoteStatuses.flatMap((from) =>
  quoteStatuses.map((to): [QuoteStatus, QuoteStatus] => [from, to]),
);

const quoteIn = (status: QuoteStatus) => ({ status, expiryJobId: "job", updatedAt: 1 }) as Quote;

describe("a quote", () => {
  it.each(pairs)("in %s to %s", (from, to) => {
    const isAWay = WAYS.has(`${from} ${to}`);
    expect(canLeaveQuote(from, to)).toBe(isAWay);
    if (isAWay) {
      const moved = moveQuote(quoteIn(from), to, 2);
      expect(moved).toMatchObject({ status: to, expiryJobId: null, updatedAt: 2 });
    } else {
      expect(() => moveQuote(quoteIn(from), to, 2)).toThrow(Bug);
    }
  });
});
