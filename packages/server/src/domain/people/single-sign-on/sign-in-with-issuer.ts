import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { JOINED_MS, joinedWith } from "../../lineage.ts";
import { type SingleUse, spentRef } from "../../wallets/credentials/spent-proof.ts";
import { type Person, people } from "../person.ts";
import { endLinks, openLinksOf } from "../person-link.ts";
import type { Role } from "../role.ts";
import {
  endSessions,
  type NewSession,
  openSession,
  openSessionsOf,
  type PersonSession,
  personSessions,
} from "../sessions/person-session.ts";
import { spendChallenge } from "../single-use.ts";
import type { ProvenIdentity } from "./identity-provider.port.ts";
import {
  identityRefs,
  type JudgedIdentity,
  judgeIdentity,
  type RefusedIdentity,
} from "./judge-identity.ts";
import { digestOfSubject, personIdentities } from "./person-identity.ts";
import { findUnchanged, type SsoIssuer, ssoIssuers } from "./sso-issuer.ts";

/** A sign-in at an issuer that was verified before the command. */
export interface ProvenSignIn {
  /** The issuer as it was when the sign-in was verified. */
  readonly issuer: Pick<SsoIssuer, "id" | "issuer" | "clientId" | "sealId">;
  readonly identity: ProvenIdentity;
  /** The `state` of the sign-in, which can be used once. */
  readonly use: SingleUse;
}

export interface SignInWithIssuerInput extends ProvenSignIn {
  /** The person whom the caller of the command has found, or the id of a new one. */
  readonly personId: string;
  readonly session: NewSession;
}

/**
 * Opens a session for a person whom an issuer vouches for. The first sign-in binds the person to the subject of the issuer and
 * activates an invited person; `autoJoin` creates a person who does not exist. Refuses, in this order and with one answer: an issuer
 * that was changed or removed since the verification; a used sign-in; an identity that belongs to no person here.
 */
export const signInWithIssuer: Command<SignInWithIssuerInput, PersonSession> = {
  name: "sign-in-with-issuer",
  needs: (world, { personId, ...proven }) => [
    ...provenRefs(world, proven),
    people.ref(personId),
    openSessionsOf.of(personId),
    openLinksOf.of(personId),
  ],
  decide(world, { personId, session, ...proven }) {
    const { issuer, judged } = requireProven(world, proven);
    if (judged.kind !== "joins" && judged.person.id !== personId) throw notAccepted("NO_PERSON");
    spendChallenge(world, proven.use);

    const person =
      judged.kind === "joins"
        ? join(world, personId, { judged, proven, role: issuer.autoJoin?.role ?? "VIEWER" })
        : judged.person;
    bind(world, person, { judged, proven });
    admit(world, person, issuer);
    return openSession(
      world,
      { personId, passkeyId: null, issuerId: issuer.id, provenAt: provenAt(world, proven) },
      session,
    );
  },
};

export interface StepUpWithIssuerInput extends ProvenSignIn {
  readonly personId: string;
  readonly sessionId: string;
  readonly session: Omit<NewSession, "lifeMs">;
}

/**
 * Replaces a session by a new one after the person has signed in at the issuer again. The new one ends when the old one would have
 * ended. Refuses as `signInWithIssuer` does, then an identity that is not bound to the person of the session, and a session that has
 * ended.
 */
export const stepUpWithIssuer: Command<StepUpWithIssuerInput, PersonSession> = {
  name: "step-up-with-issuer",
  needs: (world, { personId, sessionId, ...proven }) => [
    ...provenRefs(world, proven),
    openSessionsOf.of(personId),
    personSessions.ref(sessionId),
  ],
  decide(world, { personId, sessionId, session, ...proven }) {
    const { issuer, judged } = requireProven(world, proven);
    if (judged.kind !== "bound" || judged.person.id !== personId) throw notAccepted("NO_PERSON");
    const old = requireSession(world, { personId, sessionId });
    spendChallenge(world, proven.use);

    bind(world, judged.person, { judged, proven });
    admit(world, judged.person, issuer);
    endSessions(world, [old]);
    return openSession(
      world,
      { personId, passkeyId: null, issuerId: issuer.id, provenAt: provenAt(world, proven) },
      { ...session, lifeMs: old.expiresAt - world.at },
    );
  },
};

export interface SsoTestInput extends ProvenSignIn {
  /** The person who tests, and the session of the test. */
  readonly personId: string;
  readonly sessionId: string;
}

/**
 * Records that a sign-in by an issuer works; only then may it be required. It opens no session and binds no person. Refuses as
 * `signInWithIssuer` does, then a session that has ended.
 */
export const recordSsoTest: Command<SsoTestInput, SsoIssuer> = {
  name: "test-sso-issuer",
  needs: (world, { sessionId, ...proven }) => [
    ...provenRefs(world, proven),
    personSessions.ref(sessionId),
  ],
  decide(world, { personId, sessionId, ...proven }) {
    const { issuer } = requireProven(world, proven);
    requireSession(world, { personId, sessionId });
    spendChallenge(world, proven.use);

    return world.put(ssoIssuers, { ...issuer, testedAt: world.at });
  },
};

function provenRefs(
  world: Parameters<typeof identityRefs>[0],
  { issuer, identity, use }: ProvenSignIn,
): readonly AnyRef[] {
  const setBy = world.find(ssoIssuers.ref(issuer.id))?.setBy ?? null;
  const setter = setBy === null ? [] : [people.ref(setBy)];
  return [ssoIssuers.ref(issuer.id), ...setter, spentRef(use), ...identityRefs(world, identity)];
}

type Accepted = Exclude<JudgedIdentity, { readonly kind: "refused" }>;

function requireProven(
  world: World,
  { issuer: verified, identity, use }: ProvenSignIn,
): { readonly issuer: SsoIssuer; readonly judged: Accepted } {
  const issuer = findUnchanged(world, verified);
  if (issuer === undefined || identity.issuer !== issuer.issuer) throw notAccepted("NOT_PROVEN");
  if (world.find(spentRef(use)) !== undefined) throw notAccepted("NOT_PROVEN");
  const judged = judgeIdentity(world, issuer, identity);
  if (judged.kind === "refused") throw notAccepted(judged.reason);
  return { issuer, judged };
}

function requireSession(
  world: World,
  { personId, sessionId }: Pick<SsoTestInput, "personId" | "sessionId">,
): PersonSession {
  const session = world.find(personSessions.ref(sessionId));
  if (session !== undefined && session.endedAt === null && session.personId === personId)
    return session;
  throw notAccepted("NOT_PROVEN");
}

/** The reason is for the test of a sign-in. The message is the same for every reason. */
export function notAccepted(reason: RefusedIdentity | "NOT_PROVEN"): Refusal {
  return new Refusal("UNAUTHORIZED", { reason }, "The sign-in was not accepted. Start it again.");
}

/** Caps the issuer's time at the present, so that a proof is never in the future. */
function provenAt({ at }: World, { identity }: ProvenSignIn): number {
  return Math.min(identity.authenticatedAt ?? 0, at);
}

function join(
  world: World,
  personId: string,
  {
    judged,
    proven,
    role,
  }: {
    readonly judged: Extract<Accepted, { readonly kind: "joins" }>;
    readonly proven: ProvenSignIn;
    readonly role: Role;
  },
): Person {
  return world.put(people, {
    id: personId,
    email: judged.email,
    name: proven.identity.name ?? judged.email,
    locale: null,
    timeZone: null,
    state: "ACTIVE",
    isOperator: false,
    roles: [{ platformId: null, roles: [role] }],
    approvesFrom: null,
    joined: [],
    passkeyPutOffAt: null,
    createdAt: world.at,
    updatedAt: world.at,
  });
}

/**
 * Activates an invited person. For `JOINED_MS` after the issuer was set, joins the person with the one who set it, who could sign in as
 * anybody.
 */
function admit(world: World, person: Person, issuer: SsoIssuer): void {
  const { setBy, setAt } = issuer;
  const setter = setBy === null ? undefined : world.find(people.ref(setBy));
  const until = (setAt ?? 0) + JOINED_MS;
  const joined = joinedWith(person, setter, { at: world.at, until });
  if (person.state !== "INVITED" && joined === person.joined) return;
  if (person.state === "INVITED") endLinks(world, person.id);
  world.put(people, { ...person, joined, state: "ACTIVE", updatedAt: world.at });
}

function bind(
  world: World,
  { id: personId }: Person,
  { judged, proven }: { readonly judged: Accepted; readonly proven: ProvenSignIn },
): void {
  if (judged.kind === "bound") {
    world.put(personIdentities, { ...judged.identity, lastUsedAt: world.at });
    return;
  }
  if (judged.kind === "found" && judged.stale !== undefined)
    world.put(personIdentities, { ...judged.stale, endedAt: world.at });
  const { issuer, subject } = proven.identity;
  world.put(personIdentities, {
    id: world.newId(),
    personId,
    issuer,
    digest: digestOfSubject(issuer, subject),
    createdAt: world.at,
    lastUsedAt: world.at,
    endedAt: null,
  });
}
