/** What a command did to a payment, in one sentence. */
import { t, wordOf } from "../../../text/messages.ts";
import { amountLine } from "../../../text/money.ts";
import type { Tone } from "../../../text/tones.ts";
import { codeWords } from "./failures.ts";
import type { Entry, Group, Words } from "./lines.ts";

export interface Sentence {
  readonly text: string;
  readonly tone: Tone;
  readonly isFailure?: true;
  /** The sentence has its own subject. */
  readonly isByNobody?: true;
}

const hasEvent = ({ entries }: Pick<Group, "entries">, end: string) =>
  entries.some(({ eventType }) => eventType?.endsWith(`.${end}`) === true);

const statusOf = ({ entries }: Group) => entries.findLast(({ kind }) => kind === "STATUS")?.status;

/** Undefined for a command that people need not know of. */
export function whatHappened(group: Group, words: Words): Sentence | undefined {
  const isFirst = group.entries.some(({ kind }) => kind === "CREATED");
  const status = statusOf(group);
  if (status === "FAILED" || isCalledOff(group, words)) return failed(group, words);
  if (isFirst) return begun(group, words);
  const answer = answered(group);
  if (answer !== undefined && status !== "COMPLETED") return answer;
  if (status !== undefined) return moved(group, words, status);
  return refunded(group, words) ?? answer;
}

/** A quote that was called off ends as completed, with a failure, and its money goes back: nothing was sent. */
function isCalledOff(group: Group, { payment }: Words): boolean {
  return statusOf(group) === "COMPLETED" && payment.failure?.code === "CANCELLED";
}

/** The sentences of the first command, by its name. */
const FIRST = {
  "transfer-out": "timeline.askedPayout",
  "submit-agent-action": "timeline.askedPayout",
  "decide-approval": "timeline.agreedPayout",
  "carry-out-in-time": "timeline.agreedPayout",
  "approve-agent-action": "timeline.agentPayout",
  "create-quote": "timeline.askedQuote",
  "create-agent-quote": "timeline.askedQuote",
  "transfer-in": "timeline.askedCollection",
  "book-transfer": "timeline.moved",
  "refund-incoming": "timeline.refundOut",
  "fund-internal-account": "timeline.funded",
  "request-adjustment": "timeline.adjusted",
} as const;

function begun(group: Group, words: Words): Sentence {
  const { command = "" } = group;
  const { payment, fromInFull: from, toInFull: to, sent, received } = words;
  const isDone = statusOf(group) === "COMPLETED";
  const tone = isDone ? "good" : "plain";
  const values = { from, to, sent, received };
  if (Object.hasOwn(FIRST, command)) {
    return { text: t(FIRST[command as keyof typeof FIRST], values), tone };
  }
  if (payment.type === "OUTGOING") return { text: t("timeline.askedPayout", values), tone };
  if (isDone) return { text: t("timeline.cameIn", values), tone, isByNobody: true };
  return { text: t("timeline.announced", values), tone, isByNobody: true };
}

function failed(group: Group, words: Words): Sentence {
  const { payment, toInFull: to, sent } = words;
  const shared = { tone: "bad", isFailure: true } as const;
  const bankCode = payment.failure?.rail?.code ?? railCodeOf(group);
  const isFirst = group.entries.some(({ kind }) => kind === "CREATED");
  const mark = group.steps.find(({ act, state }) => act === "RAIL" && state !== "QUEUED");
  const isByPerson = group.actor !== undefined && !group.actor.startsWith("worker");
  if (isFirst) {
    const why = withCode(failureSentence(payment.failure?.code), bankCode);
    return { text: t("timeline.refusedAtOnce", { to, sent, why }), ...shared };
  }
  if (mark?.state === "CANCELLED") return { text: t("timeline.cancelled"), ...shared };
  if (isByPerson && mark !== undefined) {
    const key =
      group.before === "COMPLETED" ? "timeline.markedReturned" : "timeline.markedDeclined";
    const text = t(key, { bank: mark.connection ?? t("timeline.theBank") });
    return { text: withCode(text, bankCode), ...shared };
  }
  const sentence =
    group.before === "COMPLETED" ? t("timeline.sentBack") : failureSentence(payment.failure?.code);
  return { text: withCode(sentence, bankCode), ...shared, isByNobody: true };
}

function failureSentence(code = "UNKNOWN"): string {
  return wordOf("timelineFailure", code);
}

/** The sentence with the code of the bank in words, where the code is known. */
function withCode(sentence: string, bankCode: string | undefined): string {
  const why = bankCode === undefined ? undefined : codeWords(bankCode);
  return why === undefined ? sentence : t("timeline.because", { sentence, why });
}

function railCodeOf({ steps }: Group): string | undefined {
  return steps.findLast(({ code }) => code !== undefined)?.code;
}

/** The answer of a platform that was asked about an incoming payment. */
function answered({ entries }: Group): Sentence | undefined {
  const decision = entries.findLast(
    ({ kind, status }) => kind === "APPROVAL" && status !== "PENDING",
  );
  switch (decision?.status) {
    case undefined:
      return undefined;
    case "APPROVED":
      return { text: t("timeline.taken"), tone: "good", isByNobody: true };
    case "REJECTED":
      return { text: t("timeline.turnedAway"), tone: "bad", isByNobody: true };
    default:
      return { text: t("timeline.noAnswer"), tone: "bad", isByNobody: true };
  }
}

function moved(group: Group, words: Words, status: string): Sentence {
  const { payment, from, to, sent, received } = words;
  const rail = group.steps.findLast(({ act }) => act === "RAIL");
  const isByPerson = group.actor !== undefined && !group.actor.startsWith("worker");
  const bank = rail?.connection ?? t("timeline.theBank");
  const isAnswered = answered(group) !== undefined;
  switch (status) {
    case "COMPLETED": {
      if (rail !== undefined && isByPerson) {
        return { text: t("timeline.markedPaid", { bank, to, received }), tone: "good" };
      }
      if (isAnswered)
        return { text: t("timeline.takenReceived", { from, received }), tone: "good" };
      const isOut = payment.type === "OUTGOING";
      const key = isOut ? "timeline.sentTo" : "timeline.receivedFrom";
      return { text: t(key, { from, to, sent, received }), tone: "good", isByNobody: true };
    }
    case "PROCESSING":
      if (group.command === "execute-quote" || group.command === "execute-held-quote") {
        return { text: t("timeline.accepted", { sent, received }), tone: "plain" };
      }
      if (group.command === "fund-quote") return { text: t("timeline.quoteFunded"), tone: "plain" };
      if (rail !== undefined && isByPerson) {
        return { text: t("timeline.handedOver", { bank }), tone: "plain" };
      }
      return { text: t("timeline.onItsWay", { bank }), tone: "plain", isByNobody: true };
    case "EXPIRED":
      return { text: t("timeline.expired"), tone: "plain", isByNobody: true };
    case "REJECTED":
      return { text: t("timeline.turnedAway"), tone: "bad" };
    case "REFUNDED":
      return { text: t("timeline.allGivenBack", { from }), tone: "note", isByNobody: true };
    default:
      return { text: t("timeline.waitsNow"), tone: "wait", isByNobody: true };
  }
}

/** Refunds without a new status of the payment. */
function refunded(group: Group, { payment, from }: Words): Sentence | undefined {
  const isIncoming = payment.type === "INCOMING";
  if (hasEvent(group, "REFUND_FAILED")) {
    return { text: t("timeline.refundFailed"), tone: "bad", isByNobody: true };
  }
  if (hasEvent(group, "REFUND_COMPLETED")) {
    const amount = postedIn(group) ?? t("timeline.anAmount");
    if (!isIncoming) {
      return { text: t("timeline.moneyBack", { amount }), tone: "note", isByNobody: true };
    }
    const text = t("timeline.refundPaid", { from, amount });
    return { text, tone: "note", isByNobody: true };
  }
  if (!hasEvent(group, "REFUND_PENDING")) return undefined;
  const amount = postedIn(group) ?? t("timeline.anAmount");
  const key = isIncoming ? "timeline.refundAsked" : "timeline.moneyComesBack";
  return { text: t(key, { from, amount }), tone: "note" };
}

const postingsIn = ({ entries }: Group) => entries.filter(({ kind }) => kind === "POSTING");

/** The amount that left an account by a posting of the group. */
function postedIn(group: Group): string | undefined {
  const [posting] = postingsIn(group);
  return posting && debitOf(posting);
}

function debitOf({ legs = [] }: Entry): string | undefined {
  const debit = legs.find(({ amount }) => amount.amount.startsWith("-"));
  if (debit === undefined) return undefined;
  const { amount, currency } = debit.amount;
  return amountLine({ amount: amount.slice(1), currency });
}

/** What became of the money, and the bank at which the payment waits. */
export function afterwards(group: Group, words: Words): string | undefined {
  const waiting = group.steps.find(({ act, state }) => act === "RAIL" && WAITING.has(state ?? ""));
  const parts = [
    moneyIn(group, words),
    waiting?.connection && t("timeline.inQueue", { bank: waiting.connection }),
  ];
  const told = parts.filter((part) => part !== undefined);
  return told.length === 0 ? undefined : told.join(" \u00b7 ");
}

const WAITING: ReadonlySet<string> = new Set(["QUEUED", "HELD"]);

/** By the postings of the group and the events of a refund. */
function moneyIn(group: Group, words: Words): string | undefined {
  const postings = postingsIn(group);
  const isFailure = statusOf(group) === "FAILED" || isCalledOff(group, words);
  // A refund of an incoming payment says its amount itself.
  if (words.payment.type === "INCOMING") return undefined;
  if (isFailure && hasEvent(group, "REFUND_COMPLETED")) return t("timeline.isBack");
  if (isFailure && hasEvent(group, "REFUND_PENDING")) return t("timeline.comesBack");
  if (isFailure && postings.length === 0) return t("timeline.noMoneyMoved");
  const held = postings.find(({ reason }) => reason === "payout.hold" || reason === "quote.hold");
  const amount = held && debitOf(held);
  return amount && t("timeline.held", { amount });
}
