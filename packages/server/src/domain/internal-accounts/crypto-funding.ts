import type { JsonObject } from "../../std/json.ts";
import { BASE58, BECH32, type Draw, HEX } from "./draw.ts";

type Instruction = (draw: Draw, assetType: string) => JsonObject;

function evm(accountType: string): Instruction {
  return (draw, assetType) => ({
    accountType,
    address: `0x${draw.characters(accountType, 40, HEX)}`,
    assetType,
  });
}

const solana: Instruction = (draw, assetType) => ({
  accountType: "SOLANA_WALLET",
  address: draw.characters("solana", 43, BASE58.slice(1)),
  assetType,
});

const tron: Instruction = (draw, assetType) => ({
  accountType: "TRON_WALLET",
  address: `T${draw.characters("tron", 33, BASE58)}`,
  assetType,
});

const spark: Instruction = (draw, assetType) => ({
  accountType: "SPARK_WALLET",
  address: `spark1${draw.characters("spark", 58, BECH32)}`,
  assetType,
});

const lightning: Instruction = (draw) => ({
  accountType: "LIGHTNING",
  invoice: `lnbc1p${draw.characters("lightning", 240, BECH32)}`,
});

const bitcoin: Instruction = (draw) => ({
  accountType: "BITCOIN_L1",
  address: `bc1q${draw.characters("bitcoin", 38, BECH32)}`,
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
export function cryptoFunding(currency: string, draw: Draw): readonly JsonObject[] {
  return (NETWORKS.get(currency) ?? []).map((instruction) => instruction(draw, currency));
}
