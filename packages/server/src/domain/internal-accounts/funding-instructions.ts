import type { JsonObject } from "../../std/json.ts";
import { cryptoFunding } from "./crypto-funding.ts";
import { fiatFunding } from "./fiat-funding.ts";
import { identifierGeneratorFor } from "./identifier-generator.ts";

export interface FundedAccount {
  /** The bare uuid; everything that is made up follows from it. */
  readonly id: string;
  readonly type: "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";
  readonly currency: string;
  readonly isPlatformAccount: boolean;
  /** An embedded wallet's own address; without one there is nowhere to send to yet. */
  readonly walletAddress?: string;
}

/** A type, not an interface, so that it counts as JSON. */
export type FundingInstruction = {
  readonly accountOrWalletInfo: JsonObject;
  readonly instructionsNotes: string;
  readonly isPlatformAccount: boolean;
};

/**
 * Where a payer can send money to fill an internal account of a sandbox platform: any one of the entries. The same account
 * always has the same entries, and no two accounts share them. But for an embedded wallet's address they are made up, and
 * chosen so that no bank, telephone or person has them.
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
