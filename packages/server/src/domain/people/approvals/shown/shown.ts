/**
 * What a person is shown of an order before they agree to it. The page, the dialog and the signed bytes are made of the same value, so
 * nothing is signed that is not shown, and nothing is shown that is not signed.
 */
import { sha256Hex } from "../../../../std/digest.ts";
import { canonicalJson } from "../../../../std/json.ts";

export const shownGroups = ["ORDER", "PAYEE", "FROM", "CHANGE", "WHY"] as const;
export type ShownGroup = (typeof shownGroups)[number];

/** One fact. It has either `value` or `personal`. */
export interface ShownFact {
  /** Unique among the facts of an order. */
  readonly key: string;
  readonly group: ShownGroup;
  readonly label: string;
  readonly value?: string;
  /** The value, where it may be personal data. */
  readonly personal?: string;
  /** What the value replaces. */
  readonly before?: string;
  readonly personalBefore?: string;
  /** The wire id of the object that the value names. */
  readonly id?: string;
  /** The fact may be another one at the next moment, such as a balance. */
  readonly moves?: true;
}

export const warningKeys = [
  "FIRST_PAYMENT",
  "NEW_ACCOUNT",
  "LARGE_AMOUNT",
  "UNUSUAL_HOUR",
  "ASKER_CHANGED",
  "NAME_DIFFERS",
] as const;
export type WarningKey = (typeof warningKeys)[number];

export interface ShownWarning {
  readonly key: WarningKey;
  readonly text: string;
}

export interface Shown {
  readonly title: string;
  readonly facts: readonly ShownFact[];
  readonly warnings: readonly ShownWarning[];
  /** The digest of the value that the order replaces, where the content does not have that value. */
  readonly replaces?: string;
}

/** What was shown, to whom, when, and of which order. */
export interface Showing extends Shown {
  /** A wire id of an approval. */
  readonly approvalId: string;
  /** The digest of the order, which covers the whole content. */
  readonly contentDigest: string;
  /** A wire id of a person. */
  readonly to: string;
  readonly at: string;
}

/** The text that is kept, and whose digest is signed. */
export function showingText(showing: Showing): string {
  return canonicalJson(showing);
}

export function showingDigest(text: string): string {
  return sha256Hex(text);
}

/** The keys of facts that are different now, without those that move. */
export function changedFacts(shown: Shown, now: Shown): readonly string[] {
  const [before, after] = [shown, now].map(
    ({ title, facts }) =>
      new Map([
        ["title", title],
        ...facts
          .filter(({ moves }) => moves !== true)
          .map((fact) => [fact.key, canonicalJson(fact)] as const),
      ]),
  );
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...keys].filter((key) => before?.get(key) !== after?.get(key));
}
