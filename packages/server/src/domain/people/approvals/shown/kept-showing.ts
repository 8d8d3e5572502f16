/** What a person was shown when they agreed. It is written with the agreement and never changed. */

import { finderOf } from "../../../../tables/find-row.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../../tables/tables.ts";
import type { Showing } from "./shown.ts";

const columns = {
  id: fixed("uuid"),
  approvalId: fixed("uuid"),
  personId: fixed("uuid"),
  /** The digest of the text, which the passkey has signed. */
  digest: fixed("text"),
  /** The text, see `showingText`. It has names and account numbers, so it is sealed. */
  textSealed: mutable("text"),
  /** Identifies the sealed text, which is sealed before the row has an id. */
  sealId: fixed("uuid"),
  createdAt: fixed("time"),
};

export interface KeptShowing extends RowOf<typeof columns> {}

export const approvalShowings = defineTable<KeptShowing>("approval_showings", columns, {
  isFinal: () => true,
});

export const findShowing = finderOf(approvalShowings);

/** The associated data of the sealed text. */
export function showingIdentity(platformId: string, sealId: string): string {
  return `approval_showings.text ${platformId} ${sealId}`;
}

/** What was shown, ready to be kept. */
export interface AgreedShowing extends Pick<KeptShowing, "digest" | "textSealed" | "sealId"> {
  readonly showing: Showing;
}
