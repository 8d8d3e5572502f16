import type { CounterpartyFieldDefinition, Currency, KnownCustomerInfoFieldName } from "./types.ts";

/** Who would pay: rates are from that customer's currency, or else from the platform's first one. */
export interface PayerQuery {
  readonly senderUmaAddress?: string;
  readonly customerId?: string;
}

export interface ReceivableCurrency {
  readonly currency: Currency;
  /** Whole receiving units for one whole sending unit: the inverse of a quote's rate. Not locked. */
  readonly estimatedExchangeRate: number;
  /** What can be received at once, in the smallest unit. */
  readonly min: number;
  readonly max: number;
}

export interface Receiver {
  /** To be named in a quote, within ten minutes. */
  readonly lookupId: string;
  readonly supportedCurrencies: readonly ReceivableCurrency[];
  readonly requiredPayerDataFields?: readonly CounterpartyFieldDefinition[];
}

export interface UmaReceiver extends Receiver {
  readonly receiverUmaAddress: string;
}

export interface ExternalAccountReceiver extends Receiver {
  readonly accountId: string;
}

/** A payment that a counterparty of the sandbox makes. The receiver is named in one of the two ways. */
export interface AnnouncedUmaPayment {
  readonly senderUmaAddress: string;
  readonly receiverUmaAddress?: string;
  readonly customerId?: string;
  readonly receivingCurrencyCode: string;
  readonly receivingCurrencyAmount: number;
}

export type CustomerInfo = Readonly<Partial<Record<KnownCustomerInfoFieldName, string>>>;

export interface ApprovePayment {
  /** What the event asked of the receiver. */
  readonly receiverCustomerInfo?: CustomerInfo;
}

export interface RejectPayment {
  readonly reason?: string;
}
