/** The mail to people who may decide has every fact and warning of the description, for every act. */
import { describe, expect, it } from "vitest";
import { ORDERS } from "../../../test/kit/shown-orders.ts";
import { payment, shownOf } from "../../../test/kit/shown-rows.ts";
import { shownActs } from "../../domain/people/approvals/shown/describe.ts";
import type { Shown } from "../../domain/people/approvals/shown/shown.ts";
import { approvalMessage } from "./approval-message.ts";

const url = "https://pay.example.com/console/p/acme/approvals/Approval:1";
const mailOf = (shown: Shown) => approvalMessage({ workspaceName: "Acme", shown, url });

/** The facts and warnings of the description that the text does not have. Account numbers are cut. */
function missingIn(text: string, { facts, warnings }: Shown): readonly string[] {
  const lines = text.split("\n");
  const missing = facts.filter(({ label, value, personal, before, personalBefore }) => {
    const parts = [label, before ?? personalBefore ?? "", value ?? personal ?? ""];
    const isThere = (line: string) =>
      parts.every((part) => line.includes(part) || line.includes(`\u2022\u2022${part.slice(-4)}`));
    return !lines.some(isThere);
  });
  const unsaid = warnings.filter((warning) => !lines.includes(`- ${warning.text}`));
  return [...missing, ...unsaid].map(({ key }) => key);
}

/** Acts that share their lines with an act of the table. */
const ALIKE = shownActs.filter((act) => !ORDERS.some(([of]) => of === act));
const change = { before: { roles: ["VIEWER"] }, after: { roles: ["ADMIN"] } };
const EACH = [
  ...ORDERS.map(([act, content, more]) => [act, content, more] as const),
  ...ALIKE.map((act) => [act, { note: "Paid twice" }, { payment, change }] as const),
];

describe("the mail of an order", () => {
  it.each(EACH)("of %s has every fact and warning, and where to decide", (act, content, more) => {
    const shown = shownOf(act, content, more);
    const { text, subject } = mailOf(shown);
    expect(missingIn(text, shown)).toEqual([]);
    expect(text).toContain(url);
    expect(subject).toMatch(/^Waits for you: /);
    for (const { personal } of shown.facts)
      if (personal !== undefined) expect(subject).not.toContain(personal);
    // A fact that is taken out is missed.
    for (const fact of shown.facts) {
      const facts = shown.facts.filter((one) => one !== fact);
      const without = mailOf({ ...shown, facts }).text;
      expect([without === text, missingIn(without, shown).includes(fact.key)]).toEqual([
        false,
        true,
      ]);
    }
  });

  it("has warnings above the facts", () => {
    const shown = shownOf("transferOut", {});
    const warnings = [{ key: "FIRST_PAYMENT" as const, text: "This is the first payment." }];
    const { text } = mailOf({ ...shown, warnings });
    expect(text.indexOf("- This is the first payment.")).toBeGreaterThan(0);
    expect(text.indexOf("- This is the first payment.")).toBeLessThan(text.indexOf("Asked by"));
  });

  it.each([
    ["000123456789", "••6789"],
    ["DE89370400440532013000", "••3000"],
    ["DE89 3704 0044 0532 0130 00", "••0 00"],
    ["Jonas Berg, ••9104", "Jonas Berg, ••9104"],
    ["Ben Stone (ben@example.com)", "Ben Stone (ben@example.com)"],
    ["JONAS BERG", "JONAS BERG"],
  ])("has %j as %j", (personal, mailed) => {
    const facts = [{ key: "payee", group: "PAYEE", label: "Number", personal }] as const;
    const shown: Shown = { title: "Transfer out", facts, warnings: [] };
    expect(mailOf(shown).text).toContain(`Number: ${mailed}\n`);
  });

  it("keeps names and notes on one line of their own", () => {
    const personal = "Eve\r\nTo\nAmount: 1.00 USD \u202egpj";
    const facts = [{ key: "note", group: "WHY", label: "Note", personal }] as const;
    const { text } = mailOf({ title: "Transfer out", facts, warnings: [] });
    expect(text).toContain("Note: Eve To Amount: 1.00 USD gpj\n");
  });
});
