/**
 * A funding address: what identifies external money as meant for an internal account or for a quote. It is made once, when it is first
 * needed, and kept for ever; money that comes to the address of a closed account goes to suspense.
 */
import type { World } from "../../../engine/command.ts";
import type { JsonObject } from "../../../std/json.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { FundingMode } from "../connections/funding-settings.ts";
import { newReference, type ReferenceForm, randomBitsOf } from "./payment-reference.ts";

const columns = {
  /** The connector knows the address by it. */
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  /** Either `accountId` or `quoteId` is set. */
  accountId: fixed<string | null>("uuid"),
  quoteId: fixed<string | null>("uuid"),
  currency: fixed("text"),
  mode: fixed<Exclude<FundingMode, "NONE">>("text"),
  reference: fixed<string | null>("text"),
  virtualAccount: fixed<string | null>("text"),
  /** The payment instructions of the connector; null before it answers, and in the other modes. */
  told: mutable<readonly JsonObject[] | null>("json"),
  /** The job that asks the connector; null once it has answered. */
  jobId: mutable<string | null>("uuid"),
  createdAt: fixed("time"),
};

export interface FundingAddress extends RowOf<typeof columns> {}

export const fundingAddresses = defineTable<FundingAddress>("funding_addresses", columns);

export const addressesOfAccount = defineLookup(fundingAddresses, { by: "accountId" });
export const addressesByReference = defineLookup(fundingAddresses, { by: "reference" });
/** Across all connections, because two of them may share a number. */
export const addressesByNumber = defineLookup(fundingAddresses, { by: "virtualAccount" });

/** Adds an address, with the job that asks its connector. */
export function putAddress(world: World, address: FundingAddress): void {
  const job = { kind: "ask-funding-address", payload: { addressId: address.id } } as const;
  const isAsked = address.mode === "CONNECTOR";
  const jobId = isAsked ? scheduleJob(world, { ...job, dueAt: world.at }) : null;
  world.put(fundingAddresses, { ...address, jobId });
}

/** A reference that no other address of the deployment has: its random bits come from two new ids. */
export function freshReference(world: World, form: ReferenceForm): string {
  const bits = (randomBitsOf(world.newId()) << 62n) | randomBitsOf(world.newId());
  return newReference(form, bits);
}
