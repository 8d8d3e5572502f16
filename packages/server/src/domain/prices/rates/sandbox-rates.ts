/**
 * Prices in a sandbox: fixed, so that a quote is the same every day. One row per currency: the price of one whole unit in dollars as an
 * exact fraction, the fixed fee for sending it and the fixed fee for paying it out, both in its smallest unit. Deployments with real money
 * take rates from a market, never from here.
 */
import { type Ratio, ratio, ratioFromDecimal } from "../../../money/ratio.ts";

export interface SandboxPrice {
  readonly currency: string;
  /** Dollars for one whole unit. */
  readonly dollars: Ratio;
  readonly fixedFeeMinor: bigint;
  readonly payoutFeeMinor: bigint;
}

type PriceRow = readonly [
  currency: string,
  dollars: string | Ratio,
  fee: bigint,
  payoutFee: bigint,
];

const ROWS: readonly PriceRow[] = [
  ["USD", "1", 10n, 10n],
  ["EUR", ratio(25n, 23n), 10n, 10n],
  ["MXN", ratio(4n, 69n), 175n, 175n],
  ["INR", "0.012121", 825n, 825n],
  ["BTC", ratio(100_000_000n, 833n), 84n, 84n],
  ["USDC", "1", 100_000n, 100_000n],
  ["USDB", "1", 100_000n, 100_000n],
  ["USDT", "1", 100_000n, 100_000n],
  ["AED", "0.2723", 37n, 37n],
  ["ARS", "0.00072", 14_000n, 14_000n],
  ["BDT", "0.0082", 1_220n, 1_220n],
  ["BRL", "0.1875", 54n, 54n],
  ["BWP", "0.074", 136n, 136n],
  ["CAD", "0.715", 14n, 14n],
  ["CNY", "0.14", 72n, 72n],
  ["COP", "0.00026", 38_500n, 38_500n],
  ["DKK", "0.1456", 69n, 69n],
  ["EGP", "0.021", 477n, 477n],
  ["GBP", "1.315", 8n, 8n],
  ["GHS", "0.091", 110n, 110n],
  ["GTQ", "0.1304", 77n, 77n],
  ["HKD", "0.1285", 78n, 78n],
  ["HTG", "0.00764", 1_310n, 1_310n],
  ["IDR", "0.00006", 166_700n, 166_700n],
  ["JMD", "0.00624", 1_603n, 1_603n],
  ["JPY", "0.0064", 16n, 16n],
  ["KES", "0.00773", 1_294n, 1_294n],
  ["MWK", "0.000577", 17_331n, 17_331n],
  ["MYR", "0.241", 42n, 42n],
  ["NGN", "0.00069", 14_493n, 14_493n],
  ["PHP", "0.017", 589n, 589n],
  ["PKR", "0.00356", 2_809n, 2_809n],
  ["RWF", "0.00069", 145n, 145n],
  ["SGD", "0.767", 14n, 14n],
  ["THB", "0.0309", 324n, 324n],
  ["TZS", "0.00041", 24_391n, 24_391n],
  ["UGX", "0.000278", 360n, 360n],
  ["VND", "0.000038", 2_632n, 2_632n],
  ["XAF", "0.00165", 61n, 61n],
  ["XOF", "0.00165", 61n, 61n],
  ["ZAR", "0.0581", 173n, 173n],
  ["ZMW", "0.0443", 226n, 226n],
];

const prices: ReadonlyMap<string, SandboxPrice> = new Map(
  ROWS.map(([currency, dollars, fixedFeeMinor, payoutFeeMinor]) => [
    currency,
    {
      currency,
      dollars: typeof dollars === "string" ? ratioFromDecimal(dollars) : dollars,
      fixedFeeMinor,
      payoutFeeMinor,
    },
  ]),
);

/** Every currency that has a price. */
export const pricedCurrencies: readonly string[] = [...prices.keys()];

export function findPrice(currency: string): SandboxPrice | undefined {
  return prices.get(currency);
}

/** Variable fees in millionths of what is sent: the first row that fits. `*` is any currency. */
const VARIABLE_FEES: readonly (readonly [from: string, to: string, millionths: bigint])[] = [
  ["USD", "USDC", 1_000n],
  ["USD", "USDB", 1_000n],
  ["USD", "USDT", 1_000n],
  ["USDC", "USD", 1_000n],
  ["USDB", "USD", 1_000n],
  ["USDT", "USD", 1_000n],
  ["USDC", "USDB", 1_000n],
  ["USDB", "USDC", 1_000n],
  ["USD", "MXN", 2_500n],
  ["USD", "INR", 2_500n],
  ["USD", "PHP", 2_500n],
  ["BTC", "*", 5_000n],
  ["*", "BTC", 5_000n],
  ["*", "*", 3_000n],
];

export function variableFeeMillionths(from: string, to: string): bigint {
  const row = VARIABLE_FEES.find(
    ([sending, receiving]) =>
      (sending === "*" || sending === from) && (receiving === "*" || receiving === to),
  );
  return row?.[2] ?? 0n;
}
