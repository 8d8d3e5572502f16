/** Services for the console's own operations, in addition to the services of all operations. */
import type { IdentityProviders } from "../../domain/people/single-sign-on/identity-provider.port.ts";
import type { FailedAttemptLimiter } from "../auth/failed-attempts.ts";
import type { Challenges } from "./challenges.ts";
import type { LiveSessions } from "./live/live-sessions.ts";
import type { ConsolePlace } from "./place.ts";
import type { SessionLives, Sessions } from "./sessions.ts";
import type { SignInFlows } from "./sso/sign-in-flow.ts";

export interface PeopleServices {
  readonly place: () => ConsolePlace;
  readonly challenges: Challenges;
  readonly sessions: Sessions;
  readonly liveSessions: LiveSessions;
  readonly lives: SessionLives;
  /** Failed proofs, by the address that they come from. */
  readonly failedSources: FailedAttemptLimiter;
  /** Failed proofs, by the passkey or the link that they name. */
  readonly failedProofs: FailedAttemptLimiter;
  readonly sso: SsoServices;
}

/** Sign-in by an OpenID issuer of a workspace. */
export interface SsoServices {
  readonly providers: IdentityProviders;
  readonly flows: SignInFlows;
  /** The reason why an issuer must not be at this address; undefined when it may. */
  judgeIssuer(url: string): string | undefined;
}
