/** Checks of the feed: every entry once, in one order, whatever the size of the pages, and the balance is their sum. */
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import type { Check } from "./conformance.ts";

export const FEED_CHECKS: readonly Check[] = [
  {
    name: "the feed has every entry once, in one order",
    features: ["feed"],
    async run({ feed }) {
      const whole = (await feed(500)).map(idOf);
      const pages = (await feed(3)).map(idOf);
      const again = (await feed(500)).slice(0, whole.length).map(idOf);
      if (new Set(whole).size < whole.length) return "an entry is there twice";
      const isStable = [pages.slice(0, whole.length), again].every(
        (other) => other.join() === whole.join(),
      );
      return isStable ? undefined : "pages of another size, or read again, have other entries";
    },
  },
  {
    name: "what was settled is in the feed",
    features: ["feed"],
    async run(bench) {
      const ids = [bench.newId(), bench.newId(), bench.newId()];
      await Promise.all(ids.map((id) => bench.put(id, bench.order(id, "970"))));
      const reports = await Promise.all(ids.map((id) => bench.ended(id)));
      const paid = new Set((await bench.feed(500)).map(({ paymentId }) => paymentId));
      const lost = ids.filter((id, at) => reports[at]?.status === "settled" && !paid.has(id));
      return lost.length === 0 ? undefined : `${lost.length} of 3 settled payments have no entry`;
    },
  },
  {
    name: "the balance is the sum of the feed",
    features: ["feed", "balance"],
    // Its returns are in the balance and not in the feed.
    unless: "settlesReturns",
    async run({ call, feed, options: { currency } }) {
      const answer = await call({ method: "GET", path: "/balances" });
      const balances = answer.kind === "answered" ? answer.body?.balances : undefined;
      const rows = Array.isArray(balances) ? balances.filter(isJsonObject) : [];
      const booked = rows.find((row) => row.currency === currency)?.booked;
      if (typeof booked !== "string" || !/^-?\d{1,30}$/.test(booked)) {
        return "GET /balances must answer a balance as text for each currency";
      }
      const entries = (await feed(500)).filter((entry) => entry.currency === currency);
      const sum = entries.reduce((total, entry) => total + signed(entry), 0n);
      return sum === BigInt(booked)
        ? undefined
        : `the balance is ${booked}, the feed sums to ${sum}`;
    },
  },
];

function idOf({ id }: JsonObject): string {
  return String(id);
}

function signed({ direction, amount }: JsonObject): bigint {
  const minor = typeof amount === "string" && /^\d{1,30}$/.test(amount) ? BigInt(amount) : 0n;
  return direction === "CREDIT" ? minor : -minor;
}
