/** Parses a search text into an id or into words. */
import { isUuid } from "../../../std/ids.ts";
import { type IdKind, kindOfId } from "../../id-kinds.ts";
import { amountsIn } from "./amounts.ts";
import { fold, withoutSign, wordsOf } from "./terms.ts";

export type SearchQuery =
  | { readonly id: string; readonly kind: IdKind | undefined }
  | {
      /** An object matches an alternative when each of its texts is a prefix of a term. */
      readonly alternatives: readonly (readonly string[])[];
    };

const MOST_WORDS = 6;
/** An id as banks get it: without dashes. */
const END_TO_END = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
/** The reference of a payment to a UMA address: it contains the id of the sender's transaction. */
const UMA_REFERENCE = "uma-";
/** Seven to fifteen digits, the most that a phone number has. */
const PHONE = /^\+?(?:[\s().\-/]*\d){7,15}$/;

export function toSearchQuery(text: string): SearchQuery {
  const trimmed = text.trim();
  const kind = kindOfId(trimmed);
  if (kind !== undefined) return { id: trimmed.slice(kind.length + 1), kind };
  const folded = fold(trimmed);
  const id = folded.replace(END_TO_END, "$1-$2-$3-$4-$5");
  if (isUuid(id)) return { id, kind: undefined };
  const words = wordsOf(folded).map(withoutSign).slice(0, MOST_WORDS);
  const whole = words.length > 1 ? [[words.join(" ")]] : [];
  const amounts = amountsIn(folded).map((amount) => [amount]);
  // Zeros at the beginning stand for a country, or are dialled before a number within one.
  const phones = PHONE.test(folded) ? [[folded.replaceAll(/\D|^\D*0+/g, "")]] : [];
  const alternatives = [...amounts, ...whole, words, ...phones].filter((each) => each.length > 0);
  return { alternatives: distinct(alternatives) };
}

/** The id in the reference of a payment to a UMA address. */
export function idInReference(text: string): string | undefined {
  const plain = text.trim().toLowerCase();
  if (!plain.startsWith(UMA_REFERENCE)) return undefined;
  return END_TO_END.exec(plain.slice(UMA_REFERENCE.length))?.slice(1).join("-");
}

function distinct(alternatives: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(alternatives.map((words) => [words.join("\n"), words])).values()];
}
