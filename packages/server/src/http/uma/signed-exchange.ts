/**
 * The frame of a signed message that another institution sends: the record of the exchange around its answer, and the steps that prove who
 * has sent it, in the order of their refusals:
 *
 *   policy → limits → keys → signature → policy about keys → limit of the sender
 *
 * What comes before and after is the message's own. Nothing is stored before the signature holds, but counters in memory.
 */
import type { ExchangeKind, ExchangeLog } from "../../domain/uma/exchanges/exchange-log.port.ts";
import type {
  CounterpartySightings,
  ExchangeFacts,
  UmaPolicies,
} from "../../domain/uma/policy/uma-policies.port.ts";
import type { Clock } from "../../std/clock.ts";
import {
  faultAnswer,
  type GoodText,
  keysNotAllowed,
  type NotGood,
  wrongSignature,
} from "./judge-signature.ts";
import { tooMany, type UmaAnswer } from "./uma-answer.ts";

interface Sender {
  readonly platformId: string;
  readonly vaspDomain: string;
  readonly umaVersion: string;
}

/** What is known of an exchange for the record of it. */
export interface ExchangeNote {
  /** Set once the signature has held. */
  sender?: Sender;
  transactionId?: string;
}

/** Answers messages of one kind, and records each exchange: those of strangers are only counted. */
export function recordedExchanges<Received>(
  { clock, exchanges }: { readonly clock: Clock; readonly exchanges: ExchangeLog },
  kind: ExchangeKind,
  answerTo: (received: Received, note: ExchangeNote) => Promise<UmaAnswer>,
): (received: Received) => Promise<UmaAnswer> {
  return async (received) => {
    const began = clock.now();
    const note: ExchangeNote = {};
    const answer = await answerTo(received, note);
    const { code = "OK" } = answer;
    const ended = { direction: "IN", kind, outcome: code, ms: clock.now() - began } as const;
    const { sender, transactionId } = note;
    if (sender === undefined) exchanges.count(ended);
    else exchanges.record({ ...ended, ...sender, transactionId });
    return answer;
  };
}

/** What senders may take of messages of one kind, in this process. */
export interface SenderLimits<Asking> {
  /** The seconds that the caller has to wait before its signature is judged; 0 when it may be now. */
  admit(asking: Asking): number;
  noteWrong(asking: Asking): void;
  /** The signature held. The seconds to wait before an answer; 0 when there is one now. */
  admitVerified(asking: Asking): number;
}

export interface ProofTools<Asking> {
  readonly limits: SenderLimits<Asking>;
  readonly policies: Pick<UmaPolicies, "judge">;
  readonly sightings: CounterpartySightings;
}

/** A message whose sender is only claimed. */
export interface ClaimedMessage<Asking, Good> {
  readonly sender: Sender;
  /** What the policy judges by. */
  readonly facts: ExchangeFacts;
  /** The answer to an institution that the policy refuses. */
  readonly notAllowed: UmaAnswer;
  /** Whom the message counts for. */
  readonly asking: Asking;
  readonly judge: () => Promise<Good | NotGood>;
}

/** The signature that held, or the refusal. */
export async function proveSender<Asking, Good extends GoodText>(
  { limits, policies, sightings }: ProofTools<Asking>,
  { sender, facts, notAllowed, asking, judge }: ClaimedMessage<Asking, Good>,
  note: ExchangeNote,
): Promise<Good | UmaAnswer> {
  const { platformId, vaspDomain, umaVersion } = sender;
  if ((await policies.judge(platformId, vaspDomain, facts)) !== undefined) return notAllowed;
  const seconds = limits.admit(asking);
  if (seconds > 0) return tooMany(seconds);
  const judged = await judge();
  if (judged.kind === "busy") return tooMany(1);
  if (judged.kind === "fault") {
    if (judged.code === "CERT_CHAIN_EXPIRED") sightings.noteExpired(platformId, vaspDomain);
    return faultAnswer(judged);
  }
  if (judged.kind === "wrong") {
    limits.noteWrong(asking);
    return wrongSignature;
  }
  note.sender = sender;
  const { keys } = judged;
  sightings.note({ platformId, domain: vaspDomain, version: umaVersion, keys });
  if ((await policies.judge(platformId, vaspDomain, { ...facts, keys })) !== undefined)
    return keysNotAllowed;
  const later = limits.admitVerified(asking);
  return later > 0 ? tooMany(later) : judged;
}
