/** The directory of institutions: the values of `bankName` for account types that require a listed name. */
import { countryInstitutions } from "./institution-rows.ts";

export interface Institution {
  /** The value of `bankName`, compared exactly. */
  readonly bankName: string;
  readonly displayName: string;
  readonly country: string;
  readonly currency: string;
}

/** By country, then by name. */
export const institutions: readonly Institution[] = countryInstitutions.flatMap(
  ({ country, currency, lines }) =>
    lines
      .split(";")
      .map((line) => {
        const [bankName = "", displayName = bankName] = line.trim().split(" = ");
        return { bankName, displayName, country, currency };
      })
      .sort((left, right) => (left.bankName < right.bankName ? -1 : 1)),
);

export interface InstitutionFilter {
  readonly country?: string | undefined;
  readonly currency?: string | undefined;
}

export function listInstitutions({ country, currency }: InstitutionFilter): readonly Institution[] {
  return institutions.filter(
    (institution) =>
      (country === undefined || institution.country === country) &&
      (currency === undefined || institution.currency === currency),
  );
}

/** An index of a country's institutions, for similarity search. */
interface CountryNames {
  readonly names: ReadonlySet<string>;
  readonly candidates: readonly Candidate[];
}

interface Candidate {
  readonly bankName: string;
  /** Bigrams of the value, of the display name, and of its initials. */
  readonly pairs: readonly ReadonlySet<string>[];
}

const byCountry: ReadonlyMap<string, CountryNames> = new Map(
  countryInstitutions.map(({ country }) => {
    const rows = listInstitutions({ country });
    return [
      country,
      {
        names: new Set(rows.map(({ bankName }) => bankName)),
        candidates: rows.map(({ bankName, displayName }) => ({
          bankName,
          pairs: [bankName, displayName, initialsOf(displayName)].map(letterPairs),
        })),
      },
    ];
  }),
);

/** Whether the country has an institution with exactly this `bankName`. */
export function isInstitution(country: string, bankName: string): boolean {
  return byCountry.get(country)?.names.has(bankName) ?? false;
}

const MOST_NEAREST = 5;
/** The least similarity (0 to 1) of a suggestion. */
const LEAST_LIKENESS = 0.3;

/** The most similar institutions of the country, best first; empty when none is similar enough. */
export function nearestInstitutions(country: string, name: string): readonly string[] {
  const given = letterPairs(name);
  const rated = (byCountry.get(country)?.candidates ?? []).map(({ bankName, pairs }) => ({
    bankName,
    likeness: Math.max(...pairs.map((own) => likenessOf(given, own))),
  }));
  return rated
    .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
    .sort((left, right) => right.likeness - left.likeness)
    .slice(0, MOST_NEAREST)
    .map(({ bankName }) => bankName);
}

function letterPairs(name: string): ReadonlySet<string> {
  const letters = ` ${name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < letters.length; at += 1) pairs.add(letters.slice(at, at + 2));
  return pairs;
}

function initialsOf(name: string): string {
  return name
    .split(" ")
    .map((word) => word.charAt(0))
    .join("");
}

/** The similarity of two sets of bigrams: 1 for equal sets, 0 for disjoint ones. */
function likenessOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of left) if (right.has(pair)) shared += 1;
  return (2 * shared) / (left.size + right.size);
}
