/** Helpers for stories about quotes: accounts in other currencies, and quotes. */
import { present } from "../../src/std/assert.ts";
import { openStory, type RawAnswer, type Story } from "./story.ts";
import type { TestServer } from "./test-server.ts";

let ibans = 0;

/** A euro account with the last three digits `suffix`; without a customer it belongs to the platform. */
export async function euroAccount(
  story: Story,
  customerId?: string,
  suffix = "789",
): Promise<string> {
  ibans += 1;
  const iban = germanIban(`1${String(ibans).padStart(14, "0")}${suffix}`);
  const owner = customerId === undefined ? "platform" : "customers";
  const made = await story.call("POST", `/${owner}/external-accounts`, {
    ...(customerId === undefined ? {} : { customerId }),
    currency: "EUR",
    accountInfo: {
      accountType: "EUR_ACCOUNT",
      iban,
      beneficiary: {
        beneficiaryType: "INDIVIDUAL",
        fullName: "Maya Lindqvist",
        birthDate: "1990-04-05",
        countryOfResidence: "DE",
      },
    },
  });
  return present(made.json?.id as string | undefined, `an external account, not ${made.text}`);
}

/** With check digits that fit, so that a production platform takes it too. */
function germanIban(account: string): string {
  // D is 13 and E is 14; the check digits stand as 00 while they are computed.
  const rest = BigInt(`${account}131400`) % 97n;
  return `DE${String(98n - rest).padStart(2, "0")}${account}`;
}

export interface QuoteWish {
  readonly from: string;
  readonly to: string;
  readonly amount?: number;
  readonly side?: "SENDING" | "RECEIVING";
  readonly more?: Readonly<Record<string, unknown>>;
}

export function quoteBody({ from, to, amount = 100_000, side = "SENDING", more }: QuoteWish) {
  return {
    source: { sourceType: "ACCOUNT", accountId: from },
    destination: { destinationType: "ACCOUNT", accountId: to },
    lockedCurrencySide: side,
    lockedCurrencyAmount: amount,
    ...more,
  };
}

export function askQuote(story: Story, wish: QuoteWish): Promise<RawAnswer> {
  return story.call("POST", "/quotes", quoteBody(wish));
}

export function execute(story: Story, quoteId: string, signature?: string): Promise<RawAnswer> {
  const headers = signature === undefined ? {} : { "service-wallet-signature": signature };
  return story.call("POST", `/quotes/${quoteId}/execute`, undefined, { headers });
}

export function sendFunds(
  story: Story,
  quoteId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<RawAnswer> {
  return story.call("POST", "/sandbox/send", { quoteId, currencyCode: "USD", ...more });
}

/** A platform with these required counterparty fields for payments in dollars. */
export async function askingFor(server: TestServer, fields: readonly object[]): Promise<Story> {
  const careful = await openStory(server);
  const usd = { currencyCode: "USD", minAmount: 1, maxAmount: 1_000_000 };
  const enabledTransactionTypes = ["OUTGOING", "INCOMING"];
  const changed = await careful.call("PATCH", "/config", {
    supportedCurrencies: [{ ...usd, requiredCounterpartyFields: fields, enabledTransactionTypes }],
  });
  if (changed.status !== 200) throw new Error(changed.text);
  return careful;
}
