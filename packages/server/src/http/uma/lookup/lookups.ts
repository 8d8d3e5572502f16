/**
 * Answers lookups of other institutions (`/.well-known/lnurlp/{user}`). The steps, in the order of their refusals:
 *
 *   read the request (`read-lookup.ts`) → policy → limits → keys → signature → policy about keys → limit of the domain → nonce → user
 *
 * Nothing about a user is said, and nothing is read of one, before the signature has held and the message is new. Nothing is stored for a
 * message before its signature holds, but counters in memory. A lookup that ends between two steps leaves at most its nonce.
 */
import { inLowerCase } from "../../../domain/customers/uma-address.ts";
import type { ExchangeLog } from "../../../domain/uma/exchanges/exchange-log.port.ts";
import type { UmaNonces } from "../../../domain/uma/nonces/uma-nonce.sql.ts";
import type {
  CounterpartySightings,
  UmaPolicies,
} from "../../../domain/uma/policy/uma-policies.port.ts";
import {
  type ClaimedSignature,
  faultAnswer,
  type JudgeTools,
  judgeSignature,
  keysNotAllowed,
  usedNonce,
  wrongSignature,
} from "../judge-signature.ts";
import { answerInstead, type Fault } from "../sandbox-faults.ts";
import { tooMany, type UmaAnswer, unknownUser } from "../uma-answer.ts";
import type { UmaHandler, UmaRequest } from "../uma-paths.ts";
import type { LookupLimits } from "./lookup-limits.ts";
import { type AskedLookup, notAllowed, readLookup } from "./read-lookup.ts";

/** A lookup whose signature has held. */
export interface VerifiedLookup {
  readonly platformId: string;
  /** As the institution has signed it, which is as written or in lower case. */
  readonly signedAddress: string;
  /** In lower case. */
  readonly address: string;
  readonly vaspDomain: string;
}

export interface LookupTools extends JudgeTools {
  readonly nonces: Pick<UmaNonces, "use">;
  readonly limits: LookupLimits;
  readonly policies: Pick<UmaPolicies, "judge">;
  readonly sightings: CounterpartySightings;
  readonly exchanges: ExchangeLog;
  /** The fault that a sandbox provokes in this answer. */
  readonly takeFault: (platformId: string) => Promise<Fault>;
  /** The answer about a user; undefined for one that is not told apart from an unknown one. */
  readonly answer: (
    verified: VerifiedLookup,
    request: UmaRequest,
    fault: Fault,
  ) => Promise<UmaAnswer | undefined>;
}

export function createLookups(tools: LookupTools): UmaHandler {
  const { clock, exchanges } = tools;
  return async (request) => {
    const began = clock.now();
    const read = readLookup(request, began);
    const proven: Proven = { is: false };
    const answer =
      read.kind === "refused"
        ? read.answer
        : await answerTo(request, read.asked, { tools, proven });
    const { code = "OK" } = answer;
    const ended = { ...LOOKUP_IN, outcome: code, ms: clock.now() - began };
    if (read.kind === "refused" || !proven.is) exchanges.count(ended);
    else {
      const { vaspDomain, request: message } = read.asked;
      const { umaVersion } = message;
      exchanges.record({ ...ended, platformId: request.served.platformId, vaspDomain, umaVersion });
    }
    return answer;
  };
}

const LOOKUP_IN = { direction: "IN", kind: "LOOKUP" } as const;

/** Set once the signature of the institution has held. */
interface Proven {
  is: boolean;
}

async function answerTo(
  request: UmaRequest,
  asked: AskedLookup,
  { tools, proven }: { readonly tools: LookupTools; readonly proven: Proven },
): Promise<UmaAnswer> {
  const { limits, nonces, policies, sightings } = tools;
  const { vaspDomain, signedAt } = asked;
  const { platformId } = request.served;
  const facts = {
    direction: "IN",
    isSubjectToTravelRule: asked.request.isSubjectToTravelRule,
  } as const;
  if ((await policies.judge(platformId, vaspDomain, facts)) !== undefined) return notAllowed;
  const asking = { caller: request.caller, vaspDomain, platformId };
  const seconds = limits.admit(asking);
  if (seconds > 0) return tooMany(seconds);
  const judged = await judgeSignature(tools, claimOf(request, asked));
  if (judged.kind === "busy") return tooMany(1);
  if (judged.kind === "fault") {
    if (judged.code === "CERT_CHAIN_EXPIRED") sightings.noteExpired(platformId, vaspDomain);
    return faultAnswer(judged);
  }
  if (judged.kind === "wrong") {
    limits.noteWrong(asking);
    return wrongSignature;
  }
  const { text, signedAddress, keys } = judged;
  proven.is = true;
  sightings.note({ platformId, domain: vaspDomain, version: asked.request.umaVersion, keys });
  if ((await policies.judge(platformId, vaspDomain, { ...facts, keys })) !== undefined)
    return keysNotAllowed;
  const later = limits.admitVerified(asking);
  if (later > 0) return tooMany(later);
  const message = { kind: "lookup", domain: vaspDomain, text, signedAt } as const;
  if (!(await nonces.use(platformId, message))) return usedNonce;
  const isSandbox = request.served.environment === "SANDBOX";
  const fault = isSandbox ? await tools.takeFault(platformId) : undefined;
  const instead = answerInstead(fault, asked.request.umaVersion);
  if (instead !== undefined) return instead;
  const address = inLowerCase(signedAddress);
  const verified = { platformId, signedAddress, address, vaspDomain };
  const answer = await tools.answer(verified, request, fault);
  if (answer === undefined && limits.noteUnknownUser(asking))
    sightings.noteProbing(platformId, vaspDomain);
  return answer ?? unknownUser;
}

/** The address is taken as it was written, and then in lower case. */
function claimOf(
  { sentHost, host = "", caller }: UmaRequest,
  { user, request: { signature }, vaspDomain }: AskedLookup,
): ClaimedSignature {
  const addresses = [`${user}@${sentHost}`, `${inLowerCase(user)}@${host}`];
  return { vaspDomain, signature, addresses, caller };
}
