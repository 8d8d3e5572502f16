/** Validates a customer's fields against the platform's row. All faults are reported together. */
import { type CodedFault, invalid, Refusal } from "../../engine/refusal.ts";
import { dayOf } from "../../std/clock.ts";
import type { Platform } from "../platform.ts";
import type { Customer } from "./customer.ts";
import { currencyFaults, type KnownOfCustomer } from "./customer-currencies.ts";
import { unexplainedFaults } from "./field-values.ts";
import { domainOf, isPlatformAddress } from "./uma-address.ts";

interface CustomerChange {
  /** The customer with the sent fields applied. */
  readonly customer: KnownOfCustomer & Pick<Customer, "profile">;
  /** The dates as sent. */
  readonly dates: DatesSent;
  readonly currencies: readonly string[] | undefined;
  /** Undefined when the address does not change. */
  readonly umaAddress: string | undefined;
}

/** Faults in this order: an OTHER without an explanation, a date in the future, currencies, a UMA address outside the platform's domain. */
export function customerFaults(
  platform: Platform,
  { customer, dates, currencies, umaAddress }: CustomerChange,
  at: number,
): readonly CodedFault[] {
  return [
    ...unexplainedFaults(customer.profile),
    ...futureFaults(dates, at),
    ...(currencies === undefined ? [] : currencyFaults(platform, { wanted: currencies, customer })),
    ...(umaAddress === undefined ? [] : domainFaults(umaAddress, platform.umaDomain)),
  ];
}

export interface DatesSent {
  readonly birthDate?: string | null | undefined;
  readonly businessInfo?: { readonly incorporatedOn?: string | undefined } | null | undefined;
}

/** A fault for each date in the future. */
export function futureFaults(
  { birthDate, businessInfo }: DatesSent,
  at: number,
): readonly CodedFault[] {
  return [
    ...futureFault("birthDate", birthDate, at),
    ...futureFault("businessInfo.incorporatedOn", businessInfo?.incorporatedOn, at),
  ];
}

/** A fault when the date is in the future. */
export function futureFault(
  field: string,
  day: string | null | undefined,
  at: number,
): readonly CodedFault[] {
  if (day === null || day === undefined || day <= dayOf(at)) return [];
  return [invalid(field, "must not lie in the future")];
}

function domainFaults(umaAddress: string, domain: string): readonly CodedFault[] {
  if (domainOf(umaAddress) === domain) return [];
  const error = { field: "umaAddress", message: `must end in @${domain}` };
  return [{ code: "INVALID_UMA_ADDRESS", error, details: { field: "umaAddress", domain } }];
}

/** The platform pays for itself from `$platform@`; a customer with that address would be taken for the platform. */
export function refusePlatformAddress(umaAddress: string): void {
  if (!isPlatformAddress(umaAddress)) return;
  const message = `${umaAddress} is reserved for the platform itself: choose another name.`;
  throw new Refusal("UMA_ADDRESS_EXISTS", { field: "umaAddress" }, message);
}

const SSN = /^\d{3}-\d{2}-\d{4}$/;

export function isSsn(identifier: string): boolean {
  return SSN.test(identifier);
}

/** The error message for a social security number in another form. */
export const notAnSsn: CodedFault = {
  code: "INVALID_INPUT",
  error: {
    field: "identifier",
    message: "must have the form ###-##-####",
    constraint: { format: "us-ssn" },
  },
};
