/** Finds the receiver at a UMA address. */
import type { CustomerInfo, RequestedField } from "../customers/customer-info.ts";
import type { Platform } from "../platform.ts";
import type { CounterpartyOutcome } from "./counterparties.ts";

export interface ReceivableCurrency {
  readonly currency: string;
  /** The least and the largest amount of one payment. */
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
}

/** The receiver's side: a counterparty of the sandbox, or a customer of a platform of this deployment. */
export type ReceiverHome =
  | { readonly kind: "sandbox"; readonly outcome: CounterpartyOutcome }
  | { readonly kind: "customer"; readonly platformId: string; readonly customerId: string };

export interface Receiver {
  readonly umaAddress: string;
  /** The first one is the receiver's own choice. */
  readonly currencies: readonly ReceivableCurrency[];
  /** The payer's data that the receiver's institution requires. */
  readonly requiredPayerFields: readonly RequestedField[];
  /** The receiver's data that the institution gives before a payment. */
  readonly counterpartyInformation: CustomerInfo;
  readonly home: ReceiverHome;
}

export interface ReceiverSource {
  /** The receiver at a normalized address, as this platform may see it; undefined when the address is unknown. */
  find(umaAddress: string, asking: Platform): Promise<Receiver | undefined>;
}
