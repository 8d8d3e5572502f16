/**
 * Who asked for a quote that a payer funds. An entry that is typed in is no more than what somebody says: it does not fund a quote of the one who
 * says it, nor of a token or a person that counts as the same.
 */
import type { Actor } from "../../../../engine/command.ts";
import { Refusal } from "../../../../engine/refusal.ts";

/** A caller, as a row keeps it: `token <id>`, and the people who count as it. */
export type Asserter = { readonly by: string; readonly people: readonly string[] };

export function asserterOf({ actor }: { readonly actor: Actor }): Asserter {
  return { by: `${actor.kind} ${actor.id}`, people: actor.people ?? [] };
}

export function isSame(one: Asserter, other: Asserter): boolean {
  return one.by === other.by || one.people.some((id) => other.people.includes(id));
}

/** FORBIDDEN for the maker of the quote. */
export function refuseMaker(
  { maker }: { readonly maker: Asserter | null },
  asserter: Asserter,
  field: string,
): void {
  if (maker === null || !isSame(maker, asserter)) return;
  const message = `${field}: the maker of a quote does not say that its money has come, by no token and no agent of the same person; another one must.`;
  throw new Refusal("FORBIDDEN", { field, rule: "FOUR_EYES" }, message);
}
