/** The payer of a receiver look-up. */
import Type, { type Static } from "typebox";
import { findCustomer } from "../../../domain/customers/customer.sql.ts";
import type { Customer } from "../../../domain/customers/customer.ts";
import { normalizeUmaAddress, platformAddress } from "../../../domain/customers/uma-address.ts";
import { otherKindComplaint } from "../../../domain/id-kinds.ts";
import { findPlatform } from "../../../domain/platform.sql.ts";
import type { Platform } from "../../../domain/platform.ts";
import { findPriceRules, NO_RULES } from "../../../domain/prices/price-rules/price-rules.ts";
import { listLiveSources } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import { type MarketFacts, openSources } from "../../../domain/prices/rates/market-rate.ts";
import { isAtOwnDomain } from "../../../domain/uma/domains/uma-domain.ts";
import { findCustomerAt } from "../../../domain/uma/receiver.sql.ts";
import { payingCurrency } from "../../../domain/uma/receiver.ts";
import {
  type CodedFault,
  invalid,
  invalidFields,
  Refusal,
  refuseFaults,
} from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { parseId } from "../../../wire/ids.ts";
import { umaAddressFault, umaAddressField } from "../../../wire/uma/uma-address.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";

export const PayerQuery = Type.Object({
  senderUmaAddress: Type.Optional(
    umaAddressField("The UMA address of the customer who would pay."),
  ),
  customerId: Type.Optional(
    Type.String({
      description: "The customer who would pay, when no address is given.",
      examples: ["Customer:019a4f00-0000-7000-8000-000000000001"],
    }),
  ),
});

export type PayerQuery = Static<typeof PayerQuery>;

/** The payer that the query names. */
interface NamedPayer {
  /** The UMA address in canonical form. */
  readonly sender: string | undefined;
  readonly customerId: string | undefined;
}

/** Refuses a payer that is not named correctly, together with other faults of the query. */
export function readPayer(query: PayerQuery, others: readonly CodedFault[] = []): NamedPayer {
  const { senderUmaAddress, customerId: rawId } = query;
  const faults = [...others];
  const sender = senderUmaAddress === undefined ? undefined : normalizeUmaAddress(senderUmaAddress);
  if (senderUmaAddress !== undefined && sender === undefined) {
    faults.push(umaAddressFault("senderUmaAddress"));
  }
  const customerId = rawId === undefined ? undefined : parseId("Customer", rawId);
  if (rawId !== undefined && customerId === undefined) {
    const complaint = otherKindComplaint(rawId, ["Customer"]) ?? "must be a Customer id";
    faults.push(invalid("customerId", complaint));
  }
  refuseFaults(faults);
  return { sender, customerId };
}

export interface Payer {
  readonly platform: Platform;
  /** The customer's, or the platform's own: without a customer, and when the customer's domain was released. */
  readonly umaAddress: string;
  /** The platform's time. */
  readonly at: number;
  readonly payingCurrency: string | undefined;
}

/** Refuses a payer that is not a live customer of the platform, and two payers that differ. */
export async function findPayer(
  { reads, clock }: Services,
  from: {
    readonly platformId: string;
    readonly named: NamedPayer;
  },
): Promise<Payer> {
  const { platformId, named } = from;
  const { sender, customerId } = named;
  const [platform, at, atAddress, byId] = await Promise.all([
    findPlatform(reads, platformId),
    platformTime({ reads, clock }, platformId),
    sender === undefined ? undefined : findCustomerAt(reads, platformId, sender),
    customerId === undefined ? undefined : findCustomer(reads, platformId, customerId),
  ]);
  if (sender !== undefined) requireLive(atAddress);
  if (customerId !== undefined) requireLive(byId);
  if (sender !== undefined && customerId !== undefined && atAddress?.id !== byId?.id) {
    throw invalidFields([{ field: "customerId", message: "is not the owner of senderUmaAddress" }]);
  }
  const found = present(platform, "the platform of a token");
  const customer = byId ?? atAddress;
  const isAddressed = customer !== undefined && isAtOwnDomain(found, customer.umaAddress);
  return {
    platform: found,
    umaAddress: isAddressed ? customer.umaAddress : platformAddress(found.umaDomain),
    at,
    payingCurrency: payingCurrency(found, customer),
  };
}

function requireLive(customer: Customer | undefined): void {
  if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
  if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
}

/** The rates of the platform's sources, as the payer would get them; undefined in a sandbox, which has prices of its own. */
export async function marketFor(
  { reads }: Pick<Services, "reads">,
  { platform: { id, environment }, at }: Pick<Payer, "platform" | "at">,
): Promise<MarketFacts | undefined> {
  if (environment === "SANDBOX") return undefined;
  const [sources, rules] = await Promise.all([
    listLiveSources(reads, id),
    findPriceRules(reads, id),
  ]);
  return { sources: openSources(sources), spreads: (rules ?? NO_RULES).spreads, at };
}
