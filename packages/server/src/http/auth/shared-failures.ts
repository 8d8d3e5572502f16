/**
 * Limits failed attempts per key over all servers. The limiter of this server comes behind the count of all, so that attempts at one server are limited
 * exactly; attempts that run on several servers at the same moment may exceed the limit by their number.
 */
import { createHmac } from "node:crypto";
import { Refusal } from "../../engine/refusal.ts";
import { rateLimited } from "../server/errors.ts";
import type { FailedAttemptLimiter } from "./failed-attempts.ts";

export interface SharedFailures {
  /** The failures that count now; undefined for none. */
  find(keyHash: string): Promise<{ readonly count: number; readonly until: number } | undefined>;
  note(keyHash: string): Promise<void>;
}

export function limitedByAllServers(
  local: FailedAttemptLimiter,
  options: {
    readonly failures: SharedFailures;
    readonly most: number;
    /** Keys are hashed with it: they may be addresses. */
    readonly key: Buffer;
    readonly now: () => number;
  },
): FailedAttemptLimiter {
  const { failures, most, key: secret, now } = options;
  return {
    async run(key, attempt, isFailure = () => false) {
      const keyHash = createHmac("sha256", secret).update(key).digest("hex");
      const found = await failures.find(keyHash);
      if (found !== undefined && found.count >= most)
        throw rateLimited(Math.max(1, Math.ceil((found.until - now()) / 1000)));
      const noted = async () => {
        try {
          const answer = await attempt();
          if (isFailure(answer)) await failures.note(keyHash);
          return answer;
        } catch (error) {
          // A limit that was reached behind this one is no further failure.
          if (error instanceof Refusal && error.code !== "RATE_LIMITED")
            await failures.note(keyHash);
          throw error;
        }
      };
      return local.run(key, noted, isFailure);
    },
  };
}
