/** Parses a search text into an id or into words. */
import { isUuid } from "../../../std/ids.ts";
import { type IdKind, kindOfId } from "../../id-kinds.ts";
import { fold, plainDecimal, withoutSign, wordsOf } from "./terms.ts";

export type SearchQuery =
  | { readonly id: string; readonly kind: IdKind | undefined }
  | {
      /** An object matches an alternative when each of its texts is a prefix of a term. */
      readonly alternatives: readonly (readonly string[])[];
    };

const AMOUNT = /^(\d{1,16}(?:\.\d{1,10})?)(?:\s*([a-z]{3,5}))?$/;
const MOST_WORDS = 6;

export function toSearchQuery(text: string): SearchQuery {
  const trimmed = text.trim();
  const kind = kindOfId(trimmed);
  if (kind !== undefined) return { id: trimmed.slice(kind.length + 1), kind };
  const folded = fold(trimmed);
  if (isUuid(folded)) return { id: folded, kind: undefined };
  const words = wordsOf(folded).map(withoutSign).slice(0, MOST_WORDS);
  const [, digits, currency = ""] = AMOUNT.exec(folded) ?? [];
  const amount = digits === undefined ? [] : [[`#${plainDecimal(digits)} ${currency}`]];
  const whole = words.length > 1 ? [[words.join(" ")]] : [];
  return { alternatives: [...amount, ...whole, words].filter((each) => each.length > 0) };
}
