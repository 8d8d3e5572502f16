/** A person proves a payment in the browser, and the command line agrees: while nothing was changed, and after a row was. */
import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShell } from "../../../cli/test/kit/shell.ts";
import { present } from "../../src/std/assert.ts";
import { accessibilityFaults, hasBrowser } from "../kit/browser.ts";
import {
  type ConsoleVisit,
  enterByLink,
  newContext,
  newPage,
  openConsole,
  settled,
} from "../kit/console-browser.ts";
import { bankAccount, fundedCustomer } from "../kit/story.ts";
import { openTampering, type TamperedTable } from "../kit/tamper.ts";

describe.runIf(hasBrowser)("Prove", () => {
  const shell = openShell();
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let base: string;
  let payment: string;
  let posting: string;
  let seq: number;

  beforeAll(async () => {
    visit = await openConsole();
    const { story } = visit;
    const { customerId, accountId } = await fundedCustomer(story);
    const destination = await bankAccount(story, { customerId });
    const paid = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: destination },
      amount: 1_250,
    });
    payment = paid.json.id;
    await story.settle();
    const postings = await story.call("GET", `/ledger/postings?transactionId=${payment}`);
    posting = postings.json.data[0].id;
    seq = postings.json.data[0].commandSeq;
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    base = page.url().replace(/\/home$/, "");
  }, 300_000);
  afterAll(async () => {
    await visit?.close();
    rmSync(shell.home, { recursive: true, force: true });
  });

  const dialog = () => page.getByRole("dialog");

  async function prove(place: string): Promise<void> {
    await page.goto(`${base}/${place}`);
    await settled(page);
    await page.getByRole("button", { name: "Prove", exact: true }).click();
    await dialog().getByRole("link", { name: "Save the proof" }).waitFor();
  }

  /** What the command line says about the file that the page saves. */
  async function checked(...more: readonly string[]) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog().getByRole("link", { name: "Save the proof" }).click(),
    ]);
    const file = present(await download.path(), "the saved file");
    return shell.run(["proof", "check", file, ...more]);
  }

  it("says that a payment is unbroken up to a signed checkpoint, and so does the command line", async () => {
    await prove(`payments/${payment}`);
    await dialog().getByText("Unbroken", { exact: true }).waitFor();
    await dialog()
      .getByText(/from command #\d+ to #\d+/)
      .waitFor();
    await dialog().getByText("signed by the key").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await checked()).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^unbroken from #\d+ to #\d+, checkpoint signed by key /),
    });
  });

  it.each<[table: TamperedTable, statement: () => string, says: RegExp]>([
    [
      "ledger_entries",
      () => `update ledger_entries set amount_minor = amount_minor + 1 where command_seq = ${seq}`,
      /What command #\d+ wrote was changed/,
    ],
    [
      "events",
      () => `update events set body = body || ' ' where command_seq = ${seq}`,
      /What command #\d+ wrote was changed/,
    ],
    [
      "command_log",
      () => `update command_log set hash = decode(repeat('ab', 32), 'hex') where seq = ${seq}`,
      /The row of command #\d+ in the log was changed/,
    ],
  ])("names the row after a change of %s", async (table, statement, says) => {
    await visit.story.server.database.asSuperuser(async (client) => {
      const tampering = await openTampering(client);
      await tampering.during(table, statement(), async () => {
        await prove(`postings/${posting}`);
        const words = await dialog().getByRole("alert").innerText();
        expect(words).toMatch(says);
        const { code, errors } = await checked();
        expect(code).toBe(1);
        expect(errors).toContain(`#${/#(\d+)/.exec(words)?.[1]}`);
      });
      await client.query("drop table kept_platform_heads, kept_command_log, kept_events");
      await client.query("drop table kept_ledger_accounts, kept_ledger_entries");
    });
  });

  it("shows no more to the eye than it should, and nothing in the console of the browser", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await prove(`postings/${posting}`);
    await dialog().getByText("Unbroken", { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

it("is no proof: the command line says so", async () => {
  const shell = openShell();
  const { code, errors } = await shell.run(["proof", "check", "package.json"]);
  expect([code, errors]).toEqual([2, expect.stringContaining("is not a proof")]);
  rmSync(shell.home, { recursive: true, force: true });
});
