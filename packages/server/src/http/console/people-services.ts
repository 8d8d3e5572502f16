/** What the console's own operations need beside the services of all operations. */
import type { FailedAttemptLimiter } from "../auth/failed-attempts.ts";
import type { Challenges } from "./challenges.ts";
import type { LiveSessions } from "./live/live-sessions.ts";
import type { ConsolePlace } from "./place.ts";
import type { SessionLives, Sessions } from "./sessions.ts";

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
}
