/** `florin demo` on a small scale: what it makes, and what it refuses. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../../server/test/kit/shared-server.ts";
import { openStory, type Story } from "../../server/test/kit/story.ts";
import { forEach } from "../src/demo/calls.ts";
import { chanceOf } from "../src/demo/chance.ts";
import { endingBy, formOf, ibanOf, payeeBody } from "../src/demo/payees.ts";
import { originOf, someone } from "../src/demo/people.ts";
import { openShell, type Shell } from "./kit/shell.ts";

const server = await sharedServer();
let story: Story;
let shell: Shell;
beforeAll(async () => {
  story = await openStory(server);
  shell = shellOf(story);
});
afterAll(() => shell.remove());

function shellOf({ clientId, clientSecret }: Story): Shell {
  return openShell({
    FLORIN_URL: server.baseUrl,
    FLORIN_CLIENT_ID: clientId,
    FLORIN_CLIENT_SECRET: clientSecret,
  });
}

const SMALL = ["demo", "--customers", "5", "--payments", "50", "--days", "3"];
const countOf = async (path: string) => (await story.call("GET", path)).json.totalCount;

describe("demo", () => {
  it("fills an empty sandbox and says what it made", async () => {
    const before = (await story.call("GET", "/sandbox/clock")).json.now;
    const { code, out, errors } = await shell.run([...SMALL, "--json"]);
    expect({ code, errors }).toMatchObject({ code: 0 });
    const made = JSON.parse(out);
    expect(made).toMatchObject({
      customers: 5,
      connections: 3,
      payments: 50,
      unexplained: 1,
      umaPayments: 5,
      endpoints: 2,
    });
    expect(Date.parse(made.to) - Date.parse(before)).toBeGreaterThan(2 * 86_400_000);
    expect(await countOf("/customers?limit=1")).toBe(5);
    const refused = Object.values(made.refused as Record<string, number>);
    const missing = refused.reduce((sum, count) => sum + count, 0);
    expect(await countOf("/transactions?limit=1")).toBeGreaterThanOrEqual(50 - missing);
    const uma = await story.call("GET", "/transactions?type=INCOMING&limit=100");
    const told = uma.json.data.filter(
      (payment: { readonly paymentRail?: string }) => payment.paymentRail === "UMA",
    );
    const statuses = told.map(({ status }: { readonly status: string }) => status);
    expect(statuses).toHaveLength(5);
    expect(statuses).toContain("COMPLETED");
    expect(statuses).not.toContain("PENDING");
    const { json } = await story.call("GET", "/rails/items?limit=10");
    expect(json.data).toHaveLength(1);
    const kinds = Object.values(made.byKind as Record<string, number>);
    expect(kinds.reduce((sum, count) => sum + count, 0)).toBe(50);
  });

  it("refuses a sandbox that is not empty, unless it is told to add", async () => {
    const { code, errors } = await shell.run(SMALL);
    expect([code, errors]).toEqual([2, expect.stringContaining("this sandbox is not empty")]);
    expect(await countOf("/customers?limit=1")).toBe(5);
    const more = await shell.run([...SMALL, "--add"]);
    expect(more).toMatchObject({ code: 0 });
    expect(more.out).toMatch(/ {2}5 {2}customers\n/);
    expect(await countOf("/customers?limit=1")).toBe(10);
  });

  it("refuses a platform that is no sandbox, before it sends anything", async () => {
    const sent: string[] = [];
    const { code, errors } = await shell.run(SMALL, {
      fetch: async (url, init) => {
        sent.push(`${init.method} ${new URL(url).pathname}`);
        const body = { code: "FORBIDDEN", message: "no", details: { environment: "PRODUCTION" } };
        return Response.json(body, { status: 403 });
      },
    });
    expect([code, errors]).toEqual([2, expect.stringContaining("in a sandbox alone")]);
    expect(sent).toEqual(["GET /2025-10-13/sandbox/clock"]);
  });

  it.each([
    ["--customers", "0"],
    ["--payments", "x"],
    ["--days", "367"],
    ["--seed", "-1"],
  ])("refuses %s %s", async (flag, value) => {
    const { code, errors } = await shell.run(["demo", flag, value]);
    expect([code, errors]).toEqual([2, expect.stringContaining("whole number from")]);
  });
});

describe("what a demo invents", () => {
  it("has check digits in its IBANs", () => {
    expect(ibanOf("DE", "370400440532013000")).toBe("DE89370400440532013000");
    expect(ibanOf("GB", "WEST12345698765432")).toBe("GB82WEST12345698765432");
  });

  it("is the same for the same seed", () => {
    const drawn = (seed: number) => {
      const chance = chanceOf(seed);
      return Array.from({ length: 40 }, (_, nth) => {
        const holder = someone(chance, nth, { isCompany: chance.isOneIn(3) });
        const wanted = { chance, ending: endingBy(chance) };
        return payeeBody(formOf(originOf(nth).country), holder, wanted);
      });
    };
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });

  it("draws each number of a range", () => {
    const chance = chanceOf(7);
    const drawn = new Set(Array.from({ length: 200 }, () => chance.between(2, 5)));
    expect([...drawn].toSorted()).toEqual([2, 3, 4, 5]);
  });

  it("stops at the first failure", async () => {
    const begun: number[] = [];
    const numbers = Array.from({ length: 500 }, (_, nth) => nth);
    const work = forEach(numbers, async (nth) => {
      begun.push(nth);
      await Promise.resolve();
      if (nth === 3) throw new Error("three");
    });
    await expect(work).rejects.toThrow("three");
    expect(begun.length).toBeLessThan(200);
  });
});
