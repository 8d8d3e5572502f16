/**
 * Asks another institution about a receiver.
 *
 * Policy → keys of the domain, policy → signed request → status → version → signature, time, nonce and identifier of the answer → policy, on
 * what the institution says → fields. An institution that refuses our version and says that it speaks it is asked once more. Nothing is stored
 * before the signature of the answer holds, and then its nonce. If the process dies in between, the caller asks again.
 *
 * Bounds: ten seconds and 128 kB for the exchange, twice when it is asked once more; those of the keys (fetch-key-document.ts).
 */
import { domainOf } from "../../../domain/customers/uma-address.ts";
import type { CounterpartyKeySource } from "../../../domain/uma/keys/counterparty-keys.port.ts";
import type { UmaKeyTools } from "../../../domain/uma/keys/key-tools.port.ts";
import type {
  AcceptedAnswers,
  LookupOutcome,
  LookupQuestion,
  LookupRefused,
  OutsideLookups,
  Signer,
} from "../../../domain/uma/lookups/lookup.port.ts";
import { permitsCallbackHost } from "../../../domain/uma/policy/judge-counterparty.ts";
import type { ExchangeFacts, UmaPolicies } from "../../../domain/uma/policy/uma-policies.port.ts";
import { writeLookupQuery } from "../../../formats/uma/lookup-message.ts";
import { UMA_VERSION } from "../../../formats/uma/version.ts";
import { present } from "../../../std/assert.ts";
import type { Clock } from "../../../std/clock.ts";
import type { VaspClient } from "../vasp-client.ts";
import {
  type OpenedAnswer,
  openAnswer,
  readFields,
  refusedIdentifier,
  refusedSignature,
} from "./judge-answer.ts";
import { readReply, refused } from "./read-reply.ts";

const DEADLINE_MS = 10_000;
const MOST_BYTES = 131_072;

export interface LookupTools {
  readonly client: VaspClient;
  readonly keys: CounterpartyKeySource;
  readonly accepted: AcceptedAnswers;
  readonly umaKeys: Pick<UmaKeyTools, "sign">;
  readonly policies: Pick<UmaPolicies, "judge" | "settingsFor">;
  /** Whether a URL that an institution gives may be called. */
  readonly permits: (url: string) => boolean;
  readonly clock: Clock;
}

export function createOutsideLookups(tools: LookupTools): OutsideLookups {
  return {
    async ask(question) {
      const domain = domainOf(question.receiver);
      const unwanted = await refusedByPolicy(tools, question, {});
      if (unwanted !== undefined) return unwanted;
      const found = await tools.keys.find(domain);
      if (found.kind === "fault") return refused(found.code, { reason: found.reason });
      const distrusted = await refusedByPolicy(tools, question, { keys: found.keys });
      if (distrusted?.code === "CERT_CHAIN_INVALID")
        return { ...distrusted, signer: { keys: found.keys, version: undefined } };
      if (distrusted !== undefined) return distrusted;
      const replied = await bodyOf(tools, question);
      return replied.kind === "body" ? judged(tools, question, replied.body) : replied;
    },
  };
}

async function refusedByPolicy(
  { policies }: LookupTools,
  { platformId, receiver }: LookupQuestion,
  facts: Omit<ExchangeFacts, "direction">,
): Promise<LookupRefused | undefined> {
  const domain = domainOf(receiver);
  const fault = await policies.judge(platformId, domain, { ...facts, direction: "OUT" });
  return fault === undefined ? undefined : refused(fault.code, { reason: fault.reason });
}

interface Body {
  readonly kind: "body";
  readonly body: string;
}

async function bodyOf(tools: LookupTools, question: LookupQuestion): Promise<Body | LookupRefused> {
  const first = readReply(await sent(tools, question));
  if (first.kind !== "other-version") return first;
  const again = readReply(await sent(tools, question));
  if (again.kind !== "other-version") return again;
  return refused("NO_COMPATIBLE_UMA_VERSION", { reason: `the other side refuses ${UMA_VERSION}` });
}

/** Each request has a nonce and a time of its own. */
async function sent(
  { client, umaKeys, clock }: LookupTools,
  { platformId, receiver, ownDomain, isSubjectToTravelRule, key }: LookupQuestion,
) {
  const signature = await umaKeys.sign(platformId, key, {
    addresses: [receiver],
    now: clock.now(),
  });
  const query = writeLookupQuery({
    signature,
    vaspDomain: ownDomain,
    isSubjectToTravelRule,
    umaVersion: UMA_VERSION,
  });
  const domain = domainOf(receiver);
  const user = receiver.slice(0, receiver.indexOf("@"));
  return client.call({
    method: "GET",
    url: `https://${domain}/.well-known/lnurlp/${user}?${query}`,
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: MOST_BYTES,
    owner: `uma lookup ${platformId}`,
  });
}

async function judged(
  tools: LookupTools,
  question: LookupQuestion,
  body: string,
): Promise<LookupOutcome> {
  const opened = openAnswer(body);
  if (opened.kind === "refused") return opened;
  const { compliance, text } = opened;
  const { signature } = compliance.signature;
  const held = await tools.keys.judge(domainOf(question.receiver), { text, signature });
  const unsigned = refusedSignature(opened, { signature: held, now: tools.clock.now() });
  if (unsigned !== undefined || held.kind !== "good") {
    return present(unsigned, "the refusal of a signature that did not hold");
  }
  const signer = { keys: held.keys, version: UMA_VERSION };
  const outcome = await judgedSigned(tools, question, { opened, signer });
  return outcome.kind === "refused"
    ? { ...outcome, signer }
    : { kind: "found", answer: outcome.answer, body, signer };
}

async function judgedSigned(
  tools: LookupTools,
  question: LookupQuestion,
  { opened, signer }: { readonly opened: OpenedAnswer; readonly signer: Signer },
) {
  const { platformId, receiver } = question;
  const { compliance, text } = opened;
  const domain = domainOf(receiver);
  const signedAt = Number(compliance.signature.timestamp) * 1_000;
  const answer = { kind: "lookup-answer", domain, text, signedAt } as const;
  const isNew = await tools.accepted.use(platformId, answer);
  if (!isNew) return refused("INVALID_NONCE", { reason: "the answer was given before" });
  const misled = refusedIdentifier(opened, receiver);
  if (misled !== undefined) return misled;
  const { isSubjectToTravelRule, kycStatus } = compliance;
  const { keys } = signer;
  const facts = { isSubjectToTravelRule, kycStatus, keys };
  const unwanted = await refusedByPolicy(tools, question, facts);
  if (unwanted !== undefined) return unwanted;
  return readFields(opened, await permittedBy(tools, question));
}

async function permittedBy(
  { policies, permits }: LookupTools,
  { platformId, receiver }: LookupQuestion,
): Promise<(url: string) => boolean> {
  const domain = domainOf(receiver);
  const settings = await policies.settingsFor(platformId, domain);
  return (url) => permits(url) && permitsCallbackHost(settings, domain, new URL(url).hostname);
}
