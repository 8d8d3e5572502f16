import type { Command } from "../../../engine/command.ts";
import { platforms } from "../../platform.ts";
import {
  certifiedDomains,
  currentKey,
  insertUmaKey,
  isUsed,
  type KeyCertificate,
  liveUmaKeys,
  type NewUmaKey,
  namesOthers,
  putUmaKey,
  umaKeys,
} from "./uma-key.ts";

export interface MakeUmaKeysInput {
  /** A pair for each use that seemed to lack one. */
  readonly made: readonly NewUmaKey[];
  /** Self-signed certificates in place of those that name other domains. */
  readonly renewed: readonly { readonly keyId: string; readonly certificate: KeyCertificate }[];
  /** Host time. */
  readonly now: number;
}

/**
 * Stores the keys that the platform lacks, and certificates that name its present domains. What another server has stored meanwhile stays,
 * and a certificate is not taken when the domains have changed again. Refuses nothing.
 */
export const makeUmaKeys: Command<MakeUmaKeysInput, undefined> = {
  name: "make-uma-keys",
  needs: (world, { renewed }) => [
    platforms.ref(world.platformId),
    liveUmaKeys,
    ...renewed.map(({ keyId }) => umaKeys.ref(keyId)),
  ],
  decide(world, { made, renewed, now }) {
    const platform = world.get(platforms.ref(world.platformId));
    const keys = world.all(liveUmaKeys);
    for (const pair of made) {
      if (currentKey(keys, pair.use) === undefined)
        insertUmaKey(world, pair, { status: "CURRENT", takesOverAt: null, now });
    }
    const wanted = certifiedDomains(platform).join();
    for (const { keyId, certificate } of renewed) {
      const key = world.find(umaKeys.ref(keyId));
      if (key === undefined || !isUsed(key)) continue;
      if (namesOthers(key, platform) && certificate.names.join() === wanted)
        putUmaKey(world, { ...key, ...certificate }, now);
    }
    return undefined;
  },
};
