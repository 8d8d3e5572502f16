/** Lists by texts, and by conditions without an index: what each filter finds, and that pages together hold each row once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { indexAll } from "../../kit/search-index.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { credit, fundedDesk, referenceOf } from "../../kit/story-funding.ts";
import { internalAccount } from "../../kit/story-money.ts";
import { expectStatus, payerOf, routeTo, transactionOf } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let workspaceId: string;
let story: Story;
let desk: string;
const made: Record<string, string> = {};
const texts: Record<string, string> = {};

async function payee(fullName: string, accountNumber: string): Promise<string> {
  const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName };
  const accountInfo = { accountType: "USD_ACCOUNT", accountNumber, routingNumber: "021000021" };
  const body = { currency: "USD", accountInfo: { ...accountInfo, beneficiary } };
  return expectStatus(201, await story.call("POST", "/platform/external-accounts", body)).json.id;
}

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId, environment: "PRODUCTION", name: "Found" });
  const payer = await payerOf(story, 1_000_000);
  desk = await fundedDesk(story);
  await routeTo(story, desk);
  made.berg = await payee("Jonas Berg", "440012349104");
  const pay = async (amount: number, accountId: string, description: string) => {
    const sent = await payer.pay(amount, { destination: { accountId }, description });
    return expectStatus(201, sent).json.id as string;
  };
  made.rent = await pay(1_000, String(made.berg), "Rent of November");
  made.tiles = await pay(2_500, String(made.berg), "Roof tiles");
  made.other = await pay(4_000, payer.payeeId, "Rent of May");
  const { reference, reconciliationInstructions } = await transactionOf(story, made.tiles);
  texts.beneficiary = reference;
  await credit(story, desk, {
    direction: "DEBIT",
    amount: 2_500,
    reference: reconciliationInstructions.endToEndId,
    bankReference: "BK-9",
    payer: undefined,
  });
  made.account = await internalAccount(story, { currency: "USD" });
  const remittance = await referenceOf(story, made.account);
  await credit(story, desk, { bankReference: "BK-10", amount: 7_000, remittance });
  const { data } = (await story.call("GET", "/transactions?type=INCOMING&limit=1")).json;
  made.came = data[0].id;
  texts.came = data[0].reconciliationInstructions.reference;
  await indexAll(server);
});
afterAll(() => server.close());

type Query = Readonly<Record<string, string>>;

async function page(path: string, query: Query, from: Story = story) {
  return from.call("GET", `${path}?${new URLSearchParams(query)}`);
}

/** The kind of an object is not told apart here: each has a name of its own. */
const nameOf = (id: string) => Object.entries(made).find(([, own]) => own === id)?.[0] ?? id;

async function names(path: string, query: Query): Promise<readonly string[]> {
  const { json } = expectStatus(200, await page(path, query));
  return json.data.map(({ id }: { readonly id: string }) => nameOf(id));
}

describe("transactions", () => {
  it.each<[Query, readonly string[]]>([
    [{ q: "berg" }, ["tiles", "rent"]],
    [{ q: "9104" }, ["tiles", "rent"]],
    [{ q: "25.00 usd" }, ["tiles"]],
    [{ q: "rent" }, ["other", "rent"]],
    [{ q: "BK-9" }, ["tiles"]],
    [{ q: "nothing of this" }, []],
    [{ q: "berg", status: "COMPLETED" }, ["tiles"]],
    [{ counterparty: "jonas" }, ["tiles", "rent"]],
    [{ counterparty: "ana ruiz", type: "INCOMING", minAmount: "1", currency: "USD" }, ["came"]],
    [{ counterparty: "rent" }, []],
    [{ description: "rent" }, ["other", "rent"]],
    [{ description: "berg" }, []],
    [{ currency: "USD", minAmount: "2500", maxAmount: "4000" }, ["other", "tiles"]],
    [{ currency: "USD", minAmount: "4001", description: "rent" }, []],
    [{ currency: "EUR" }, []],
    [{ maxAmount: "2499" }, ["rent"]],
    [{ hasRefund: "true" }, []],
    [{ q: "berg", maxAmount: "2000", currency: "USD" }, ["rent"]],
    [{ paymentRail: "CARRIER_PIGEON" }, []],
  ])("by %j are %j", async (query, expected) => {
    const found = await names("/transactions", query);
    expect(found.filter((name) => name in made)).toEqual(expected);
    expect(found.length - expected.length).toBeLessThanOrEqual(1);
  });

  it("of a connection are those that it was ordered to carry and those that came in at it", async () => {
    const found = await names("/transactions", { connectionId: desk });
    expect(found).toEqual(["came", "other", "tiles", "rent"]);
  });

  it("by a reference are those that show it, whichever of the three it is", async () => {
    for (const [reference, name] of [
      [texts.beneficiary, "tiles"],
      ["BK-9", "tiles"],
      ["BK-10", "came"],
      [texts.came, "came"],
    ]) {
      expect(await names("/transactions", { reference: String(reference) })).toEqual([name]);
    }
    const beginning = String(texts.beneficiary).slice(0, -1);
    expect(await names("/transactions", { reference: beginning })).toEqual([]);
  });

  it("are on pages that hold each of them once, in both orders", async () => {
    for (const sortOrder of ["asc", "desc"]) {
      for (const query of [{ currency: "USD" }, { q: "berg" }, { q: "berg", currency: "USD" }]) {
        const whole = await names("/transactions", { ...query, sortOrder });
        const paged: string[] = [];
        for (let cursor = ""; ; ) {
          const at = cursor === "" ? {} : { cursor };
          const { json } = await page("/transactions", { ...query, sortOrder, limit: "1", ...at });
          paged.push(...json.data.map(({ id }: { readonly id: string }) => nameOf(id)));
          if (json.hasMore !== true) break;
          cursor = json.nextCursor;
        }
        expect(paged).toEqual(whole);
        expect(whole.length).toBeGreaterThan(1);
      }
    }
  });

  it("are counted unless the list is searched", async () => {
    expect((await page("/transactions", { q: "berg" })).json.totalCount).toBe(2);
    expect((await page("/transactions", { currency: "USD" })).json).not.toHaveProperty(
      "totalCount",
    );
  });

  it.each<[Query, string]>([
    [{ minAmount: "-1", currency: "USD" }, "minAmount"],
    [{ maxAmount: "1.5", currency: "USD" }, "maxAmount"],
    [{ connectionId: "Customer:x" }, "connectionId"],
    [{ q: " " }, "q"],
    [{ q: "x".repeat(201) }, "q"],
    [{ hasRefund: "perhaps" }, "hasRefund"],
  ])("are refused by %j", async (query, field) => {
    const { status, json } = await page("/transactions", query);
    expect([status, json.code, json.details.errors[0].field]).toEqual([
      400,
      "INVALID_INPUT",
      field,
    ]);
  });

  it("of another platform are not found", async () => {
    const other = await openStory(server, { environment: "PRODUCTION" });
    for (const query of [{ q: "berg" }, { reference: "BK-9" }, { connectionId: desk }])
      expect((await page("/transactions", query as Query, other)).json.data).toEqual([]);
  });

  it("are found by no name and no description without the right to personal data", async () => {
    const owner = await makeOwner(server, workspaceId);
    const { browser } = await makePerson(owner, ["VIEWER"]);
    const ask = async (query: string) => {
      const path = `/p/PlatformConfig:${story.platformId}/transactions?${query}`;
      return expectStatus(200, await browser.call("GET", path)).json.data.length;
    };
    for (const query of ["q=berg", "counterparty=berg", "description=rent", "q=rent"])
      expect(await ask(query), query).toBe(0);
    expect(await ask("q=BK-9")).toBe(1);
    expect(await ask("q=25.00")).toBe(1);
  });
});

describe("customers and what belongs to them", () => {
  let sandbox: Story;

  beforeAll(async () => {
    sandbox = await openStory(server, { name: "Customers" });
    const customer = async (fullName: string, name: string, more: object = {}) => {
      const body = { customerType: "INDIVIDUAL", fullName, currencies: ["USD"], ...more };
      made[name] = expectStatus(201, await sandbox.call("POST", "/customers", body)).json.id;
      const path = `/customers/internal-accounts?customerId=${made[name]}`;
      made[`${name}'s account`] = (await sandbox.call("GET", path)).json.data[0].id;
    };
    await customer("Ingrid Olsen", "ingrid", { email: "ingrid@olsen.test" });
    await customer("Mona Olsen-Vik", "mona");
    await customer("Pell Grant002", "pell", { platformCustomerId: "olsen-7" });
    await sandbox.call("POST", `/sandbox/internal-accounts/${made["mona's account"]}/fund`, {
      amount: 5_000,
    });
    await sandbox.call("POST", `/customers/${made.ingrid}/freeze`, {
      reason: "COMPLIANCE",
      scope: "ALL",
    });
    const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Tor Haugen" };
    const accountInfo = {
      accountType: "USD_ACCOUNT",
      accountNumber: "660012347731",
      routingNumber: "021000021",
      beneficiary,
    };
    const body = { currency: "USD", customerId: made.mona, accountInfo };
    made.haugen = expectStatus(
      201,
      await sandbox.call("POST", "/customers/external-accounts", body),
    ).json.id;
    await sandbox.settle();
    await indexAll(server);
  });

  const found = async (path: string, query: Query) => {
    const { json } = expectStatus(200, await page(path, query, sandbox));
    return json.data.map(({ id }: { readonly id: string }) => nameOf(id));
  };

  it.each<[string, Query, readonly string[]]>([
    ["/customers", { q: "olsen" }, ["pell", "mona", "ingrid"]],
    ["/customers", { name: "olsen" }, ["mona", "ingrid"]],
    ["/customers", { name: "ols ingr" }, ["ingrid"]],
    ["/customers", { name: "olsen", isFrozen: "true" }, ["ingrid"]],
    ["/customers", { name: "ingrid@olsen.test" }, []],
    ["/customers", { q: "ingrid@olsen.test" }, ["ingrid"]],
    ["/customers", { isFrozen: "true" }, ["ingrid"]],
    ["/customers", { isFrozen: "false" }, ["pell", "mona"]],
    ["/customers", { verificationStatus: "REJECTED" }, ["pell"]],
    ["/customers", { verificationStatus: "APPROVED" }, ["mona", "ingrid"]],
    ["/customers", { hasBalance: "true" }, ["mona"]],
    ["/customers", { hasBalance: "false", name: "olsen" }, ["ingrid"]],
    ["/customers/internal-accounts", { q: "vik" }, ["mona's account"]],
    ["/customers/internal-accounts", { q: "nobody" }, []],
    ["/customers/external-accounts", { q: "haugen" }, ["haugen"]],
    ["/customers/external-accounts", { q: "7731" }, ["haugen"]],
    ["/customers/external-accounts", { q: "vik" }, ["haugen"]],
    ["/customers/external-accounts", { q: "ingrid" }, []],
  ])("are found at %s by %j", async (path, query, expected) => {
    expect(await found(path, query)).toEqual(expected);
  });

  it("are no longer found by a name when they are deleted, unless deleted ones are asked for", async () => {
    await sandbox.call("DELETE", `/customers/${made.pell}`);
    expect(await found("/customers", { q: "olsen-7" })).toEqual([]);
    expect(await found("/customers", { q: "olsen-7", isIncludingDeleted: "true" })).toEqual([
      "pell",
    ]);
  });
});

describe("lists of rails", () => {
  it.each<[string, Query, number]>([
    ["/rails/payments", { q: "berg" }, 2],
    ["/rails/payments", { q: "BK-9" }, 1],
    ["/rails/payments", { q: "25.00" }, 1],
    ["/rails/payments", { q: "zzz" }, 0],
    ["/rails/entries", { q: "BK-10" }, 1],
    ["/rails/entries", { q: "zzz" }, 0],
    ["/rails/items", { q: "zzz" }, 0],
    ["/platform/external-accounts", { q: "berg" }, 1],
  ])("at %s by %j have as many as fit", async (path, query, count) => {
    expect((await names(path, query)).length).toBe(count);
  });

  it("find the order by the reference of its payment", async () => {
    const { json } = await page("/rails/payments", { q: String(texts.beneficiary) });
    expect(json.data).toMatchObject([{ transactionId: made.tiles }]);
  });
});

describe("deliveries", () => {
  it("are about the first object that a text finds", async () => {
    const url = "http://127.0.0.1:9/hooks";
    await story.call("POST", "/webhook-endpoints", { url });
    const { json } = await page("/webhook-deliveries", { q: String(texts.beneficiary) });
    expect(json.data.map((one: { readonly resourceId: string }) => one.resourceId)).toEqual(
      json.data.map(() => made.tiles),
    );
    expect((await page("/webhook-deliveries", { q: "zzz" })).json.data).toEqual([]);
  });
});
