/** Payment instructions of a quote; the payer uses any one. Each is valid for this quote only. */
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { cryptoFunding, fiatFunding } from "../../accounts/internal/funding-instructions.ts";
import { BECH32, identifierGeneratorFor } from "../../accounts/internal/identifier-generator.ts";

/** The networks of each token; `unnamed` has those that are used when a request names none. */
const NETWORKS: ReadonlyMap<
  string,
  { readonly all: readonly string[]; readonly unnamed: readonly string[] }
> = new Map([
  ["BTC", { all: ["SPARK", "LIGHTNING", "BITCOIN"], unnamed: ["LIGHTNING", "SPARK"] }],
  ["USDB", { all: ["SPARK"], unnamed: [] }],
  ["USDC", { all: ["SOLANA", "ETHEREUM", "BASE", "POLYGON"], unnamed: [] }],
  ["USDT", { all: ["TRON", "ETHEREUM", "PLASMA", "SOLANA"], unnamed: [] }],
]);

export type NetworkFault = "not-crypto" | "required" | "unknown";

/** The fault of a request's crypto network, missing or unsupported for the currency. */
export function networkFault(
  currency: string,
  network: string | undefined,
): { readonly fault: NetworkFault; readonly networks: readonly string[] } | undefined {
  const known = NETWORKS.get(currency);
  const networks = known?.all ?? [];
  if (known === undefined)
    return network === undefined ? undefined : { fault: "not-crypto", networks };
  if (network === undefined) {
    return known.unnamed.length > 0 ? undefined : { fault: "required", networks };
  }
  return networks.includes(network) ? undefined : { fault: "unknown", networks };
}

/** Simulated instructions, derived from the quote's id: the same for one quote, different for two. */
export function realtimeInstructions(
  quoteId: string,
  { currency, network }: { readonly currency: string; readonly network: string | undefined },
): readonly JsonObject[] {
  const networks = NETWORKS.get(currency);
  if (networks === undefined) {
    return fiatFunding(currency, identifierGeneratorFor(quoteId)).map((target) =>
      withNotes(currency, target),
    );
  }
  const wanted = new Set((network === undefined ? networks.unnamed : [network]).map(accountTypeOf));
  return cryptoFunding(currency, identifierGeneratorFor(quoteId))
    .filter(({ accountType }) => wanted.has(String(accountType)))
    .map((target) => withNotes(currency, withInvoice(quoteId, target)));
}

/** The rail of the incoming payment: the named network, or that of the first instruction. */
export function railInto(currency: string, network: string | undefined): string {
  const token = network ?? NETWORKS.get(currency)?.unnamed[0];
  if (token !== undefined) return token;
  const [target] = fiatFunding(currency, identifierGeneratorFor("any"));
  const rails = target?.paymentRails;
  return String(Array.isArray(rails) ? rails[0] : target?.accountType);
}

function accountTypeOf(network: string): string {
  if (network === "LIGHTNING") return "LIGHTNING";
  return network === "BITCOIN" ? "BITCOIN_L1" : `${network}_WALLET`;
}

/** Adds an invoice to a Spark address, because the address alone does not identify the quote. */
function withInvoice(quoteId: string, target: JsonObject): JsonObject {
  if (target.accountType !== "SPARK_WALLET") return target;
  const invoice = identifierGeneratorFor(quoteId).characters("spark invoice", 160, BECH32);
  return { ...target, invoice: `sparkinvoice1${invoice}` };
}

function withNotes(currency: string, target: JsonObject): JsonObject {
  const { reference } = target;
  const memo =
    reference === undefined ? "" : `, with the reference ${String(reference)} in the memo`;
  return {
    accountOrWalletInfo: target,
    instructionsNotes:
      `Send the exact total in ${currency}${memo}, before the quote expires. ` +
      "This is a simulated account: real money sent to it is lost.",
  };
}

/** Instructions of an embedded wallet: the payload that its owner signs. */
export function walletInstructions(payloadToSign: string): readonly JsonObject[] {
  return [
    {
      accountOrWalletInfo: { accountType: "EMBEDDED_WALLET", payloadToSign },
      instructionsNotes:
        "Sign payloadToSign as it stands with a live session of this wallet, and execute the quote with the stamp.",
    },
  ];
}

/** The payload inside the instructions of an embedded wallet. */
export function payloadToSignOf(quote: {
  readonly paymentInstructions: readonly JsonObject[] | null;
}): string | undefined {
  const info = quote.paymentInstructions?.[0]?.accountOrWalletInfo;
  const text = isJsonObject(info) ? info.payloadToSign : undefined;
  return typeof text === "string" ? text : undefined;
}
