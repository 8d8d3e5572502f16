import type { Customer } from "../../customers/customer.ts";
import { knownInfoOf } from "../../customers/known-info.ts";
import { platformAddress } from "../../customers/uma-address.ts";
import type { Quote } from "../../payments/quotes/quote.ts";
import { type Platform, supportedCurrency } from "../../platform.ts";
import { isAtOwnDomain } from "../domains/uma-domain.ts";
import type { ReceivePaymentInput } from "../receive-payment.ts";

/** The payer of a quote, as the receiving side may see them, and the fields that the payer's platform requires of the receiver. */
export function senderFacts(
  platform: Platform,
  {
    quote: { sendingCurrency, payerInformation, agentId },
    customer,
  }: {
    readonly quote: Pick<Quote, "sendingCurrency" | "payerInformation" | "agentId">;
    /** Undefined when the platform pays for itself. */
    readonly customer: Customer | undefined;
  },
): ReceivePaymentInput["sender"] {
  const currency = supportedCurrency(platform, sendingCurrency);
  const isAddressed = customer !== undefined && isAtOwnDomain(platform, customer.umaAddress);
  // A platform may correct what is on file about its customer; an agent may only add to it.
  const known = customer === undefined ? {} : knownInfoOf(customer);
  return {
    // A domain that was released may belong to another platform by now, so its name must not be used.
    umaAddress: isAddressed ? customer.umaAddress : platformAddress(platform.umaDomain),
    information:
      agentId === null ? { ...known, ...payerInformation } : { ...payerInformation, ...known },
    requestedFields: currency?.requiredCounterpartyFields ?? [],
  };
}
