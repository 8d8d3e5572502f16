/** The form of a new payment in the console: who can pay, who can be paid, and whether the payment would wait. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { soon } from "../../kit/soon.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";

const server = await sharedServer();
let story: Story;
let owner: ConsoleBrowser;
let finance: ConsoleBrowser;
let workspaceId: string;
let ana: { readonly customerId: string; readonly accountId: string };

beforeAll(async () => {
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  finance = (await makePerson(owner, ["FINANCE"])).browser;
  ana = await fundedCustomer(story, 100_000);
}, 120_000);

interface Side {
  readonly party: { readonly name: string; readonly detail: string };
  readonly accountId?: string;
  readonly umaAddress?: string;
  readonly available?: { readonly amount: number };
  readonly lastAt?: string;
}

async function sides(path: string, browser = finance): Promise<readonly Side[]> {
  const { status, json } = await browser.at(story.platformId)("GET", path);
  expect([path, status]).toEqual([path, 200]);
  return json.data;
}

const from = (q?: string) =>
  sides(`/payment-sources${q === undefined ? "" : `?q=${encodeURIComponent(q)}`}`);
const to = (source: string, q?: string) =>
  sides(
    `/payment-destinations?source=${source}${q === undefined ? "" : `&q=${encodeURIComponent(q)}`}`,
  );
const ids = (found: readonly Side[]) =>
  found.map(({ accountId, umaAddress }) => accountId ?? umaAddress);

async function named(fullName: string) {
  const made = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName,
    currencies: ["USD"],
  });
  const { json } = await story.call(
    "GET",
    `/customers/internal-accounts?customerId=${made.json.id}`,
  );
  return { customerId: made.json.id as string, accountId: json.data[0].id as string };
}

describe("who can pay", () => {
  it("is found by the holder's name among more accounts than a page has", async () => {
    const older = await named("Quéntin Østergaard");
    for (let count = 0; count < 25; count++) await named(`Filler Person${count}`);
    await soon(async () => expect(ids(await from("østergaard quen"))).toEqual([older.accountId]));
    const all = await from();
    expect(all).toHaveLength(20);
    expect(all.find(({ accountId }) => accountId === older.accountId)).toBeUndefined();
    // An id finds its account.
    expect(ids(await from(older.accountId))).toEqual([older.accountId]);
    expect(await from("nobody has this name")).toEqual([]);
  });

  it("shows what is available, and the accounts of the latest payments first", async () => {
    const payee = await bankAccount(story, { customerId: ana.customerId });
    const paid = await story.call("POST", "/transfer-out", {
      source: { accountId: ana.accountId },
      destination: { accountId: payee },
      amount: 1_000,
    });
    expect(paid.status).toBe(201);
    const [first] = await from();
    expect(first).toMatchObject({
      accountId: ana.accountId,
      available: { amount: 99_000, currency: { code: "USD" } },
      lastAt: expect.any(String),
    });
  });
});

describe("who can be paid", () => {
  it("are the payees of the account first, and the external accounts of its owner alone", async () => {
    const bea = await named("Beatriz Lima");
    const own = await bankAccount(story, { customerId: bea.customerId });
    const foreign = ids(await to(ana.accountId));
    expect(foreign).not.toContain(own);
    const [first] = await to(ana.accountId);
    expect(first).toMatchObject({ lastAt: expect.any(String), isInternal: false });
    expect(ids(await to(bea.accountId))).toContain(own);
    expect(ids(await to(bea.accountId))).not.toContain(bea.accountId);
    // An external account pays the accounts of its own customer.
    expect(ids(await to(own))).toEqual([bea.accountId]);
  });

  it("are found by words, and by a UMA address that nobody was paid at before", async () => {
    const bea = await named("Beatriz Souza");
    await soon(async () => expect(ids(await to(ana.accountId, "souza"))).toEqual([bea.accountId]));
    expect(ids(await to(ana.accountId, "$Somebody@Bank.example"))).toEqual([
      "$somebody@bank.example",
    ]);
    const [payee] = await to(ana.accountId);
    const digits = /••(\w+)/.exec(payee?.party.detail ?? "")?.[1] ?? "";
    expect(ids(await to(ana.accountId, digits))).toContain(payee?.accountId);
  });

  it("is unknown for an account of another platform, and for people who may not pay", async () => {
    const other = await openStory(server);
    const { accountId } = await fundedCustomer(other, 1);
    const missing = "InternalAccount:019a4f00-0000-7000-8000-00000000dead";
    const [foreign, unknown] = await Promise.all(
      [accountId, missing].map((id) =>
        finance.at(story.platformId)("GET", `/payment-destinations?source=${id}`),
      ),
    );
    expect(foreign?.status).toBe(404);
    expect(foreign?.json.code).toBe(unknown?.json.code);
    expect(await from(accountId)).toEqual([]);
    const viewer = (await makePerson(owner, ["VIEWER"])).browser;
    expect((await viewer.at(story.platformId)("GET", "/payment-sources")).status).toBe(403);
  });
});

describe("whether a payment waits", () => {
  const wait = async (platformId: string, amount: number, browser = finance) =>
    (await browser.at(platformId)("GET", `/payment-wait?currency=USD&amount=${amount}`)).json;

  it("is told by the policy that the order is judged by", async () => {
    expect(await wait(story.platformId, 5)).toEqual({ approvalsNeeded: 0, isBlocked: false });
    const production = await openStory(server, { workspaceId, environment: "PRODUCTION" });
    // A session learns of a new platform a moment later.
    await soon(async () =>
      expect(await wait(production.platformId, 5)).toMatchObject({
        approvalsNeeded: 1,
        above: { amount: 0 },
        isBlocked: false,
      }),
    );
    await makePerson(owner, ["APPROVER"]);
    const set = await owner.call("PUT", "/workspace/policies", {
      platformId: `PlatformConfig:${story.platformId}`,
      rules: { PAYMENT: { waits: true, above: { USD: 100 }, twoAbove: { USD: 1_000 } } },
    });
    expect([set.status, set.text]).toEqual([200, set.text]);
    const seen = await Promise.all(
      [100, 101, 1_000, 1_001].map((one) => wait(story.platformId, one)),
    );
    expect(seen.map(({ approvalsNeeded }) => approvalsNeeded)).toEqual([0, 1, 1, 2]);
    expect(seen[3]).toMatchObject({ twoAbove: { amount: 1_000 }, isBlocked: false });
    // The owner who asks is none of the two.
    expect(await wait(story.platformId, 1_001, owner)).toMatchObject({ isBlocked: true });
    const bad = await finance.at(story.platformId)("GET", "/payment-wait?currency=USD&amount=0");
    expect(bad.status).toBe(400);
  });
});
