/**
 * Answers lookups of other institutions (`/.well-known/lnurlp/{user}`). The steps, in the order of their refusals:
 *
 *   read the request (`read-lookup.ts`) → sender (`signed-exchange.ts`) → nonce → user
 *
 * Nothing about a user is said, and nothing is read of one, before the signature has held and the message is new. Nothing is stored for a
 * message before its signature holds, but counters in memory. A lookup that ends between two steps leaves at most its nonce.
 */
import { inLowerCase } from "../../../domain/customers/uma-address.ts";
import type { ExchangeLog } from "../../../domain/uma/exchanges/exchange-log.port.ts";
import type { UmaNonces } from "../../../domain/uma/nonces/uma-nonce.sql.ts";
import {
  type GoodAddress,
  type JudgeTools,
  judgeSignature,
  usedNonce,
} from "../judge-signature.ts";
import { answerInstead, type Fault } from "../sandbox-faults.ts";
import {
  type ClaimedMessage,
  type ExchangeNote,
  type ProofTools,
  proveSender,
  recordedExchanges,
} from "../signed-exchange.ts";
import { type UmaAnswer, unknownUser } from "../uma-answer.ts";
import type { UmaHandler, UmaRequest } from "../uma-paths.ts";
import type { Asking, LookupLimits } from "./lookup-limits.ts";
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

export interface LookupTools extends JudgeTools, ProofTools<Asking> {
  readonly nonces: Pick<UmaNonces, "use">;
  readonly limits: LookupLimits;
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
  return recordedExchanges(tools, "LOOKUP", async (request: UmaRequest, note) => {
    const read = readLookup(request, tools.clock.now());
    return read.kind === "refused" ? read.answer : answerTo(tools, { ...read, request }, note);
  });
}

interface Lookup {
  readonly request: UmaRequest;
  readonly asked: AskedLookup;
}

async function answerTo(
  tools: LookupTools,
  lookup: Lookup,
  note: ExchangeNote,
): Promise<UmaAnswer> {
  const { limits, nonces, sightings } = tools;
  const { request, asked } = lookup;
  const { vaspDomain, signedAt } = asked;
  const { platformId } = request.served;
  const claimed = claimOf(tools, lookup);
  const proven = await proveSender(tools, claimed, note);
  if ("status" in proven) return proven;
  const { text, signedAddress } = proven;
  const message = { kind: "lookup", domain: vaspDomain, text, signedAt } as const;
  if (!(await nonces.use(platformId, message))) return usedNonce;
  const isSandbox = request.served.environment === "SANDBOX";
  const fault = isSandbox ? await tools.takeFault(platformId) : undefined;
  const instead = answerInstead(fault, asked.request.umaVersion);
  if (instead !== undefined) return instead;
  const address = inLowerCase(signedAddress);
  const verified = { platformId, signedAddress, address, vaspDomain };
  const answer = await tools.answer(verified, request, fault);
  if (answer === undefined && limits.noteUnknownUser(claimed.asking))
    sightings.noteProbing(platformId, vaspDomain);
  return answer ?? unknownUser;
}

function claimOf(
  tools: JudgeTools,
  { request: { served, sentHost, host = "", caller }, asked }: Lookup,
): ClaimedMessage<Asking, GoodAddress> {
  const { platformId } = served;
  const { user, vaspDomain, request } = asked;
  const { signature, umaVersion, isSubjectToTravelRule } = request;
  // The address is taken as it was written, and then in lower case.
  const addresses = [`${user}@${sentHost}`, `${inLowerCase(user)}@${host}`];
  return {
    sender: { platformId, vaspDomain, umaVersion },
    facts: { direction: "IN", isSubjectToTravelRule },
    notAllowed,
    asking: { caller, vaspDomain, platformId },
    judge: () => judgeSignature(tools, { vaspDomain, signature, addresses, caller }),
  };
}
