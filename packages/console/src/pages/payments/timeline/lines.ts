/**
 * The timeline of a payment as sentences: one line for each command, in the words of people, with what it did to the money. A pure function of
 * the answer of `GET /transactions/{id}/timeline?expand=parties`. It calls an amount sent or received only where the payment is completed.
 */
import type { Transaction } from "@florin/client";
import type { Party } from "../../../api/names.ts";
import type { AnswerOf } from "../../../api/operations.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { type AmountLike, amountLine } from "../../../text/money.ts";
import type { Tone } from "../../../text/tones.ts";
import { type Note, notesOf } from "./notes.ts";
import { afterwards, whatHappened } from "./sentences.ts";
import { sentenceOfStep } from "./step-sentences.ts";

export type TimelineAnswer = AnswerOf<"getTransactionTimeline">;
export type Entry = TimelineAnswer["entries"][number];
export type Step = NonNullable<TimelineAnswer["steps"]>[number];

export interface Line {
  readonly at: string;
  readonly who: Party | undefined;
  readonly text: string;
  /** What became of the money. */
  readonly money: string | undefined;
  readonly tone: Tone;
  /** Where the events of the line were delivered. */
  readonly notes: readonly Note[];
  /** The line at which the payment failed. */
  readonly isFailure: boolean;
}

/** What is told of one commit: the entries of its command, and the steps and answers of the same moment. */
export interface Group {
  readonly at: string;
  readonly command: string | undefined;
  readonly actor: string | undefined;
  readonly entries: readonly Entry[];
  readonly steps: readonly Step[];
  /** The status that the payment had before. */
  readonly before: string | undefined;
}

/** The names and amounts that sentences have. */
export interface Words {
  readonly payment: Transaction;
  /** With bank and last four characters, for the first sentence. */
  readonly fromInFull: string;
  readonly toInFull: string;
  readonly from: string;
  readonly to: string;
  readonly sent: string;
  readonly received: string;
}

/** Oldest first. */
export function linesOf(answer: TimelineAnswer, payment: Transaction): readonly Line[] {
  const words = wordsOf(answer, payment);
  const parties = new Map((answer.actors ?? []).map(({ actor, party }) => [actor, party]));
  const groups = groupsOf(answer);
  const nextAttempts = nextAttemptsOf(answer.entries);
  const lines = groups.flatMap((group): readonly Line[] => {
    const told = whatHappened(group, words);
    if (told === undefined) return [];
    const party = group.actor === undefined ? undefined : parties.get(group.actor);
    return [
      {
        at: group.at,
        who: party?.kind === "SYSTEM" || told.isByNobody === true ? undefined : party,
        text: told.text,
        money: afterwards(group, words),
        tone: told.tone,
        notes: notesOf(group.entries, nextAttempts),
        isFailure: told.isFailure === true,
      },
    ];
  });
  const taken = new Set(groups.flatMap(({ steps }) => steps));
  const steps = (answer.steps ?? []).filter((step) => !taken.has(step));
  const stepLines = steps.map((step): Line => {
    const party = step.actor === undefined ? undefined : parties.get(step.actor);
    const { text, tone } = sentenceOfStep(step, { words, steps });
    const who = party?.kind === "SYSTEM" ? undefined : party;
    return { at: step.at, who, text, money: undefined, tone, notes: [], isFailure: false };
  });
  return [...lines, ...stepLines].toSorted((one, other) => one.at.localeCompare(other.at));
}

/** "API key" and "Agent" before the names of such; people are known by their names. */
export function whoText({ kind, name }: Party): string {
  if (kind !== "TOKEN" && kind !== "AGENT") return name;
  return `${wordOf("actor", kind.toLowerCase())} ${name}`;
}

/** A line as one text, as it is read aloud. */
export function textOfLine({ who, text, money, notes }: Line): string {
  const parts = [who && whoText(who), text, money, ...notes.map((note) => note.text)];
  return parts.filter((part) => part !== undefined).join(" \u00b7 ");
}

function wordsOf({ parties }: TimelineAnswer, payment: Transaction): Words {
  return {
    payment,
    fromInFull: inFull(parties?.from),
    toInFull: inFull(parties?.to),
    from: parties?.from?.name ?? t("timeline.someone"),
    to: parties?.to?.name ?? t("timeline.someone"),
    ...amountsOf(payment),
  };
}

/** "Jonas Berg, DKB ••9104": the last part of the detail says the type of the account, which a sentence leaves out. */
function inFull(party: Party | undefined): string {
  if (party === undefined) return t("timeline.someone");
  if (party.kind !== "EXTERNAL_ACCOUNT") return party.name;
  const bank = party.detail.split(" \u00b7 ").slice(0, -1).join(" ");
  return bank === "" ? party.name : t("timeline.payeeAt", { name: party.name, bank });
}

function amountsOf({ sentAmount, receivedAmount }: Transaction) {
  const line = (...amounts: readonly (AmountLike | undefined)[]) => {
    const found = amounts.find((amount) => amount !== undefined);
    return found === undefined ? t("timeline.anAmount") : amountLine(found);
  };
  return { sent: line(sentAmount, receivedAmount), received: line(receivedAmount, sentAmount) };
}

/** Deliveries belong to the events, and refunds are told by the events of their commands. */
function groupsOf({ entries, commands = [], steps = [] }: TimelineAnswer): readonly Group[] {
  const byCommand = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.kind === "DELIVERY" || entry.kind === "REFUND") continue;
    const key = String(entry.commandSeq ?? keyAt(byCommand, entry));
    byCommand.set(key, [...(byCommand.get(key) ?? []), entry]);
  }
  let before: string | undefined;
  const free = new Set(steps);
  return [...byCommand].map(([key, own]) => {
    const command = commands.find(({ commandSeq }) => String(commandSeq) === key);
    const [first] = own;
    const at = first?.at ?? "";
    const told = own.find(({ actor }) => actor !== undefined);
    const same = [...free].filter((step) => step.at === at);
    for (const step of same) free.delete(step);
    const group = {
      at,
      command: command?.command ?? told?.command,
      actor: command?.actor ?? told?.actor,
      entries: own,
      steps: same,
      before,
    };
    before = own.findLast(({ kind }) => kind === "STATUS")?.status ?? before;
    return group;
  });
}

/** The answer of a platform names no command: it belongs to the command of its moment, or is alone. */
function keyAt(groups: ReadonlyMap<string, readonly Entry[]>, { at }: Entry): string {
  return [...groups].find(([, own]) => own[0]?.at === at)?.[0] ?? at;
}

/** When the deliveries of an event are tried again, the earliest first. */
function nextAttemptsOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { eventId, nextAttemptAt } of entries) {
    if (eventId === undefined || nextAttemptAt === undefined) continue;
    const known = found.get(eventId);
    if (known === undefined || nextAttemptAt < known) found.set(eventId, nextAttemptAt);
  }
  return found;
}
