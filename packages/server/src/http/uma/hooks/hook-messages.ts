/**
 * Takes what other institutions tell of payments (`POST /uma/utxos/{token}`). The steps, in the order of their refusals:
 *
 *   token → body, signature there, time, institution (`read-hook-message.ts`) → sender (`signed-exchange.ts`)
 *   → payment → commit: message, channels
 *
 * No money depends on it. If the server dies before the answer, the institution tells it again.
 */
import type { ExchangeLog } from "../../../domain/uma/exchanges/exchange-log.port.ts";
import { findHookedTransaction } from "../../../domain/uma/hooks/hook-target.sql.ts";
import type { HookGrant, HookTokens } from "../../../domain/uma/hooks/hook-token.ts";
import { recordHook } from "../../../domain/uma/hooks/record-hook.ts";
import { UMA_VERSION } from "../../../formats/uma/version.ts";
import type { Services } from "../../request/services.ts";
import {
  type GoodText,
  type JudgeTools,
  judgeHookSignature,
  usedNonce,
} from "../judge-signature.ts";
import type { MessageAsking } from "../message-limits.ts";
import {
  type ClaimedMessage,
  type ExchangeNote,
  type ProofTools,
  proveSender,
  recordedExchanges,
} from "../signed-exchange.ts";
import type { TokenMessage } from "../token-message.ts";
import { type UmaAnswer, umaError } from "../uma-answer.ts";
import { otherInstitution, readHookMessage, type ToldHook } from "./read-hook-message.ts";

export interface HookMessageTools
  extends JudgeTools,
    ProofTools<MessageAsking>,
    Pick<Services, "engine" | "reads"> {
  readonly hookTokens: Pick<HookTokens, "open">;
  readonly exchanges: ExchangeLog;
}

export function createHookMessages(
  tools: HookMessageTools,
): (received: TokenMessage) => Promise<UmaAnswer> {
  return recordedExchanges(tools, "HOOK", (received: TokenMessage, note) =>
    answerTo(tools, received, note),
  );
}

async function answerTo(
  tools: HookMessageTools,
  received: TokenMessage,
  note: ExchangeNote,
): Promise<UmaAnswer> {
  const now = tools.clock.now();
  const grant = tools.hookTokens.open(received.token, now);
  if (grant === undefined) return unknownPayment;
  const told = readHookMessage(received.body, grant, now);
  if (told.kind === "refused") return told.answer;
  const proven = await proveSender(tools, claimOf(tools, { received, grant, told }), note);
  return "status" in proven ? proven : taken(tools, { grant, told, note, text: proven.text });
}

interface Told {
  readonly grant: HookGrant;
  readonly told: Extract<ToldHook, { readonly kind: "told" }>;
}

function claimOf(
  tools: JudgeTools,
  { received: { caller }, grant, told }: Told & { readonly received: TokenMessage },
): ClaimedMessage<MessageAsking, GoodText> {
  const { platformId, vaspDomain, direction, reference } = grant;
  const { signature } = told.hook;
  return {
    sender: { platformId, vaspDomain, umaVersion: UMA_VERSION },
    facts: { direction },
    notAllowed: otherInstitution,
    asking: { caller, vaspDomain, of: `${platformId} ${reference}` },
    judge: () => judgeHookSignature(tools, { vaspDomain, signature, caller }),
  };
}

async function taken(
  { engine, reads }: HookMessageTools,
  { grant, told, note, text }: Told & { readonly note: ExchangeNote; readonly text: string },
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
