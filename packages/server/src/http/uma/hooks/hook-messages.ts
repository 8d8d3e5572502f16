/**
 * Takes what other institutions tell of payments (`POST /uma/utxos/{token}`). The steps, in the order of their refusals:
 *
 *   token → body, signature there, time, institution (`read-hook-message.ts`) → policy → limits → keys → signature → policy of the keys
 *   → limit of the payment → payment → commit: message, channels
 *
 * No money depends on it. If the server dies before the answer, the institution tells it again.
 */
import type { ExchangeLog } from "../../../domain/uma/exchanges/exchange-log.port.ts";
import { findHookedTransaction } from "../../../domain/uma/hooks/hook-target.sql.ts";
import type { HookGrant, HookTokens } from "../../../domain/uma/hooks/hook-token.ts";
import { recordHook } from "../../../domain/uma/hooks/record-hook.ts";
import type {
  CounterpartySightings,
  UmaPolicies,
} from "../../../domain/uma/policy/uma-policies.port.ts";
import { UMA_VERSION } from "../../../formats/uma/version.ts";
import type { Services } from "../../request/services.ts";
import {
  faultAnswer,
  type JudgeTools,
  judgeHookSignature,
  keysNotAllowed,
  usedNonce,
  wrongSignature,
} from "../judge-signature.ts";
import type { MessageLimits } from "../message-limits.ts";
import type { TokenMessage } from "../token-message.ts";
import { tooMany, type UmaAnswer, umaError } from "../uma-answer.ts";
import { otherInstitution, readHookMessage, type ToldHook } from "./read-hook-message.ts";

export interface HookMessageTools extends JudgeTools, Pick<Services, "engine" | "reads"> {
  readonly hookTokens: Pick<HookTokens, "open">;
  readonly limits: MessageLimits;
  readonly policies: Pick<UmaPolicies, "judge">;
  readonly sightings: CounterpartySightings;
  readonly exchanges: ExchangeLog;
}

export function createHookMessages(
  tools: HookMessageTools,
): (received: TokenMessage) => Promise<UmaAnswer> {
  const { clock, exchanges } = tools;
  return async (received) => {
    const began = clock.now();
    const note: Note = {};
    const answer = await answerTo(tools, received, note);
    const ended = { ...HOOK_IN, outcome: answer.code ?? "OK", ms: clock.now() - began };
    const { grant, transactionId } = note;
    if (grant === undefined) exchanges.count(ended);
    else {
      const { platformId, vaspDomain } = grant;
      const umaVersion = UMA_VERSION;
      exchanges.record({ ...ended, platformId, vaspDomain, umaVersion, transactionId });
    }
    return answer;
  };
}

const HOOK_IN = { direction: "IN", kind: "HOOK" } as const;

/** What is known of a message for the record of it, once its signature has held. */
interface Note {
  grant?: HookGrant;
  transactionId?: string;
}

async function answerTo(
  tools: HookMessageTools,
  received: TokenMessage,
  note: Note,
): Promise<UmaAnswer> {
  const now = tools.clock.now();
  const grant = tools.hookTokens.open(received.token, now);
  if (grant === undefined) return unknownPayment;
  const told = readHookMessage(received.body, grant, now);
  if (told.kind === "refused") return told.answer;
  const verified = await verify(tools, { received, grant, told, note });
  return "status" in verified ? verified : taken(tools, { grant, told, note, ...verified });
}

interface Told {
  readonly grant: HookGrant;
  readonly told: Extract<ToldHook, { readonly kind: "told" }>;
  readonly note: Note;
}

/** The text that was signed, or the refusal. */
async function verify(
  tools: HookMessageTools,
  { received, grant, told, note }: Told & { readonly received: TokenMessage },
): Promise<UmaAnswer | { readonly text: string }> {
  const { platformId, vaspDomain, direction, reference } = grant;
  const facts = { direction };
  if ((await tools.policies.judge(platformId, vaspDomain, facts)) !== undefined)
    return otherInstitution;
  const { caller } = received;
  const asking = { caller, vaspDomain, of: `${platformId} ${reference}` };
  const seconds = tools.limits.admit(asking);
  if (seconds > 0) return tooMany(seconds);
  const { signature } = told.hook;
  const judged = await judgeHookSignature(tools, { vaspDomain, signature, caller });
  if (judged.kind === "busy") return tooMany(1);
  if (judged.kind === "fault") {
    if (judged.code === "CERT_CHAIN_EXPIRED") tools.sightings.noteExpired(platformId, vaspDomain);
    return faultAnswer(judged);
  }
  if (judged.kind === "wrong") {
    tools.limits.noteWrong(asking);
    return wrongSignature;
  }
  note.grant = grant;
  const { keys } = judged;
  tools.sightings.note({ platformId, domain: vaspDomain, version: UMA_VERSION, keys });
  if ((await tools.policies.judge(platformId, vaspDomain, { ...facts, keys })) !== undefined)
    return keysNotAllowed;
  const later = tools.limits.admitVerified(asking);
  return later > 0 ? tooMany(later) : { text: judged.text };
}

async function taken(
  { engine, reads }: HookMessageTools,
  { grant, told, note, text }: Told & { readonly text: string },
): Promise<UmaAnswer> {
  const { platformId, vaspDomain } = grant;
  const transactionId = await findHookedTransaction(reads, platformId, grant);
  if (transactionId === undefined) return unknownPayment;
  note.transactionId = transactionId;
  const { hook, signedAt } = told;
  const { status } = await engine.submit({
    platformId,
    actor: { kind: "worker", id: "uma" },
    command: recordHook,
    input: {
      transactionId,
      message: { kind: "hook", domain: vaspDomain, text, signedAt },
      utxos: hook.utxos.map(({ utxo, amountMsats }) => ({
        utxo,
        amountMsats: amountMsats.toString(),
      })),
    },
    toAnswer: () => ({ status: 200, body: "{}" }),
  });
  // The command refuses a message that was accepted before, and nothing else.
  return status === 200 ? { status: 200, body: "{}" } : usedNonce;
}

const unknownPayment = umaError(
  404,
  "REQUEST_NOT_FOUND",
  "No payment of the last 30 days has this callback.",
);
