/** Asks other institutions for the invoice of a payment. */
import type { RefusalCode } from "../../../engine/refusal.ts";
import type { Multiplier } from "../../../money/ratio.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { UmaKey } from "../keys/uma-key.ts";
import type { Signer } from "../lookups/lookup.port.ts";

export interface PayQuestion {
  readonly platformId: string;
  /** The key that signs the request. */
  readonly key: UmaKey;
  /** The normalized address that is paid. */
  readonly receiver: string;
  /** Where the institution takes the request. */
  readonly callback: string;
  /** What the institution has said with the lookup. */
  readonly receiverKyc: string;
  readonly isSubjectToTravelRule: boolean;
  readonly payer: {
    /** An address at the domain that has signed the lookup. */
    readonly identifier: string;
    readonly kycStatus: string;
    /** By their names in the protocol. */
    readonly fields: ReadonlyMap<string, string>;
    /** What is told under the travel rule, for the payee's institution alone. */
    readonly travelRule: string | undefined;
  };
  readonly amount: AskedAmount;
  /** The code of the currency that arrives. */
  readonly convert: string;
  /** The fields of the payee that are asked for, with whether each is mandatory. */
  readonly payeeData: ReadonlyMap<string, boolean>;
  readonly comment: string | undefined;
  /** Undefined: Lightning. */
  readonly settlement: { readonly layer: string; readonly assetIdentifier: string } | undefined;
  /** Where the institution may tell of the payment. */
  readonly utxoCallback: string | undefined;
}

/** In smallest units of the currency that arrives, or without a code in units of the asset. */
export interface AskedAmount {
  readonly units: bigint;
  readonly currency: string | undefined;
}

/** What the institution offers. */
export interface PayOffer {
  readonly invoice: string;
  readonly converted: {
    /** Smallest units of the currency that arrives. */
    readonly amount: bigint;
    readonly currencyCode: string;
    readonly decimals: number;
    /** Units of the asset for one smallest unit. */
    readonly multiplier: Multiplier;
    /** Units of the asset. */
    readonly fee: bigint;
  };
  /** About the payee, by their names in the protocol. */
  readonly payeeFields: ReadonlyMap<string, string>;
  /** Where it wants to be told of the payment, and may be. */
  readonly utxoCallback?: string | undefined;
}

export type PayOutcome =
  | { readonly kind: "offered"; readonly offer: PayOffer; readonly signer: Signer }
  | {
      readonly kind: "refused";
      readonly code: RefusalCode;
      readonly details: JsonObject;
      /** Undefined when no signature held and the policy has nothing against the keys. */
      readonly signer?: Signer | undefined;
    };

export interface OutsidePayments {
  /** Host time decides about signatures and nonces. Never rejects because of the other side. */
  request(question: PayQuestion): Promise<PayOutcome>;
}
