/**
 * Finds what a credit is for. The first that fits, in this order: the virtual account that was paid to, the address that the
 * connector names, the reference that the payment carries, the one distinct reference in its text. A name, an account of the
 * payer or an amount fits nothing, and so does a reference of another platform.
 */
import type { Loaded } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { ToldEntry } from "../entries/rail-entry.ts";
import {
  addressesByNumber,
  addressesByReference,
  type FundingAddress,
  fundingAddresses,
} from "./funding-address.ts";

export type CreditMatch =
  | { readonly kind: "address"; readonly address: FundingAddress }
  /** A text has two references. */
  | { readonly kind: "ambiguous" }
  | { readonly kind: "none" };

interface Credit {
  readonly connectionId: string;
  readonly told: ToldEntry;
}

export function matchNeeds({ told }: Credit): readonly AnyRef[] {
  const { virtualAccount, instructionId } = told;
  const references = told.references.flatMap(([one, ...others]) => {
    return one === undefined || others.length > 0 ? [] : [addressesByReference.of(one)];
  });
  return [
    ...(virtualAccount === null ? [] : [addressesByNumber.of(virtualAccount)]),
    ...(instructionId === undefined ? [] : [fundingAddresses.ref(instructionId)]),
    ...references,
  ];
}

export function matchCredit(world: Loaded, { connectionId, told }: Credit): CreditMatch {
  const { virtualAccount, instructionId } = told;
  const byNumber = virtualAccount === null ? [] : world.all(addressesByNumber.of(virtualAccount));
  const byId =
    instructionId === undefined ? undefined : world.find(fundingAddresses.ref(instructionId));
  const named = [...byNumber, ...(byId === undefined ? [] : [byId])];
  const own = named.find((address) => address.connectionId === connectionId);
  if (own !== undefined) return { kind: "address", address: own };
  for (const [one, ...others] of told.references) {
    if (one === undefined) continue;
    if (others.length > 0) return { kind: "ambiguous" };
    const [address] = world.all(addressesByReference.of(one));
    if (address !== undefined) return { kind: "address", address };
  }
  return { kind: "none" };
}
