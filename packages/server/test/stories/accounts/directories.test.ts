/** The lists that the deployment brings along: institutions, and providers of UMA addresses. */
import { beforeAll, describe, expect, it } from "vitest";
import { accountExamples } from "../../../src/domain/accounts/external/account-examples.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { rowCounts } from "../../kit/story-money.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});

describe("discoveries", () => {
  it("are all listed at once, and nothing else is", async () => {
    const all = await story.call("GET", "/discoveries");
    expect(all.status).toBe(200);
    expect(Object.keys(all.json)).toEqual(["data"]);
    expect(all.json.data.length).toBeGreaterThan(600);
    expect(all.json.data).toContainEqual({
      bankName: "BPI",
      displayName: "Bank of the Philippine Islands",
      country: "PH",
      currency: "PHP",
    });
  });

  it("are narrowed by country and currency", async () => {
    const nigeria = await story.call("GET", "/discoveries?country=NG&currency=NGN");
    const countries = new Set(nigeria.json.data.map(({ country }: { country: string }) => country));
    expect([...countries]).toEqual(["NG"]);
    const none = await story.call("GET", "/discoveries?country=NG&currency=PHP");
    expect([none.status, none.json]).toEqual([200, { data: [] }]);
    expect((await story.call("GET", "/discoveries?country=FR")).json).toEqual({ data: [] });
  });

  it.each([
    ["country=ng", ["country"]],
    ["country=XX", ["country"]],
    ["country=", ["country"]],
    ["currency=ngn", ["currency"]],
    ["country=NG&country=PH", ["country"]],
    ["country=nga&currency=n", ["country", "currency"]],
  ])("are refused for %s", async (query, fields) => {
    const answer = await story.call("GET", `/discoveries?${query}`);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    const faulty = answer.json.details.errors.map(({ field }: { field: string }) => field);
    expect([...new Set(faulty)].sort()).toEqual(fields);
  });

  it("name the operators of Zambia", async () => {
    const { json } = await story.call("GET", "/discoveries?country=ZM");
    const names = json.data.map(({ bankName }: { bankName: string }) => bankName);
    expect(names).toEqual(["AIRTEL", "MTN", "TNM", "ZAMTEL"]);
  });

  it("name the banks of new accounts: each works, and no other name does", async () => {
    const philippine = await story.call("GET", "/discoveries?country=PH");
    const info = (bankName: string, accountNumber: string) => ({
      currency: "PHP",
      accountInfo: { ...accountExamples.PHP_ACCOUNT, bankName, accountNumber },
    });
    for (const [at, { bankName }] of philippine.json.data.slice(0, 5).entries()) {
      const body = info(bankName, `10000000${at}89`);
      const made = await story.call("POST", "/platform/external-accounts", body);
      expect([made.status, made.json.accountInfo?.bankName]).toEqual([201, bankName]);
    }
    const before = await rowCounts(story);
    const refused = await story.call(
      "POST",
      "/platform/external-accounts",
      info("Bank of the Philippine Islands", "1000000099"),
    );
    expect([refused.status, refused.json.code]).toEqual([400, "INVALID_BANK_ACCOUNT"]);
    expect(refused.json.details.errors).toMatchObject([{ field: "accountInfo.bankName" }]);
    expect(refused.json.details.errors[0].nearest[0]).toBe("BPI");
    expect(await rowCounts(story)).toEqual(before);
  });
});

describe("UMA providers", () => {
  it("are a list, newest first, whose pages follow each other", async () => {
    const all = await story.call("GET", "/uma-providers");
    expect(all.json).toMatchObject({ hasMore: false, totalCount: all.json.data.length });
    const names: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await story.call("GET", `/uma-providers?limit=4${cursor}`);
      names.push(...page.json.data.map(({ name }: { name: string }) => name));
      if (!page.json.hasMore) break;
      cursor = `&cursor=${page.json.nextCursor}`;
    }
    expect(names).toEqual(all.json.data.map(({ name }: { name: string }) => name));
    const ascending = await story.call("GET", "/uma-providers?sortOrder=asc");
    expect(ascending.json.data).toEqual([...all.json.data].reverse());
  });

  it("can be filtered, and show what they accept", async () => {
    const found = await story.call("GET", "/uma-providers?countryCode=PH&currencyCode=PHP");
    expect(found.json).toEqual({
      data: [
        {
          name: "Coins.ph",
          domain: "coins.ph",
          supportedRegions: ["PH"],
          supportedCurrencies: [{ code: "PHP", name: "Philippine Peso", symbol: "₱", decimals: 2 }],
          allowListStatus: true,
        },
      ],
      hasMore: false,
      totalCount: 1,
    });
  });

  it("are the same with and without the blocked ones, because none is blocked", async () => {
    const [all, ...others] = await Promise.all(
      ["", "?hasBlockedProviders=true", "?hasBlockedProviders=false"].map((query) =>
        story.call("GET", `/uma-providers${query}`),
      ),
    );
    for (const other of others) expect(other.json).toEqual(all?.json);
  });

  it.each([
    "countryCode=ph",
    "currencyCode=php",
    "sortOrder=up",
    "hasBlockedProviders=1",
    "limit=0",
  ])("are refused for %s", async (query) => {
    const answer = await story.call("GET", `/uma-providers?${query}`);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
  });

  it("have cursors that are of use in the same list alone", async () => {
    const first = await story.call("GET", "/uma-providers?limit=1");
    const cursor = first.json.nextCursor;
    const other = await openStory(server);
    for (const [asker, query] of [
      [story, `limit=1&sortOrder=asc&cursor=${cursor}`],
      [story, `limit=1&countryCode=BR&cursor=${cursor}`],
      [other, `limit=1&cursor=${cursor}`],
    ] as const) {
      expect((await asker.call("GET", `/uma-providers?${query}`)).status).toBe(400);
    }
  });
});
