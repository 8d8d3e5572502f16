/**
 * Saved connections, in one file that only its owner can read. The file is replaced as a whole by a rename: a process that
 * dies before the rename leaves the old file.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, parseJson } from "../json.ts";

export type Environment = "SANDBOX" | "PRODUCTION" | "UNKNOWN";

export interface Profile {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly environment: Environment;
}

export interface Profiles {
  readonly current: string | undefined;
  readonly byName: ReadonlyMap<string, Profile>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function checkProfileName(name: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(`a profile's name has letters, digits, ".", "_" and "-": ${name}`);
}

export function profilesPath({ env, homeDirectory }: Host): string {
  const base = env.XDG_CONFIG_HOME;
  const root = base === undefined || base === "" ? join(homeDirectory, ".config") : base;
  return join(root, "florin", "profiles.json");
}

export function readProfiles(host: Host): Profiles {
  const path = profilesPath(host);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return { current: undefined, byName: new Map() };
    }
    throw new UsageError(`${path} cannot be read`);
  }
  // Messages do not repeat the text, because it holds secrets.
  const file = asObject(parseJson(text));
  const listed = asObject(file?.profiles);
  if (listed === undefined) throw new UsageError(`${path} is not a file of profiles; remove it`);
  const byName = new Map<string, Profile>();
  for (const [name, value] of Object.entries(listed)) {
    const profile = toProfile(asObject(value) ?? {});
    if (profile !== undefined) byName.set(name, profile);
  }
  return { current: asText(file?.current), byName };
}

function toProfile(value: Readonly<Record<string, unknown>>): Profile | undefined {
  const { url, clientId, clientSecret, environment } = value;
  if (typeof url !== "string" || typeof clientId !== "string") return undefined;
  if (typeof clientSecret !== "string") return undefined;
  const known = environment === "SANDBOX" || environment === "PRODUCTION";
  return { url, clientId, clientSecret, environment: known ? environment : "UNKNOWN" };
}

export function writeProfiles(host: Host, { current, byName }: Profiles): void {
  const path = profilesPath(host);
  const text = JSON.stringify({ current, profiles: Object.fromEntries(byName) }, null, 2);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${text}\n`, { mode: 0o600, flag: "wx" });
  // The umask of the process may have removed bits of the mode above; this call sets it exactly.
  chmodSync(fresh, 0o600);
  renameSync(fresh, path);
}
