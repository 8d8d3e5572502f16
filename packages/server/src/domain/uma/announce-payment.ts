/** An incoming UMA payment to a customer: finds the customer and the account, and checks that the payment is allowed. */
import type { Loaded, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { defaultDepositAccountOf } from "../accounts/external/external-account.ts";
import { refuseFrozenCustomer } from "../accounts/freezes/freeze.ts";
import { internalAccountsOfCustomer } from "../accounts/internal/internal-account.ts";
import { payeeAccount } from "../accounts/internal/payee-account.ts";
import { type Customer, customers } from "../customers/customer.ts";
import type { CustomerInfo } from "../customers/customer-info.ts";
import { refuseUnlessReady } from "../customers/readiness.ts";
import type { Transaction } from "../payments/transactions/transaction.ts";
import { refuseAmount } from "../payments/transfers/transfer-rules.ts";
import { type Platform, platforms, supportedCurrency } from "../platform.ts";
import { type AnnouncedPayment, askAboutPayment, isCreditedFirst } from "./ask-about-payment.ts";
import { isAtOwnDomain } from "./domains/uma-domain.ts";

export interface PaymentOrder {
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

/** The sender, the sender's data, and the receiver's data that the sender's institution requests. */
export type Announcer = Pick<AnnouncedPayment, "sender" | "outcome" | "reference" | "description">;

export function announcementNeeds(world: Loaded, { receiver }: PaymentOrder): readonly AnyRef[] {
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

/**
 * Creates an incoming payment and asks the platform for approval. Refuses, in this order: an unknown receiver, a deleted
 * one, a currency that the platform does not receive, an amount outside its limits, a currency that the customer has no
 * account for, a customer who is not ready, one who is frozen with the scope ALL.
 */
export function announcePayment(
  world: World,
  order: PaymentOrder,
  announcer: Announcer,
): Transaction {
  const platform = world.get(platforms.ref(world.platformId));
  const customer = receiverOf(world, platform, order);
  const { currency, amountMinor } = order;
  refuseAmount(platform, { currency, terms: { type: "INCOMING", amountMinor } });
  const accountId = accountFor(world, { customer, currency });
  refuseUnlessReady(customer);
  if (customer.frozen?.scope === "ALL") refuseFrozenCustomer(customer.frozen);

  const deposit = depositAccountFor(world, { customer, currency });
  const { information, ...sender } = announcer.sender;
  return askAboutPayment(world, {
    ...announcer,
    platform,
    customer,
    sender: { ...sender, information: wantedBy(platform, currency, information) },
    currency,
    minor: amountMinor,
    accountId: isCreditedFirst(announcer.outcome) ? accountId : (deposit?.id ?? accountId),
    depositAccountId: deposit?.id ?? null,
  });
}

/** The account outside that the customer wants the money on. */
function depositAccountFor(
  world: World,
  { customer, currency }: { readonly customer: Customer; readonly currency: string },
) {
  return world
    .all(defaultDepositAccountOf.of(customer.id))
    .find((account) => account.status === "ACTIVE" && account.currency === currency);
}

/** An address is valid only while it belongs to the customer and its domain to the platform. */
function receiverOf(world: World, platform: Platform, { receiver }: PaymentOrder): Customer {
  const { customerId } = receiver;
  const customer = customerId === undefined ? undefined : world.find(customers.ref(customerId));
  if (receiver.kind === "address") {
    const isThere = customer?.umaAddress === receiver.umaAddress && customer.deletedAt === null;
    if (!isThere || !isAtOwnDomain(platform, receiver.umaAddress))
      throw new Refusal("UMA_NOT_FOUND", { field: "receiverUmaAddress" });
    return customer;
  }
  if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
  if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
  return customer;
}

function accountFor(
  world: World,
  { customer, currency }: { readonly customer: Customer; readonly currency: string },
): string {
  const account = payeeAccount(world, { customer, currency });
  if (account !== undefined) return account.id;
  throw new Refusal("INVALID_CURRENCY", { currency }, `The receiver does not take ${currency}.`);
}

/** The sender's data for the platform: the known values of the fields that it requires in this currency, and no others. */
function wantedBy(platform: Platform, currency: string, information: CustomerInfo): CustomerInfo {
  const requested = supportedCurrency(platform, currency)?.requiredCounterpartyFields ?? [];
  const wanted = new Set(requested.map(({ name }) => name));
  const known = Object.entries(information).filter(([name]) => wanted.has(name));
  return Object.fromEntries(known) as CustomerInfo;
}
