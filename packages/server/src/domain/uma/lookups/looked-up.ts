/** What another institution says about a receiver in its answer to a lookup. */
import type { Ratio } from "../../../money/ratio.ts";

export interface LookedUp {
  /** Where the institution takes the request to pay. */
  readonly callback: string;
  /** Bounds of one payment over Lightning, in millisatoshis. */
  readonly minSendable: bigint;
  readonly maxSendable: bigint;
  /** In the receiver's order. */
  readonly currencies: readonly LookedUpCurrency[];
  /** The fields of the payer that are asked for, by their names in the protocol, with whether each is mandatory. */
  readonly payerData: ReadonlyMap<string, boolean>;
  /** Undefined: it is settled over Lightning. */
  readonly settlementOptions: readonly LookedUpOption[] | undefined;
  readonly compliance: {
    /** What the institution says of the receiver. */
    readonly kycStatus: string;
    /** What it says of itself. */
    readonly isSubjectToTravelRule: boolean;
  };
}

export interface LookedUpCurrency {
  readonly code: string;
  readonly decimals: number;
  /** Millisatoshis for one smallest unit. */
  readonly multiplier: { readonly value: Ratio };
  /** Smallest units. */
  readonly min: bigint;
  readonly max: bigint;
}

export interface LookedUpOption {
  readonly layer: string;
  readonly assets: readonly {
    readonly identifier: string;
    /** Units of the asset for one smallest unit, by the code of the currency. */
    readonly multipliers: ReadonlyMap<string, { readonly value: Ratio }>;
  }[];
}
