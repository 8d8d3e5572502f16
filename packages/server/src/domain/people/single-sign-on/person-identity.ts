/** Which subject of an issuer is which person. The subject is kept as a digest, because it is only compared. */
import { sha256Hex } from "../../../std/digest.ts";
import { defineLookup, defineTable, fixed, mutable } from "../../../tables/tables.ts";

export interface PersonIdentity {
  readonly id: string;
  readonly personId: string;
  readonly issuer: string;
  /** Of issuer and subject, in hexadecimal. */
  readonly digest: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly endedAt: number | null;
}

export const personIdentities = defineTable<PersonIdentity>("person_identities", {
  id: fixed("uuid"),
  personId: fixed("uuid"),
  issuer: fixed("text"),
  digest: fixed("text"),
  createdAt: fixed("time"),
  lastUsedAt: mutable("time"),
  endedAt: mutable("time"),
});

const open = {
  where: {
    sql: "t.ended_at is null",
    holds: ({ endedAt }: PersonIdentity) => endedAt === null,
  },
};

export const identitiesByDigest = defineLookup(personIdentities, { by: "digest", ...open });

export const identitiesOf = defineLookup(personIdentities, { by: "personId", ...open });

/** JSON keeps the two apart. */
export function digestOfSubject(issuer: string, subject: string): string {
  return sha256Hex(`person identity ${JSON.stringify([issuer, subject])}`);
}
