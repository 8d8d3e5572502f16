/**
 * Lineages: which identities count as one human. An approval needs a second human, so the lineages of the requester and of the person
 * who decides must share no member.
 *
 * A person is joined for 30 days with the person who invited or re-enrolled them, changed their roles, or set the issuer by which they
 * signed in, and with everyone joined with that person at that moment. Otherwise a second identity could make a third one that shares
 * nothing with the first. A token has the lineage of its creator, back to a person or to a token of the operator.
 */
/** A member of a lineage, by the id of a person or of a token. */
export type Kin = {
  readonly id: string;
  /** Null means for ever. */
  readonly until: number | null;
};

/** A person, as far as a lineage needs it. */
export interface Identity {
  readonly id: string;
  readonly joined: readonly Kin[];
}

export const JOINED_MS = 30 * 24 * 60 * 60 * 1000;

/** The person and the identities that count as one human with them now. */
export function lineageOf({ id, joined }: Identity, now: number): readonly Kin[] {
  return [{ id, until: null }, ...joined.filter((kin) => isKin(kin, now))];
}

/** The ids of a lineage at a time. */
export function membersOf(lineage: readonly Kin[], now: number): readonly string[] {
  return lineage.filter((kin) => isKin(kin, now)).map(({ id }) => id);
}

function isKin({ until }: Kin, now: number): boolean {
  return until === null || now < until;
}

export function share(one: readonly string[], other: readonly string[]): boolean {
  return one.some((id) => other.includes(id));
}

/** The `joined` of the person after a change by `by`, which adds the lineage of `by`. Unchanged when `by` is the person or the operator. */
export function joinedWith(
  person: Identity,
  by: Identity | undefined,
  { at, until = at + JOINED_MS }: { readonly at: number; readonly until?: number },
): readonly Kin[] {
  if (by === undefined || by.id === person.id || until <= at) return person.joined;
  const missing = lineageOf(by, at).filter(
    ({ id }) =>
      id !== person.id &&
      !person.joined.some((kin) => kin.id === id && (kin.until ?? until) >= until),
  );
  if (missing.length === 0) return person.joined;
  const joined = new Map<string, Kin>();
  const added = missing.map(({ id }) => ({ id, until }));
  for (const kin of [...lineageOf(person, at).slice(1), ...added]) {
    const known = joined.get(kin.id)?.until ?? 0;
    if (kin.id !== person.id)
      joined.set(kin.id, { id: kin.id, until: Math.max(known, kin.until ?? until) });
  }
  return [...joined.values()];
}
