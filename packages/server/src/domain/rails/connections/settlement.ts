/** The networks on which a connector makes and pays invoices, as it described them last. */
import { getCurrency } from "../../../money/currency.ts";

/** A network on which a connector takes or sends money for invoices. */
export type SettlementLayer = {
  readonly layer: string;
  /** Whether it pays invoices. */
  readonly send: boolean;
  /** Whether it makes invoices. */
  readonly receive: boolean;
  readonly assets: readonly SettlementAsset[];
  /** How long an invoice may live. */
  readonly invoiceSeconds: { readonly min: number; readonly max: number };
  /** Whether its network refuses money that is not exactly the amount of the invoice. */
  readonly exactAmounts: boolean;
  /** Whether several payments may add up to the amount of an invoice. */
  readonly partialPayments: boolean;
};

export type SettlementAsset = {
  /** The layer's own name of what moves there. */
  readonly identifier: string;
  /** The currency of its entries. An amount is in the smallest unit of both, so both have the same decimals. */
  readonly currency: string;
  readonly decimals: number;
  /** Whole numbers of the smallest unit; an absent limit means no limit. */
  readonly minAmount?: number;
  readonly maxAmount?: number;
};

export interface Settlement {
  readonly layers: readonly SettlementLayer[];
  /** `path: sentence` of each asset that was left out. */
  readonly leftOut: readonly string[];
}

/** The layers with those assets that the connection can book. A layer without any is left out with its last asset. */
export function settlementIn(
  currencies: readonly string[],
  told: readonly SettlementLayer[],
): Settlement {
  const leftOut: string[] = [];
  const layers = told.map((layer) => ({
    ...layer,
    assets: layer.assets.filter((asset) => {
      const fault = faultOf(currencies, asset);
      if (fault !== undefined)
        leftOut.push(`settlement.${layer.layer}.${asset.identifier}${fault}`);
      return fault === undefined;
    }),
  }));
  return { layers: layers.filter(({ assets }) => assets.length > 0), leftOut };
}

function faultOf(
  currencies: readonly string[],
  { currency, decimals }: SettlementAsset,
): string | undefined {
  if (!currencies.includes(currency))
    return `.currency: ${currency} is no currency of the connection, which has ${currencies.join(", ")}`;
  const needed = getCurrency(currency).decimals;
  if (decimals !== needed) return `.decimals: must be ${needed}, those of ${currency}`;
  return undefined;
}
