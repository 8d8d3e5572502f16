/**
 * PostgreSQL's programs. npm unpacks them without the links between library names, and perhaps to where the account that
 * must run them cannot go, or to where nothing can be written or run.
 *
 * 1. Make the missing links in the package and try the programs as that account. Mostly that is all.
 * 2. Otherwise copy them to a home that serves: into a temporary name, links included, then rename. The copy's name and
 *    its list of files with their sizes follow from the package, so a copy that a crash cut short, or an older one, is
 *    never taken for this one.
 *
 * A copy belongs to this account, and no other account can write to it or replace it. If the process dies while copying, the temporary
 * directory stays; the next copy to that home removes it (package-copy.ts).
 */
import { join } from "node:path";
import type { Clock } from "../../std/clock.ts";
import { messageOf, StartRefused } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import { type Account, may } from "../account.ts";
import { run } from "../run.ts";
import { linksOf, makeLinks } from "./library-links.ts";
import { copyPackage } from "./package-copy.ts";

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** As PostgreSQL says it: `18.4`. */
  readonly version: string;
}

export interface BinariesWanted {
  readonly packageRoot: string;
  readonly account: Account | undefined;
  /** Where a copy may go, best first. */
  readonly homes: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

const RUN_LIMIT_MS = 20_000;

export async function prepareBinaries(wanted: BinariesWanted): Promise<Binaries> {
  const links = await linksOf(wanted.packageRoot);
  const complaints: string[] = [];
  if (await makeLinks(wanted.packageRoot, links)) {
    const tried = await tryPrograms(wanted.packageRoot, wanted);
    if (typeof tried !== "string") return tried;
    complaints.push(tried);
  }
  for (const home of wanted.homes) {
    try {
      const copy = await copyPackage(wanted.packageRoot, home, wanted.log);
      const tried = await tryPrograms(copy, wanted);
      if (typeof tried !== "string") return tried;
      complaints.push(tried);
    } catch (error) {
      complaints.push(messageOf(error));
    }
  }
  throw new StartRefused(
    `the PostgreSQL that npm brought does not run here (${complaints.join("; ")}); set DATABASE_URL to a PostgreSQL server`,
  );
}

/** The programs below this directory, or why they cannot be used by that account. */
async function tryPrograms(root: string, wanted: BinariesWanted): Promise<Binaries | string> {
  const bin = join(root, "native", "bin");
  const postgres = join(bin, "postgres");
  const { account, clock } = wanted;
  const ran = await run({
    program: postgres,
    args: ["--version"],
    account,
    clock,
    limitMs: RUN_LIMIT_MS,
  });
  const version = /PostgreSQL\) (\d+\.\d+)/.exec(ran.output)?.[1];
  if (ran.code !== 0 || version === undefined) return ran.complaints || `${postgres} says nothing`;
  const catalog = join(root, "native", "share", "postgresql", "postgres.bki");
  if (!(await may("read", catalog, wanted))) return `${catalog} cannot be read`;
  return { postgres, initdb: join(bin, "initdb"), version };
}
