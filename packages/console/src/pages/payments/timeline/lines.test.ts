/** Twelve histories, recorded from stories, and the sentences that a person reads of each. */
import type { Transaction } from "@florin/client";
import { beforeAll, describe, expect, it } from "vitest";
import { allTexts } from "../../../text/messages.ts";
import histories from "./histories.json";
import { type Line, linesOf, type TimelineAnswer, textOfLine } from "./lines.ts";

beforeAll(allTexts);

interface History {
  readonly payment: Transaction;
  readonly timeline: TimelineAnswer;
}

const all = histories as unknown as Readonly<Record<string, History>>;

function linesIn(name: string, change: (history: History) => History = (same) => same) {
  const history = all[name];
  if (history === undefined) throw new Error(`no history ${name}`);
  const { payment, timeline } = change(history);
  return linesOf(timeline, payment);
}

/** The hour of the next attempt depends on the zone of the reader. */
const shown = (line: Line) => textOfLine(line).replace(/next \d\d:\d\d/, "next 09:41");

const TOKEN = "API key first token";

const sentences: Readonly<Record<string, readonly string[]>> = {
  declined: [
    `${TOKEN} · asked for 15.00 USD to Ana Ruiz, ••2004 · 15.00 USD held`,
    "The bank declined · money back",
  ],
  returned: [
    `${TOKEN} · asked for a price: 15.00 USD to Maya Lindqvist, ••1005, who would get 13.57 EUR`,
    `${TOKEN} · accepted the price: 15.00 USD for 13.57 EUR · 15.00 USD held`,
    "Sent 13.57 EUR to Maya Lindqvist",
    "The receiving bank sent the money back · money on its way back",
    "15.00 USD is back on the account",
  ],
  "held and approved": [
    "Person 1 · asked for 2.00 USD to Ana Ruiz, ••1789; it waited for approval: another person has to agree",
    "Person 2 · agreed: 2.00 USD to Ana Ruiz, ••1789 · 2.00 USD held · waits at desk 2",
  ],
  "marked by hand": [
    `${TOKEN} · asked for 7.00 USD to Ana Ruiz, ••5789 · 7.00 USD held · waits at desk 3`,
    "Person 1 · handed it to desk 3",
    "Person 1 · marked it as declined by desk 3 (AC04: account closed) · money back",
  ],
  "agent that asks": [
    "Agent Bill payer · asked for 5.00 USD to Ana Ruiz, ••3789; it waited for approval: this agent always asks",
    `${TOKEN} · let the agent pay 5.00 USD to Ana Ruiz, ••3789 · 5.00 USD held`,
    "Sent 5.00 USD to Ana Ruiz",
  ],
  "agent on its own": [
    "Agent Bill payer · asked for 5.00 USD to Ana Ruiz, ••4789 · 5.00 USD held",
    "Sent 5.00 USD to Ana Ruiz",
  ],
  "quote with refund": [
    `${TOKEN} · asked for a price: 15.00 USD to Maya Lindqvist, ••2002, who would get 13.57 EUR`,
    `${TOKEN} · accepted the price: 15.00 USD for 13.57 EUR · 15.00 USD held`,
    "The quote could not be carried out · money on its way back",
    "15.00 USD is back on the account",
  ],
  "failing endpoint": [
    `${TOKEN} · asked for 1.00 USD to Ana Ruiz, ••9789 · 1.00 USD held · ` +
      "told 0 of 1 endpoint (payment made); 1 still tries, next 09:41",
    "Sent 1.00 USD to Ana Ruiz · told 0 of 1 endpoint (under way); 1 still waits · " +
      "told 0 of 1 endpoint (completed); 1 still waits",
  ],
  "incoming UMA": [
    "$success.usd@sandbox.p4.test announced 50.00 USD for $ana@p4.test · told 1 endpoint",
    "The platform took the payment: received 50.00 USD from $success.usd@sandbox.p4.test · " +
      "told 0 of 1 endpoint (completed); 1 still waits",
  ],
  recall: [
    `${TOKEN} · asked for 7.00 USD to Ana Ruiz, ••6789 · 7.00 USD held · waits at desk 4`,
    "Person 1 · handed it to desk 4",
    "Person 1 · asked desk 4 to give it back (duplicate)",
    "Person 1 · marked that desk 4 does not give it back",
  ],
  "refund by a person": [
    `${TOKEN} · asked to collect 15.00 USD from Ana Ruiz, ••8789`,
    "Received 15.00 USD from Ana Ruiz",
    "Person 1 · gives 5.00 USD back to Ana Ruiz",
    "Gave 5.00 USD back to Ana Ruiz",
  ],
  "rail retry": [
    `${TOKEN} · asked for 7.00 USD to Ana Ruiz, ••7789 · 7.00 USD held`,
    "Person 1 · moved it to desk 6",
  ],
};

describe("the timeline in sentences", () => {
  it.each(Object.entries(sentences))("tells %s", (name, expected) => {
    expect(linesIn(name).map(shown)).toEqual(expected);
  });

  it("has sentences for each recorded history", () => {
    expect(Object.keys(all).toSorted()).toEqual(Object.keys(sentences).toSorted());
  });

  it("marks the one line at which the payment failed", () => {
    for (const name of Object.keys(all)) {
      const failures = linesIn(name).filter(({ isFailure }) => isFailure);
      const isFailed = all[name]?.payment.status === "FAILED";
      expect([name, failures.length]).toEqual([name, isFailed ? 1 : 0]);
    }
  });

  it("calls nothing sent or received before the payment was completed", () => {
    for (const [name, { timeline }] of Object.entries(all)) {
      const wasCompleted = timeline.entries.some(({ status }) => status === "COMPLETED");
      if (wasCompleted) continue;
      const told = linesIn(name).map(textOfLine).join("\n");
      expect([name, /\b(sent|received) [\d.,]+ /i.test(told)]).toEqual([name, false]);
    }
  });

  it("counts endpoints, those that still try, and those that gave up", () => {
    const [line] = linesIn("failing endpoint", ({ payment, timeline }) => ({
      payment,
      timeline: {
        ...timeline,
        entries: timeline.entries.map((entry) =>
          entry.kind === "EVENT"
            ? {
                ...entry,
                deliverySummary: { endpoints: 4, delivered: 2, waiting: 1, failed: 1 },
              }
            : entry,
        ),
      },
    }));
    expect(line?.notes.map(({ text }) => text.replace(/next \d\d:\d\d/, "next 09:41"))).toEqual([
      "told 2 of 4 endpoints (payment made); 1 still tries, next 09:41; 1 gave up",
    ]);
  });

  it("folds events that every endpoint has into one note", () => {
    const lines = linesIn("failing endpoint", ({ payment, timeline }) => ({
      payment,
      timeline: {
        ...timeline,
        entries: timeline.entries.map((entry) =>
          entry.deliverySummary === undefined
            ? entry
            : { ...entry, deliverySummary: { endpoints: 3, delivered: 3, waiting: 0, failed: 0 } },
        ),
      },
    }));
    expect(lines.map(({ notes }) => notes)).toEqual([
      [{ text: "told 3 endpoints" }],
      [{ text: "told 3 endpoints" }],
    ]);
  });

  it("tells what it can of an answer without names, as an older server gives it", () => {
    const lines = linesIn("declined", ({ payment, timeline: { entries, isComplete } }) => ({
      payment,
      timeline: { entries, isComplete },
    }));
    expect(lines.map(textOfLine)).toEqual([
      "asked for 15.00 USD to someone · 15.00 USD held",
      "The bank declined · money back",
    ]);
  });

  it("calls a quote that was called off neither sent nor received, though it ends as completed", () => {
    const lines = linesIn("declined", ({ payment, timeline }) => ({
      payment: {
        ...payment,
        status: "COMPLETED",
        failure: { ...payment.failure, code: "CANCELLED" },
      } as Transaction,
      timeline: {
        ...timeline,
        entries: timeline.entries.map((entry) =>
          entry.status === "FAILED" ? { ...entry, status: "COMPLETED" } : entry,
        ),
      },
    }));
    expect(lines.map(textOfLine)[1]).toBe("The payment was called off \u00b7 money back");
  });

  it("says what a bank's code means at a return, and leaves out a code that it does not know", () => {
    const told = (code: string) =>
      linesIn("declined", ({ payment, timeline }) => ({
        payment: {
          ...payment,
          failure: { ...payment.failure, rail: { scheme: "CONNECTOR", code, text: "x" } },
        } as Transaction,
        timeline,
      })).map(textOfLine)[1];
    expect(told("be01")).toBe(
      "The bank declined (BE01: name does not match the account) · money back",
    );
    expect(told("ZZ99")).toBe("The bank declined · money back");
  });
});
