/**
 * Finds the person of a workspace for whom an issuer vouches. A binding of issuer and subject takes precedence. Without one, an email
 * address that the issuer has verified finds the person, unless another subject of the same issuer is bound to the person: an address
 * that was reassigned must open nothing. An invited owner must use the link, because an owner needs a passkey.
 */
import type { Loaded } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { isOwner, type Person, people, peopleByEmail } from "../person.ts";
import type { ProvenIdentity } from "./identity-provider.port.ts";
import {
  digestOfSubject,
  identitiesByDigest,
  identitiesOf,
  type PersonIdentity,
} from "./person-identity.ts";
import type { SsoIssuer } from "./sso-issuer.ts";

export type RefusedIdentity = "NO_VERIFIED_ADDRESS" | "NO_PERSON";

export type JudgedIdentity =
  | { readonly kind: "bound"; readonly person: Person; readonly identity: PersonIdentity }
  /** `stale` is the binding to a person who was removed. */
  | { readonly kind: "found"; readonly person: Person; readonly stale: PersonIdentity | undefined }
  | { readonly kind: "joins"; readonly email: string }
  | { readonly kind: "refused"; readonly reason: RefusedIdentity };

/** The rows that `judgeIdentity` reads. */
export function identityRefs(world: Loaded, identity: ProvenIdentity): readonly AnyRef[] {
  const bound = identitiesByDigest.of(digestOfSubject(identity.issuer, identity.subject));
  const refs: AnyRef[] = [bound, ...world.all(bound).map(({ personId }) => people.ref(personId))];
  if (identity.verifiedEmail === null) return refs;
  const named = peopleByEmail.of(identity.verifiedEmail);
  return [...refs, named, ...world.all(named).map(({ id }) => identitiesOf.of(id))];
}

export function judgeIdentity(
  world: Loaded,
  { issuer, autoJoin }: Pick<SsoIssuer, "issuer" | "autoJoin">,
  { subject, verifiedEmail }: ProvenIdentity,
): JudgedIdentity {
  const [identity] = world.all(identitiesByDigest.of(digestOfSubject(issuer, subject)));
  const holder = identity && world.find(people.ref(identity.personId));
  const isRemoved = holder?.state === "REMOVED";
  if (identity !== undefined && holder !== undefined && !isRemoved)
    return holder.state === "ACTIVE" ? { kind: "bound", person: holder, identity } : unknownPerson;
  if (verifiedEmail === null) return { kind: "refused", reason: "NO_VERIFIED_ADDRESS" };
  const [person] = world.all(peopleByEmail.of(verifiedEmail));
  if (person !== undefined)
    return mayBind(world, person, issuer)
      ? { kind: "found", person, stale: identity }
      : unknownPerson;
  // A removed person returns only by an invitation.
  const joins = !isRemoved && autoJoin !== null && domainOf(verifiedEmail) === autoJoin.domain;
  return joins ? { kind: "joins", email: verifiedEmail } : unknownPerson;
}

const unknownPerson: JudgedIdentity = { kind: "refused", reason: "NO_PERSON" };

function mayBind(world: Loaded, person: Person, issuer: string): boolean {
  const isThere = person.state === "ACTIVE" || (person.state === "INVITED" && !isOwner(person));
  return isThere && world.all(identitiesOf.of(person.id)).every((one) => one.issuer !== issuer);
}

/** The part after the last `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}
