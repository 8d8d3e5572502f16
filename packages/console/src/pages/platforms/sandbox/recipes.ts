/** Real calls that make something to look at in a sandbox: a customer, money, a payment with a known ending. */
import type { InternalAccount } from "@florin/client";
import type { PlatformSend } from "../../../api/platform-send.ts";

const HOLDER = "Ana Ruiz";
const FUNDED_MINOR = 100_000;
const PAID_MINOR = 1_250;
const CURRENCY = "USD";

/** The newest account of a customer in dollars; a new customer when there is none. */
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

/** An account that holds money. */
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

/** In dollars, with these last digits. A holder has each account once, so the other digits are new ones. */
function dollars(ending: string): Payee {
  const accountInfo = {
    accountType: "USD_ACCOUNT",
    accountNumber: `000${randomDigits()}${ending}`,
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: HOLDER },
  };
  return { currency: CURRENCY, accountInfo };
}

/** In euros: a quote exchanges. A sandbox looks at no check digits. */
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

/** An external account of the holder of another account. Answers its id. */
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

/** An external account whose last digits decide the check of its name. Answers the id. */
export async function payeeNamed(send: PlatformSend, ending: string): Promise<string> {
  return addPayee(send, await anyAccount(send), dollars(ending));
}

/** A payment to an account whose last digits decide how it ends. Answers its id. */
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

/** A quote to an account whose last digits decide how it ends, executed. Answers the id of its payment. */
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

/** A customer whose name decides the verification. Answers the id. */
export async function customerNamed(send: PlatformSend, ending: string): Promise<string> {
  const { id } = await send<"createCustomer">({
    method: "POST",
    path: ["customers"],
    body: { customerType: "INDIVIDUAL", fullName: `Max Muster ${ending}`, currencies: [CURRENCY] },
  });
  return id;
}

/** A business whose registration number decides the verification, once that is submitted. Answers the id. */
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
