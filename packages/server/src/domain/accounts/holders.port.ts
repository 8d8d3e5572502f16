/** What accounts need from customers: they own accounts, and their module is a layer above this one. */
import type { Loaded } from "../../engine/command.ts";
import { definePort } from "../../engine/port.ts";
import type { AnyRef } from "../../tables/tables.ts";
import type { Freeze } from "./freezes/freeze.ts";

export interface Holders {
  /** Rows that `refuseUnknown` reads. */
  needs(customerId: string): readonly AnyRef[];
  /** Throws USER_NOT_FOUND, or INVALID_INPUT for a customer who was deleted. */
  refuseUnknown(world: Loaded, customerId: string): void;
  /** Of a customer that `refuseUnknown` has let pass. */
  standingOf(world: Loaded, customerId: string): HolderStanding;
}

export interface HolderStanding {
  readonly freeze: Freeze | null;
  readonly currencies: readonly string[];
}

export const holdersPort = definePort<Holders>("holders of accounts");
