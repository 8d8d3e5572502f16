/**
 * Answers pay requests of other institutions (`POST /uma/pay/{token}`). The steps, in the order of their refusals:
 *
 *   token → body → payer and time (`read-pay-request.ts`) → sender (`signed-exchange.ts`) → customer → terms
 *   → commit: message, payment, price, question to the platform → its answer → commit: invoice wanted → text of the connector
 *   → commit: invoice open → answer
 *
 * If the server dies between the commits, the payment fails by the deadline of the question or by the job of the wanted invoice, and no text
 * was given away. A sender that stops waiting changes nothing: the request is finished all the same.
 */
import { isCustomerInfoField } from "../../../domain/customers/customer-info.ts";
import { inLowerCase } from "../../../domain/customers/uma-address.ts";
import type { ExchangeLog } from "../../../domain/uma/exchanges/exchange-log.port.ts";
import {
  type PayRequestInput,
  receivePayRequest,
} from "../../../domain/uma/incoming/receive-pay-request.ts";
import { hasTooManyUnpaid } from "../../../domain/uma/incoming/uma-invoice.sql.ts";
import type { SignedMessage } from "../../../domain/uma/nonces/uma-nonce.ts";
import {
  APPROVAL_BUDGET_MS,
  findPaymentApproval,
  type PaymentApproval,
} from "../../../domain/uma/payment-approval.ts";
import type { UmaPolicies } from "../../../domain/uma/policy/uma-policies.port.ts";
import type {
  CallbackGrant,
  CallbackTokens,
} from "../../../domain/uma/receiving/callback-token.ts";
import { lookupReceiver } from "../../../domain/uma/receiving/lookup-receiver.ts";
import { protocolName } from "../../../formats/uma/field-names.ts";
import { pause } from "../../../std/clock.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { readJsonObject } from "../../../std/json.ts";
import type { OwnKeyTools } from "../../operations/uma/own-keys.ts";
import {
  type GoodAddress,
  type JudgeTools,
  judgeSignature,
  usedNonce,
} from "../judge-signature.ts";
import { lookupMetadata } from "../lookup/lookup-answer.ts";
import { notAllowed } from "../lookup/read-lookup.ts";
import type { MessageAsking } from "../message-limits.ts";
import { createPaymentFacts } from "../payment-facts.ts";
import {
  answerInstead,
  type FaultySignatureTools,
  secondsOf,
  signWith,
  takeFault,
} from "../sandbox-faults.ts";
import {
  type ClaimedMessage,
  type ExchangeNote,
  type ProofTools,
  proveSender,
  recordedExchanges,
} from "../signed-exchange.ts";
import type { TokenMessage } from "../token-message.ts";
import { type UmaAnswer, umaError, unknownUser } from "../uma-answer.ts";
import { type InvoiceTools, makeInvoice } from "./make-invoice.ts";
import { openTravelRule, type TravelRuleTools } from "./open-travel-rule.ts";
import { payAnswer } from "./pay-answer.ts";
import { type PayHookTools, payerHook, receiverHook } from "./pay-hooks.ts";
import { type AskedPayment, type PayTerms, readPayment, termsOf } from "./read-pay-request.ts";

export interface PayTools
  extends OwnKeyTools,
    InvoiceTools,
    JudgeTools,
    TravelRuleTools,
    FaultySignatureTools,
    PayHookTools,
    Omit<ProofTools<MessageAsking>, "policies"> {
  readonly umaKeys: OwnKeyTools["umaKeys"];
  readonly callbackTokens: Pick<CallbackTokens, "open">;
  readonly policies: Pick<UmaPolicies, "judge" | "settingsFor">;
  readonly exchanges: ExchangeLog;
}

export function createPayRequests(tools: PayTools): (received: TokenMessage) => Promise<UmaAnswer> {
  const paymentFacts = createPaymentFacts(tools);
  return recordedExchanges(tools, "PAY_REQUEST", (received: TokenMessage, note) =>
    answerTo({ ...tools, paymentFacts }, received, note),
  );
}

interface AnswerTools extends PayTools {
  readonly paymentFacts: ReturnType<typeof createPaymentFacts>;
}

async function answerTo(
  tools: AnswerTools,
  received: TokenMessage,
  note: ExchangeNote,
): Promise<UmaAnswer> {
  const now = tools.clock.now();
  const grant = tools.callbackTokens.open(received.token, now);
  if (grant?.isAmongSandboxes !== received.isAmongSandboxes) return unknownRequest;
  const asked = readPayment(received.body, grant, now);
  if (asked.kind === "refused") return asked.answer;
  const request = { received, grant, asked, note };
  const proven = await proveSender(tools, claimOf(tools, request), note);
  if ("status" in proven) return proven;
  const { vaspDomain: domain } = grant;
  const { signedAt } = asked;
  const message = { kind: "pay", domain, text: proven.text, signedAt } as const;
  return pay(tools, { ...request, message });
}

interface Asked {
  readonly received: TokenMessage;
  readonly grant: CallbackGrant;
  readonly asked: AskedPayment;
  readonly note: ExchangeNote;
}

function claimOf(
  tools: JudgeTools,
  { received: { caller }, grant, asked }: Asked,
): ClaimedMessage<MessageAsking, GoodAddress> {
  const { platformId, vaspDomain, umaVersion } = grant;
  const { identifier, compliance } = asked.request.payer;
  const addresses = [identifier, inLowerCase(identifier)];
  const claimed = { vaspDomain, signature: compliance.signature, addresses, caller };
  return {
    sender: { platformId, vaspDomain, umaVersion },
    facts: { direction: "IN" },
    notAllowed,
    asking: { caller, vaspDomain, of: `${platformId} ${vaspDomain}` },
    judge: () => judgeSignature(tools, claimed),
  };
}

async function pay(
  tools: AnswerTools,
  { message, ...request }: Asked & { readonly message: SignedMessage },
): Promise<UmaAnswer> {
  const { grant, asked, note } = request;
  const { platformId, customerId, address, vaspDomain, isAmongSandboxes } = grant;
  const facts = await tools.paymentFacts({ platformId, address, isAmongSandboxes });
  if (facts.key.notAfter <= tools.clock.now()) return expiredKey;
  const isSandbox = facts.platform.environment === "SANDBOX";
  const fault = isSandbox ? await takeFault(tools, platformId, "PAY_REQUEST") : undefined;
  const instead = answerInstead(fault, grant.umaVersion);
  if (instead !== undefined) return instead;
  const receiver = lookupReceiver(facts);
  // The address may have come to another customer since.
  if (receiver?.customer.id !== customerId) return unknownUser;
  const terms = termsOf(asked.request, { ...facts, receiver });
  if (terms.kind === "refused") return terms.answer;
  const ofCustomer = { vaspDomain, customerId, now: tools.clock.now() };
  if (await hasTooManyUnpaid(tools.reads, platformId, ofCustomer)) return tooFast;
  const { kycStatus } = asked.request.payer.compliance;
  const ofPayer = { direction: "IN", kycStatus } as const;
  const unwanted = await tools.policies.judge(platformId, vaspDomain, ofPayer);
  if (unwanted !== undefined) return rejected;
  const travelRule = openTravelRule(
    tools,
    { platformId, keys: facts.keys },
    asked.request.payer.compliance,
  );
  if (travelRule !== null && "status" in travelRule) return travelRule;
  const { invoiceSeconds } = await tools.policies.settingsFor(platformId, vaspDomain);
  const input = {
    ...inputOf({ ...request, message }, terms, invoiceSeconds),
    travelRule,
    hook: await payerHook(tools, grant, asked.request),
  };
  const announced = await announce(tools, platformId, input);
  if ("status" in announced) return announced;
  const { transactionId } = announced;
  note.transactionId = transactionId;
  const approval = await decisionOn(tools, platformId, transactionId);
  if (approval?.decision !== "APPROVED") return notApproved(approval);
  const invoice = await makeInvoice(tools, {
    platformId,
    invoiceId: transactionId,
    umaAddress: address,
    metadata: lookupMetadata(address),
    seconds: secondsOf(fault),
  });
  if (invoice === undefined) return noInvoice;
  const signature = await signWith(tools, fault, {
    ...{ platformId, vaspDomain, key: facts.key, kind: "pay-answer" },
    addresses: [asked.request.payer.identifier, address],
  });
  const information = approval.receiverInformation ?? {};
  const utxoCallback = await receiverHook(tools, grant, invoice);
  const answered = { invoice, address, information, signature, utxoCallback, fault };
  return { status: 200, body: payAnswer(answered) };
}

function inputOf(
  { received, grant, asked, message }: Asked & { readonly message: SignedMessage },
  { asset, currency, locked, information, requestedFields }: PayTerms,
  invoiceSeconds: number,
): Omit<PayRequestInput, "travelRule" | "hook"> {
  const { min, max } = asset.invoiceSeconds;
  return {
    tokenId: sha256Hex(received.token).slice(0, 32),
    vaspDomain: grant.vaspDomain,
    receiver: { umaAddress: grant.address, customerId: grant.customerId },
    sender: {
      umaAddress: inLowerCase(asked.request.payer.identifier),
      information,
      requestedFields,
    },
    settlement: {
      connectionId: asset.connectionId,
      layer: asset.layer,
      identifier: asset.identifier,
      asset: asset.currency,
      decimals: asset.decimals,
      invoiceSeconds: Math.min(Math.max(invoiceSeconds, min), max),
    },
    currency,
    locked,
    comment: asked.request.comment ?? null,
    message,
  };
}

async function announce(
  { engine }: PayTools,
  platformId: string,
  input: PayRequestInput,
): Promise<UmaAnswer | { readonly transactionId: string }> {
  const { status, body } = await engine.submit({
    platformId,
    actor: { kind: "worker", id: "uma" },
    command: receivePayRequest,
    input,
    toAnswer: ({ id, status: state }) => ({ status: 200, body: `${state} ${id}` }),
  });
  if (status !== 200) return refusalAnswer(readJsonObject(Buffer.from(body))?.code);
  const [state = "", transactionId = ""] = body.split(" ");
  return state === "PENDING" ? { transactionId } : notReady;
}

const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 150;
/** The job of the question decides at its deadline; its commit may come a little later. */
const DECIDED_WITHIN_MS = APPROVAL_BUDGET_MS + 2_000;

/** The decision of the platform, on whichever server it is made; undefined when there is none in time. */
async function decisionOn(
  { reads, clock }: PayTools,
  platformId: string,
  transactionId: string,
): Promise<PaymentApproval | undefined> {
  const until = clock.now() + DECIDED_WITHIN_MS;
  for (let wait = FIRST_LOOK_MS; clock.now() < until; wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
    const approval = await findPaymentApproval(reads, platformId, transactionId);
    if (approval === undefined || approval.decision !== null) return approval;
    await pause(clock, wait);
  }
  return undefined;
}

function notApproved(approval: PaymentApproval | undefined): UmaAnswer {
  if (approval?.decision === "REJECTED") return rejected;
  const missing = approval?.missingFields ?? [];
  if (missing.length === 0) return notReady;
  const names = missing.map((name) => (isCustomerInfoField(name) ? protocolName(name) : name));
  const reason = `The receiver's institution must know ${names.join(", ")} of the payer.`;
  return umaError(400, "MISSING_MANDATORY_PAYER_DATA", reason);
}

const unknownRequest = umaError(
  404,
  "REQUEST_NOT_FOUND",
  "No lookup of the last ten minutes has this callback, or it has served its pay requests.",
);
const expiredKey = umaError(
  424,
  "CERT_CHAIN_EXPIRED",
  "The certificate of the key that signs here has expired.",
);
const tooFast = umaError(
  403,
  "VELOCITY_LIMIT_EXCEEDED",
  "Too many invoices of this institution are not paid yet.",
);
const notReady = umaError(403, "USER_NOT_READY", "The receiver cannot take this payment now.");
const rejected = umaError(
  400,
  "SENDER_NOT_ACCEPTED",
  "The receiver's institution does not take it.",
);
const noInvoice = umaError(424, "PAYREQ_REQUEST_FAILED", "No invoice could be made.");
const outOfRange = umaError(
  400,
  "AMOUNT_OUT_OF_RANGE",
  "The amount is outside the limits of the receiver's institution.",
);
const noPrice: UmaAnswer = {
  ...umaError(503, "INTERNAL_ERROR", "There is no price now; try again later."),
  retryAfterSeconds: 60,
};

/** The answer to a command that was refused. */
function refusalAnswer(code: unknown): UmaAnswer {
  switch (code) {
    case "LOOKUP_REQUEST_NOT_FOUND":
      return unknownRequest;
    case "INVALID_NONCE":
      return usedNonce;
    case "RATE_STALE":
      return noPrice;
    case "AMOUNT_OUT_OF_RANGE":
    case "FX_LIMIT":
      return outOfRange;
    case "RAIL_PAUSED":
    case "NOT_IMPLEMENTED":
      return noInvoice;
    case "UMA_NOT_FOUND":
    case "CUSTOMER_DELETED":
      return unknownUser;
    default:
      return notReady;
  }
}
