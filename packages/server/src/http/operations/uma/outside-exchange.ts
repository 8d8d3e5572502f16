/** What every message to another institution needs: a served domain, a key that signs, and the notes about how the exchange ended. */
import { domainOf } from "../../../domain/customers/uma-address.ts";
import type { Platform } from "../../../domain/platform.ts";
import {
  findServedDomain,
  type ServedDomain,
} from "../../../domain/uma/domains/served-domain.sql.ts";
import type { Exchange } from "../../../domain/uma/exchanges/exchange-log.port.ts";
import { currentKey, type UmaKey } from "../../../domain/uma/keys/uma-key.ts";
import type { LookedUp } from "../../../domain/uma/lookups/looked-up.ts";
import type { OutsideLookups, Signer } from "../../../domain/uma/lookups/lookup.port.ts";
import { offeredOptions } from "../../../domain/uma/lookups/payable-currencies.ts";
import type { OutsidePayments } from "../../../domain/uma/outgoing/pay-request.port.ts";
import { Refusal, type RefusalCode } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { Services } from "../../request/services.ts";
import { rateLimited } from "../../server/errors.ts";
import { ownUmaKeys } from "./own-keys.ts";

/** The domain under which the platform speaks to others. Refuses one that is not served. */
export async function servedDomain(
  { reads }: Services,
  platform: Platform,
  ownDomain: string,
): Promise<ServedDomain> {
  const served = await findServedDomain(reads, ownDomain);
  if (served?.platformId === platform.id) return served;
  throw new Refusal(
    "CONFLICT",
    { rule: "UMA_DOMAIN_NOT_ACTIVE", domain: ownDomain },
    `The domain ${ownDomain} is CLAIMED; only an ACTIVE domain can look up or pay addresses at other institutions. POST /uma/domains/{domainId}/check checks its routing.`,
  );
}

export async function signingKey(services: Services, platform: Platform): Promise<UmaKey> {
  const key = present(
    currentKey(await ownUmaKeys(services, platform), "SIGNING"),
    "the signing key of a platform",
  );
  if (services.clock.now() < key.notAfter) return key;
  throw new Refusal(
    "CONFLICT",
    { rule: "UMA_KEY_EXPIRED" },
    "The certificates of the platform's signing key have expired. PUT /uma/keys/{keyId}/chain sets new ones.",
  );
}

/** What asks the institution: over the network, or another sandbox of the deployment over this server's own port. */
export function outsideOf(
  { umaOutside }: Services,
  isPeer: boolean,
): OutsideLookups & OutsidePayments {
  return isPeer ? umaOutside.sandboxes : umaOutside;
}

/** Counts a message to an institution, and refuses it when there were too many. */
export function admitExchange(
  { umaOutside }: Services,
  platformId: string,
  receiver: string,
): void {
  const seconds = umaOutside.take(platformId, domainOf(receiver));
  if (seconds > 0) throw rateLimited(seconds);
}

interface Ended {
  readonly code?: RefusalCode;
  readonly signer?: Signer | undefined;
}

/** Runs an exchange, and notes how it ended and whose keys answered. */
export async function noted<Outcome extends Ended>(
  { umaNotes: { exchangeLog, sightings }, clock }: Services,
  about: Pick<Exchange, "platformId" | "kind" | "lookupId"> & { readonly receiver: string },
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const { platformId, kind, lookupId, receiver } = about;
  const vaspDomain = domainOf(receiver);
  const beganAt = clock.now();
  const outcome = await run();
  const { signer, code } = outcome;
  exchangeLog.record({
    ...{ platformId, vaspDomain, direction: "OUT", kind },
    umaVersion: signer?.version,
    outcome: code ?? "OK",
    ms: clock.now() - beganAt,
    ...(code === undefined ? { lookupId } : {}),
  });
  if (signer !== undefined) sightings.note({ platformId, domain: vaspDomain, ...signer });
  if (code === "CERT_CHAIN_EXPIRED") sightings.noteExpired(platformId, vaspDomain);
  return outcome;
}

/** Sentences in place of those of the codes, which speak of this side elsewhere. */
const messages: Readonly<Partial<Record<RefusalCode, string>>> = {
  INVALID_TIMESTAMP:
    "The answer of the receiver's institution is of another time than this host's.",
  USER_NOT_READY: "The receiver's institution says that the receiver cannot be paid yet.",
  INVALID_RECEIVER: "The receiver's institution says that the receiver cannot be paid.",
  INVALID_CURRENCY: "The receiver's institution does not pay out this currency.",
  AMOUNT_OUT_OF_RANGE: "The amount is outside the limits of the receiver's institution.",
  MISSING_MANDATORY_USER_INFO: "The receiver's institution must know more about the sender.",
};

/** The refusal of an exchange. It is not stored under an idempotency key: the other side may answer otherwise to a repetition. */
export function refusalOf(code: RefusalCode, details: JsonObject): Refusal {
  const told = Object.keys(details).length === 0 ? undefined : details;
  return new Refusal(code, told, messages[code], false);
}

export function nothingInCommon(missing: "SETTLEMENT" | "RATE", answer: LookedUp): Refusal {
  if (missing === "RATE") {
    const message =
      "No rate source has a young rate from the payer's currency to an asset in which the receiver's institution settles. POST /rates/sources adds one.";
    return new Refusal("NOT_IMPLEMENTED", { missing }, message);
  }
  const offered: readonly JsonObject[] = offeredOptions(answer).map(({ layer, assets }) => ({
    layer,
    assets: assets.map(({ identifier }) => identifier),
  }));
  const message =
    "No connection of the platform pays in a layer and an asset in which the receiver's institution settles. Attach one, with a route for UMA_ADDRESS.";
  return new Refusal("NOT_IMPLEMENTED", { missing, offered }, message);
}
