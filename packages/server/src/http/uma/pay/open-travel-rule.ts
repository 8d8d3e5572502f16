/** Opens what a pay request brings under the travel rule, in memory, and seals it with our own key. */
import {
  type SealedTravelRule,
  travelRuleIdentity,
} from "../../../domain/uma/incoming/travel-rule.ts";
import type { UmaKeyTools } from "../../../domain/uma/keys/key-tools.port.ts";
import type { UmaKey } from "../../../domain/uma/keys/uma-key.ts";
import type { PayerCompliance } from "../../../formats/uma/pay-message.ts";
import type { Sealer } from "../../../secrets/sealing.ts";
import { type UmaAnswer, umaError } from "../uma-answer.ts";

export interface TravelRuleTools {
  readonly umaKeys: Pick<UmaKeyTools, "decrypt">;
  readonly sealer: Pick<Sealer, "seal">;
  readonly newId: () => string;
}

const HEX = /^(?:[0-9a-f]{2})+$/i;

/** Null where the request brings none. Text that was not encrypted for one of our keys is refused, and not kept. */
export function openTravelRule(
  { umaKeys, sealer, newId }: TravelRuleTools,
  { platformId, keys }: { readonly platformId: string; readonly keys: readonly UmaKey[] },
  { encryptedTravelRuleInfo: text, travelRuleFormat }: PayerCompliance,
): SealedTravelRule | null | UmaAnswer {
  if (text === undefined) return null;
  if (!HEX.test(text)) return unreadable;
  const envelope = Buffer.from(text, "hex");
  const opening = keys.filter(
    ({ use, status }) => use === "ENCRYPTION" && (status === "CURRENT" || status === "PREVIOUS"),
  );
  for (const key of opening) {
    const content = umaKeys.decrypt(platformId, key, envelope);
    if (content === undefined) continue;
    const sealId = newId();
    const contentSealed = sealer.seal(content, travelRuleIdentity(platformId, sealId));
    content.fill(0);
    return { sealId, format: travelRuleFormat ?? null, contentSealed };
  }
  return unreadable;
}

const unreadable = umaError(
  400,
  "PARSE_PAYREQ_REQUEST_ERROR",
  "encryptedTravelRuleInfo was not encrypted for the key that is published here.",
);
