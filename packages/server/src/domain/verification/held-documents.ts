/** The documents that a submission is judged by. */
import type { Loaded } from "../../engine/command.ts";
import type { AnyRef } from "../../storage/tables.ts";
import type { HeldDocument } from "./document-rules.ts";

/** Rows to load for the documents of these holders, customers or owners. */
export function documentNeeds(_holderIds: readonly string[]): readonly AnyRef[] {
  return [];
}

/** What these holders have brought. */
export function documentsOf(
  _world: Loaded,
  _holderIds: readonly string[],
): readonly HeldDocument[] {
  return [];
}
