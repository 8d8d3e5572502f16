/**
 * A party: who pays, who is paid or who acts, as people read it. The names are those of the moment of the read, so nothing is stored and a
 * payment costs nothing for it.
 */
import type { JsonObject } from "../../../std/json.ts";
import { beneficiaryNameIn } from "../../accounts/external/external-account.ts";
import type { InternalAccountType } from "../../accounts/internal/internal-account.ts";
import { accountTypeWords, institutionIn, lastFourOf, shownDigits } from "./account-words.ts";

export const partyKinds = [
  "CUSTOMER",
  "INTERNAL_ACCOUNT",
  "EXTERNAL_ACCOUNT",
  "UMA",
  "OUTSIDE",
  "PLATFORM",
  "AGENT",
  "PERSON",
  "TOKEN",
  "SYSTEM",
] as const;

export type PartyKind = (typeof partyKinds)[number];

/** The customer whose account, address or agent the party is. */
export interface Holder {
  /** A wire id. */
  readonly id: string;
  readonly name: string;
  /** The platform's own id of the customer. */
  readonly yourId: string;
}

export interface Party {
  readonly kind: PartyKind;
  /** A wire id; absent for a party that is no object of the platform. */
  readonly id?: string;
  readonly name: string;
  /** What tells the party from others of its name; may be empty. */
  readonly detail: string;
  readonly holder?: Holder;
}

/** Parties that are rows of the platform, with the prefix of their wire ids. */
export const rowKinds = {
  CUSTOMER: "Customer",
  INTERNAL_ACCOUNT: "InternalAccount",
  EXTERNAL_ACCOUNT: "ExternalAccount",
  AGENT: "Agent",
  PERSON: "Person",
  TOKEN: "Token",
} as const satisfies Partial<Record<PartyKind, string>>;

export type RowKind = keyof typeof rowKinds;

const kindsByPrefix: ReadonlyMap<string, RowKind> = new Map(
  Object.entries(rowKinds).map(([kind, prefix]) => [prefix, kind as RowKind]),
);

/** What a row says of a party. The names of a page are looked up together, with one statement a kind. */
export type PartyReference =
  | { readonly kind: RowKind; readonly id: string }
  | {
      readonly kind: "UMA";
      readonly address: string;
      /** The name that the other institution told. */
      readonly told?: string | undefined;
    }
  | {
      readonly kind: "OUTSIDE";
      readonly name?: string | undefined;
      readonly bank?: string | undefined;
      readonly lastFour?: string | undefined;
      readonly remittance?: string | undefined;
    }
  | { readonly kind: "PLATFORM" }
  | { readonly kind: "SYSTEM"; readonly by: SystemActor }
  /** Who asked for the object with this wire id, by its first event. */
  | { readonly kind: "MAKER"; readonly subject: string };

const SYSTEM_ACTORS = {
  worker: ["Florin", "by itself"],
  operator: ["Operator", "on the command line"],
  link: ["Link", "on a hosted page"],
} as const;

type SystemActor = keyof typeof SYSTEM_ACTORS;

const join = (...parts: readonly (string | null | undefined)[]) =>
  parts.filter((part) => part !== null && part !== undefined && part !== "").join(" · ");

export interface CustomerNames {
  readonly id: string;
  readonly yourId: string;
  readonly name: string | null;
}

/** A customer that came without the platform's own id has its uuid as such, which is nothing to read. */
export function holderOf({ id, yourId, name }: CustomerNames): Holder {
  const readable = yourId === id ? UNNAMED_CUSTOMER : yourId;
  return { id: `Customer:${id}`, name: name ?? readable, yourId };
}

export function customerParty(customer: CustomerNames): Party {
  const { id, name, yourId } = holderOf(customer);
  const isName = name === yourId || yourId === customer.id;
  return { kind: "CUSTOMER", id, name, detail: isName ? "" : yourId };
}

const UNNAMED_CUSTOMER = "Unnamed customer";

const WALLET = "Embedded wallet";
const DEFAULT = "Default";

/** The name that a platform gave the account of a party; undefined for a default account. */
export function accountNameIn({ kind, detail }: Pick<Party, "kind" | "detail">) {
  const own = kind === "INTERNAL_ACCOUNT" ? detail.slice(detail.indexOf(" · ") + 3) : DEFAULT;
  return own === DEFAULT || own === WALLET ? undefined : own;
}

/** `owner`: a customer, or the platform, whose account then has no holder. */
export function internalAccountParty(
  account: {
    readonly id: string;
    readonly type: InternalAccountType;
    readonly currency: string;
    /** Of an account that was opened beside the default one. */
    readonly name?: string | null;
  },
  owner: Holder | { readonly name: string },
): Party {
  const { id, type, currency, name } = account;
  return {
    kind: "INTERNAL_ACCOUNT",
    id: `InternalAccount:${id}`,
    name: owner.name,
    detail: join(currency, name ?? (type === "EMBEDDED_WALLET" ? WALLET : DEFAULT)),
    ...("yourId" in owner ? { holder: owner } : {}),
  };
}

/** An account whose beneficiary is not stated has its last characters, or else its type, as its name. */
export function externalAccountParty(account: {
  readonly id: string;
  readonly accountType: string;
  readonly accountInfo: JsonObject;
  readonly primaryIdentifier: string;
}): Party {
  const { accountInfo } = account;
  const digits = shownDigits(lastFourOf(account));
  const words = accountTypeWords(account);
  const name = beneficiaryNameIn(accountInfo) ?? (digits === "" ? words : digits);
  const others = [institutionIn(accountInfo), digits, words].filter((part) => part !== name);
  return {
    kind: "EXTERNAL_ACCOUNT",
    id: `ExternalAccount:${account.id}`,
    name,
    detail: join(...others),
  };
}

export function heldBy(party: Party, holder: Holder | undefined): Party {
  return holder === undefined ? party : { ...party, holder };
}

export function umaParty(
  { address, told }: { readonly address: string; readonly told?: string | undefined },
  holder?: Holder,
): Party {
  return heldBy({ kind: "UMA", name: address, detail: holder?.name ?? told ?? "" }, holder);
}

/** The name of a payer about whom the bank said nothing. */
export const UNNAMED_PAYER = "Unnamed payer";

export function outsideParty({
  name,
  bank,
  lastFour,
  remittance,
}: Omit<Extract<PartyReference, { kind: "OUTSIDE" }>, "kind">): Party {
  const detail = join(bank, shownDigits(lastFour?.slice(-4)), remittance);
  return { kind: "OUTSIDE", name: name ?? UNNAMED_PAYER, detail };
}

export function platformParty(name: string): Party {
  return { kind: "PLATFORM", name, detail: "" };
}

export function agentParty(id: string, name: string, holder: Holder | undefined): Party {
  const detail = holder === undefined ? "" : `acts for ${holder.name}`;
  return heldBy({ kind: "AGENT", id: `Agent:${id}`, name, detail }, holder);
}

export function personParty(id: string, name: string, email: string): Party {
  return { kind: "PERSON", id: `Person:${id}`, name, detail: email };
}

export function tokenParty(id: string, name: string, permissions: readonly string[]): Party {
  return { kind: "TOKEN", id: `Token:${id}`, name, detail: permissions.join(", ") };
}

export function systemParty(by: SystemActor): Party {
  const [name, detail] = SYSTEM_ACTORS[by];
  return { kind: "SYSTEM", name, detail };
}

/** The party behind a wire id, such as `Customer:<uuid>`; undefined for an object that is no party. */
export function referenceTo(wireId: string): PartyReference | undefined {
  const [prefix = "", id = ""] = wireId.split(":");
  if (prefix === "PlatformConfig") return { kind: "PLATFORM" };
  const kind = kindsByPrefix.get(prefix);
  return kind && { kind, id };
}

/** The party behind the actor of a command, such as `token:<uuid>` or `worker:<name>`. */
export function referenceToActor(actor: string): PartyReference | undefined {
  const [kind = "", id = ""] = actor.split(":");
  if (kind === "token" || kind === "agent" || kind === "person")
    return { kind: kind.toUpperCase() as RowKind, id };
  return Object.hasOwn(SYSTEM_ACTORS, kind)
    ? { kind: "SYSTEM", by: kind as SystemActor }
    : undefined;
}
