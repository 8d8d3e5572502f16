/** What accounts need of customers, who hold them and are above them. */
import type { Loaded } from "../../engine/command.ts";
import { definePort } from "../../engine/port.ts";
import type { AnyRef } from "../../tables/tables.ts";

export interface Holders {
  /** The rows of `refuseUnknown`. */
  needs(customerId: string): readonly AnyRef[];
  /** USER_NOT_FOUND, or INVALID_INPUT for a customer who was deleted. */
  refuseUnknown(world: Loaded, customerId: string): void;
}

export const holdersPort = definePort<Holders>("holders of accounts");
