import type { Command, Loaded, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { AnyRef } from "../../storage/tables.ts";
import { type Customer, customers, isReady } from "../customers/customer.ts";
import type { CustomerInfo } from "../customers/customer-info.ts";
import { defaultDepositAccountOf } from "../external-accounts/external-account.ts";
import { internalAccountsOfCustomer } from "../internal-accounts/internal-account.ts";
import { type Platform, platforms, supportedCurrency } from "../platforms/platform.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { refuseAmount } from "../transfers/transfer-rules.ts";
import { askAboutPayment } from "../uma/ask-about-payment.ts";
import { type Counterparty, findCounterparty } from "./counterparties.ts";

export interface ReceiveUmaPaymentInput {
  /** Normalized. */
  readonly senderUmaAddress: string;
  readonly receiver: /** Normalized, with the customer who was found at it. */
    | {
        readonly kind: "address";
        readonly umaAddress: string;
        readonly customerId: string | undefined;
      }
    | { readonly kind: "customer"; readonly customerId: string };
  readonly currency: string;
  readonly amountMinor: bigint;
}

/**
 * Simulates that somebody outside pays a customer, and asks the platform whether it takes the payment. Refuses, in this
 * order: an unknown sender, an unknown receiver, a deleted one, a currency that the platform does not take in, an amount
 * outside its limits, a currency that the customer has no account for, a customer who is not ready.
 */
export const receiveUmaPayment: Command<ReceiveUmaPaymentInput, Transaction> = {
  name: "receive-uma-payment",
  needs: receiveNeeds,
  decide(world, input) {
    const platform = world.get(platforms.ref(world.platformId));
    const sender = findCounterparty(input.senderUmaAddress, platform.sandboxUmaDomain);
    if (sender === undefined) throw new Refusal("UMA_NOT_FOUND", { field: "senderUmaAddress" });
    const customer = receiverOf(world, input);
    const { currency, amountMinor } = input;
    refuseAmount(platform, { currency, terms: { type: "INCOMING", amountMinor } });
    const accountId = accountFor(world, { customer, currency });
    if (!isReady(customer)) throw new Refusal("USER_NOT_READY");

    const [deposit] = world
      .all(defaultDepositAccountOf.of(customer.id))
      .filter((account) => account.status === "ACTIVE" && account.currency === currency);
    return askAboutPayment(world, {
      platform,
      customer,
      sender: { umaAddress: input.senderUmaAddress, ...exchangedFacts(platform, currency, sender) },
      outcome: sender.outcome,
      currency,
      minor: amountMinor,
      accountId: deposit?.id ?? accountId,
      depositAccountId: deposit?.id ?? null,
    });
  },
};

function receiveNeeds(world: Loaded, { receiver }: ReceiveUmaPaymentInput): readonly AnyRef[] {
  const refs: AnyRef[] = [platforms.ref(world.platformId)];
  const { customerId } = receiver;
  if (customerId === undefined) return refs;
  refs.push(
    customers.ref(customerId),
    internalAccountsOfCustomer.of(customerId),
    defaultDepositAccountOf.of(customerId),
  );
  return refs;
}

/** An address counts only while it is the customer's. */
function receiverOf(world: World, { receiver }: ReceiveUmaPaymentInput): Customer {
  const { customerId } = receiver;
  const customer = customerId === undefined ? undefined : world.find(customers.ref(customerId));
  if (receiver.kind === "address") {
    const isThere = customer?.umaAddress === receiver.umaAddress && customer.deletedAt === null;
    if (!isThere) throw new Refusal("UMA_NOT_FOUND", { field: "receiverUmaAddress" });
    return customer;
  }
  if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
  if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
  return customer;
}

/** The customer's own account in the currency; a wallet whose keys they hold is never paid into by default. */
function accountFor(
  world: World,
  { customer, currency }: { readonly customer: Customer; readonly currency: string },
): string {
  const account = world
    .all(internalAccountsOfCustomer.of(customer.id))
    .find((each) => each.currency === currency && each.type !== "EMBEDDED_WALLET");
  if (account?.status === "ACTIVE" && customer.currencies.includes(currency)) return account.id;
  throw new Refusal("INVALID_CURRENCY", { currency }, `The receiver does not take ${currency}.`);
}

/**
 * What is told of the sender, and what is asked of the receiver. A platform hears of a sender what it requires in this
 * currency, as far as it is known; the sandbox's senders are as curious: they ask the same of the receiver.
 */
function exchangedFacts(platform: Platform, currency: string, { information }: Counterparty) {
  const requestedFields = supportedCurrency(platform, currency)?.requiredCounterpartyFields ?? [];
  const wanted = new Set(requestedFields.map(({ name }) => name));
  const known = Object.entries(information).filter(([name]) => wanted.has(name));
  return { requestedFields, information: Object.fromEntries(known) as CustomerInfo };
}
