/** What an entry of the audit log says, in words: who did what, of which amount and account. */
import type { AuditEntry } from "@florin/client";
import { t, wordOf } from "../../text/messages.ts";
import { type AmountLike, amountLine } from "../../text/money.ts";

export function actorText({ kind, name }: AuditEntry["actor"]): string {
  return name ?? wordOf("actor", kind);
}

/** `create-token` and `createToken` become `created token`. A verb that has no word stays as it is. */
export function deedText(act: string): string {
  const [verb = "", ...rest] = act
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split("-");
  return [wordOf("audit.did", verb), ...rest].join(" ");
}

export interface Told {
  readonly amount: string | undefined;
  /** The account that the act is about, where it is not the target itself. */
  readonly accountId: string | undefined;
}

type Changes = AuditEntry["changes"];

/** The members of the changes that belong into the sentence. */
export function toldOf(changes: Changes, targetId: string | undefined): Told {
  const lastOf = (name: string) => changes.find(({ field }) => plain(field) === name)?.after;
  const minor = lastOf("amountMinor") ?? lastOf("amount");
  const currency = lastOf("currency");
  const account = lastOf("accountId");
  const accountId =
    typeof account !== "string" || account === "(changed)" || account === targetId
      ? undefined
      : account;
  return { amount: amountOf(minor, currency), accountId };
}

/** A change of another row of the command has the name of its table before it. */
const plain = (field: string) => field.slice(field.lastIndexOf(".") + 1);

function amountOf(minor: unknown, currency: unknown): string | undefined {
  if (typeof currency !== "string" || !/^-?\d+$/.test(String(minor))) return undefined;
  const amount: AmountLike = { amount: String(minor), currency };
  return amountLine(amount);
}

/** A change as `name: Ana → Bea`. */
export function changeText(before: unknown, after: unknown): string {
  return t("audit.change", { before: valueText(before), after: valueText(after) });
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "\u2013";
  return typeof value === "string" ? value : JSON.stringify(value);
}
