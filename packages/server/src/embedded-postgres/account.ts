import { readFile } from "node:fs/promises";
import type { Clock } from "../std/clock.ts";
import { run } from "./run.ts";

/** The operating system account that runs PostgreSQL when this process is root, because PostgreSQL refuses to run as root. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const PREFERRED = ["postgres", "_postgres", "nobody"] as const;
const LAST_RESORT: Account = { name: "nobody", uid: 65_534, gid: 65_534 };

/** Chooses an account from a passwd file. Some systems write the id of `nobody` as -2. */
export function chooseAccount(passwd: string): Account {
  const accounts = new Map<string, Account>();
  for (const line of passwd.split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (name === undefined || uid === undefined || gid === undefined) continue;
    if (!/^-?\d+$/.test(uid) || !/^-?\d+$/.test(gid) || Number(uid) === 0) continue;
    accounts.set(name, { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 });
  }
  for (const name of PREFERRED) {
    const account = accounts.get(name);
    if (account !== undefined) return account;
  }
  return LAST_RESORT;
}

export async function osAccount(): Promise<Account> {
  return chooseAccount(await readFile("/etc/passwd", "utf8").catch(() => ""));
}

export function ownUid(): number {
  return process.getuid?.() ?? -1;
}

export function isRoot(): boolean {
  return ownUid() === 0;
}

/**
 * Runs the test as the account, so that modes, access lists and mount options all count. Without an account it runs as this
 * process.
 */
export async function may(
  test: "enter" | "read",
  path: string,
  by: { readonly account: Account | undefined; readonly clock: Clock },
): Promise<boolean> {
  const script = test === "enter" ? 'cd "$0"' : 'test -r "$0"';
  const { code } = await run({
    program: "/bin/sh",
    args: ["-c", script, path],
    account: by.account,
    clock: by.clock,
    limitMs: 10_000,
  });
  return code === 0;
}
