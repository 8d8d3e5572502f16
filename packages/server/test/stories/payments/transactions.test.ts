import { beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { advance, fund, internalAccount } from "../../kit/story-money.ts";

const server = await sharedServer();
let scene: Scene;
beforeAll(async () => {
  scene = await play(await openStory(server));
});

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly type: string;
  readonly createdAt: string;
  readonly customerId: string;
  readonly reconciliationInstructions?: { readonly reference: string };
}

interface Scene {
  readonly story: Story;
  readonly ana: Funded;
  readonly bea: Funded;
  readonly anasBank: string;
  readonly platformAccount: string;
  /** All transactions of the platform, oldest first. */
  readonly all: readonly Listed[];
}

/** Nine transactions of two customers and the platform, a minute apart, in three states. */
async function play(story: Story): Promise<Scene> {
  const [ana, bea] = [await fundedCustomer(story, 0), await fundedCustomer(story, 0)];
  const platformAccount = await internalAccount(story, { currency: "USD" });
  const anasBank = await bankAccount(story, { customerId: ana.customerId });
  const failing = await bankAccount(story, { suffix: "002", customerId: ana.customerId });
  const silent = await bankAccount(story, { suffix: "005", customerId: bea.customerId });
  const made: string[] = [];
  const step = async (make: () => Promise<unknown>) => {
    await make();
    const [newest] = (await listed(story, "limit=1")) as [Listed];
    made.push(newest.id);
    await story.settle();
    await advance(story, 60);
  };
  const out = (from: string, to: string) => () =>
    story.call("POST", "/transfer-out", {
      source: { accountId: from },
      destination: { accountId: to },
      amount: 10,
    });
  await step(() => fund(story, ana.accountId, 1_000));
  await step(() => fund(story, bea.accountId, 1_000));
  await step(() => fund(story, platformAccount, 1_000));
  await step(out(ana.accountId, anasBank));
  await step(out(ana.accountId, failing));
  await step(out(bea.accountId, silent));
  await step(() =>
    story.call("POST", "/transfer-in", {
      source: { accountId: anasBank },
      destination: { accountId: ana.accountId },
      amount: 5,
    }),
  );
  await step(out(platformAccount, await bankAccount(story)));
  await out(bea.accountId, silent)();
  await story.settle();
  const all = (await listed(story, "sortOrder=asc&limit=100")) as Listed[];
  expect(all.slice(0, 8).map(({ id }) => id)).toEqual(made);
  return { story, ana, bea, anasBank, platformAccount, all };
}

async function listed(story: Story, query: string): Promise<readonly Listed[]> {
  const answer = await story.call("GET", `/transactions?${query}`);
  expect(answer.status).toBe(200);
  return answer.json.data;
}

/** The positions, oldest first, of what a query finds. */
async function found(query: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const filters = new URLSearchParams({ ...query, sortOrder: "asc", limit: "100" });
  const answer = await scene.story.call("GET", `/transactions?${filters}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  expect(answer.json.totalCount).toBe(answer.json.data.length);
  expect(answer.json.hasMore).toBe(false);
  const ids = scene.all.map(({ id }) => id);
  return answer.json.data.map(({ id }: Listed) => ids.indexOf(id));
}

const at = (index: number): Listed => scene.all[index] as Listed;

describe("the list of transactions", () => {
  it("has them all, newest first, as each one is read alone", async () => {
    const { story, all } = scene;
    const newestFirst = await listed(story, "");
    expect(newestFirst).toEqual(all.toReversed());
    expect(await listed(story, "sortOrder=desc")).toEqual(newestFirst);
    expect(all.map(({ status }) => status)).toEqual([
      "COMPLETED",
      "COMPLETED",
      "COMPLETED",
      "COMPLETED",
      "FAILED",
      "FAILED",
      "COMPLETED",
      "COMPLETED",
      "PENDING",
    ]);
    for (const transaction of all) {
      const read = await story.call("GET", `/transactions/${transaction.id}`);
      expect(read.json).toEqual(transaction);
    }
  });

  it("can be narrowed to a customer, or to the platform itself", async () => {
    const { ana, bea, story } = scene;
    expect(await found({ customerId: ana.customerId })).toEqual([0, 3, 4, 6]);
    expect(await found({ customerId: bea.customerId })).toEqual([1, 5, 8]);
    expect(await found({ customerId: `PlatformConfig:${story.platformId}` })).toEqual([2, 7]);
    expect(await found({ platformCustomerId: ana.platformCustomerId })).toEqual([0, 3, 4, 6]);
    expect(await found({ platformCustomerId: story.platformId })).toEqual([2, 7]);
    expect(await found({ platformCustomerId: "nobody" })).toEqual([]);
    const unknown = "Customer:019a4f00-0000-7000-8000-0000000000ee";
    expect(await found({ customerId: unknown })).toEqual([]);
  });

  it("can be narrowed to an account on either side, or on one", async () => {
    const { ana, anasBank, platformAccount } = scene;
    expect(await found({ accountIdentifier: ana.accountId })).toEqual([0, 3, 4, 6]);
    expect(await found({ senderAccountIdentifier: ana.accountId })).toEqual([3, 4]);
    expect(await found({ receiverAccountIdentifier: ana.accountId })).toEqual([0, 6]);
    expect(await found({ accountIdentifier: anasBank })).toEqual([3, 6]);
    expect(await found({ senderAccountIdentifier: anasBank })).toEqual([6]);
    expect(await found({ receiverAccountIdentifier: anasBank })).toEqual([3]);
    expect(await found({ accountIdentifier: platformAccount })).toEqual([2, 7]);
    expect(await found({ accountIdentifier: "$nobody@example.com" })).toEqual([]);
    const both = { senderAccountIdentifier: anasBank, receiverAccountIdentifier: ana.accountId };
    expect(await found(both)).toEqual([6]);
  });

  it("can be narrowed to a state, a type or a reference", async () => {
    expect(await found({ status: "COMPLETED" })).toEqual([0, 1, 2, 3, 6, 7]);
    expect(await found({ status: "FAILED" })).toEqual([4, 5]);
    expect(await found({ status: "PENDING" })).toEqual([8]);
    expect(await found({ status: "EXPIRED" })).toEqual([]);
    expect(await found({ type: "INCOMING" })).toEqual([0, 1, 2, 6]);
    expect(await found({ type: "OUTGOING" })).toEqual([3, 4, 5, 7, 8]);
    const reference = at(6).reconciliationInstructions?.reference ?? "";
    expect(reference).not.toBe("");
    expect(await found({ reference })).toEqual([6]);
    expect(await found({ reference: "%" })).toEqual([]);
  });

  it("can be narrowed to a time, both ends included", async () => {
    expect(await found({ startDate: at(7).createdAt })).toEqual([7, 8]);
    expect(await found({ endDate: at(1).createdAt })).toEqual([0, 1]);
    const exactly = { startDate: at(4).createdAt, endDate: at(4).createdAt };
    expect(await found(exactly)).toEqual([4]);
    const justAfter = new Date(Date.parse(at(4).createdAt) + 1).toISOString();
    expect(await found({ startDate: justAfter, endDate: at(6).createdAt })).toEqual([5, 6]);
    const withOffset = at(4).createdAt.replace("Z", "+00:00");
    expect(await found({ startDate: withOffset, endDate: withOffset })).toEqual([4]);
    expect(await found({ endDate: "2020-01-01T00:00:00+15:59" })).toEqual([]);
    expect(await found({ startDate: at(6).createdAt, endDate: at(5).createdAt })).toEqual([]);
  });

  it("takes filters together", async () => {
    const { ana, bea } = scene;
    const ofAna = { customerId: ana.customerId, type: "OUTGOING" };
    expect(await found(ofAna)).toEqual([3, 4]);
    expect(await found({ ...ofAna, status: "FAILED" })).toEqual([4]);
    expect(await found({ ...ofAna, platformCustomerId: bea.platformCustomerId })).toEqual([]);
    const outOfAna = { ...ofAna, senderAccountIdentifier: ana.accountId };
    expect(await found({ ...outOfAna, endDate: at(3).createdAt })).toEqual([3]);
  });

  it.each(["asc", "desc"])("is read page by page, %s", async (sortOrder) => {
    const { story, all } = scene;
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 5; page++) {
      const query = new URLSearchParams({ sortOrder, limit: "2", ...(cursor && { cursor }) });
      const { json } = await story.call("GET", `/transactions?${query}`);
      expect(json.totalCount).toBe(9);
      expect(json.hasMore).toBe(page < 4);
      expect(Object.hasOwn(json, "nextCursor")).toBe(page < 4);
      seen.push(...json.data.map(({ id }: Listed) => id));
      cursor = json.nextCursor;
    }
    const ids = all.map(({ id }) => id);
    expect(seen).toEqual(sortOrder === "asc" ? ids : ids.toReversed());
  });

  it("continues from its cursor when new ones arrive in between", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 1);
    for (const amount of [2, 3]) await fund(story, accountId, amount);
    const first = await story.call("GET", "/transactions?limit=2");
    await fund(story, accountId, 4);
    const second = await story.call("GET", `/transactions?limit=2&cursor=${first.json.nextCursor}`);
    const amounts = [...first.json.data, ...second.json.data].map(
      (transaction) => transaction.receivedAmount.amount,
    );
    expect(amounts).toEqual([3, 2, 1]);
    expect(second.json).toMatchObject({ hasMore: false, totalCount: 4 });
  });

  it("refuses a cursor that was altered or belongs to another list", async () => {
    const { story, ana } = scene;
    const { json } = await story.call("GET", "/transactions?limit=2");
    const cursor = json.nextCursor as string;
    const flipped = (cursor.startsWith("A") ? "B" : "A") + cursor.slice(1);
    const stranger = await openStory(server);
    const ownList = await Promise.all([
      story.call("GET", `/transactions?cursor=${flipped}`),
      story.call("GET", `/transactions?cursor=${cursor}x`),
      story.call("GET", "/transactions?cursor=x"),
      story.call("GET", `/transactions?cursor=${cursor}&type=INCOMING`),
      story.call("GET", `/transactions?cursor=${cursor}&sortOrder=asc`),
      story.call("GET", `/transactions?cursor=${cursor}&customerId=${ana.customerId}`),
      story.call("GET", `/customers?cursor=${cursor}`),
      stranger.call("GET", `/transactions?cursor=${cursor}`),
    ]);
    for (const answer of ownList) {
      expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
      expect(answer.json.details.errors[0].field).toBe("cursor");
    }
    expect((await story.call("GET", `/transactions?cursor=${cursor}&limit=5`)).status).toBe(200);
  });

  it.each([
    ["customerId", "x"],
    ["customerId", "Customer:x"],
    ["customerId", "PlatformConfig:019a4f00-0000-7000-8000-0000000000ee"],
    ["accountIdentifier", "x"],
    ["senderAccountIdentifier", "Customer:019a4f00-0000-7000-8000-0000000000ee"],
    ["receiverAccountIdentifier", ""],
    ["status", "DONE"],
    ["status", "completed"],
    ["type", "BOTH"],
    ["sortOrder", "up"],
    ["startDate", "yesterday"],
    ["startDate", "2026-02-30T00:00:00Z"],
    ["startDate", "2026-02-03T00:00:00+16:00"],
    ["endDate", "2026-01-01"],
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "-1"],
    ["limit", "1.5"],
    ["limit", "ten"],
    ["limit", ""],
  ])("refuses %s=%s", async (field, value) => {
    const query = new URLSearchParams({ [field]: value });
    const answer = await scene.story.call("GET", `/transactions?${query}`);
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.details.errors.map((error: { field: string }) => error.field)).toEqual([
      field,
    ]);
  });

  it("names all that is wrong, refuses a filter given twice and an unknown one", async () => {
    const { story } = scene;
    const wrong = await story.call("GET", "/transactions?status=x&type=y&limit=0");
    expect(wrong.json.details.errors.map((error: { field: string }) => error.field).sort()).toEqual(
      ["limit", "status", "type"],
    );
    const twice = await story.call("GET", "/transactions?type=INCOMING&type=OUTGOING");
    expect([twice.status, twice.json.code]).toEqual([400, "INVALID_INPUT"]);
    const unknown = await story.call("GET", "/transactions?start_date=2026-01-01T00:00:00Z");
    expect([unknown.status, unknown.json.message]).toEqual([
      400,
      "start_date: is no parameter of this call; did you mean startDate?",
    ]);
  });

  it("shows nothing of another platform", async () => {
    const stranger = await openStory(server);
    expect(await listed(stranger, "")).toEqual([]);
    expect(await listed(stranger, `accountIdentifier=${scene.ana.accountId}`)).toEqual([]);
    const read = await stranger.call("GET", `/transactions/${at(0).id}`);
    expect([read.status, read.json.code]).toEqual([404, "TRANSACTION_NOT_FOUND"]);
  });
});

describe("a transaction", () => {
  it.each(["x", "Transaction:x", "Transaction:019a4f00-0000-7000-8000-0000000000ee"])(
    "is not found as %s",
    async (id) => {
      const answer = await scene.story.call("GET", `/transactions/${id}`);
      expect([answer.status, answer.json.code]).toEqual([404, "TRANSACTION_NOT_FOUND"]);
    },
  );

  it("is found by its id with the colon encoded", async () => {
    const { id } = at(0);
    const read = await scene.story.call("GET", `/transactions/${encodeURIComponent(id)}`);
    expect(read.json.id).toBe(id);
  });
});
