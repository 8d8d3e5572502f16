/** API calls that create sample objects in a sandbox: a customer, money, a payment with a known ending. */
import type { InternalAccount } from "@florin/client";
import type { PlatformSend } from "../../../api/platform-send.ts";

const HOLDER = "Ana Ruiz";
const FUNDED_MINOR = 100_000;
const PAID_MINOR = 1_250;
const CURRENCY = "USD";

/** Returns a customer's newest account in dollars; creates a customer when there is none. */
async function anyAccount(send: PlatformSend): Promise<InternalAccount> {
  const query = { currency: CURRENCY, type: "INTERNAL_FIAT", limit: 20 } as const;
  const list = () =>
    send<"listCustomerInternalAccounts">({
      method: "GET",
      path: ["customers", "internal-accounts"],
      query,
    });
  const { data } = await list();
  const usable = data.find(({ status }) => status === "ACTIVE");
  if (usable !== undefined) return usable;
  const { id } = await send<"createCustomer">({
    method: "POST",
    path: ["customers"],
    body: { customerType: "INDIVIDUAL", fullName: HOLDER, currencies: [CURRENCY] },
  });
  const made = (await list()).data.find(({ customerId }) => customerId === id);
  if (made === undefined) throw new Error(`the new customer ${id} has no account in ${CURRENCY}`);
  return made;
}

/** Returns an account that has money. */
export async function fundedAccount(send: PlatformSend): Promise<InternalAccount> {
  const account = await anyAccount(send);
  if (account.balance.amount >= PAID_MINOR) return account;
  return fundAccount(send, account.id);
}

export async function fundAccount(send: PlatformSend, accountId: string): Promise<InternalAccount> {
  return send<"fundInternalAccount">({
    method: "POST",
    path: ["sandbox", "internal-accounts", accountId, "fund"],
    body: { amount: FUNDED_MINOR },
  });
}

export async function fundAny(send: PlatformSend): Promise<InternalAccount> {
  return fundAccount(send, (await anyAccount(send)).id);
}

function randomDigits(): string {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(drawn % 1_000_000).padStart(6, "0");
}

interface Payee {
  readonly currency: string;
  readonly accountInfo: object;
}

/** An external account in dollars with these last digits. The other digits are random, because a holder has each account once. */
function dollars(ending: string): Payee {
  const accountInfo = {
    accountType: "USD_ACCOUNT",
    accountNumber: `000${randomDigits()}${ending}`,
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: HOLDER },
  };
  return { currency: CURRENCY, accountInfo };
}

/** An external account in euros, so that a payment needs a quote. A sandbox does not verify check digits. */
function euros(ending: string): Payee {
  const accountInfo = {
    accountType: "EUR_ACCOUNT",
    iban: `DE44000000000${randomDigits()}${ending}`,
    beneficiary: {
      beneficiaryType: "INDIVIDUAL",
      fullName: HOLDER,
      birthDate: "1990-04-05",
      countryOfResidence: "DE",
    },
  };
  return { currency: "EUR", accountInfo };
}

/** Creates an external account for the holder of another account, and returns its id. */
async function addPayee(
  send: PlatformSend,
  { customerId }: InternalAccount,
  payee: Payee,
): Promise<string> {
  const body = { ...(customerId === undefined ? {} : { customerId }), ...payee };
  const { id } = await send<"createCustomerExternalAccount">({
    method: "POST",
    path: ["customers", "external-accounts"],
    body: body as never,
  });
  return id;
}

/** Creates an external account whose last digits select the outcome of its name check. Returns the id. */
export async function payeeNamed(send: PlatformSend, ending: string): Promise<string> {
  return addPayee(send, await anyAccount(send), dollars(ending));
}

/** Pays to an account whose last digits select how the payment ends. Returns its id. */
export async function payTo(send: PlatformSend, ending: string): Promise<string> {
  const source = await fundedAccount(send);
  const destination = await addPayee(send, source, dollars(ending));
  const { id } = await send<"transferOut">({
    method: "POST",
    path: ["transfer-out"],
    body: {
      source: { accountId: source.id },
      destination: { accountId: destination },
      amount: PAID_MINOR,
    },
  });
  return id;
}

/** Executes a quote to an account whose last digits select how the payment ends. Returns the payment's id. */
export async function quoteTo(send: PlatformSend, ending: string): Promise<string> {
  const source = await fundedAccount(send);
  const destination = await addPayee(send, source, euros(ending));
  const quote = await send<"createQuote">({
    method: "POST",
    path: ["quotes"],
    body: {
      source: { sourceType: "ACCOUNT", accountId: source.id },
      destination: { destinationType: "ACCOUNT", accountId: destination },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: PAID_MINOR,
    },
  });
  await send<"executeQuote">({ method: "POST", path: ["quotes", quote.id, "execute"] });
  return quote.transactionId;
}

/** Creates a customer whose name selects the verification's outcome. Returns the id. */
export async function customerNamed(send: PlatformSend, ending: string): Promise<string> {
  const { id } = await send<"createCustomer">({
    method: "POST",
    path: ["customers"],
    body: { customerType: "INDIVIDUAL", fullName: `Max Muster ${ending}`, currencies: [CURRENCY] },
  });
  return id;
}

/** Creates a business whose registration number selects the outcome of its verification. Returns the id. */
export async function businessNamed(send: PlatformSend, ending: string): Promise<string> {
  const { id } = await send<"createCustomer">({
    method: "POST",
    path: ["customers"],
    body: {
      customerType: "BUSINESS",
      businessInfo: {
        legalName: `Muster GmbH ${ending}`,
        country: "US",
        taxId: `91-${randomDigits()}0`,
        incorporatedOn: "2015-06-01",
        registrationNumber: `7700${ending}`,
      },
      currencies: [CURRENCY],
    } as never,
  });
  return id;
}
