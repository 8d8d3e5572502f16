/** For an order of each kind: each fact is on the page and in the dialog, on a phone and on a desk, and in the signed bytes. */
import { inflateRawSync } from "node:zlib";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ApprovalKind,
  approvalKinds,
} from "../../src/domain/people/approvals/approval-kinds.ts";
import { SealBroken } from "../../src/secrets/sealing.ts";
import { accessibilityFaults } from "../kit/browser.ts";
import type { ConsoleBrowser } from "../kit/console.ts";
import {
  type ConsoleVisit,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { askForEach, type EachApproval } from "../kit/each-approval.ts";

interface Told {
  readonly label: string;
  readonly value?: string;
  readonly personal?: string;
  readonly before?: string;
  readonly personalBefore?: string;
}

interface Shown {
  readonly title: string;
  readonly facts: readonly (Told & { readonly key: string })[];
  readonly warnings: readonly { readonly text: string }[];
  readonly sealed: string;
}

/** The facts that the person who decides cannot do without. */
const NEEDED: Readonly<Record<ApprovalKind, readonly string[]>> = {
  ADJUSTMENT: [
    "amount",
    "payee.name",
    "payee.balance",
    "payee.balanceAfter",
    "content.note",
    "content.reasonCode",
  ],
  PAYMENT: [
    ...["amount", "payee.name", "payee.bank", "payee.country", "payee.lastFour", "payee.type"],
    ...["payee.created", "payee.paid", "payee.nameCheck", "from.name", "from.balance"],
    ...["from.balanceAfter", "content.description"],
  ],
  PAYEE: [
    "payee.name",
    "payee.bank",
    "payee.country",
    "payee.lastFour",
    "payee.type",
    "payee.owner",
  ],
  TOKEN: ["content.name", "content.permissions"],
  AGENT_POLICY: ["content.agentId"],
  UNFREEZE: ["change.reason", "change.scope", "content.customerId"],
  KYC_OVERRIDE: ["content.verificationId", "content.note", "content.rejection.reasonCode"],
  ROLE_GRANT: ["content.email", "content.name"],
  REENROLMENT: ["content.personId"],
  ISSUER: ["change.issuers Acme.issuer", "change.issuers Acme.clientId"],
  OWNER_CHANGE: ["content.personId", "change.roles on every platform"],
  POLICY: ["change.PAYMENT.above.USD"],
  CONTROL: ["change.rules USD to any.fixedMinor"],
};
const ALWAYS = ["place", "asker.name", "asker.by", "asker.at"];

let visit: ConsoleVisit;
let each: EachApproval;
let page: Page;
let home: string;

beforeAll(async () => {
  visit = await openConsole();
  each = await askForEach(visit.server);
  const context = await newContext(visit.browser);
  const [name = "", value = ""] = (each.decider.browser.cookie ?? "").split("=");
  await context.addCookies([{ name, value, url: visit.origin }]);
  ({ page } = await newPage(context));
  await page.goto(`${visit.origin}/console`);
  await page.waitForURL(/\/home$/);
  home = page.url().replace(/\/home$/, "");
}, 300_000);
afterAll(() => visit?.close());

const shownTo = async (browser: ConsoleBrowser, id: string): Promise<Shown> =>
  (await browser.call("GET", `/workspace/approvals/${id}`)).json.shown;

/** The text whose digest the passkey signs. Orders about people are of the workspace. */
function signedText(id: string, sealed: string): string {
  const { sealer } = visit.server.app.store;
  const [of, to] = [id.slice("Approval:".length), each.decider.id.slice("Person:".length)];
  const isOpened = [each.story.platformId, each.workspaceId].flatMap((partition) => {
    try {
      return [sealer.open(sealed, `approvals.shown ${partition} ${of} ${to}`).toString("utf8")];
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      return [];
    }
  });
  return inflateRawSync(Buffer.from(isOpened[0] ?? "", "base64url")).toString("utf8");
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** The row of a fact, as the text of its element. */
function rowOf({ label, value, personal, before, personalBefore }: Told): string {
  const was = before ?? personalBefore;
  return plain(`${label}${was === undefined ? "" : `${was} \u2192 `}${value ?? personal}`);
}

/** A part of an id: digits alone are the number of an account. */
const HEX = /(?=\d*[a-f])[0-9a-f]{8}/;

const IN_HEAD = new Set(["amount", "receives", "rate"]);

interface Seen {
  /** The whole text. */
  readonly text: string;
  readonly rows: readonly string[];
}

/** What of an order is not seen. Each row counts once, because two facts may have the same words. */
function missingIn({ text, rows }: Seen, { title, facts, warnings }: Shown): readonly string[] {
  const left = [...rows];
  const inRows = facts
    .filter(({ key }) => !IN_HEAD.has(key))
    .map(rowOf)
    .filter((row) => {
      const at = left.indexOf(row);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  const head = facts.filter(({ key }) => IN_HEAD.has(key)).map(({ value = "" }) => value);
  const others = [title, ...head, ...warnings.map((one) => one.text)];
  return [...inRows, ...others.filter((part) => !text.includes(plain(part)))];
}

async function seenIn(place: Locator): Promise<Seen> {
  const rows = await place.locator("dl > div").allTextContents();
  return { text: plain((await place.textContent()) ?? ""), rows: rows.map(plain) };
}

const dialog = () => page.getByRole("dialog");
const overflow = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");

async function open(id: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
  await page.goto(`${home}/approvals/${id}`);
  await settled(page);
}

describe.each(approvalKinds)("an order of the kind %s", (kind) => {
  it("has every fact on the page, in the dialog and in the signed bytes", async () => {
    const id = each.asked[kind];
    const shown = await shownTo(each.decider.browser, id);
    const keys = shown.facts.map(({ key }) => key);
    expect([...NEEDED[kind], ...ALWAYS].filter((key) => !keys.includes(key))).toEqual([]);
    const { title, facts, warnings } = JSON.parse(signedText(id, shown.sealed));
    expect({ title, facts, warnings }).toEqual({
      title: shown.title,
      facts: shown.facts,
      warnings: shown.warnings,
    });
    for (const width of [390, 1440]) {
      await open(id, width);
      const seen = await seenIn(page.locator("article"));
      expect(missingIn(seen, shown)).toEqual([]);
      expect(seen.rows.filter((row) => HEX.test(row))).toEqual([]);
      // A fact that is taken out of the page is missed, whichever it is.
      for (const row of shown.facts.filter(({ key }) => !IN_HEAD.has(key)).map(rowOf)) {
        const rows = seen.rows.toSpliced(seen.rows.indexOf(row), 1);
        expect(missingIn({ ...seen, rows }, shown)).toContain(row);
      }
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole("button", { name: "Approve" }).click();
      expect(missingIn(await seenIn(dialog()), shown)).toEqual([]);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await overflow()).toBe(0);
    }
  });
});

it("has a warning and an amount that are missed where they are taken out", async () => {
  const shown = await shownTo(each.decider.browser, each.asked.PAYMENT);
  await open(each.asked.PAYMENT, 390);
  const seen = await seenIn(page.locator("article"));
  const warnings = shown.warnings.map(({ text }) => text);
  expect(warnings).toHaveLength(2);
  for (const part of [...warnings, "3,012.50 USD", "Transfer out"]) {
    const text = seen.text.replaceAll(part, "");
    expect(missingIn({ ...seen, text }, shown)).toEqual([part]);
  }
});

it("has amount, payee, asker and buttons above the fold of a phone", async () => {
  await open(each.asked.PAYMENT, 390);
  for (const place of [
    page.getByRole("heading", { name: "3,012.50 USD" }),
    page.getByText(/^to/).first(),
    page.getByText(/^Asked by/).first(),
    page.getByRole("button", { name: "Approve" }),
    page.getByRole("button", { name: "Reject" }),
  ]) {
    const box = await place.boundingBox();
    expect((box?.y ?? 1_000) + (box?.height ?? 0)).toBeLessThan(844 - 64);
  }
  const style = "getComputedStyle(document.querySelector('article h1'))";
  const size = await page.evaluate(`${style}.fontSize + " " + ${style}.lineHeight`);
  expect(size).toBe("28px 36px");
});
