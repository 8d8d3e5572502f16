/** Moves the time of programs that a test has started, of all of them at once. */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLOCK = fileURLToPath(new URL("outside/moved-clock.mjs", import.meta.url));

export interface MovedPrograms {
  /** For programs whose time is moved. */
  readonly env: Readonly<Record<string, string>>;
  /** Moves the time of all of them on, by now. */
  pass(ms: number): Promise<void>;
}

/** The time of programs, in a file of this folder. */
export async function movePrograms(place: string): Promise<MovedPrograms> {
  const later = join(place, "later");
  await writeFile(later, "0");
  let laterMs = 0;
  return {
    env: {
      NODE_OPTIONS: `--import=${CLOCK}`,
      TEST_LATER_FILE: later,
    },
    async pass(ms) {
      laterMs += ms;
      await writeFile(`${later}.new`, String(laterMs));
      await rename(`${later}.new`, later);
    },
  };
}
