/** Keys of metadata that a platform declares, and the lists that are filtered by them. */
import { describe, expect, it } from "vitest";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";

const server = await sharedServer();

const declare = (story: Story, ...keys: string[]) =>
  story.call("PATCH", "/config", { searchableMetadata: keys });

interface Payers {
  readonly payer: Funded;
  readonly payee: Funded;
}

async function payersOf(story: Story): Promise<Payers> {
  return { payer: await fundedCustomer(story, 50_000), payee: await fundedCustomer(story, 0) };
}

async function pay(story: Story, { payer, payee }: Payers, metadata?: object): Promise<string> {
  const made = await story.call("POST", "/transfers", {
    source: { accountId: payer.accountId },
    destination: { accountId: payee.accountId },
    amount: 100,
    ...(metadata === undefined ? {} : { metadata }),
  });
  return made.json.id;
}

async function found(
  story: Story,
  query: string,
  path = "/transactions",
): Promise<readonly string[]> {
  const { status, json } = await story.call("GET", `${path}?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return json.data.map(({ id }: { readonly id: string }) => id);
}

async function rowsOf({ platformId }: Story): Promise<number> {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query("select count(*)::int as count from metadata_terms where platform_id = $1", [
      platformId,
    ]),
  );
  return rows[0].count;
}

describe("a declared key of metadata", () => {
  it("finds a payment as soon as it is answered, with other filters, and not by another value", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    expect((await declare(story, "orderId", "shop")).json.searchableMetadata).toEqual([
      "orderId",
      "shop",
    ]);
    const one = await pay(story, payers, { orderId: "17", shop: "a", other: "x" });
    const two = await pay(story, payers, { orderId: "18", shop: "a" });
    await pay(story, payers, { orderId: "170" });
    await pay(story, payers);
    expect(await found(story, "metadata[orderId]=17&type=OUTGOING")).toEqual([one]);
    expect(await found(story, "metadata[shop]=a&type=OUTGOING")).toEqual([two, one]);
    expect(await found(story, "metadata[shop]=a&metadata[orderId]=18&type=OUTGOING")).toEqual([
      two,
    ]);
    expect(await found(story, "metadata%5BorderId%5D=17&type=INCOMING&currency=USD")).toHaveLength(
      1,
    );
    expect(await found(story, "metadata[orderId]=1")).toEqual([]);
    const page = await story.call("GET", "/transactions?metadata[shop]=a&limit=1");
    expect([page.json.hasMore, page.json.totalCount]).toEqual([true, 4]);
    const { data } = await story.client.transactions.list({
      metadata: { orderId: "18" },
      type: "OUTGOING",
    });
    expect(data.map(({ id }) => id)).toEqual([two]);
  });

  it("finds customers, accounts and holds as well, by their present value", async () => {
    const story = await openStory(server);
    await declare(story, "ref");
    const customer = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USD"],
      metadata: { ref: "c-1" },
    });
    const { id } = customer.json;
    expect(await found(story, "metadata[ref]=c-1", "/customers")).toEqual([id]);
    await story.call("PATCH", `/customers/${id}`, {
      customerType: "INDIVIDUAL",
      metadata: { ref: "c-2" },
    });
    expect(await found(story, "metadata[ref]=c-1", "/customers")).toEqual([]);
    expect(await found(story, "metadata[ref]=c-2", "/customers")).toEqual([id]);
    const { payer } = await payersOf(story);
    const hold = await story.call("POST", `/internal-accounts/${payer.accountId}/holds`, {
      amount: 100,
      metadata: { ref: "h-1" },
    });
    expect(await found(story, "metadata[ref]=h-1", "/holds")).toEqual([hold.json.id]);
    const account = await story.call("POST", "/internal-accounts", {
      name: "Savings",
      currency: "USD",
      customerId: id,
      metadata: { ref: "a-1" },
    });
    const own = await found(story, "metadata[ref]=a-1", "/customers/internal-accounts");
    expect(own).toEqual([account.json.id]);
    expect(await found(story, "metadata[ref]=a-1", "/platform/internal-accounts")).toEqual([]);
    expect(await found(story, "metadata[ref]=x", "/customers/external-accounts")).toEqual([]);
    expect(await found(story, "metadata[ref]=x", "/payment-batches")).toEqual([]);
  });

  it("finds what is older once the job has read it, while payments go on", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    const old: string[] = [];
    for (let count = 0; count < 5; count++) old.unshift(await pay(story, payers, { orderId: "9" }));
    expect(await rowsOf(story)).toBe(0);
    const declared = await declare(story, "orderId");
    expect(declared.json.searchableMetadataBuild).toEqual({});
    const fresh = await pay(story, payers, { orderId: "9" });
    expect(await found(story, "metadata[orderId]=9&type=OUTGOING")).toContain(fresh);
    await story.settle();
    expect(await found(story, "metadata[orderId]=9&type=OUTGOING")).toEqual([fresh, ...old]);
    expect((await story.call("GET", "/config")).json).not.toHaveProperty("searchableMetadataBuild");
    expect(await rowsOf(story)).toBe(12);
    await declare(story);
    await story.settle();
    expect(await rowsOf(story)).toBe(0);
    const refused = await story.call("GET", "/transactions?metadata[orderId]=9");
    expect([refused.status, refused.json.details.field]).toEqual([400, "metadata[orderId]"]);
  });

  it("is of one platform, and a platform without keys writes no row", async () => {
    const [story, other] = [await openStory(server), await openStory(server)];
    await declare(story, "orderId");
    await declare(other, "orderId");
    await pay(story, await payersOf(story), { orderId: "5" });
    expect(await found(other, "metadata[orderId]=5")).toEqual([]);
    const plain = await openStory(server);
    await pay(plain, await payersOf(plain), { orderId: "5" });
    await bankAccount(plain);
    expect(await rowsOf(plain)).toBe(0);
  });

  it("refuses undeclared keys, more than three, other forms, and people who may not see metadata", async () => {
    const { workspaceId } = await server.makePlatform();
    const story = await openStory(server, { workspaceId });
    await declare(story, "a", "b", "c", "d");
    const fieldOf = async (query: string) => {
      const { status, json } = await story.call("GET", `/transactions?${query}`);
      return [status, json.details?.field];
    };
    expect(await fieldOf("metadata[e]=1")).toEqual([400, "metadata[e]"]);
    expect(await fieldOf("metadata=1")).toEqual([400, "metadata"]);
    expect(await fieldOf("metadata[a]=1&metadata[a]=2")).toEqual([400, "metadata[a]"]);
    expect((await fieldOf("metadata[__proto__]=1"))[0]).toBe(400);
    expect((await fieldOf("metadata[]=1"))[0]).toBe(400);
    expect((await fieldOf("metadata[a]=1&metadata[b]=1&metadata[c]=1&metadata[d]=1"))[0]).toBe(400);
    for (const keys of [["a", "a"], ["a b"], ["1", "2", "3", "4", "5", "6"]])
      expect((await declare(story, ...keys)).status).toBe(400);
    const owner = await makeOwner(server, workspaceId);
    const { browser } = await makePerson(owner, ["VIEWER"]);
    const answer = await browser.at(story.platformId)("GET", "/transactions?metadata[a]=1");
    expect([answer.status, answer.json.details.capability]).toEqual([403, "pii.read"]);
  });
});
