/** Twelve texts that an operator types or pastes, and what is found first by each. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../kit/search-index.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { credit, fundedDesk, referenceOf } from "../../kit/story-funding.ts";
import { internalAccount } from "../../kit/story-money.ts";
import { expectStatus, payerOf, paymentOf, routeTo, transactionOf } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
const made: Record<string, string> = {};
const texts: Record<string, string> = {};

async function customer(fullName: string, more: object = {}): Promise<string> {
  const body = { customerType: "INDIVIDUAL", fullName, region: "US", ...more };
  return expectStatus(201, await story.call("POST", "/customers", body)).json.id;
}

async function payee(fullName: string, accountNumber: string): Promise<string> {
  const accountInfo = {
    accountType: "USD_ACCOUNT",
    accountNumber,
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName },
  };
  const body = { currency: "USD", accountInfo };
  return expectStatus(201, await story.call("POST", "/platform/external-accounts", body)).json.id;
}

beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server, { environment: "PRODUCTION" });
  made.ingrid = await customer("Ingrid Olsen", {
    platformCustomerId: "crm-20417",
    email: "ingrid@olsen.test",
    phoneNumber: "+47 912 34 567",
  });
  // Newer than what is searched for, and found by the same beginnings.
  await customer("Olsenius Kraft");
  await customer("Ingrida Holm", { platformCustomerId: "crm-204170" });
  const payer = await payerOf(story, 1_000_000);
  const desk = await fundedDesk(story);
  await routeTo(story, desk);
  made.berg = await payee("Jonas Berg", "440012349104");
  const pay = async (amount: number, accountId: string, description: string) => {
    const destination = { accountId };
    const sent = await payer.pay(amount, { destination, description });
    return expectStatus(201, sent).json.id as string;
  };
  made.paid = await pay(301_250, String(made.berg), "Invoice 2210 roof tiles");
  await pay(301_251, payer.payeeId, "Invoice 2211 gutters");
  texts.reference = (await transactionOf(story, made.paid)).reference;
  made.order = (await paymentOf(story, made.paid)).id;
  const { endToEndId } = (await transactionOf(story, made.paid)).reconciliationInstructions;
  const debit = { direction: "DEBIT", amount: 301_250, reference: endToEndId };
  await credit(story, desk, { ...debit, bankReference: "BK-77-0042", payer: undefined });
  made.funded = await internalAccount(story, { currency: "USD" });
  texts.funding = await referenceOf(story, made.funded);
  await credit(story, desk, {
    bankReference: "BK-77-0043",
    remittance: `${texts.funding} winter coats`,
    payer: { name: "Mercado Sul Ltda" },
  });
  await indexAll(server);
});
afterAll(() => server.close());

interface Found {
  readonly id: string;
  readonly kind: string;
  readonly matched: string;
}

async function search(q: string, more = ""): Promise<readonly Found[]> {
  const answer = await story.call("GET", `/search?q=${encodeURIComponent(q)}${more}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.groups.flatMap(({ kind, results }: RawGroup) =>
    results.map((one) => ({ ...one, kind })),
  );
}

interface RawGroup {
  readonly kind: string;
  readonly results: readonly Omit<Found, "kind">[];
}

const uuid = (id: string | undefined) => String(id).slice(String(id).indexOf(":") + 1);

describe("the first hit", () => {
  it.each<[string, () => string, string, string]>([
    ["a family name", () => "olsen", "ingrid", "name"],
    ["two beginnings of a name", () => "ols ingr", "ingrid", "name"],
    ["a reference", () => String(texts.reference).toLowerCase(), "paid", "reference"],
    ["an amount", () => "3012.50", "paid", "amount"],
    ["an amount with separators and currency", () => "3,012.50 USD", "paid", "amount"],
    ["the last four of an account", () => "9104", "berg", "lastFour"],
    ["a mail address", () => "Ingrid@Olsen.test", "ingrid", "email"],
    ["a phone number without its country", () => "912 34 567", "ingrid", "phoneNumber"],
    ["the platform's own id", () => "crm-20417", "ingrid", "platformCustomerId"],
    ["a bare id", () => uuid(made.paid), "paid", "id"],
    ["an id with its kind", () => String(made.berg), "berg", "id"],
    ["words of a description", () => "roof invoice", "paid", "description"],
    ["a reference of the bank", () => "bk-77-0042", "paid", "bankReference"],
    ["a reference that a payer quotes", () => String(texts.funding), "funded", "reference"],
    [
      "the same with blanks",
      () =>
        String(texts.funding)
          .match(/.{1,4}/g)
          ?.join(" ") ?? "",
      "funded",
      "reference",
    ],
    ["the other way to write an amount", () => "USD 3.012,50", "paid", "amount"],
  ])("by %s is right", async (_, text, name, matched) => {
    const [first] = await search(text());
    expect(first).toMatchObject({ id: made[name], matched });
  });

  it("of a payee's name is the account, and its payments are found with it", async () => {
    const found = await search("jonas berg");
    expect(found.map(({ id, matched }) => [id, matched])).toEqual([
      [made.berg, "name"],
      [made.paid, "name"],
    ]);
    expect((await search("jonas berg", "&kinds=Transaction")).map(({ id }) => id)).toEqual([
      made.paid,
    ]);
  });

  it("of a payment has its parties when they are asked for", async () => {
    const more = "&kinds=Transaction&expand=parties";
    const [payment] = await search("jonas berg", more);
    expect(payment).toMatchObject({ id: made.paid, parties: { to: { name: "Jonas Berg" } } });
    expect((await search("jonas berg", "&kinds=Transaction"))[0]).not.toHaveProperty("parties");
    expect((await search("jonas berg", "&expand=parties"))[0]).not.toHaveProperty("parties");
  });

  it("of a payer's name is the payment that came in", async () => {
    const [first] = await search("mercado");
    expect(first).toMatchObject({ kind: "Transaction", matched: "name" });
    expect((await search("winter coats"))[0]).toMatchObject({ id: first?.id });
  });

  it("of a bank's reference is followed by its order and its entry", async () => {
    const kinds = (await search("BK-77-0042")).map(({ kind }) => kind);
    expect(kinds).toEqual(["Transaction", "RailPayment", "RailEntry"]);
    expect(await search("BK-77-0042", "&kinds=RailPayment")).toMatchObject([{ id: made.order }]);
  });

  it("is a whole word before a newer beginning, and never a deleted object before a live one", async () => {
    const found = await search("olsen");
    expect(found.map(({ id }) => id)[0]).toBe(made.ingrid);
    expect(found.length).toBeGreaterThan(1);
    const gone = await customer("Nadir Quill");
    const lives = await customer("Nadir Quillfeather");
    expectStatus(200, await story.call("DELETE", `/customers/${gone}`));
    await indexAll(server);
    expect((await search("nadir quill")).map(({ id }) => id)).toEqual([lives, gone]);
  });

  it("is none of another platform, whatever the text", async () => {
    const other = await openStory(server, { environment: "PRODUCTION" });
    for (const q of [texts.reference, texts.funding, "BK-77-0042", "olsen", "3012.50", made.paid]) {
      const { json } = await other.call("GET", `/search?q=${encodeURIComponent(String(q))}`);
      expect(json.groups, String(q)).toEqual([]);
    }
  });
});
