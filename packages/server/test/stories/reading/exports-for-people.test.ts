/** Exports for people: names, decimals, words, and times of a zone, beside the files for programs. */
import { beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  fundedCustomer,
  openStory,
  type RawAnswer,
  type Story,
} from "../../kit/story.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
  const { customerId, accountId } = await fundedCustomer(story, 10_000);
  const payee = await bankAccount(story, { customerId });
  for (const amount of [100, 250]) {
    const paid = { source: { accountId }, destination: { accountId: payee }, amount };
    await story.call("POST", "/transfer-out", paid);
  }
  await story.settle();
});

const listed = async (path: string) => (await story.call("GET", path)).json.data;

async function exported(wish: { readonly kind: string; readonly [name: string]: unknown }) {
  const body = { format: "CSV", ...wish };
  const made = await story.call("POST", "/exports", body);
  expect(made.status).toBe(202);
  await story.settle();
  const ready = await story.call("GET", `/exports/${made.json.id}`);
  expect(ready.json).toMatchObject({ state: "READY", ...body });
  const { status, text } = await story.call("GET", `/exports/${made.json.id}/file`);
  expect(status).toBe(200);
  // The byte order mark of a file for people is no part of its text.
  const marked = wish.audience === "PEOPLE" ? 3 : 0;
  expect(Buffer.byteLength(text) + marked).toBe(ready.json.bytes);
  return { ...ready.json, text };
}

const people = (kind: string, more: object = {}) => exported({ kind, audience: "PEOPLE", ...more });
const linesOf = ({ text }: Pick<RawAnswer, "text">) => text.split("\r\n").slice(0, -1);

describe("a file for people", () => {
  it("has names, decimals, words, and times of its zone; the id is the last column", async () => {
    const found = await people("TRANSACTIONS", { timeZone: "Asia/Kathmandu" });
    expect(found).toMatchObject({ audience: "PEOPLE", timeZone: "Asia/Kathmandu" });
    const [heading = "", first = "", ...others] = linesOf(found);
    expect(heading).toMatch(/^Created \(Asia\/Kathmandu\),Direction,Status,From,From details,To,/);
    expect(heading).toMatch(/,Payment$/);
    const [row] = await listed("/transactions?limit=1&sortOrder=asc&type=OUTGOING");
    const line = [first, ...others].find((each) => each.endsWith(`,${row.id}`)) ?? "";
    const local = new Date(Date.parse(row.createdAt) + 345 * 60_000).toISOString();
    expect(line.startsWith(`${local.slice(0, 19).replace("T", " ")},Out,Completed,Ana Ruiz,`)).toBe(
      true,
    );
    expect(line).toContain(",1.00,USD,");
    // No other id is in it.
    expect(line.match(/[0-9a-f]{8}-[0-9a-f]{4}/g)).toHaveLength(1);
    expect(found.rows).toBe(others.length + 1);
  });

  it("has the accounts of the books in words", async () => {
    const found = await people("LEDGER");
    expect(found.timeZone).toBe("UTC");
    const lines = linesOf(found);
    expect(lines[0]).toContain(
      "Booked (UTC),Reason,Account,Account details,Amount,Amount currency",
    );
    expect(lines.some((line) => /,Payout hold,Ana Ruiz,USD · Default,-1\.00,USD,/.test(line))).toBe(
      true,
    );
    expect(lines.slice(1).every((line) => line.split(",")[2] !== "")).toBe(true);
  });

  it("runs nothing in a spreadsheet", async () => {
    const fullName = "@SUM(A1)";
    await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName,
      platformCustomerId: "=1+1",
      currencies: ["USD", "EUR"],
    });
    const found = await people("CUSTOMERS", { filter: { platformCustomerId: "=1+1" } });
    const [, line = ""] = linesOf(found);
    expect(line).toMatch(/^'@SUM\(A1\),Individual,/);
    expect(line).toContain(`,'=1+1,`);
    expect(line).toContain(`,"USD, EUR",`);
  });

  it("is CSV of rows that people read, in a zone that there is", async () => {
    const body = { kind: "TRANSACTIONS", format: "CSV", audience: "PEOPLE" };
    for (const [wrong, field] of [
      [{ ...body, format: "JSONL" }, "format"],
      [{ ...body, timeZone: "Mars/Olympus" }, "timeZone"],
      [{ ...body, audience: "PROGRAMS", timeZone: "UTC" }, "timeZone"],
      [{ ...body, audience: "ROBOTS" }, "audience"],
      [{ ...body, kind: "EVENTS" }, "audience"],
    ] as const) {
      const { status, text } = await story.call("POST", "/exports", wrong);
      expect([status, text.includes(field)]).toEqual([400, true]);
    }
  });

  it("for programs is what it was, and says nothing of an audience", async () => {
    const one = await exported({ kind: "TRANSACTIONS" });
    const body = { kind: "TRANSACTIONS", format: "CSV", audience: "PROGRAMS" };
    const { json } = await story.call("POST", "/exports", body);
    await story.settle();
    const { text } = await story.call("GET", `/exports/${json.id}/file`);
    expect(text).toBe(one.text);
    expect(text).toMatch(/^id,type,status,customerId,platformCustomerId,source\.sourceType,/);
    for (const name of ["audience", "timeZone"])
      expect([json, one].some((each) => name in each)).toBe(false);
  });
});
