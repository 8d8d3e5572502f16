/** Which connections take money for a payee, and which instructions its payer gets. The FUNDING routes choose, best priority first. */
import { getCurrency } from "../../../money/currency.ts";
import type { JsonObject } from "../../../std/json.ts";
import { isAccountType, railsOfType } from "../../accounts/external/account-types.ts";
import { NO_FUNDING } from "../connections/funding-settings.ts";
import { type ConnectionEntry, judge, type RailRouting } from "../routes/routing.ts";
import type { FundingAddress } from "./funding-address.ts";
import { type ReferenceForm, spokenReference } from "./payment-reference.ts";
import { membersOf } from "./virtual-account.ts";

/** The most connections that are shown for a payee. */
export const MOST_FUNDING_CONNECTIONS = 5;

export interface FundingChoice {
  readonly connection: ConnectionEntry;
  readonly accountType: string;
  /** The rails of the account type that the route admits. */
  readonly paymentRails: readonly string[];
}

/** The connections for money of this currency, of this amount where it is known. */
export function fundingChoices(
  routing: RailRouting | undefined,
  {
    currency,
    amountMinor,
  }: { readonly currency: string; readonly amountMinor?: bigint | undefined },
): readonly FundingChoice[] {
  if (getCurrency(currency).kind !== "fiat") return [];
  const accountType = accountTypeIn(currency);
  const rails = isAccountType(accountType) ? railsOfType(accountType) : [];
  const choices = new Map<string, FundingChoice>();
  for (const route of routing?.routes ?? []) {
    if (route.direction !== "FUNDING" || route.currency !== currency) continue;
    const connection = routing?.connections.find(({ id }) => id === route.connectionId);
    if (connection === undefined || choices.has(connection.id)) continue;
    // Without an amount, the limits of the route are ignored.
    const amount = amountMinor ?? BigInt(route.min ?? "1");
    const paymentRails = rails.filter((paymentRail) => {
      const wanted = { direction: "FUNDING", currency, accountType, amountMinor: amount } as const;
      return judge(route, connection, { ...wanted, paymentRail, paymentRails: rails }) === "TAKEN";
    });
    if (paymentRails.length === 0) continue;
    choices.set(connection.id, { connection, accountType, paymentRails });
    if (choices.size === MOST_FUNDING_CONNECTIONS) break;
  }
  return [...choices.values()];
}

/** The type of a bank account in the currency; SWIFT_ACCOUNT for a currency without a type of its own. */
function accountTypeIn(currency: string): string {
  const own = `${currency}_ACCOUNT`;
  return isAccountType(own) ? own : "SWIFT_ACCOUNT";
}

export function modeOf({
  funding = NO_FUNDING,
}: ConnectionEntry): FundingAddress["mode"] | undefined {
  return funding.mode === "NONE" ? undefined : funding.mode;
}

/** RF for EUR and for accounts with an IBAN, because the payers' banks have a field for it; MEMO otherwise. */
export function referenceFormOf({ account }: ConnectionEntry, currency: string): ReferenceForm {
  return currency === "EUR" || typeof account.iban === "string" ? "RF" : "MEMO";
}

/** A type, not an interface, so that it counts as JSON. */
export type PayerInstruction = {
  readonly accountOrWalletInfo: JsonObject;
  readonly instructionsNotes: string;
};

/** The payer's instructions, one for each place to pay to; none until the connector has answered. */
export function payerInstructions(
  choice: FundingChoice,
  address: FundingAddress,
): readonly PayerInstruction[] {
  const { currency, mode, reference, virtualAccount } = address;
  const { accountType, paymentRails, connection } = choice;
  const shown: JsonObject = { accountType, ...shownAccount(connection.account) };
  switch (mode) {
    case "REFERENCE": {
      const text = spokenReference(reference ?? "");
      return [
        {
          accountOrWalletInfo: { ...shown, paymentRails, reference },
          instructionsNotes: `Send ${currency} only, and quote the reference ${text}: the money is recognised by it alone.`,
        },
      ];
    }
    case "VIRTUAL_ACCOUNTS": {
      const { iban: _, accountNumber: __, routingNumber: ___, ...rest } = shown;
      return [
        {
          accountOrWalletInfo: { ...rest, ...membersOf(virtualAccount ?? ""), paymentRails },
          instructionsNotes: `Send ${currency} only. The money is recognised by the account number; no reference is needed.`,
        },
      ];
    }
    case "CONNECTOR":
      return toldInstructions(address);
  }
}

/** The connector's instructions; none for an address in another mode. */
export function toldInstructions({ currency, told }: FundingAddress): readonly PayerInstruction[] {
  return (told ?? []).map((accountOrWalletInfo) => ({
    accountOrWalletInfo,
    instructionsNotes: notesOf(currency, accountOrWalletInfo.reference),
  }));
}

function notesOf(currency: string, reference: unknown): string {
  return typeof reference === "string"
    ? `Send ${currency} only, and quote the reference ${reference}.`
    : `Send ${currency} only.`;
}

/** Our account, under the field names of external accounts. */
function shownAccount(account: JsonObject): JsonObject {
  const { holderName, iban, bic, otherId, routingNumber, accountNumber, bankName } = account;
  return {
    ...(holderName === undefined ? {} : { accountHolderName: holderName }),
    ...(iban === undefined ? {} : { iban }),
    ...(bic === undefined ? {} : { swiftCode: bic }),
    ...(routingNumber === undefined ? {} : { routingNumber }),
    ...((accountNumber ?? otherId) === undefined
      ? {}
      : { accountNumber: accountNumber ?? otherId }),
    ...(bankName === undefined ? {} : { bankName }),
  } as JsonObject;
}
