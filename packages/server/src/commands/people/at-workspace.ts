import { type OpenStore, openStore } from "../../boot/open-database.ts";
import type { Config } from "../../config.ts";
import { type FoundPerson, findPeopleByEmail } from "../../domain/people/person.sql.ts";
import { findWorkspace, listWorkspaces } from "../../domain/people/workspaces/workspace.sql.ts";
import { toWorkspaceId, type Workspace } from "../../domain/people/workspaces/workspace.ts";
import { consolePlaceAt } from "../../http/console/place.ts";
import type { Reads } from "../../postgres/database.ts";
import { type Clock, systemClock } from "../../std/clock.ts";
import { isEmailAddress } from "../../std/email-address.ts";
import { StartRefused } from "../../std/errors.ts";
import { createLog, type Log } from "../../std/log.ts";
import { idOption } from "../options/option-texts.ts";

export interface AtDeployment {
  readonly store: OpenStore;
  readonly reads: Reads;
  readonly surroundings: { readonly config: Config; readonly clock: Clock; readonly log: Log };
}

/** Runs `work` on an existing database, whether or not a server uses it. */
export async function atDeployment<T>(
  config: Config,
  work: (at: AtDeployment) => Promise<T>,
): Promise<T> {
  const surroundings = { config, clock: systemClock, log: createLog(config.LOG_LEVEL) };
  const store = await openStore(config, { ...surroundings, mayJoin: true, mustExist: true });
  try {
    return await work({ store, reads: store.database.reads, surroundings });
  } finally {
    await store.close();
  }
}

/** The workspace of the option; without one, the only workspace. */
export async function workspaceOf(
  { reads }: Pick<AtDeployment, "reads">,
  option: string | undefined,
): Promise<Workspace> {
  if (option === undefined) return onlyWorkspace(await listWorkspaces(reads));
  const found = await findWorkspace(reads, idOption("--workspace", "Workspace", option));
  if (found === undefined) throw new StartRefused(`no workspace has the id ${option}`);
  return found;
}

function onlyWorkspace(all: readonly Workspace[]): Workspace {
  const [first, second] = all;
  if (first === undefined) throw new StartRefused("there is no workspace yet");
  if (second === undefined) return first;
  const shown = all.slice(0, 5).map(({ id, name }) => `${toWorkspaceId(id)} (${name})`);
  throw new StartRefused(`name one of the workspaces with --workspace: ${shown.join(", ")}`);
}

/** The person with this address; in several workspaces, the one that the option names. */
export async function personOf(
  { reads }: Pick<AtDeployment, "reads">,
  { email, workspace }: { readonly email: string; readonly workspace?: string | undefined },
): Promise<FoundPerson> {
  const wanted =
    workspace === undefined ? undefined : idOption("--workspace", "Workspace", workspace);
  const all = await findPeopleByEmail(reads, emailOption(email));
  const found = all.filter(({ workspaceId }) => wanted === undefined || workspaceId === wanted);
  const [only, second] = found;
  if (only === undefined) throw new StartRefused(`no person has the address ${email}`);
  if (second === undefined) return only;
  const ids = found.map(({ workspaceId }) => toWorkspaceId(workspaceId));
  throw new StartRefused(
    `the address is in several workspaces: add --workspace, one of ${ids.join(", ")}`,
  );
}

/** The valid address in lower case. */
export function emailOption(text: string): string {
  const email = text.trim().toLowerCase();
  if (!isEmailAddress(email)) throw new StartRefused("--email must be an email address");
  return email;
}

/** The URL of a page of the console, with the code in its fragment. */
export function linkTo(
  { config }: AtDeployment["surroundings"],
  page: string,
  code: string,
): string {
  const { origin } = consolePlaceAt(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`);
  return `${origin}/console/${page}#${code}`;
}
