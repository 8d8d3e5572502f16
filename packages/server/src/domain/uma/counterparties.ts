/**
 * The external counterparties of a sandbox: their data, their currencies, and the outcome of a payment from or to them. They
 * are the only addresses at the platform's sandbox UMA domain.
 */
import type { CustomerInfo } from "../customers/customer-info.ts";
import { causes, type FailureCause, type FailureReason } from "../payments/transactions/failure.ts";

export type CounterpartyOutcome =
  | { readonly kind: "succeeds" }
  /** Succeeds after a delay. */
  | { readonly kind: "succeeds-late"; readonly seconds: number }
  | {
      readonly kind: "fails";
      readonly failureReason: FailureReason;
      readonly cause?: FailureCause;
    };

export interface Counterparty {
  /** The part of the address between `$` and `@`. */
  readonly name: string;
  readonly currency: string;
  readonly outcome: CounterpartyOutcome;
  readonly information: CustomerInfo;
}

const SIX_MINUTES_S = 360;

export const counterparties: readonly Counterparty[] = [
  {
    name: "success.usd",
    currency: "USD",
    outcome: { kind: "succeeds" },
    information: person("Bo Lind", "1988-04-12", "US"),
  },
  {
    name: "success.eur",
    currency: "EUR",
    outcome: { kind: "succeeds" },
    information: person("Jana Weiss", "1990-09-30", "DE"),
  },
  {
    name: "success.mxn",
    currency: "MXN",
    outcome: { kind: "succeeds" },
    information: person("Luis Ortega", "1985-01-23", "MX"),
  },
  {
    name: "pending.long.usd",
    currency: "USD",
    outcome: { kind: "succeeds-late", seconds: SIX_MINUTES_S },
    information: person("Ida Long", "1979-11-02", "US"),
  },
  {
    name: "fail.compliance.usd",
    currency: "USD",
    outcome: {
      kind: "fails",
      failureReason: "QUOTE_EXECUTION_FAILED",
      cause: causes.compliance,
    },
    information: person("Max Muster", "1970-01-01", "US"),
  },
];

function person(fullName: string, birthDate: string, country: string): CustomerInfo {
  return {
    FULL_NAME: fullName,
    BIRTH_DATE: birthDate,
    NATIONALITY: country,
    COUNTRY_OF_RESIDENCE: country,
    USER_TYPE: "INDIVIDUAL",
  };
}

const byName = new Map(counterparties.map((counterparty) => [counterparty.name, counterparty]));

/** The counterparty at a normalized address; `domain` is the platform's sandbox UMA domain. */
export function findCounterparty(address: string, domain: string | null): Counterparty | undefined {
  const at = address.indexOf("@");
  return address.slice(at + 1) === domain ? byName.get(address.slice(1, at)) : undefined;
}
