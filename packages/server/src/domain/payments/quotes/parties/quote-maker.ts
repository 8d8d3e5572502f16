/**
 * The maker of a quote whose money comes through connections. A typed-in entry is only its author's claim, so it funds no quote that the same author made: by
 * the same token, or by a token of the same person. Orders of such a quote are made when its money comes, on behalf of its maker.
 */
import type { Actor, World } from "../../../../engine/command.ts";
import { Refusal } from "../../../../engine/refusal.ts";

/** A caller as stored: `token <id>`, and the people behind it. */
export type Asserter = { readonly by: string; readonly people: readonly string[] };

export function asserterOf({ actor }: { readonly actor: Actor }): Asserter {
  return { by: `${actor.kind} ${actor.id}`, people: actor.people ?? [] };
}

/**
 * Orders that a report or a job makes for the quote count as asked for by the quote's maker, so one above its connection's ceiling is
 * released by another human.
 */
export function onBehalfOfMaker<Outcome>(
  world: World,
  { maker }: { readonly maker: Asserter | null },
  part: () => Outcome,
): Outcome {
  if (maker === null) return part();
  const { by, people } = maker;
  const [kind = "", id = ""] = by.split(" ");
  return world.onBehalfOf({ kind: kind as Actor["kind"], id, people }, part);
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
