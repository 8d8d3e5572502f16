/** What the payer's institution has told about payer and payment under the travel rule: opened once, and kept sealed with our own key. */
import { finderOf } from "../../../tables/find-row.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

const columns = {
  /** The id of the transaction. */
  id: fixed("uuid"),
  /** Part of the identity under which the content is sealed. */
  sealId: fixed("uuid"),
  /** As the institution named it. */
  format: fixed<string | null>("text"),
  contentSealed: mutable("text"),
  createdAt: fixed("time"),
};

export interface TravelRule extends RowOf<typeof columns> {}

export const travelRules = defineTable<TravelRule>("uma_travel_rules", columns, {
  isFinal: () => true,
});

export const findTravelRule = finderOf(travelRules);

/** What a pay request brings of it. */
export type SealedTravelRule = Pick<TravelRule, "sealId" | "format" | "contentSealed">;

export function travelRuleIdentity(platformId: string, sealId: string): string {
  return `uma-travel-rule:${platformId}:${sealId}`;
}
