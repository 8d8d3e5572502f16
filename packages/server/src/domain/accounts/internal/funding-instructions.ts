import type { JsonObject } from "../../../std/json.ts";
import { cryptoFunding } from "./crypto-funding.ts";
import { fiatFunding } from "./fiat-funding.ts";
import { identifierGeneratorFor } from "./identifier-generator.ts";

export interface FundedAccount {
  /** The uuid from which all simulated identifiers are derived. */
  readonly id: string;
  readonly type: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
  readonly currency: string;
  readonly isPlatformAccount: boolean;
  /** An embedded wallet's address; undefined until it has one, and then there is no funding address. */
  readonly walletAddress?: string;
}

/** A type, not an interface, so that it counts as JSON. */
export type FundingInstruction = {
  readonly accountOrWalletInfo: JsonObject;
  readonly instructionsNotes: string;
  readonly isPlatformAccount: boolean;
};

/**
 * Funding instructions of an internal account of a sandbox platform; the payer uses any one. The same account always has the
 * same entries, and no two accounts share them. All but an embedded wallet's address are simulated, with numbers that no
 * bank or person can have.
 */
export function fundingInstructions(account: FundedAccount): readonly FundingInstruction[] {
  return targetsOf(account).map((accountOrWalletInfo) => ({
    accountOrWalletInfo,
    instructionsNotes: notesFor(account, accountOrWalletInfo),
    isPlatformAccount: account.isPlatformAccount,
  }));
}

function targetsOf({ id, type, currency, walletAddress }: FundedAccount): readonly JsonObject[] {
  switch (type) {
    case "EMBEDDED_WALLET":
      return walletAddress === undefined
        ? []
        : [{ accountType: "SPARK_WALLET", address: walletAddress, assetType: currency }];
    case "INTERNAL_FIAT":
      return fiatFunding(currency, identifierGeneratorFor(id));
    case "INTERNAL_CRYPTO":
      return cryptoFunding(currency, identifierGeneratorFor(id));
  }
}

function notesFor({ type, currency }: FundedAccount, target: JsonObject): string {
  if (type === "EMBEDDED_WALLET") return `Send ${currency} on Spark to this address.`;
  const simulated = "This is a simulated account: real money sent to it is lost.";
  const { reference } = target;
  if (reference === undefined) return `Send ${currency} only. ${simulated}`;
  return `Send ${currency} only, with the reference ${String(reference)} in the memo. ${simulated}`;
}
