import { engineOn } from "../app.ts";
import { makePlatform } from "../boot/first-platform.ts";
import { openStore } from "../boot/open-database.ts";
import type { Config } from "../config.ts";
import { inLowerCase } from "../domain/customers/uma-address.ts";
import { findWorkspace, platformsOfWorkspace } from "../domain/people/workspaces/workspace.sql.ts";
import {
  MOST_PLATFORMS_OF_WORKSPACE,
  toWorkspaceId,
} from "../domain/people/workspaces/workspace.ts";
import { toPlatformConfigId } from "../domain/platform.ts";
import { sandboxDomainOf, umaDomainFault } from "../domain/uma/domains/uma-domain.ts";
import type { Reads } from "../postgres/database.ts";
import { systemClock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { createLog } from "../std/log.ts";
import { idOption } from "./options/option-texts.ts";
import { ownHostOf } from "./own-host.ts";
import { print } from "./print.ts";

export interface CreatePlatformOptions {
  readonly name: string;
  readonly environment: string;
  readonly umaDomain: string;
  readonly regulated: boolean;
  readonly workspace?: string;
}

/** `florin platform create`: creates a platform and prints its credentials, which are shown only once. */
export async function createPlatformFromShell(
  config: Config,
  options: CreatePlatformOptions,
): Promise<void> {
  const environment = options.environment.toUpperCase();
  if (environment !== "SANDBOX" && environment !== "PRODUCTION") {
    throw new StartRefused("--environment must be sandbox or production");
  }
  if (options.name.trim() === "") throw new StartRefused("--name must not be empty");
  const umaDomain = inLowerCase(options.umaDomain);
  const fault = umaDomainFault(umaDomain, ownHostOf(config));
  if (fault !== undefined) throw new StartRefused(`--uma-domain ${fault}`);
  const surroundings = { config, clock: systemClock, log: createLog(config.LOG_LEVEL) };
  const store = await openStore(config, { ...surroundings, mayJoin: true });
  try {
    const engine = engineOn(store, surroundings);
    const tools = { engine, sealer: store.sealer, clock: systemClock };
    const workspaceId = await roomInWorkspace(store.database.reads, options.workspace);
    const wish = {
      name: options.name,
      environment,
      umaDomain,
      isRegulated: options.regulated,
      ...(workspaceId === undefined ? {} : { workspaceId }),
    } as const;
    const made = await makePlatform(tools, wish);
    await engine.close();
    if (made === undefined) {
      const domains =
        environment === "SANDBOX" ? `${umaDomain} or ${sandboxDomainOf(umaDomain)}` : umaDomain;
      throw new StartRefused(
        `another ${environment.toLowerCase()} platform has the UMA domain ${domains}, or one above or below it`,
      );
    }
    print(`id            ${toPlatformConfigId(made.platformId)}`);
    print(`workspace     ${toWorkspaceId(made.workspaceId)}`);
    print(`environment   ${environment}`);
    print(`clientId      ${made.clientId}`);
    print(`clientSecret  ${made.clientSecret}`);
    if (made.sandboxUmaDomain !== null) print(`sandbox UMA   ${made.sandboxUmaDomain}`);
    print(`\n${made.webhookPublicKey}`);
  } finally {
    await store.close();
  }
}

/** The workspace that the option names, when it has room for one more platform; undefined for a new one. */
async function roomInWorkspace(
  reads: Reads,
  option: string | undefined,
): Promise<string | undefined> {
  if (option === undefined) return undefined;
  const id = idOption("--workspace", "Workspace", option);
  if ((await findWorkspace(reads, id)) === undefined)
    throw new StartRefused(`no workspace has the id ${option}`);
  if ((await platformsOfWorkspace(reads, id)).length >= MOST_PLATFORMS_OF_WORKSPACE)
    throw new StartRefused(
      `the workspace has ${MOST_PLATFORMS_OF_WORKSPACE} platforms, the most that one may have`,
    );
  return id;
}
