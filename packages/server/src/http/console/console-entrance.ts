/**
 * The gate of the console: calls below `/console/api` carry the session of a person. At a platform they run the operations of the public
 * API, under the capability that each operation names.
 *
 * Checks, in this order: headers of a page of our own origin (403); a live session (401); the CSRF token of the session (403); a platform
 * of the workspace on which the person has a role (404); the capability (403); `pii.read` where the operation opens personal data (403); an
 * operation for sandboxes or customers only (403); a recent passkey proof, or sign-in at an issuer, where the capability requires it (403).
 */

import { membersOf } from "../../domain/lineage.ts";
import { lineageAt } from "../../domain/people/approvals/eligible-people.ts";
import { noteRead } from "../../domain/people/note-read.ts";
import { rolesOn } from "../../domain/people/person.ts";
import {
  type Capability,
  capabilitiesOf,
  grantablePermissions,
  needsPasskey,
  needsProof,
  OPERATOR_CAPABILITIES,
  type Role,
} from "../../domain/people/role.ts";
import type { OwnPlatform } from "../../domain/people/workspaces/workspace.sql.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import type { Engine } from "../../engine/engine.ts";
import { Refusal } from "../../engine/refusal.ts";
import { Bug } from "../../std/assert.ts";
import type { Clock } from "../../std/clock.ts";
import { actOf } from "../auth/act.ts";
import type { Arrival, Entrance } from "../auth/entrance.ts";
import { refuseOverRate } from "../request/admission.ts";
import {
  type Caller,
  isPerson,
  type Operation,
  type OperationAnswer,
  type PersonPrincipal,
  requireCapability,
} from "../request/operation.ts";
import { submitForCaller } from "../request/submit-for-caller.ts";
import type { CallerAddress } from "../server/caller-address.ts";
import type { RateLimiter } from "../server/rate-limit.ts";
import { refuseForeignCall, refuseWithoutToken } from "./foreign-call.ts";
import { maskAnswer } from "./masking.ts";
import type { PeopleServices } from "./people-services.ts";
import { csrfOf, sessionKeyOf } from "./session-cookie.ts";
import type { LiveSession } from "./sessions.ts";

/** How long a shown passkey, or a sign-in at an issuer, counts as the proof that some operations require. */
export const PROOF_COUNTS_MS = 5 * 60_000;
/** A page sends this header with calls that it makes by itself. Such calls do not keep a session alive. */
export const BACKGROUND_HEADER = "florin-background";

const HEADERS: readonly string[] = [
  "Cross-Origin-Resource-Policy",
  "same-origin",
  "Cross-Origin-Opener-Policy",
  "same-origin",
  "X-Frame-Options",
  "DENY",
];

export interface ConsoleTools extends Pick<PeopleServices, "place" | "sessions"> {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly addressOf: CallerAddress;
  /** Limits the calls of each person. */
  readonly limiter: RateLimiter;
}

export function consoleEntrance<C>(tools: ConsoleTools): Entrance<C> {
  const { place, engine, clock, limiter } = tools;
  return {
    refuseForeign: (raw) => refuseForeignCall(raw, place().origin),
    cached: () => undefined,
    verify: (arrival, operation) => verify(arrival, operation, tools),
    refuseUnlessAllowed: (operation, caller) => refuse(operation, personOf(caller), clock.now()),
    refuseOverRate: (caller) => refuseOverRate(caller, limiter),
    before: (operation, caller) => noteIfRead(operation, personOf(caller), engine),
    shownTo: (answer, caller) => shownTo(answer, caller),
    challengeOf: () => "Session",
    headers: HEADERS,
  };
}

async function verify<C>(
  arrival: Arrival,
  operation: Operation<C>,
  { place, sessions, clock, addressOf }: ConsoleTools,
): Promise<PersonPrincipal> {
  const { raw, requestId, params } = arrival;
  const here = place();
  refuseForeignCall(raw, here.origin);
  const key = sessionKeyOf(raw, here);
  const live = key === undefined ? undefined : await sessions.find(key);
  if (live === undefined) throw signedOut();
  refuseWithoutToken(raw, csrfOf(live.key));
  const platform = arrival.platform === undefined ? undefined : requirePlatform(arrival, live);
  const isProduction = platform?.environment === "PRODUCTION";
  const isAct = operation.isNoAct !== true && raw.headers[BACKGROUND_HEADER] === undefined;
  if (!sessions.use(live, { isAct, isProduction })) throw signedOut();
  const { person, session } = live;
  const act = actOf({ raw, requestId, addressOf, params });
  const now = clock.now();
  const capabilities = capabilitiesAt(live, platform, now);
  const lineage = lineageAt(person, platform, now);
  return {
    platformId: platform?.id ?? live.key.workspaceId,
    environment: platform?.environment ?? "PRODUCTION",
    unknownFields: platform?.unknownFields,
    workspaceId: live.key.workspaceId,
    personId: person.id,
    lineage,
    people: membersOf(lineage, now),
    sessionId: session.id,
    key: live.key,
    permissions: grantablePermissions(capabilities),
    capabilities,
    provenUntil: session.provenAt + PROOF_COUNTS_MS,
    isProvenByPasskey: session.passkeyId !== null,
    act: { ...act, sessionId: session.id, actorName: person.name },
  };
}

/** Another workspace's platform is answered like one that does not exist. */
function requirePlatform(
  { platform: wanted }: Arrival,
  { person, platforms }: LiveSession,
): OwnPlatform {
  const found = platforms.find(({ id }) => toPlatformConfigId(id) === wanted);
  if (found !== undefined && rolesOn(person, found.id).length > 0) return found;
  throw new Refusal("NOT_FOUND");
}

const APPROVALS: readonly Capability[] = ["payments.approve", "adjustments.approve"];

/** What a person may do at a platform, or about the workspace as a whole. */
export function capabilitiesAt(
  { person, switches }: Pick<LiveSession, "person"> & Partial<Pick<LiveSession, "switches">>,
  platform: Pick<OwnPlatform, "id" | "environment"> | undefined,
  now: number,
): ReadonlySet<Capability> {
  const held: readonly Role[] =
    platform === undefined
      ? person.roles.flatMap(({ roles }) => roles)
      : rolesOn(person, platform.id);
  const ofRoles = capabilitiesOf(held, platform?.environment ?? "PRODUCTION", switches);
  const isOfDeployment = platform === undefined && person.isOperator;
  const capabilities = isOfDeployment ? new Set([...ofRoles, ...OPERATOR_CAPABILITIES]) : ofRoles;
  if (person.approvesFrom === null || now >= person.approvesFrom) return capabilities;
  return new Set([...capabilities].filter((capability) => !APPROVALS.includes(capability)));
}

function refuse<C>(operation: Operation<C>, person: PersonPrincipal, now: number): void {
  const { capability, opensPersonalData, sandboxOnly, closedToPeople } = operation;
  if (capability !== undefined) requireCapability(person, capability);
  if (opensPersonalData === true) requireCapability(person, "pii.read");
  if (person.environment !== "SANDBOX") {
    if (sandboxOnly === true) throw closed("Only a sandbox platform has this.");
    if (closedToPeople === true) throw closed(OF_CUSTOMERS);
  }
  refuseWithoutProof(operation, person, now);
}

const OF_CUSTOMERS =
  "The credentials of a wallet are its customer's alone: your service calls this with a token, on behalf of the customer.";

function closed(message: string): Refusal {
  return new Refusal("FORBIDDEN", undefined, message);
}

function refuseWithoutProof<C>(
  { method, capability, needsProof: isProven }: Operation<C>,
  { provenUntil, isProvenByPasskey }: PersonPrincipal,
  now: number,
): void {
  const asksForProof = capability !== undefined && method !== "GET" && needsProof(capability);
  const mustBePasskey = capability !== undefined && needsPasskey(capability);
  const counts = now < provenUntil && (isProvenByPasskey || !mustBePasskey);
  if (!(asksForProof || isProven === true) || counts) return;
  throw new Refusal(
    "FORBIDDEN",
    {
      ...(capability === undefined ? {} : { capability }),
      reason: "STEP_UP_REQUIRED",
      ...(mustBePasskey ? { proof: "PASSKEY" } : {}),
    },
    "Show your passkey first: POST /console/api/step-up.",
  );
}

async function noteIfRead<C>(
  { id, notesRead }: Operation<C>,
  caller: PersonPrincipal,
  engine: Engine,
): Promise<void> {
  if (notesRead !== true) return;
  await submitForCaller(engine, caller, {
    command: { ...noteRead, name: id },
    input: undefined,
    toAnswer: () => ({ status: 200, body: "" }),
  });
}

function shownTo(answer: OperationAnswer, caller: Caller | undefined): OperationAnswer {
  if (caller === undefined) return answer;
  const { platformId, workspaceId, capabilities } = personOf(caller);
  // Answers about the workspace contain no data of customers.
  return platformId === workspaceId || capabilities.has("pii.read") ? answer : maskAnswer(answer);
}

function personOf(caller: Caller): PersonPrincipal {
  if (isPerson(caller)) return caller;
  throw new Bug("the console is entered by people alone");
}

/** Every cause gets the same answer. */
function signedOut(): Refusal {
  return new Refusal("UNAUTHORIZED", undefined, "There is no session, or it has ended: sign in.");
}
