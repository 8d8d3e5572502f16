import type { JsonObject } from "../../../std/json.ts";
import { BASE58, BECH32, HEX, type IdentifierGenerator } from "./identifier-generator.ts";

type Instruction = (generator: IdentifierGenerator, assetType: string) => JsonObject;

function evm(accountType: string): Instruction {
  return (generator, assetType) => ({
    accountType,
    address: `0x${generator.characters(accountType, 40, HEX)}`,
    assetType,
  });
}

const solana: Instruction = (generator, assetType) => ({
  accountType: "SOLANA_WALLET",
  address: generator.characters("solana", 43, BASE58.slice(1)),
  assetType,
});

const tron: Instruction = (generator, assetType) => ({
  accountType: "TRON_WALLET",
  address: `T${generator.characters("tron", 33, BASE58)}`,
  assetType,
});

const spark: Instruction = (generator, assetType) => ({
  accountType: "SPARK_WALLET",
  address: `spark1${generator.characters("spark", 58, BECH32)}`,
  assetType,
});

const lightning: Instruction = (generator) => ({
  accountType: "LIGHTNING",
  invoice: `lnbc1p${generator.characters("lightning", 240, BECH32)}`,
});

const bitcoin: Instruction = (generator) => ({
  accountType: "BITCOIN_L1",
  address: `bc1q${generator.characters("bitcoin", 38, BECH32)}`,
  network: "BITCOIN",
});

/** The networks that each token can come in on. The payer picks one. */
const NETWORKS: ReadonlyMap<string, readonly Instruction[]> = new Map([
  ["BTC", [spark, lightning, bitcoin]],
  ["USDB", [spark]],
  ["USDC", [solana, evm("ETHEREUM_WALLET"), evm("BASE_WALLET"), evm("POLYGON_WALLET")]],
  ["USDT", [tron, evm("ETHEREUM_WALLET"), evm("PLASMA_WALLET"), solana]],
]);

/** Where to send a token: one entry a network. The addresses have each network's form; their keys do not exist. */
export function cryptoFunding(
  currency: string,
  generator: IdentifierGenerator,
): readonly JsonObject[] {
  return (NETWORKS.get(currency) ?? []).map((instruction) => instruction(generator, currency));
}
