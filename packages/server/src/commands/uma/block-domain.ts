import { engineOn } from "../../app.ts";
import type { Config } from "../../config.ts";
import { inLowerCase, isAddressDomain } from "../../domain/customers/uma-address.ts";
import { listPlatformIds } from "../../domain/platform.sql.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { setCounterparty } from "../../domain/uma/policy/set-counterparty.ts";
import { findCounterpartyOf, findRoom } from "../../domain/uma/policy/uma-counterparty.sql.ts";
import type { CounterpartyRoom } from "../../domain/uma/policy/uma-counterparty.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import { StartRefused } from "../../std/errors.ts";
import { atDatabase } from "../at-platform.ts";
import { print } from "../print.ts";

/**
 * `florin uma block`: blocks an institution at every platform, with the overrides that each has set for it. It may be run again when it was
 * stopped. A platform whose own domain it is, or that has no room, is named.
 */
export async function blockDomainFromShell(
  config: Config,
  given: string,
  { allPlatforms }: { readonly allPlatforms: boolean },
): Promise<void> {
  const domain = inLowerCase(given);
  if (!isAddressDomain(domain)) throw new StartRefused(`${given} is no domain name`);
  if (!allPlatforms) {
    throw new StartRefused(
      "say --all-platforms; one platform blocks a domain by PUT /uma/counterparties/{domain}",
    );
  }
  await atDatabase(config, async ({ store, surroundings }) => {
    const { reads } = store.database;
    const engine = engineOn(store, surroundings);
    let blocked = 0;
    try {
      for (let after: string | undefined = BEFORE_ALL_IDS; after !== undefined; ) {
        const ids: readonly string[] = await listPlatformIds(reads, after);
        for (const platformId of ids) {
          const refused = await blockAt({ engine, reads }, platformId, domain);
          if (refused === undefined) blocked += 1;
          else print(`${toPlatformConfigId(platformId)}  not blocked: ${refused}`);
        }
        after = ids.at(-1);
      }
    } finally {
      await engine.close();
    }
    print(`${domain} is blocked at ${blocked} ${blocked === 1 ? "platform" : "platforms"}.`);
  });
}

const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

/** The message of a refusal; undefined when it is blocked. */
async function blockAt(
  { engine, reads }: { readonly engine: Engine; readonly reads: Reads },
  platformId: string,
  domain: string,
): Promise<string | undefined> {
  const found = await findCounterpartyOf(reads, platformId, domain);
  const room: CounterpartyRoom =
    found === undefined ? await findRoom(reads, platformId) : { kind: "free" };
  const { status, body } = await engine.submit({
    platformId,
    actor: { kind: "operator", id: "shell" },
    command: setCounterparty,
    input: { domain, status: "BLOCKED", overrides: found?.overrides ?? {}, room },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  return status === 200 ? undefined : (JSON.parse(body) as { readonly message: string }).message;
}
