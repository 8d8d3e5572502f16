/** Who can be paid at an address. */
import type { CustomerInfo, RequestedField } from "../customers/customer-info.ts";
import type { Platform } from "../platforms/platform.ts";
import type { CounterpartyOutcome } from "../sandbox/counterparties.ts";

export interface ReceivableCurrency {
  readonly currency: string;
  /** What can be received at once. */
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
}

/** Where the receiver is: a counterparty of the sandbox, or a customer of a platform of this deployment. */
export type ReceiverHome =
  | { readonly kind: "sandbox"; readonly outcome: CounterpartyOutcome }
  | { readonly kind: "customer"; readonly platformId: string; readonly customerId: string };

export interface Receiver {
  readonly umaAddress: string;
  /** The first one is the receiver's own choice. */
  readonly currencies: readonly ReceivableCurrency[];
  /** What the receiver's institution wants to know of the payer. */
  readonly requiredPayerFields: readonly RequestedField[];
  /** What that institution tells of the receiver before anything is paid. */
  readonly counterpartyInformation: CustomerInfo;
  readonly home: ReceiverHome;
}

export interface ReceiverSource {
  /** The receiver at a normalized address, as this platform may see it; undefined when the address is unknown. */
  find(umaAddress: string, asking: Platform): Promise<Receiver | undefined>;
}
