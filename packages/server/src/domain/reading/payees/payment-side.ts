/** The sides that a form of payments offers: who can pay, or be paid, as people read it. */
import {
  type ExternalAccount,
  toExternalAccountId,
} from "../../accounts/external/external-account.ts";
import { freezeOf } from "../../accounts/freezes/freeze.ts";
import type { InternalAccountSubject } from "../../accounts/internal/internal-account.ts";
import type { Party, PartyReference } from "../parties/party.ts";
import { fold } from "../search/terms.ts";

export interface PaymentSide {
  readonly party: Party;
  /** The wire id of an account; undefined for an address. */
  readonly accountId: string | undefined;
  readonly umaAddress: string | undefined;
  readonly isInternal: boolean;
  /** Undefined for an address, which is looked up when it is paid. */
  readonly currency: string | undefined;
  /** What an internal account can pay. */
  readonly available: { readonly minor: bigint; readonly currency: string } | undefined;
  readonly status: string | undefined;
  readonly customerId: string | null;
  /** When it last took part in a payment like the one that is made. */
  readonly lastAt: number | undefined;
}

/** A side before its party is known. */
export interface SideDraft extends Omit<PaymentSide, "party" | "lastAt"> {
  readonly reference: PartyReference;
  /** The owner of an embedded wallet signs each payment from it. */
  readonly isWallet: boolean;
  /** The index of the search found it, by words that it need not show. */
  readonly isFound: boolean;
}

export function internalSide(
  { id, account, ledger }: InternalAccountSubject,
  isFound: boolean,
): SideDraft {
  const { currency, customerId, status, type } = account;
  return {
    reference: { kind: "INTERNAL_ACCOUNT", id: account.id },
    accountId: id,
    umaAddress: undefined,
    isInternal: true,
    currency,
    available: { minor: ledger.balanceMinor, currency },
    status: freezeOf(account) === null ? status : "FROZEN",
    customerId,
    isWallet: type === "EMBEDDED_WALLET",
    isFound,
  };
}

export function externalSide(account: ExternalAccount, isFound: boolean): SideDraft {
  const { id, currency, customerId, status } = account;
  return {
    reference: { kind: "EXTERNAL_ACCOUNT", id },
    accountId: toExternalAccountId(id),
    umaAddress: undefined,
    isInternal: false,
    currency,
    available: undefined,
    status,
    customerId,
    isWallet: false,
    isFound,
  };
}

export function addressSide(address: string): SideDraft {
  return {
    reference: { kind: "UMA", address },
    accountId: undefined,
    umaAddress: address,
    isInternal: false,
    currency: undefined,
    available: undefined,
    status: undefined,
    customerId: null,
    isWallet: false,
    isFound: false,
  };
}

/** The account's id or the address, by which a side is told from others. */
export function keyOfSide({
  accountId,
  umaAddress,
}: Pick<PaymentSide, "accountId" | "umaAddress">): string {
  return accountId ?? umaAddress ?? "";
}

/** Whether each word that is typed begins a word that people read of the side, or the text is its id. */
export function isNamedBy(text: string, side: PaymentSide): boolean {
  const { party, currency = "" } = side;
  if (text.trim() === keyOfSide(side)) return true;
  const shown = [party.name, party.detail, party.holder?.name, party.holder?.yourId, currency];
  const words = shown.flatMap((one) => wordsIn(one ?? ""));
  return wordsIn(text).every((typed) => words.some((word) => word.startsWith(typed)));
}

const BETWEEN = /[^\p{L}\p{N}]+/u;

/** Only letters and digits count, so `Jean-Luc` is two words, and so is a UMA address. */
function wordsIn(text: string): readonly string[] {
  return fold(text)
    .split(BETWEEN)
    .filter((word) => word !== "");
}
