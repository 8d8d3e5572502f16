/** Members of an order, and of what it replaces, as facts: one line for each value, with a name in place of each id. */
import { findConnectionCurrency } from "../../../../money/currency.ts";
import { anyIdPattern, isUuid } from "../../../../std/ids.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../std/json.ts";
import type { ShownFact, ShownGroup } from "./shown.ts";
import {
  accountTypeWords,
  amountOf,
  constantWords,
  countryWords,
  memberWords,
  momentOf,
} from "./words.ts";

/** Names of objects by their wire ids. */
export type Names = ReadonlyMap<string, string>;

/** Amounts in the smallest unit of the currency that stands beside or above them. */
const AMOUNTS: ReadonlySet<string> = new Set(
  "amount perTransactionLimit dailyLimit monthlyLimit payoutCeiling creditCeiling maxLong maxShort minAmount maxAmount fixedMinor minMinor maxMinor".split(
    " ",
  ),
);

/** Members whose members are amounts by currency. */
const BY_CURRENCY: ReadonlySet<string> = new Set(["above", "twoAbove"]);

/** Members without a meaning to a person. The digest of the order covers them. */
const TECHNICAL: ReadonlySet<string> = new Set(
  "id secretHash codeHash sealId previousSigningSecret previousCallbackSecret platformId".split(
    " ",
  ),
);

/** Members whose names are left out of the labels of their own members. */
const UNNAMED: ReadonlySet<string> = new Set(["accountInfo", "rules", "policy", "secrets"]);

const LABELS: Readonly<Record<string, string>> = {
  approvalThresholds: "Approval above",
  autoJoin: "Joins by itself",
  allowedAccountIds: "Allowed accounts",
  accountRules: "Rule of account",
  above: "Does not wait up to",
  bps: "Basis points",
  defaultExecutionMode: "Orders",
  defaultUmaDepositAccount: "Takes incoming UMA payments",
  externalAccountIds: "Payees: accounts",
  umaAddresses: "Payees: UMA addresses",
  fundingAccountIds: "Accounts that money may be pulled from",
  isPaused: "Paused",
  isRequired: "Sign-in by a provider required",
  isSuspended: "Suspended",
  fixedMinor: "Fixed fee",
  minMinor: "Least variable fee",
  maxMinor: "Most variable fee",
  perTransactionLimit: "At most a payment",
  dailyLimit: "At most a day",
  monthlyLimit: "At most a month",
  dailyTransactionLimit: "Payments a day",
  twoAbove: "Two people above",
  waits: "Waits",
};

export function labelOf(name: string): string {
  return LABELS[name] ?? memberWords(name.replace(/(?<=[a-z])Ids?$/, ""));
}

/** Where a value stands, by the names of members and in words. */
interface Place {
  readonly path: readonly string[];
  readonly labels: readonly string[];
}

interface Leaf extends Place {
  readonly text: string;
  readonly isPersonal: boolean;
}

interface Scope {
  readonly names: Names;
  /** The currency that stands nearest above. */
  readonly currency: string | undefined;
}

export const NONE = "None";

const AT_TOP: Place = { path: [], labels: [] };

function below({ path, labels }: Place, name: string, label = labelOf(name)): Place {
  return { path: [...path, name], labels: [...labels, label] };
}

/** The values of a member, in the order in which they stand. */
function leavesOf(
  name: string,
  value: Json | undefined,
  { above, scope }: { readonly above: Place; readonly scope: Scope },
): readonly Leaf[] {
  if (value === undefined || TECHNICAL.has(name)) return [];
  if (typeof value === "string" && isUuid(value)) return [];
  const at = UNNAMED.has(name) ? above : below(above, name);
  if (isJsonObject(value)) return ofObject(value, at, scope);
  const items = Array.isArray(value) ? value.filter(isJsonObject) : [];
  if (items.length > 0)
    return items.flatMap((one, index) => {
      const item = itemName(one, index, scope);
      const place = below(above, `${name} ${item}`, `${labelOf(name)} ${item}`);
      // In `roles: [{platformId, roles}]` the inner name says nothing more.
      const { [name]: own, ...others } = one;
      const inner = own === undefined ? [] : [{ ...place, ...textOf(name, own, scope) }];
      return [...inner, ...ofObject(others, place, scope)];
    });
  const currency = currencyAt(above.path, name, scope);
  return [{ ...below(above, name), ...textOf(name, value, { ...scope, currency }) }];
}

function ofObject(value: JsonObject, at: Place, scope: Scope): readonly Leaf[] {
  // A sealed value says nothing to a person.
  if (typeof value.sealed === "string") return [{ ...at, text: "A new one", isPersonal: false }];
  const inner = { ...scope, currency: currencyOf(value) ?? scope.currency };
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(name, member, { above: at, scope: inner }),
  );
}

function currencyOf(members: JsonObject): string | undefined {
  const { currency, currencies, from, spendingLimits } = members;
  // The limits of accounts in an agent's policy are in the currency of its spending limits.
  if (spendingLimits !== undefined && isJsonObject(spendingLimits))
    return currencyOf(spendingLimits);
  if (typeof currency === "string") return currency;
  if (Array.isArray(currencies) && currencies.length === 1) return String(currencies[0]);
  return typeof from === "string" && from !== "*" ? from : undefined;
}

/** In `above: {USD: 1000}` the name of the member is the currency. */
function currencyAt(
  path: readonly string[],
  name: string,
  { currency }: Scope,
): string | undefined {
  return BY_CURRENCY.has(path.at(-1) ?? "") ? name : currency;
}

/** What tells one item of a list from the others. */
function itemName(item: JsonObject, index: number, { names }: Scope): string {
  const { name, accountId, from, to, accountType, paymentRail, currency, platformId } = item;
  if (typeof name === "string") return name;
  // Labels hold no personal data: the account is named by the value of its own member.
  if (typeof accountId === "string") return String(index + 1);
  if (platformId === null) return "on every platform";
  if (typeof platformId === "string") return `on ${names.get(platformId) ?? String(index + 1)}`;
  if (typeof from === "string" && typeof to === "string") {
    const further = [accountType, paymentRail].filter((one) => typeof one === "string");
    const sides = [from, to].map((one) => (one === "*" ? "any" : one)).join(" to ");
    return [sides, ...further.map((one) => constantWords(String(one)))].join(", ");
  }
  return typeof currency === "string" ? currency : String(index + 1);
}

function textOf(
  name: string,
  value: Json,
  scope: Scope,
): { readonly text: string; readonly isPersonal: boolean } {
  const open = (text: string) => ({ text, isPersonal: false });
  if (value === null) return open(NONE);
  if (typeof value === "boolean") return open(value ? "Yes" : "No");
  const isAmount = AMOUNTS.has(name) || name === scope.currency;
  if (isAmount && /^\d+$/.test(String(value))) {
    const minor = BigInt(String(value));
    return open(
      scope.currency === undefined
        ? `${minor} of the smallest unit`
        : amountOf(minor, scope.currency),
    );
  }
  if (typeof value === "number") return open(String(value));
  if (Array.isArray(value)) {
    const texts = value.map((one) => textOf(name, one, scope));
    return {
      text: texts.length === 0 ? NONE : texts.map(({ text }) => text).join(", "),
      isPersonal: texts.some(({ isPersonal }) => isPersonal),
    };
  }
  return wordsIn(name, String(value), scope);
}

const WIRE_ID = new RegExp(`^${anyIdPattern}$`);
/** What a freeze stops. `ALL` is the code of a currency, too. */
const SCOPES: Readonly<Record<string, string>> = {
  ALL: "Payments out and in",
  DEBITS: "Payments out",
};
const ACCOUNT_TYPES: ReadonlySet<string> = new Set(["accountType", "accountTypes"]);
const COUNTRIES: ReadonlySet<string> = new Set(["country", "countryCode", "nationality"]);

function wordsIn(name: string, value: string, { names }: Scope) {
  if (WIRE_ID.test(value)) {
    const known = names.get(value);
    const [kind = ""] = value.split(":");
    return { text: known ?? memberWords(kind), isPersonal: known !== undefined };
  }
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value))
    return { text: momentOf(Date.parse(value)), isPersonal: false };
  if (ACCOUNT_TYPES.has(name)) return { text: accountTypeWords(value), isPersonal: false };
  if (COUNTRIES.has(name)) return { text: countryWords(value), isPersonal: true };
  if (value === "*") return { text: "Any", isPersonal: false };
  const scope = name === "scope" ? SCOPES[value] : undefined;
  if (scope !== undefined) return { text: scope, isPersonal: false };
  if (findConnectionCurrency(value) !== undefined) return { text: value, isPersonal: false };
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(value))
    return { text: constantWords(value), isPersonal: false };
  return { text: value, isPersonal: true };
}

function labelAt({ labels: [first = "", ...rest] }: Place): string {
  const inner = rest.map((one) =>
    one.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()),
  );
  return [first, ...inner].join(": ");
}

/** One fact for each value of these members. */
export function memberFacts(
  group: ShownGroup,
  members: JsonObject,
  names: Names,
  currency?: string,
): readonly ShownFact[] {
  return leavesIn(members, names, currency).map((leaf) => ({
    key: `content.${leaf.path.join(".")}`,
    group,
    label: labelAt(leaf),
    ...(leaf.isPersonal ? { personal: leaf.text } : { value: leaf.text }),
  }));
}

function leavesIn(members: JsonObject, names: Names, currency?: string): readonly Leaf[] {
  const scope = { names, currency: currencyOf(members) ?? currency };
  const leaves = Object.entries(members).flatMap(([name, value]) =>
    leavesOf(name, value, { above: AT_TOP, scope }),
  );
  const seen = new Map<string, number>();
  // Two items of a list may have the same name.
  return leaves.map((leaf) => {
    const at = leaf.path.join(".");
    const count = (seen.get(at) ?? 0) + 1;
    seen.set(at, count);
    return count === 1 ? leaf : { ...leaf, ...below(leaf, `${count}`, `(${count})`) };
  });
}

/** One fact for each value that differs, with the value before. */
export function changeFacts(
  before: JsonObject,
  after: JsonObject,
  names: Names,
): readonly ShownFact[] {
  const old = byPath(leavesIn(before, names));
  const next = byPath(leavesIn(after, names));
  return [...new Map([...old, ...next])].flatMap(([at, leaf]) => {
    const [was, is] = [old.get(at), next.get(at)];
    const [value, replaced] = [is?.text ?? NONE, was?.text ?? NONE];
    if (value === replaced) return [];
    const isPersonal = was?.isPersonal === true || is?.isPersonal === true;
    const texts = isPersonal
      ? { personal: value, personalBefore: replaced }
      : { value, before: replaced };
    return [{ key: `change.${at}`, group: "CHANGE" as const, label: labelAt(leaf), ...texts }];
  });
}

function byPath(leaves: readonly Leaf[]): ReadonlyMap<string, Leaf> {
  return new Map(leaves.map((leaf) => [leaf.path.join("."), leaf]));
}
