/**
 * The text of a mail that an order waits for the recipient. It has every fact and every warning that the console shows, and no link that
 * decides. Mail is read on locked screens and kept by others, so the subject has no personal data and account numbers are cut.
 */

import type { ShownFact, ShownGroup } from "../../domain/people/approvals/shown/shown.ts";
import type { ApprovalMail } from "../../domain/people/notices/approval-mail.ts";
import { oneLine } from "./one-line.ts";
import type { TextMessage } from "./person-message.ts";

/** In the order of the page. */
const GROUPS: Readonly<Record<ShownGroup, string>> = {
  ORDER: "What",
  PAYEE: "To",
  CHANGE: "Change",
  FROM: "From",
  WHY: "Why",
};

const LONGEST_LINE = 1_000;

export function approvalMessage({ workspaceName, shown, url }: Omit<ApprovalMail, "key" | "to">) {
  const { title, facts, warnings } = shown;
  const amount = facts.find(({ key }) => key === "amount")?.value;
  const groups = (Object.keys(GROUPS) as ShownGroup[]).flatMap((group) => {
    const lines = facts.filter((fact) => fact.group === group).map(mailedFact);
    return lines.length === 0 ? [] : [[GROUPS[group], ...lines].join("\n")];
  });
  const message: TextMessage = {
    subject: ["Waits for you", title, ...(amount === undefined ? [] : [amount])].join(": "),
    text: [
      `Workspace: ${cut(workspaceName)}`,
      `${title} waits for a person to agree, and you may.`,
      ...(warnings.length === 0
        ? []
        : [["Look twice", ...warnings.map(({ text }) => `- ${cut(text)}`)].join("\n")]),
      ...groups,
      url === undefined
        ? "You decide in the console, under Approvals."
        : `You decide here:\n${url}`,
      "Facts may have changed since this mail was written. The console shows them as they are now.",
      "",
    ].join("\n\n"),
  };
  return message;
}

/** A fact as a line. Account numbers are cut, but not in words that people wrote. */
export function mailedFact({ group, label, ...fact }: ShownFact): string {
  const texts = [fact.before ?? fact.personalBefore, fact.value ?? fact.personal ?? ""];
  const isWritten = fact.value !== undefined || group === "WHY";
  const [before, now] = texts.map((text) =>
    text === undefined || isWritten ? text : lastFourOfNumbers(text),
  );
  const value = before === undefined ? `${now}` : `${before} -> ${now}`;
  return cut(`${label}: ${value}`);
}

/** Numbers of accounts, banks and documents: at least six capital letters and digits, of which five are digits. */
const NUMBER = /(?<![A-Za-z0-9])[A-Z0-9](?:[ -]?[A-Z0-9]){5,}(?![A-Za-z0-9])/g;

function lastFourOfNumbers(text: string): string {
  return text.replace(NUMBER, (number) =>
    number.replace(/\D/g, "").length < 5 ? number : `\u2022\u2022${number.slice(-4)}`,
  );
}

function cut(text: string): string {
  return oneLine(text).slice(0, LONGEST_LINE);
}
