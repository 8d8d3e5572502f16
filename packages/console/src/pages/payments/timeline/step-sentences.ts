/** Steps that no command of the timeline tells: orders that waited, and the course of a payment at a bank. */
import { t, wordOf } from "../../../text/messages.ts";
import type { Tone } from "../../../text/tones.ts";
import type { Step, Words } from "./lines.ts";

interface StepSentence {
  readonly text: string;
  readonly tone: Tone;
}

export function sentenceOfStep(
  step: Step,
  { words, steps }: { readonly words: Words; readonly steps: readonly Step[] },
): StepSentence {
  const { toInFull: to, sent } = words;
  switch (step.act) {
    case "ASKED": {
      const why = wordOf("waitReason", step.reason ?? "PEOPLE");
      return { text: t("timeline.askedWaits", { to, sent, why }), tone: "wait" };
    }
    case "APPROVED":
      return { text: t("timeline.agreed"), tone: "good" };
    case "REJECTED":
      return { text: t("timeline.disagreed"), tone: "bad" };
    case "RECALLED":
      return recalled(step, steps);
    default:
      return sentenceAtBank(step);
  }
}

/** The row of the order has the latest state of its recall only: what the bank said later has a line of its own. */
function recalled(step: Step, steps: readonly Step[]): StepSentence {
  const values = {
    reason: wordOf("recallReason", step.reason ?? "OTHER"),
    bank: step.connection ?? t("timeline.theBank"),
  };
  const ofOrder = steps.filter(({ railPaymentId }) => railPaymentId === step.railPaymentId);
  const wasSent = ofOrder.some(
    ({ act, state, at }) => act === "RAIL" && OUT.has(state ?? "") && at < step.at,
  );
  if (step.state === "DONE" && !wasSent) {
    return { text: t("timeline.recalledUnsent", values), tone: "note" };
  }
  const isToldLater = ofOrder.some(({ reason }) => reason === "RECALL_REFUSED");
  const isRefused = step.state === "REFUSED" && !isToldLater;
  return {
    text: t(isRefused ? "timeline.recallInVain" : "timeline.recalled", values),
    tone: "note",
  };
}

const OUT: ReadonlySet<string> = new Set(["SENDING", "SENT", "ACCEPTED", "UNKNOWN"]);

const AT_BANK = {
  HELD: ["timeline.bankHeld", "wait"],
  QUEUED: ["timeline.bankQueued", "wait"],
  SENDING: ["timeline.bankSending", "plain"],
  UNKNOWN: ["timeline.bankUnknown", "wait"],
  SENT: ["timeline.handedOver", "plain"],
  ACCEPTED: ["timeline.bankAccepted", "plain"],
  SETTLED: ["timeline.bankSettled", "good"],
  RETURNED: ["timeline.bankReturned", "bad"],
  DECLINED: ["timeline.bankDeclined", "bad"],
  CANCELLED: ["timeline.cancelled", "plain"],
} as const;

function sentenceAtBank({ state = "", reason, connection }: Step): StepSentence {
  const bank = connection ?? t("timeline.aBank");
  switch (reason) {
    case "REROUTED":
      return { text: t("timeline.rerouted", { bank }), tone: "note" };
    case "FELL_BACK":
      return { text: t("timeline.fellBack", { bank }), tone: "note" };
    case "RECALL_REFUSED":
      return { text: t("timeline.recallRefused", { bank }), tone: "bad" };
  }
  const [key, tone] = Object.hasOwn(AT_BANK, state)
    ? AT_BANK[state as keyof typeof AT_BANK]
    : AT_BANK.SENDING;
  return { text: t(key, { bank }), tone };
}
