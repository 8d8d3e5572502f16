/**
 * The UMA keys of a platform, which the first read makes: a platform has domains from its beginning, and most never speak to another
 * institution (ADR 155). A read also replaces self-signed certificates that do not name the platform's present domains.
 */
import type { Platform } from "../../../domain/platform.ts";
import { makeUmaKeys } from "../../../domain/uma/keys/make-uma-keys.ts";
import { listLiveUmaKeys } from "../../../domain/uma/keys/uma-key.sql.ts";
import {
  certifiedDomains,
  currentKey,
  isUsed,
  namesOthers,
  type UmaKey,
  umaKeyUses,
} from "../../../domain/uma/keys/uma-key.ts";
import type { Services } from "../../request/services.ts";

export type OwnKeyTools = Pick<Services, "engine" | "reads" | "clock" | "umaKeys">;

/** The keys that are not destroyed. If the process dies in between, the next read makes what is missing. */
export async function ownUmaKeys(
  tools: OwnKeyTools,
  platform: Platform,
): Promise<readonly UmaKey[]> {
  const { engine, reads, clock, umaKeys } = tools;
  const keys = await listLiveUmaKeys(reads, platform.id);
  const lacking = umaKeyUses.filter((use) => currentKey(keys, use) === undefined);
  const outdated = keys.filter((key) => isUsed(key) && namesOthers(key, platform));
  if (lacking.length === 0 && outdated.length === 0) return keys;
  const facts = { names: certifiedDomains(platform), now: clock.now() };
  const made = await Promise.all(
    lacking.map((use) => umaKeys.newKey(platform.id, { ...facts, use })),
  );
  const renewed = await Promise.all(
    outdated.map(async (key) => ({
      keyId: key.id,
      certificate: await umaKeys.certify(platform.id, key, facts),
    })),
  );
  await engine.submit({
    platformId: platform.id,
    actor: { kind: "worker", id: "uma-keys" },
    command: makeUmaKeys,
    input: { made, renewed, now: facts.now },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  return listLiveUmaKeys(reads, platform.id);
}
