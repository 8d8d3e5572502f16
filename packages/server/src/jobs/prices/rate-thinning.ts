/** Thins the entries of a log: all are logged up to a rate, one in twenty beyond it. */

/**
 * Up to this many successes a second, all are logged. Logging each of several thousand calls a second costs a sixth of the rate at which
 * payments are accepted.
 */
export const LOGGED_A_SECOND = 500;
const BEYOND_ONE_IN = 20;

/** Counts one more entry at this time; answers n when one entry in n is to be logged, 1 up to the rate. */
export type RateThinning = (at: number) => number;

export function createRateThinning(): RateThinning {
  let second = 0;
  let inSecond = 0;
  return (at) => {
    const now = Math.floor(at / 1_000);
    if (now !== second) {
      second = now;
      inSecond = 0;
    }
    inSecond += 1;
    return inSecond > LOGGED_A_SECOND ? BEYOND_ONE_IN : 1;
  };
}
