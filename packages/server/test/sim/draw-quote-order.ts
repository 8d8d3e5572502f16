/** Generates orders about quotes: mostly from a dollar account to a compatible euro account. */
import { present } from "../../src/std/assert.ts";
import type { Model } from "./model.ts";
import type { ModelQuote } from "./model-quotes.ts";
import type { QuoteOrder } from "./orders.ts";

interface Draw {
  readonly model: Model;
  readonly chance: (below: number) => number;
  readonly pick: <T>(values: Iterable<T>, otherwise: T) => T;
  readonly anyId: (ids: Iterable<string>) => string;
}

/** The first orders: payments from each dollar account, and quotes that wait for funding. */
export function firstQuotes(model: Model): readonly QuoteOrder[] {
  const euros = [...model.externals].find(
    ([, { currency, customerId }]) => currency === "EUR" && customerId === null,
  );
  const to = { kind: "external", id: present(euros, "an account for everybody")[0] } as const;
  const common = { customerId: null, agentId: null, to, side: "RECEIVING" } as const;
  const order = { kind: "make-quote", ...common } as const;
  const payers = [...model.internals].filter(([, { currency }]) => currency === "USD");
  return [
    ...payers.flatMap(([fromId]) =>
      [900n, 1_100n, 1_300n].map((minor) => ({ ...order, fromId, minor, executes: true })),
    ),
    ...[700n, 750n, 800n].map((minor) => ({ ...order, fromId: null, minor, executes: false })),
  ];
}

/** One payer sends the exact amount, the others a cent too little. */
export function firstFundings(model: Model): readonly QuoteOrder[] {
  return [...model.quotes.all.values()]
    .filter(({ state }) => state === "waiting")
    .map(({ id, price }, index) => ({
      kind: "fund-quote",
      quoteId: id,
      currency: "USD",
      minor: index === 0 ? null : price.sent - 1n,
    }));
}

export function drawQuoteOrder(kind: QuoteOrder["kind"], draw: Draw): QuoteOrder {
  const { chance } = draw;
  switch (kind) {
    case "make-quote":
      return drawMaking(draw);
    case "execute-quote":
      return { kind, quoteId: drawQuote(draw, ({ fromId }) => fromId !== null) };
    case "fund-quote": {
      const quoteId = drawQuote(draw, ({ fromId }) => fromId === null);
      const currency = chance(12) === 0 ? "EUR" : "USD";
      return { kind, quoteId, currency, minor: drawArrival(draw, quoteId) };
    }
  }
}

/** Mostly a quote in a fitting state. */
function drawQuote(
  { model, chance, anyId }: Draw,
  isFitting: (quote: ModelQuote) => boolean,
): string {
  const { all } = model.quotes;
  if (chance(4) === 0) return anyId(all.keys());
  const waiting = [...all].filter(([, quote]) => quote.state === "waiting" && isFitting(quote));
  return anyId(waiting.length === 0 ? all.keys() : waiting.map(([id]) => id));
}

/** The right amount, given or omitted, or a wrong one. */
function drawArrival({ model, chance }: Draw, quoteId: string): bigint | null {
  const asked = model.quotes.all.get(quoteId)?.price.sent ?? 1n;
  switch (chance(3)) {
    case 0:
      return chance(2) === 0 ? asked : null;
    case 1:
      return asked > 1n && chance(2) === 0 ? asked - 1n : asked + BigInt(1 + chance(500));
    default:
      return null;
  }
}

function drawMaking({ model, chance, pick, anyId }: Draw): QuoteOrder {
  const internals = [...model.internals];
  const currencyOfPayer = chance(20) === 0 ? "EUR" : "USD";
  const payers = internals.filter(([, { currency }]) => currency === currencyOfPayer);
  const fromId = chance(3) === 0 ? null : anyId(payers.map(([id]) => id));
  const owner = model.internals.get(fromId ?? "")?.customerId ?? null;
  const isNamed = owner === null ? chance(2) === 0 : chance(8) === 0;
  const customerId = isNamed ? anyId(model.customers.keys()) : null;
  const payee = chance(12) === 0 ? pick(model.customers.keys(), null) : (customerId ?? owner);
  const inEuros = [...model.externals].filter(([, { currency }]) => currency === "EUR");
  const fitting = inEuros.filter(([, to]) => to.customerId === null || to.customerId === payee);
  const external = anyId((fitting.length === 0 ? inEuros : fitting).map(([id]) => id));
  const own = internals.filter(([, { currency }]) => currency === "EUR").map(([id]) => id);
  const small = BigInt(1 + chance(chance(4) === 0 ? 40 : 4_000));
  return {
    kind: "make-quote",
    agentId: null,
    fromId,
    customerId,
    to: chance(5) === 0 ? { kind: "internal", id: anyId(own) } : { kind: "external", id: external },
    side: chance(2) === 0 ? "SENDING" : "RECEIVING",
    minor: chance(20) === 0 ? 100_000_000_001n : small,
    executes: fromId === null ? chance(12) === 0 : chance(4) === 0,
  };
}
