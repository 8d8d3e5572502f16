/** Customers come from a CSV file: its faults are told before it is sent, and what the server refuses can be mended. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

const HEADER =
  "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country";

function row(id: string, name: string, more: { readonly country?: string } = {}): string {
  const cell = `"${name.replaceAll('"', '""')}"`;
  const { country = "US" } = more;
  return `$${id}@acme.test,${id},INDIVIDUAL,${cell},1990-01-31,1 Main St,Reno,NV,89501,${country}`;
}

const NAMES = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "=HYPERLINK(1)",
  "{{7*7}}",
  "\u202Eanamleuq",
];

describe.runIf(hasBrowser)("the import of customers", () => {
  let visit: ConsoleVisit;
  let page: Page;
  let complaints: readonly string[];
  let place: string;

  beforeAll(async () => {
    visit = await openConsole();
    ({ page, complaints } = await newPage(await newContext(visit.browser)));
    await enterByLink(page, visit.startLink);
    place = page.url().replace(/\/home$/, "/customers");
  }, 300_000);
  afterAll(() => visit?.close());

  const dialog = () => page.getByRole("dialog");
  const says = (words: string | RegExp) => dialog().getByText(words).first().waitFor();

  async function open(): Promise<void> {
    await page.goto(place);
    await settled(page);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await dialog().getByRole("button", { name: "Choose a file" }).waitFor();
  }

  async function choose(name: string, content: string | Buffer): Promise<void> {
    const buffer = Buffer.from(content);
    await dialog()
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/csv", buffer });
  }

  const umaDomain = async () => (await visit.story.call("GET", "/config")).json.umaDomain;
  const fileOf = async (...rows: readonly string[]) =>
    [HEADER, ...rows].join("\r\n").replaceAll("@acme.test", `@${await umaDomain()}`);

  it("names what is wrong with a file that is no table of customers, and sends nothing", async () => {
    await open();
    const send = dialog().getByRole("button", { name: "Import the file" });
    const files = [
      ["notes.csv", "name,city\nAna,Reno", /platformCustomerId.*The column is missing/],
      ["latin.csv", Buffer.from(`${HEADER}\nJos\xe9`, "latin1"), /not in UTF-8/],
      ["quote.csv", `${HEADER}\n"a"b,c`, /quote where none can be/],
      ["empty.csv", "", /no header row/],
    ] as const;
    for (const [name, content, words] of files) {
      await choose(name, content);
      await says(name);
      await dialog().getByRole("listitem").filter({ hasText: words }).waitFor();
      expect(await send.isDisabled()).toBe(true);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it("imports a file, follows it, and gives the refused rows back with their reasons", async () => {
    await open();
    const rows = NAMES.map((name, index) => row(`ana-${index}`, name));
    const long = row("long", "x".repeat(10_000));
    const taken = row("ana-0", "Somebody else");
    await choose("customers.csv", `\uFEFF${await fileOf(...rows, long, taken)}`);
    await says(/The first 7 rows were checked/);
    await says("1 row of these would be refused");
    await says(/longer than 255 characters/);
    await dialog().getByRole("button", { name: "Import the file" }).click();
    await says("5 customers were made.");
    await says("2 rows were refused.");
    expect(await accessibilityFaults(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog().getByRole("link", { name: "Save the refused rows" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("refused-customers.csv");
    const saved = await readFile(present(await download.path(), "the saved file"), "utf8");
    const lines = saved.trimEnd().split("\r\n");
    expect(lines[0]).toBe(`${HEADER},refusedBecause`);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/,long,.*fullName/);
    expect(lines[2]).toMatch(/^\$ana-0@.*,ana-0,INDIVIDUAL,Somebody else,.*,"?.+"?$/);
    await says(/Row 6/);
    await says(/Row 7/);
    await dialog().getByRole("button", { name: "Done" }).click();
    for (const name of NAMES.slice(0, 4)) await page.getByText(name, { exact: true }).waitFor();
    await page.getByText("5 in all").waitFor();
    expect(complaints).toEqual([]);
  });

  it("sends a file of refused rows again once they are mended", async () => {
    await open();
    const header = `${HEADER},refusedBecause`;
    const mended = (await fileOf(row("ana-9", "Somebody else"))).split("\r\n")[1];
    await choose("refused-customers.csv", `${header}\r\n${mended},taken`);
    await says("These columns are passed over: refusedBecause");
    await dialog().getByRole("button", { name: "Import the file" }).click();
    await says("1 customer was made.");
    expect(complaints).toEqual([]);
  });

  it("says that a file which was taken away has no rows to save", async () => {
    const folder = await mkdtemp(join(tmpdir(), "import-"));
    const path = join(folder, "gone.csv");
    await writeFile(path, await fileOf(row("bo-0", "Bo Lind", { country: "usa" })));
    const jobs = /\/customers\/bulk\/jobs\//;
    // The file goes after it was sent, and before the page learns what was refused.
    await page.route(jobs, async (route) => {
      await rm(folder, { recursive: true, force: true });
      await route.continue();
    });
    await open();
    await dialog().locator("input[type=file]").setInputFiles(path);
    await says("1 row of these would be refused");
    await dialog().getByRole("button", { name: "Import the file" }).click();
    await dialog().getByRole("alert").filter({ hasText: "changed or moved" }).waitFor();
    expect(await dialog().getByRole("link", { name: "Save the refused rows" }).count()).toBe(0);
    await page.unroute(jobs);
    expect(complaints).toEqual([]);
  });

  it("fits a telephone, and is followed in the list of jobs", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open();
    await choose("more.csv", await fileOf(row("bo-1", "Bo Lind", { country: "usa" })));
    await says("1 row of these would be refused");
    const overflow = () =>
      page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
    expect(await overflow()).toBe(false);
    await dialog().getByRole("button", { name: "Import the file" }).click();
    await says("0 customers were made.");
    await dialog().getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: /jobs?/i }).first().click();
    await says("Import");
    expect(complaints).toEqual([]);
  });
});
