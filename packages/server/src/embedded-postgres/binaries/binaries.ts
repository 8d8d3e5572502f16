/**
 * The binaries of PostgreSQL. npm unpacks them without the symbolic links between library names, possibly to a directory that
 * the account of PostgreSQL cannot enter, or that is read-only or mounted noexec.
 *
 * 1. Create the missing links in the package and run `postgres --version` as that account. This is enough in most cases.
 * 2. Otherwise copy the package to one of `homes`: into a temporary directory, with links, then rename. The name of a copy
 *    contains a hash of the list of files and sizes, and the list is checked before use, so an incomplete or older copy is
 *    not used.
 *
 * A copy belongs to this account, and no other account can write to it or replace it. If the process dies while copying, the
 * temporary directory stays; the next copy to that home deletes it (package-copy.ts).
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
  /** For example `18.4`. */
  readonly version: string;
}

export interface BinariesWanted {
  readonly packageRoot: string;
  readonly account: Account | undefined;
  /** Directories for a copy, in order of preference. */
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
    `the PostgreSQL binaries from npm do not run here (${complaints.join("; ")}); set DATABASE_URL to a PostgreSQL server`,
  );
}

/** The programs in this directory, or the reason why the account cannot run them. */
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
  if (ran.code !== 0 || version === undefined)
    return ran.complaints || `${postgres} --version printed no version`;
  const catalog = join(root, "native", "share", "postgresql", "postgres.bki");
  if (!(await may("read", catalog, wanted))) return `${catalog} cannot be read`;
  return { postgres, initdb: join(bin, "initdb"), version };
}
