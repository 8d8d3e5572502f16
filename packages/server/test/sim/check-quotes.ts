/** Compares quotes, their events and jobs, and the rail's orders with the model. */
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { ChanceRail } from "./chance-rail.ts";
import type { ModelQuote, ModelQuotes } from "./model-quotes.ts";
import { factsOf, type QuoteState, reachable } from "./quote-states.ts";

export const QUOTES =
  "select q.id, q.transaction_id, q.status || ' ' || t.status || ' ' || coalesce(t.refund->>'status', '-'), " +
  "coalesce(t.failure_reason, '-'), coalesce(t.refund->>'reason', '-'), " +
  "q.sending_minor, q.receiving_minor, t.type, t.sent_minor, t.received_minor, " +
  "coalesce(q.agent_id::text, '-'), coalesce(t.agent_id::text, '-') " +
  "from quotes q left join transactions t on t.platform_id = q.platform_id and t.id = q.transaction_id " +
  "where q.platform_id = $1";

export function learnQuotes(
  quotes: ModelQuotes,
  seen: { readonly rows: readonly (readonly string[])[]; readonly now: number },
): void {
  expect(seen.rows).toHaveLength(quotes.all.size);
  for (const [id = "", transactionId, rows, failureReason, refundReason, ...amounts] of seen.rows) {
    const quote = present(quotes.all.get(id), `quote ${id}`);
    expect(transactionId).toBe(quote.transactionId);
    const { sent, received } = quote.price;
    const by = quote.agentId ?? "-";
    const terms = `${sent} ${received} OUTGOING ${sent} ${received} ${by} ${by}`;
    expect(amounts.join(" ")).toBe(terms);
    const isTimeOver = seen.now >= quote.expiresAt;
    const ways = reachable(quote.state, { isTimeOver, ...quotes.newsOf(quote) });
    const state = ways.find((way) => factsOf(way).rows === rows);
    expect(state, `${id} is ${rows}; it can be ${ways.join(" or ")}`).toBeDefined();
    quote.state = present(state, "a state");
    expect([failureReason, refundReason]).toEqual(reasonsOf(quote.state));
  }
}

function reasonsOf(state: QuoteState): readonly [string, string] {
  const { rows, failureReason = "-" } = factsOf(state);
  if (rows.endsWith("-")) return [failureReason, "-"];
  const isCalledOff = state.startsWith("called off");
  return [failureReason, isCalledOff ? "USER_CANCELLATION" : "TRANSACTION_FAILED"];
}

/** The expected jobs of a quote; an arrived payment is watched while it may be returned. */
export function jobsOf(quote: ModelQuote, rail: ChanceRail): readonly (string | undefined)[] {
  const { job } = factsOf(quote.state);
  if (quote.state !== "arrived" || quote.isInHouse) return [job];
  const { course, reported } = present(rail.received.get(quote.transactionId), "an order to pay");
  const last = present(course.at(-1), "a last word");
  if (course.length === 1) return [undefined];
  if (last.kind === "settled" && reported.has(last)) return ["pay-quote", undefined];
  return ["pay-quote"];
}

export function isUnderWay(quote: ModelQuote, rail: ChanceRail): boolean {
  return !jobsOf(quote, rail).includes(undefined);
}

/** The rail's orders to pay out and to refund match the model, and all of them are in the books. */
export function checkOrdersToPay(quotes: ModelQuotes, rail: ChanceRail): void {
  for (const { transactionId, isInHouse, state, price, arrived } of quotes.all.values()) {
    const { story } = factsOf(state);
    const wasPaid = story.includes("PROCESSING") && !isInHouse;
    const wasRefunded = story.includes("REFUND_COMPLETED") || story.includes("REFUND_FAILED");
    const payout = rail.received.get(transactionId)?.instruction;
    const refund = rail.received.get(`${transactionId}/refund`)?.instruction;
    if (!wasPaid) expect(payout, `${transactionId} is ${state}`).toBeUndefined();
    if (payout !== undefined)
      expect(payout).toMatchObject({ direction: "out", currency: "EUR", minor: price.received });
    if (!story.includes("REFUND")) expect(refund, `${transactionId} is ${state}`).toBeUndefined();
    if (wasRefunded || refund !== undefined)
      expect(refund).toMatchObject({
        direction: "back",
        currency: "USD",
        minor: arrived ?? price.sent,
      });
  }
}
