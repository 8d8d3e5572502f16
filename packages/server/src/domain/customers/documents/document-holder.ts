/** The kinds of holders of a document. A new kind is one more entry of the table. */
import type { Loaded } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { fromWireId, toWireId } from "../../../std/ids.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { beneficialOwners } from "../beneficial-owners/beneficial-owner.ts";
import { customers } from "../customer.ts";

export interface DocumentHolder {
  readonly kind: HolderKind;
  readonly id: string;
}

interface HolderRule {
  /** Rows to load to find the holder's customer, besides the customer's own row. */
  refs(id: string): readonly AnyRef[];
  /** The customer whose checks the document is for; undefined when the holder does not exist. */
  customerId(world: Loaded, id: string): string | undefined;
  /** Set for the platform itself, which needs no row and has no customer. */
  readonly isPlatform?: true;
  readonly unknown: "USER_NOT_FOUND" | "REFERENCE_NOT_FOUND";
}

const holders = {
  Customer: {
    refs: () => [],
    customerId: (_, id) => id,
    unknown: "USER_NOT_FOUND",
  },
  BeneficialOwner: {
    refs: (id) => [beneficialOwners.ref(id)],
    customerId: (world, id) => world.find(beneficialOwners.ref(id))?.customerId,
    unknown: "REFERENCE_NOT_FOUND",
  },
  PlatformConfig: {
    refs: () => [],
    customerId: () => undefined,
    isPlatform: true,
    unknown: "REFERENCE_NOT_FOUND",
  },
} as const satisfies Readonly<Record<string, HolderRule>>;

export type HolderKind = keyof typeof holders;

const holderKinds = Object.keys(holders) as readonly HolderKind[];

/** The holder that a wire id names; undefined when it is no id of any such kind. */
export function holderOf(wireId: string): DocumentHolder | undefined {
  for (const kind of holderKinds) {
    const id = fromWireId(kind, wireId);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}

export function toHolderId({ kind, id }: DocumentHolder): string {
  return toWireId(kind, id);
}

/** The customer that the holder is, or belongs to; undefined for the platform. */
export function customerIdOf(world: Loaded, { kind, id }: DocumentHolder): string | undefined {
  return holders[kind].customerId(world, id);
}

export function holderNeeds(world: Loaded, holder: DocumentHolder): readonly AnyRef[] {
  const customerId = customerIdOf(world, holder);
  const customer = customerId === undefined ? [] : [customers.ref(customerId)];
  return [...holders[holder.kind].refs(holder.id), ...customer];
}

/** Refuses, in this order: a holder that does not exist, one whose customer was deleted. */
export function refuseUnknownHolder(world: Loaded, holder: DocumentHolder): void {
  const rule: HolderRule = holders[holder.kind];
  if (rule.isPlatform === true) {
    if (holder.id !== world.platformId) throw new Refusal(rule.unknown);
    return;
  }
  const customerId = customerIdOf(world, holder);
  const customer = customerId === undefined ? undefined : world.find(customers.ref(customerId));
  if (customer === undefined) throw new Refusal(rule.unknown);
  if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
}
