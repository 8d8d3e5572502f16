import { type AccountTypeRule, walletType } from "./account-type-rule.ts";
import { filled, matching, needed, optional } from "./field-rules.ts";

const ADDRESS = needed("address");

/** A Lightning invoice or offer carries hints and descriptions, so it can be long. */
const PAYMENT_TEXT = filled(4096);

/** Chains and Lightning. One address can be well formed on several chains; the type says which is meant. */
export const walletAccountTypes = {
  BASE_WALLET: walletType(["USDC"], ADDRESS),
  ETHEREUM_WALLET: walletType(["USDC", "USDT"], ADDRESS),
  LIGHTNING: {
    ...walletType(["BTC"], ADDRESS),
    fields: [
      optional("invoice", PAYMENT_TEXT),
      optional("bolt12", PAYMENT_TEXT),
      optional("lightningAddress", filled(255)),
    ],
    ways: [{ fields: ["invoice"] }, { fields: ["bolt12"] }, { fields: ["lightningAddress"] }],
    oneWayOnly: true,
    identifiedBy: ["lightningAddress", "invoice", "bolt12"],
    beneficiary: undefined,
  },
  POLYGON_WALLET: walletType(["USDC"], ADDRESS),
  PLASMA_WALLET: walletType(["USDT"], ADDRESS),
  SOLANA_WALLET: walletType(["USDC"], ADDRESS),
  SPARK_WALLET: walletType(
    ["BTC", "USDB"],
    needed(
      "address",
      matching("^spark1[!-~]{1,249}$", "must be a Spark address, which begins with spark1"),
    ),
  ),
  TRON_WALLET: walletType(["USDT"], ADDRESS),
} as const satisfies Readonly<Record<string, AccountTypeRule>>;
