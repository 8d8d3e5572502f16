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
import type {
  CounterpartyKeySource,
  CounterpartyKeys,
  JudgedSignature,
} from "../../../domain/uma/keys/counterparty-keys.port.ts";
import type { UmaNonces } from "../../../domain/uma/nonces/uma-nonce.sql.ts";
import type {
  CounterpartySightings,
  UmaPolicies,
} from "../../../domain/uma/policy/uma-policies.port.ts";
import { signedText } from "../../../formats/uma/signatures.ts";
import { type Clock, within } from "../../../std/clock.ts";
import { tooMany, type UmaAnswer, umaError, unknownUser } from "../uma-answer.ts";
import type { UmaHandler, UmaRequest } from "../uma-paths.ts";
import type { LookupLimits } from "./lookup-limits.ts";
import { type AskedLookup, notAllowed, readLookup } from "./read-lookup.ts";
import { type Verifications, VerificationsBusy } from "./verifications.ts";

/** A lookup whose signature has held. */
export interface VerifiedLookup {
  readonly platformId: string;
  /** As the institution has signed it, which is as written or in lower case. */
  readonly signedAddress: string;
  /** In lower case. */
  readonly address: string;
  readonly vaspDomain: string;
}

export interface LookupTools {
  readonly clock: Clock;
  readonly keys: Pick<CounterpartyKeySource, "judge">;
  readonly nonces: Pick<UmaNonces, "use">;
  readonly limits: LookupLimits;
  readonly verifications: Verifications;
  readonly policies: Pick<UmaPolicies, "judge">;
  readonly sightings: CounterpartySightings;
  readonly exchanges: ExchangeLog;
  /** The answer about a user; undefined for one that is not told apart from an unknown one. */
  readonly answer: (
    verified: VerifiedLookup,
    request: UmaRequest,
  ) => Promise<UmaAnswer | undefined>;
}

/** The keys of an institution are fetched, and the signature is judged, within this time. The rest of a lookup is reads. */
const JUDGED_WITHIN_MS = 6_500;

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
  const judged = await judge(request, asked, tools);
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
  const address = inLowerCase(signedAddress);
  const answer = await tools.answer({ platformId, signedAddress, address, vaspDomain }, request);
  if (answer === undefined) limits.noteUnknownUser(asking);
  return answer ?? unknownUser;
}

type Judged =
  | {
      readonly kind: "good";
      readonly signedAddress: string;
      readonly text: string;
      readonly keys: CounterpartyKeys;
    }
  | { readonly kind: "busy" }
  | Exclude<JudgedSignature, { readonly kind: "good" }>;

const late: Judged = {
  kind: "fault",
  code: "COUNTERPARTY_PUBKEY_FETCH_ERROR",
  reason: "the keys were not there in time",
};

function judge(request: UmaRequest, asked: AskedLookup, tools: LookupTools): Promise<Judged> {
  const { clock } = tools;
  return within(judgeAddresses(request, asked, tools), {
    clock,
    limitMs: JUDGED_WITHIN_MS,
    late: () => late,
  });
}

/** The address is taken as it was written, and then in lower case. */
async function judgeAddresses(
  { sentHost, host = "", caller }: UmaRequest,
  { user, request: { signature }, vaspDomain }: AskedLookup,
  { keys, verifications }: LookupTools,
): Promise<Judged> {
  const addresses = new Set([`${user}@${sentHost}`, `${inLowerCase(user)}@${host}`]);
  try {
    for (const signedAddress of addresses) {
      const text = signedText([signedAddress], signature);
      const signed = { text, signature: signature.signature };
      const judged = await keys.judge(vaspDomain, signed, verifications.of(caller));
      if (judged.kind === "fault") return judged;
      if (judged.kind === "good") return { ...judged, signedAddress, text };
    }
    return { kind: "wrong" };
  } catch (error) {
    if (error instanceof VerificationsBusy) return { kind: "busy" };
    throw error;
  }
}

function faultAnswer({
  code,
  reason,
}: Extract<JudgedSignature, { readonly kind: "fault" }>): UmaAnswer {
  const status = code === "COUNTERPARTY_PUBKEY_FETCH_ERROR" ? 424 : 400;
  return umaError(status, code, `The keys of vaspDomain cannot be used: ${reason}.`);
}

const wrongSignature = umaError(
  401,
  "INVALID_SIGNATURE",
  "The signature is not one of the address, the nonce and the timestamp by the key of vaspDomain.",
);

const keysNotAllowed = umaError(
  400,
  "CERT_CHAIN_INVALID",
  "The keys of vaspDomain are not of the kind that is taken here.",
);

const usedNonce = umaError(
  400,
  "INVALID_NONCE",
  "This message was accepted before; sign a new one.",
);
