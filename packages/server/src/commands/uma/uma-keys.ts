import { custodyOn } from "../../boot/custody.ts";
import type { Config } from "../../config.ts";
import { inLowerCase } from "../../domain/customers/uma-address.ts";
import { findPlatform } from "../../domain/platform.sql.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { findClaims } from "../../domain/uma/domains/served-domain.sql.ts";
import { rotateUmaKey } from "../../domain/uma/keys/rotate-uma-key.ts";
import { listLiveUmaKeys } from "../../domain/uma/keys/uma-key.sql.ts";
import { certifiedDomains, type UmaKey, umaKeyUses } from "../../domain/uma/keys/uma-key.ts";
import type { Reads } from "../../postgres/database.ts";
import { present } from "../../std/assert.ts";
import { toIso } from "../../std/clock.ts";
import { StartRefused } from "../../std/errors.ts";
import { toWireId } from "../../std/ids.ts";
import { atDatabase } from "../at-platform.ts";
import { operate } from "../operate-platform.ts";
import { print } from "../print.ts";

const DAY_MS = 24 * 60 * 60_000;

/** The platform whose keys are published at the domain: that of production where two have it. */
async function ownerOf(reads: Reads, given: string) {
  const [claim] = await findClaims(reads, inLowerCase(given));
  if (claim === undefined) throw new StartRefused(`no platform has the UMA domain ${given}`);
  return present(await findPlatform(reads, claim.platformId), "the platform of a claim");
}

/** `florin uma keys`: prints the keys of the platform that has a UMA domain. */
export async function listKeysFromShell(config: Config, domain: string): Promise<void> {
  await atDatabase(config, async ({ store, surroundings }) => {
    const { reads } = store.database;
    const platform = await ownerOf(reads, domain);
    const keys = await listLiveUmaKeys(reads, platform.id);
    const now = surroundings.clock.now();
    print(
      [
        `${toPlatformConfigId(platform.id)}  ${platform.name}`,
        ...(keys.length === 0
          ? ["It has no keys yet: they are made when they are first read."]
          : []),
        ...keys.map((key) => lineOf(key, now)),
      ].join("\n"),
    );
  });
}

function lineOf({ id, use, status, source, notAfter, takesOverAt }: UmaKey, now: number): string {
  const days = Math.floor((notAfter - now) / DAY_MS);
  const takeover = status === "NEXT" && takesOverAt !== null ? `  from ${toIso(takesOverAt)}` : "";
  return `${toWireId("UmaKey", id)}  ${use}  ${status}  ${source}  ${days} days left${takeover}`;
}

const USUAL_AHEAD_MS = 3_600_000;

/** `florin uma rotate`: makes a key that takes over in an hour, or at once from a compromised one. */
export async function rotateKeyFromShell(
  config: Config,
  domain: string,
  { use, compromised }: { readonly use: string; readonly compromised: boolean },
): Promise<void> {
  const wanted = umaKeyUses.find((one) => one === use.toUpperCase());
  if (wanted === undefined) throw new StartRefused("--use must be signing or encryption");
  await atDatabase(config, async (at) => {
    const platform = await ownerOf(at.store.database.reads, domain);
    const now = at.surroundings.clock.now();
    const names = certifiedDomains(platform);
    const { umaKeys } = custodyOn(at.store.sealer);
    const pair = await umaKeys.newKey(platform.id, { use: wanted, names, now });
    const takesOverInMs = compromised ? 0 : USUAL_AHEAD_MS;
    print(
      await operate(
        { ...at, platform },
        {
          command: rotateUmaKey,
          input: { pair, takesOverInMs, isCompromised: compromised, now },
          tell: (key) => lineOf(key, now),
        },
      ),
    );
  });
}
