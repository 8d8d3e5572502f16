import { describe, expect, it } from "vitest";
import { getCurrency } from "../../../money/currency.ts";
import type { JsonObject } from "../../../std/json.ts";
import { pricedCurrencies } from "../../prices/rates/sandbox-rates.ts";
import { networkFault, realtimeInstructions } from "./payment-instructions.ts";

const FIRST = "019a4f00-0000-7000-8000-000000000001";
const SECOND = "019a4f00-0000-7000-8000-000000000002";

/** Banks of these take no reference: the account, the code or the page is good for one payment. */
const WITHOUT_REFERENCE = new Set(["ARS_ACCOUNT", "BRL_ACCOUNT", "COP_ACCOUNT", "INR_ACCOUNT"]);

const fiat = pricedCurrencies.filter((code) => getCurrency(code).kind === "fiat");
const networks: readonly (readonly [currency: string, network: string, accountType: string])[] = [
  ["BTC", "SPARK", "SPARK_WALLET"],
  ["BTC", "LIGHTNING", "LIGHTNING"],
  ["BTC", "BITCOIN", "BITCOIN_L1"],
  ["USDB", "SPARK", "SPARK_WALLET"],
  ["USDC", "SOLANA", "SOLANA_WALLET"],
  ["USDC", "ETHEREUM", "ETHEREUM_WALLET"],
  ["USDC", "BASE", "BASE_WALLET"],
  ["USDC", "POLYGON", "POLYGON_WALLET"],
  ["USDT", "TRON", "TRON_WALLET"],
  ["USDT", "ETHEREUM", "ETHEREUM_WALLET"],
  ["USDT", "PLASMA", "PLASMA_WALLET"],
  ["USDT", "SOLANA", "SOLANA_WALLET"],
];

function targets(quoteId: string, currency: string, network?: string): readonly JsonObject[] {
  return realtimeInstructions(quoteId, { currency, network }).map(
    ({ accountOrWalletInfo }) => accountOrWalletInfo as JsonObject,
  );
}

describe("the payment instructions of a quote", () => {
  it.each(fiat)("in %s name an account that is the quote's alone", (currency) => {
    const [target] = targets(FIRST, currency);
    expect(target).toBeDefined();
    expect(targets(FIRST, currency)).toEqual(targets(FIRST, currency));
    expect(targets(SECOND, currency)).not.toEqual(targets(FIRST, currency));
    const accountType = String(target?.accountType);
    if (WITHOUT_REFERENCE.has(accountType)) expect(target).not.toHaveProperty("reference");
    else {
      const [other] = targets(SECOND, currency);
      expect(target?.reference).toEqual(expect.any(String));
      expect(other?.reference).not.toBe(target?.reference);
    }
  });

  it.each(networks)("in %s on %s name an address there", (currency, network, accountType) => {
    const [target, ...more] = targets(FIRST, currency, network);
    expect(more).toEqual([]);
    expect(target?.accountType).toBe(accountType);
    expect(targets(SECOND, currency, network)).not.toEqual([target]);
    expect(networkFault(currency, network)).toBeUndefined();
  });

  it("in bitcoin without a network offer the two that take an invoice", () => {
    expect(targets(FIRST, "BTC").map(({ accountType }) => accountType)).toEqual([
      "SPARK_WALLET",
      "LIGHTNING",
    ]);
  });

  it("distinguish a missing, an unknown and an unused network", () => {
    expect(networkFault("USDC", undefined)?.fault).toBe("required");
    expect(networkFault("USDC", "TRON")?.fault).toBe("unknown");
    expect(networkFault("USD", "SOLANA")?.fault).toBe("not-crypto");
    expect(networkFault("USD", undefined)).toBeUndefined();
    expect(networkFault("BTC", undefined)).toBeUndefined();
  });
});
