/** Binds a subject of an issuer to a person. Only a digest of the subject is stored, because it is only compared. */
import { sha256Hex } from "../../../std/digest.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

const columns = {
  id: fixed("uuid"),
  personId: fixed("uuid"),
  issuer: fixed("text"),
  /** The digest of issuer and subject, in hexadecimal. */
  digest: fixed("text"),
  createdAt: fixed("time"),
  lastUsedAt: mutable("time"),
  endedAt: mutable<number | null>("time"),
};

export interface PersonIdentity extends RowOf<typeof columns> {}

export const personIdentities = defineTable<PersonIdentity>("person_identities", columns);

const open = {
  where: {
    sql: "t.ended_at is null",
    holds: ({ endedAt }: PersonIdentity) => endedAt === null,
  },
};

export const identitiesByDigest = defineLookup(personIdentities, { by: "digest", ...open });

export const identitiesOf = defineLookup(personIdentities, { by: "personId", ...open });

/** JSON encoding keeps the boundary between issuer and subject unambiguous. */
export function digestOfSubject(issuer: string, subject: string): string {
  return sha256Hex(`person identity ${JSON.stringify([issuer, subject])}`);
}
