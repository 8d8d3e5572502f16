/**
 * Asks another institution for the invoice of a payment.
 *
 * Policy → keys of the domain, policy → callback → signed request → status → form of the answer → signature, time and nonce of the answer.
 * What the answer offers is judged by the caller, who knows what was asked for. Nothing is stored before the signature holds, and then the
 * nonce. If the process dies in between, the caller asks again, and the invoice of the first answer lapses there.
 *
 * Bounds: 25 seconds and 256 kB for the exchange; those of the keys (fetch-key-document.ts).
 */
import { domainOf, inLowerCase } from "../../../domain/customers/uma-address.ts";
import type { CounterpartyKeys } from "../../../domain/uma/keys/counterparty-keys.port.ts";
import { isOutOfTime } from "../../../domain/uma/nonces/uma-nonce.ts";
import type {
  OutsidePayments,
  PayOutcome,
  PayQuestion,
} from "../../../domain/uma/outgoing/pay-request.port.ts";
import type { ExchangeFacts } from "../../../domain/uma/policy/uma-policies.port.ts";
import { sealFor } from "../../../formats/uma/envelope.ts";
import {
  type PayAnswer,
  readPayAnswer,
  writePayRequest,
} from "../../../formats/uma/pay-message.ts";
import { kycStatuses } from "../../../formats/uma/people-data.ts";
import type { Signature } from "../../../formats/uma/signature-members.ts";
import { signedText } from "../../../formats/uma/signatures.ts";
import { TRAVEL_RULE_FORMAT } from "../../../formats/uma/travel-rule-message.ts";
import { UMA_VERSION } from "../../../formats/uma/version.ts";
import type { LookupTools } from "../lookups/ask-lookup.ts";
import { refused, refusedFault } from "../lookups/read-reply.ts";
import { permitsCallback } from "../permits-callback.ts";
import { readPayReply } from "./read-pay-reply.ts";

const DEADLINE_MS = 25_000;
const MOST_BYTES = 262_144;

type Refused = Extract<PayOutcome, { readonly kind: "refused" }>;

export function createOutsidePayments(tools: LookupTools): OutsidePayments {
  return {
    async request(question) {
      const domain = domainOf(question.receiver);
      const unwanted = await refusedByPolicy(tools, question, undefined);
      if (unwanted !== undefined) return unwanted;
      const found = await tools.keys.find(domain);
      if (found.kind === "fault") return refused(found.code, { reason: found.reason });
      const { keys } = found;
      const distrusted = await refusedByPolicy(tools, question, keys);
      if (distrusted?.code === "CERT_CHAIN_INVALID")
        return { ...distrusted, signer: { keys, version: undefined } };
      if (distrusted !== undefined) return distrusted;
      if (!(await permitsCallback(tools, aboutOf(question), question.callback)))
        return refused("PAYREQ_REQUEST_FAILED", {
          reason: "the callback of the lookup may not be called",
        });
      const replied = readPayReply(await sent(tools, question, keys));
      return replied.kind === "body" ? judged(tools, question, replied.body) : replied;
    },
  };
}

async function refusedByPolicy(
  { policies }: LookupTools,
  { platformId, receiver, receiverKyc, isSubjectToTravelRule }: PayQuestion,
  keys: CounterpartyKeys | undefined,
): Promise<Refused | undefined> {
  const facts: ExchangeFacts = {
    direction: "OUT",
    keys,
    kycStatus: receiverKyc,
    isSubjectToTravelRule,
  };
  const fault = await policies.judge(platformId, domainOf(receiver), facts);
  return fault === undefined ? undefined : refused(fault.code, { reason: fault.reason });
}

function aboutOf({ platformId, receiver }: PayQuestion) {
  return { platformId, domain: domainOf(receiver) };
}

async function sent(tools: LookupTools, question: PayQuestion, keys: CounterpartyKeys) {
  const { platformId, key, payer, callback } = question;
  const message = { addresses: [payer.identifier], now: tools.clock.now() };
  const signature = await tools.umaKeys.sign(platformId, key, message);
  return tools.client.call({
    method: "POST",
    url: callback,
    body: requestText(question, signature, keys),
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: MOST_BYTES,
    owner: `uma pay ${platformId}`,
  });
}

function requestText(
  { payer, amount, convert, payeeData, comment, settlement, utxoCallback }: PayQuestion,
  signature: Signature,
  { encryptionPoint }: CounterpartyKeys,
): string {
  const { identifier, fields, kycStatus, travelRule } = payer;
  const isTold = travelRule !== undefined;
  return writePayRequest({
    amount,
    convert,
    payer: {
      identifier,
      fields,
      compliance: {
        kycStatus: kycStatuses.find((status) => status === kycStatus) ?? "UNKNOWN",
        signature,
        utxos: [],
        nodePubKey: undefined,
        utxoCallback,
        encryptedTravelRuleInfo: isTold
          ? sealFor(encryptionPoint, Buffer.from(travelRule, "utf8")).toString("hex")
          : undefined,
        travelRuleFormat: isTold ? TRAVEL_RULE_FORMAT : undefined,
      },
    },
    payeeData,
    comment,
    settlement,
  });
}

async function judged(
  tools: LookupTools,
  question: PayQuestion,
  body: string,
): Promise<PayOutcome> {
  const answer = readAnswer(body);
  if ("kind" in answer) return answer;
  const { signature } = answer.payee.compliance;
  if (signature === undefined) return wrongSignature;
  const domain = domainOf(question.receiver);
  const text = signedText([question.payer.identifier, payeeOf(answer, question)], signature);
  const held = await tools.keys.judge(domain, { text, signature: signature.signature });
  if (held.kind === "fault") return refused(held.code, { reason: held.reason });
  if (held.kind === "wrong") return wrongSignature;
  const signer = { keys: held.keys, version: UMA_VERSION };
  const signedAt = Number(signature.timestamp) * 1_000;
  if (isOutOfTime(signedAt, tools.clock.now()))
    return { ...refused("INVALID_TIMESTAMP", { reason: "the answer is of another time" }), signer };
  const message = { kind: "pay-answer", domain, text, signedAt } as const;
  const isNew = await tools.accepted.use(question.platformId, message);
  if (!isNew)
    return { ...refused("INVALID_NONCE", { reason: "the answer was given before" }), signer };
  const { invoice, converted, payee } = answer;
  const utxoCallback = await hookIn(tools, question, answer);
  const offer = { invoice, converted, payeeFields: payee.fields, utxoCallback };
  return { kind: "offered", offer, signer };
}

/** Where the institution wants to be told of the payment. One that may not be called is left out: the payment does not depend on it. */
async function hookIn(
  tools: LookupTools,
  question: PayQuestion,
  { payee }: PayAnswer,
): Promise<string | undefined> {
  const { utxoCallback } = payee.compliance;
  if (utxoCallback === undefined) return undefined;
  const isPermitted = await permitsCallback(tools, aboutOf(question), utxoCallback);
  return isPermitted ? utxoCallback : undefined;
}

const wrongSignature = refused("INVALID_PAYREQ_RESPONSE", { reason: "INVALID_SIGNATURE" });

function readAnswer(body: string): PayAnswer | Refused {
  try {
    return readPayAnswer(Buffer.from(body, "utf8"));
  } catch (error) {
    return refusedFault(error);
  }
}

/** The payee's address as it was signed: as the answer writes it, when it is the one that was asked for. */
function payeeOf({ payee }: PayAnswer, { receiver }: PayQuestion): string {
  const written = payee.fields.get("identifier");
  return written !== undefined && inLowerCase(written) === receiver ? written : receiver;
}
