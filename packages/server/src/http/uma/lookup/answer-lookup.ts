/**
 * The answer about a user, once the lookup is verified. The same reads are made for every user; only for one who can be paid a token is
 * sealed and the answer is signed. Nothing is written.
 */
import { randomBytes } from "node:crypto";
import { clockOffsetOf, findPlatform } from "../../../domain/platform.sql.ts";
import { findPriceRules, NO_RULES } from "../../../domain/prices/price-rules/price-rules.ts";
import { listLiveSources } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import { openSources } from "../../../domain/prices/rates/market-rate.ts";
import { findRouting } from "../../../domain/rails/routes/routing.ts";
import { settlementAssets } from "../../../domain/rails/routes/settlement-assets.ts";
import { currentKey, type UmaKey } from "../../../domain/uma/keys/uma-key.ts";
import { findCustomerAt } from "../../../domain/uma/receiver.sql.ts";
import type { CallbackTokens } from "../../../domain/uma/receiving/callback-token.ts";
import { lookupReceiver } from "../../../domain/uma/receiving/lookup-receiver.ts";
import { writeLookupAnswer } from "../../../formats/uma/lookup-message.ts";
import type { Signature } from "../../../formats/uma/signature-members.ts";
import { signedText } from "../../../formats/uma/signatures.ts";
import { UMA_VERSION } from "../../../formats/uma/version.ts";
import { present } from "../../../std/assert.ts";
import { createBriefCache } from "../../../std/brief-cache.ts";
import { type OwnKeyTools, ownUmaKeys } from "../../operations/uma/own-keys.ts";
import type { Services } from "../../request/services.ts";
import { umaError } from "../uma-answer.ts";
import { lookupAnswer } from "./lookup-answer.ts";
import type { LookupTools } from "./lookups.ts";

export interface LookupAnswerTools extends OwnKeyTools, Pick<Services, "publicUrl"> {
  readonly callbackTokens: Pick<CallbackTokens, "make">;
}

/** Routes, rates and prices of a platform may be a second old: a pay request is judged by those of its own time. */
const KEPT_MS = 1_000;
const MOST_PLATFORMS = 1_000;

export function createLookupAnswers(tools: LookupAnswerTools): LookupTools["answer"] {
  const platforms = createBriefCache({
    find: (platformId) => readPlatform(tools, platformId),
    ...{ clock: tools.clock, keptMs: KEPT_MS, most: MOST_PLATFORMS },
  });
  return async (verified, { served: { domain, callbackBase } }) => {
    const { platformId, address, vaspDomain, signedAddress } = verified;
    const { platform, assets, market } = await platforms.find(platformId);
    // Keys are read each time: from a takeover on all servers sign by the key that is published.
    const [customer, keys] = await Promise.all([
      findCustomerAt(tools.reads, platformId, address),
      ownUmaKeys(tools, platform),
    ]);
    const now = tools.clock.now();
    const key = present(currentKey(keys, "SIGNING"), "the signing key");
    if (key.notAfter <= now) return expiredKey;
    const prices = { ...market, at: now + market.clockOffsetMs };
    const receiver = lookupReceiver({ platform, customer, assets, prices });
    if (receiver === undefined) return undefined;
    const grant = { platformId, customerId: receiver.customer.id, address, vaspDomain };
    const token = tools.callbackTokens.make({ ...grant, umaVersion: UMA_VERSION, at: now });
    const base = callbackBase === "DOMAIN" ? `https://${domain}` : tools.publicUrl();
    const answer = lookupAnswer({
      platform,
      receiver,
      signedAddress,
      callback: `${base}/uma/pay/${token}`,
      signature: await signed(tools, { platformId, key, address: signedAddress, now }),
    });
    return { status: 200, body: writeLookupAnswer(answer) };
  };
}

/** What the lookups of all customers of a platform need. */
async function readPlatform({ reads }: LookupAnswerTools, platformId: string) {
  const [platform, routing, rules, sources, clockOffsetMs] = await Promise.all([
    findPlatform(reads, platformId),
    findRouting(reads, platformId),
    findPriceRules(reads, platformId),
    listLiveSources(reads, platformId),
    clockOffsetOf(reads, platformId),
  ]);
  const { spreads } = rules ?? NO_RULES;
  return {
    platform: present(platform, "the served platform"),
    assets: settlementAssets(routing, "INVOICE"),
    market: { sources: openSources(sources), spreads, clockOffsetMs },
  };
}

const NONCE_BYTES = 16;

async function signed(
  { umaKeys }: LookupAnswerTools,
  {
    platformId,
    key,
    address,
    now,
  }: {
    readonly platformId: string;
    readonly key: UmaKey;
    readonly address: string;
    readonly now: number;
  },
): Promise<Signature> {
  const nonce = BigInt(`0x${randomBytes(NONCE_BYTES).toString("hex")}`).toString();
  const timestamp = BigInt(Math.floor(now / 1_000));
  const text = signedText([address], { nonce, timestamp });
  return { signature: await umaKeys.sign(platformId, key, text), nonce, timestamp };
}

const expiredKey = umaError(
  424,
  "CERT_CHAIN_EXPIRED",
  "The certificate of the key that signs here has expired.",
);
