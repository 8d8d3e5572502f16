/** The payer of a payment to another institution, and what that institution is told about them. */
import { findExternalAccount } from "../../../domain/accounts/external/external-account.ts";
import { findInternalAccount } from "../../../domain/accounts/internal/internal-account.sql.ts";
import { findCustomer } from "../../../domain/customers/customer.sql.ts";
import { type Customer, type KycStatus, standingOf } from "../../../domain/customers/customer.ts";
import type { CustomerInfo } from "../../../domain/customers/customer-info.ts";
import { knownInfoOf } from "../../../domain/customers/known-info.ts";
import { domainOf, platformAddress } from "../../../domain/customers/uma-address.ts";
import type { SourceName } from "../../../domain/payments/quotes/parties/quote-parties.ts";
import type { Platform } from "../../../domain/platform.ts";
import { isAtOwnDomain } from "../../../domain/uma/domains/uma-domain.ts";
import { missingFacts, type ToldPayer } from "../../../domain/uma/outgoing/missing-facts.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import {
  customerFieldOf,
  protocolName,
  requestedFields,
} from "../../../formats/uma/field-names.ts";
import { writeTravelRule } from "../../../formats/uma/travel-rule-message.ts";
import type { Reads } from "../../../postgres/database.ts";

export interface OutsidePayer extends ToldPayer {
  readonly currency: string;
  readonly umaAddress: string;
  /** Under which the platform knows the payer. */
  readonly id: string;
  /** By the words of the protocol. */
  readonly kycStatus: string;
}

export interface GivenPayer {
  readonly source: SourceName;
  /** From the request. */
  readonly senderCustomerInfo: CustomerInfo;
  readonly purposeOfPayment: string | undefined;
  /** The customer of an agent who calls. An agent adds to what is on file about its customer, and replaces none of it. */
  readonly agentCustomerId: string | undefined;
  /** The domain that has signed the lookup. The request to pay is of an address there. */
  readonly ownDomain: string;
}

const protocolStatus: Readonly<Record<KycStatus, string>> = {
  APPROVED: "VERIFIED",
  PENDING: "PENDING",
  REJECTED: "NOT_VERIFIED",
  UNVERIFIED: "UNKNOWN",
};

/** Refuses an account that is not there, and a lookup that was made for a payer at another domain. */
export async function findOutsidePayer(
  reads: Reads,
  platform: Platform,
  given: GivenPayer,
): Promise<OutsidePayer> {
  const { source, ownDomain } = given;
  const account = await accountOf(reads, platform.id, source);
  const customerId = source.customerId ?? account.customerId ?? given.agentCustomerId ?? undefined;
  const customer =
    customerId === undefined ? undefined : await findCustomer(reads, platform.id, customerId);
  const isAddressed = customer !== undefined && isAtOwnDomain(platform, customer.umaAddress);
  const umaAddress = isAddressed ? customer.umaAddress : platformAddress(ownDomain);
  if (domainOf(umaAddress) !== ownDomain) {
    throw new Refusal(
      "LOOKUP_REQUEST_NOT_FOUND",
      { field: "lookupId" },
      `The lookup was made under ${ownDomain}, and the payer is ${umaAddress}. Look up the receiver again with senderUmaAddress.`,
    );
  }
  return {
    currency: account.currency,
    umaAddress,
    kind: customer === undefined || customer.customerType === "BUSINESS" ? "BUSINESS" : "PERSON",
    id: customer?.id ?? platform.id,
    kycStatus: customer === undefined ? "VERIFIED" : protocolStatus[standingOf(customer)],
    information: informationOf(platform, customer, { ...given, umaAddress }),
  };
}

/** The customer who pays; null when the platform pays for itself. */
export async function payingCustomer(
  reads: Reads,
  platformId: string,
  source: SourceName,
): Promise<string | null> {
  return source.customerId ?? (await accountOf(reads, platformId, source)).customerId;
}

interface PayingAccount {
  readonly currency: string;
  readonly customerId: string | null;
}

async function accountOf(
  reads: Reads,
  platformId: string,
  source: SourceName,
): Promise<PayingAccount> {
  if (source.kind === "realtime") return { currency: source.currency, customerId: null };
  const account =
    source.kind === "internal"
      ? (await findInternalAccount(reads, platformId, source.id))?.account
      : await findExternalAccount(reads, platformId, source.id);
  if (account === undefined) throw invalidField("source.accountId", "names no account");
  return account;
}

function informationOf(
  platform: Platform,
  customer: Customer | undefined,
  {
    senderCustomerInfo,
    purposeOfPayment,
    agentCustomerId,
    umaAddress,
  }: GivenPayer & { readonly umaAddress: string },
): CustomerInfo {
  const known: CustomerInfo =
    customer === undefined
      ? { FULL_NAME: platform.name, COMPANY_LEGAL_NAME: platform.name, USER_TYPE: "BUSINESS" }
      : knownInfoOf(customer);
  const own = { ...known, FI_LEGAL_ENTITY_NAME: platform.name, ACCOUNT_IDENTIFIER: umaAddress };
  return {
    ...(purposeOfPayment === undefined ? {} : { PURPOSE_OF_PAYMENT: purposeOfPayment }),
    ...(agentCustomerId === undefined
      ? { ...own, ...senderCustomerInfo }
      : { ...senderCustomerInfo, ...own }),
  };
}

/** What the institution asks for and is known, by its names in the protocol. */
export function toldFields(
  payerData: ReadonlyMap<string, boolean>,
  information: CustomerInfo,
): ReadonlyMap<string, string> {
  const known = new Map<string, string>(Object.entries(information));
  return new Map(
    [...payerData.keys()].flatMap((name) => {
      const value = known.get(customerFieldOf(name) ?? name)?.trim() ?? "";
      return OWN_PARTS.has(name) || value === "" ? [] : [[name, value] as const];
    }),
  );
}

/** Parts of a request that are filled in beside the fields. */
const OWN_PARTS: ReadonlySet<string> = new Set([protocolName("IDENTIFIER"), "compliance"]);

/** The names, in our words, of what must be told and is not known. */
export function missingOf(
  payerData: ReadonlyMap<string, boolean>,
  payer: OutsidePayer,
  isToldUnderTravelRule: boolean,
): readonly string[] {
  const mandatory = requestedFields(payerData).filter((field) => field.mandatory);
  const required = mandatory.map(({ name }) => name);
  return missingFacts(payer, { required, isToldUnderTravelRule });
}

export function travelRuleOf(
  payer: OutsidePayer,
  { receiver, platform }: { readonly receiver: string; readonly platform: Platform },
): string {
  return writeTravelRule({
    payer,
    payeeAddress: receiver,
    payerInstitution: platform.name,
    payeeInstitution: domainOf(receiver),
  });
}
