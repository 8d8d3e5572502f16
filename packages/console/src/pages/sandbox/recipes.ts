/** Real calls that make something to look at in a sandbox: a customer, money, a payment with a known ending. */
import type { InternalAccount } from "@florin/client";
import type { PlatformSend } from "../../api/platform-send.ts";

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

/** A payment to an account whose last digits decide how it ends. Answers its id. */
export async function payTo(send: PlatformSend, ending: string): Promise<string> {
  const source = await fundedAccount(send);
  const destination = await send<"createCustomerExternalAccount">({
    method: "POST",
    path: ["customers", "external-accounts"],
    body: {
      currency: CURRENCY,
      ...(source.customerId === undefined ? {} : { customerId: source.customerId }),
      accountInfo: {
        accountType: "USD_ACCOUNT",
        // A holder has each account once, so the other digits are new ones.
        accountNumber: `000${randomDigits()}${ending}`,
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: HOLDER },
      },
    } as never,
  });
  const { id } = await send<"transferOut">({
    method: "POST",
    path: ["transfer-out"],
    body: {
      source: { accountId: source.id },
      destination: { accountId: destination.id },
      amount: PAID_MINOR,
    },
  });
  return id;
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
