/** The two sides of a payment in full. */
import type { BeneficiaryVerificationStatus } from "../../../accounts/external/sandbox-suffix.ts";
import type { ShownFact, ShownGroup } from "./shown.ts";
import { accountTypeWords, amountOf, countryWords, dayOf } from "./words.ts";

/** Payments that reached this payee before. */
export interface PaidBefore {
  readonly count: number;
  /** There may be more than were counted. */
  readonly isMore: boolean;
  readonly lastAt: number | null;
}

/** An account outside. */
export interface ExternalSide {
  readonly kind: "EXTERNAL";
  readonly id?: string;
  readonly name: string | null;
  readonly bank: string | null;
  /** Codes of two letters. */
  readonly countries: readonly string[];
  readonly lastFour: string;
  readonly accountType: string;
  /** Null for an account that does not exist yet. */
  readonly created: { readonly at: number; readonly by: string | null } | null;
  readonly nameCheck: BeneficiaryVerificationStatus | null;
  readonly verifiedName: string | null;
  readonly owner: string | null;
  readonly paid: PaidBefore | null;
}

/** An account at the platform. */
export interface InternalSide {
  readonly kind: "INTERNAL";
  readonly id: string;
  readonly holder: string;
  readonly currency: string;
  readonly balanceMinor: bigint;
  readonly paid: PaidBefore | null;
}

export interface UmaSide {
  readonly kind: "UMA";
  readonly address: string;
  readonly paid: PaidBefore | null;
}

/** A payer or payee whose account the platform does not keep. */
export interface OutsideSide {
  readonly kind: "OUTSIDE";
  readonly name: string | null;
  readonly account: string | null;
}

export type Side = ExternalSide | InternalSide | UmaSide | OutsideSide;

type Make = (name: string, label: string, value: string | null) => readonly ShownFact[];

/** The facts of a side; `change` is what the order adds to its balance. */
export function sideFacts(
  group: "PAYEE" | "FROM",
  side: Side,
  change: bigint,
): readonly ShownFact[] {
  const open = maker(group, "value");
  const personal = maker(group, "personal");
  switch (side.kind) {
    case "EXTERNAL":
      return externalFacts(group, side);
    case "INTERNAL":
      return internalFacts(group, side, change);
    case "UMA":
      return [...personal("name", "UMA address", side.address), ...paidFacts(group, side.paid)];
    case "OUTSIDE":
      return [
        ...personal("name", "Name", side.name ?? "Not known"),
        ...open("type", "Account", "Outside the platform"),
        ...personal("account", "Account number", side.account),
      ];
  }
}

function maker(group: ShownGroup, member: "value" | "personal"): Make {
  const prefix = group.toLowerCase();
  return (name, label, value) =>
    value === null ? [] : [{ key: `${prefix}.${name}`, group, label, [member]: value }];
}

function externalFacts(group: ShownGroup, side: ExternalSide): readonly ShownFact[] {
  const open = maker(group, "value");
  const personal = maker(group, "personal");
  const { id, name, created, lastFour } = side;
  const named = personal("name", "Name", name ?? "No name");
  return [
    ...(id === undefined ? named : named.map((fact) => ({ ...fact, id }))),
    ...personal("bank", "Bank", side.bank ?? "Not named"),
    ...open("country", "Country", countriesText(side.countries)),
    ...personal("lastFour", "Account", lastFour === "" ? "No number" : `••${lastFour}`),
    ...open("type", "Type", accountTypeWords(side.accountType)),
    ...personal("owner", "Account of", side.owner),
    ...personal("created", "Added", created === null ? "With this order" : createdText(created)),
    ...moving(paidFacts(group, side.paid)),
    ...moving(personal("nameCheck", "Name check", nameCheckText(side))),
  ];
}

function countriesText(countries: readonly string[]): string {
  return countries.length === 0 ? "Not known" : countries.map(countryWords).join(", ");
}

function createdText({ at, by }: NonNullable<ExternalSide["created"]>): string {
  return by === null ? dayOf(at) : `${dayOf(at)} by ${by}`;
}

/** `7 times, last on 12 Nov 2026` */
export function paidText({ count, isMore, lastAt }: PaidBefore): string {
  if (count === 0 || lastAt === null) return "0 times before";
  const times = isMore ? `${count} times or more` : count === 1 ? "once" : `${count} times`;
  return `${times}, last on ${dayOf(lastAt)}`;
}

function paidFacts(group: ShownGroup, paid: PaidBefore | null): readonly ShownFact[] {
  return moving(maker(group, "value")("paid", "Paid", paid === null ? null : paidText(paid)));
}

const NAME_CHECKS: Readonly<Record<BeneficiaryVerificationStatus, string>> = {
  MATCHED: "The name matches",
  PARTIAL_MATCH: "The name matches in part",
  NOT_MATCHED: "The name does not match",
  UNSUPPORTED: "Not possible for this account",
  CHECKED_BY_RECEIVING_FI: "By the receiving bank",
  PENDING: "Not finished",
};

function nameCheckText({ nameCheck, verifiedName }: ExternalSide): string {
  if (nameCheck === null) return "Not checked";
  const text = NAME_CHECKS[nameCheck];
  return verifiedName === null || nameCheck === "MATCHED" ? text : `${text}: ${verifiedName}`;
}

function internalFacts(
  group: ShownGroup,
  { id, holder, currency, balanceMinor, paid }: InternalSide,
  change: bigint,
): readonly ShownFact[] {
  const open = maker(group, "value");
  const named = maker(group, "personal")("name", group === "FROM" ? "Holder" : "Name", holder);
  return [
    ...named.map((fact) => ({ ...fact, id })),
    ...open("type", "Type", `${currency} account at the platform`),
    ...moving([
      ...open("balance", "Balance now", amountOf(balanceMinor, currency)),
      ...open("balanceAfter", "Balance after", amountOf(balanceMinor + change, currency)),
    ]),
    ...paidFacts(group, paid),
  ];
}

function moving(facts: readonly ShownFact[]): readonly ShownFact[] {
  return facts.map((fact) => ({ ...fact, moves: true }));
}
