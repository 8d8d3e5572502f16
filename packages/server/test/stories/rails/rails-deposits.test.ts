/** Credits that name the account they are for: by a reference, a virtual account, or what a connector was asked for. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  booksOf,
  credit,
  creditLine,
  fundedDesk,
  instructionsOf,
  itemsOf,
  referenceOf,
  resolveItem,
  tellEntry,
} from "../../kit/story-funding.ts";
import { internalAccount } from "../../kit/story-money.ts";
import {
  activeConnection,
  balanceOf,
  eventsAbout,
  expectStatus,
  httpConnection,
  manualConnection,
  otherToken,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
let story: Story;
let accountId: string;
beforeAll(async () => {
  connector = await openConnector();
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  connector.reply = () => undefined;
  connector.calls.length = 0;
  story = await openStory(server, { environment: "PRODUCTION" });
  accountId = await internalAccount(story, { currency: "USD" });
});
afterEach(async () => {
  expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

describe("the payer of an account", () => {
  it("is told of nothing while no route takes money in", async () => {
    expect(await instructionsOf(story, accountId)).toEqual([]);
    await fundedDesk(story, { funding: { mode: "NONE" } });
    expect(await instructionsOf(story, accountId)).toEqual([]);
  });

  it("is told where to pay to, with a reference that stays", async () => {
    await fundedDesk(story);
    const [told, ...others] = await instructionsOf(story, accountId);
    expect(others).toEqual([]);
    expect(told).toEqual({
      accountOrWalletInfo: {
        accountType: "USD_ACCOUNT",
        accountHolderName: "Acme Payments",
        routingNumber: "021000021",
        accountNumber: "777000",
        bankName: "House Bank",
        paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
        reference: expect.stringMatching(/^FL[0-9A-HJKMNP-TV-Z]{12}\d{2}$/),
      },
      instructionsNotes: expect.stringContaining("quote the reference"),
      isPlatformAccount: true,
    });
    const { json } = await story.call("GET", "/platform/internal-accounts?currency=USD");
    expect(json.data[0].fundingPaymentInstructions).toEqual([told]);
    expect(await instructionsOf(story, accountId)).toEqual([told]);
  });

  it("is told of at most five connections, the best first, each once", async () => {
    const desks = [];
    for (let count = 0; count < 6; count += 1) desks.push(await fundedDesk(story));
    await routeTo(story, String(desks[5]), { direction: "FUNDING", priority: 1 });
    await routeTo(story, String(desks[5]), { direction: "FUNDING", priority: 2 });
    const told = await instructionsOf(story, accountId);
    expect(told).toHaveLength(5);
    const references = told.map((each: RawAnswer["json"]) => each.accountOrWalletInfo.reference);
    expect(new Set(references).size).toBe(5);
    const entry = await credit(story, String(desks[5]), { remittance: references[0] });
    expect(entry).toMatchObject({ bookedAs: "DEPOSIT" });
  });

  it("is given a virtual account for good, and another account another one", async () => {
    const desk = await fundedDesk(story, { funding: { mode: "VIRTUAL_ACCOUNTS" } });
    expect(await instructionsOf(story, accountId)).toEqual([]);
    const path = `/rails/connections/${desk}/virtual-accounts`;
    const number = (accountNumber: string) => ({ routingNumber: "021000021", accountNumber });
    const add = (...accounts: readonly object[]) => story.call("POST", path, { accounts });
    expect((await add(number("1"), number("1"))).json).toEqual({ added: 1, known: 1, free: 1 });
    const [told] = await instructionsOf(story, accountId);
    expect(told.accountOrWalletInfo).toMatchObject({ accountNumber: "1" });
    expect(told.accountOrWalletInfo).not.toHaveProperty("reference");
    const { accountId: other } = await fundedCustomer(story, 0);
    expect(await instructionsOf(story, other)).toEqual([]);
    expect((await add(number("1"), number("2"))).json).toEqual({ added: 1, known: 1, free: 1 });
    const reads = await Promise.all([1, 2, 3].map(() => instructionsOf(story, other)));
    for (const [each] of reads) expect(each.accountOrWalletInfo.accountNumber).toBe("2");
    const entry = await credit(story, desk, { virtualAccount: "021000021/2" });
    expect(entry).toMatchObject({ bookedAs: "DEPOSIT", virtualAccount: "021000021/2" });
    expect(await balanceOf(story, other)).toBe(1_000);
    const many = Array.from({ length: 4_000 }, (_, index) => number(String(1_000 + index)));
    const both = await Promise.all([add(...many), add(...many)]);
    const came: number[] = both.map(({ status, json }) => json.added ?? status);
    const [added, rest = -1] = came.toSorted((left, right) => right - left);
    expect(added).toBe(4_000);
    expect([0, 409]).toContain(rest);
    expect((await add(...many)).json).toEqual({ added: 0, known: 4_000, free: 4_000 });
    expect((await credit(story, desk, { virtualAccount: "021000021/3" })).bookedAs).toBe(
      "SUSPENSE",
    );
  });

  it("is told what a connector says in texts, which is asked once", async () => {
    const instructions = [
      { accountType: "USD_ACCOUNT", accountNumber: "55", routingNumber: "021000021" },
    ];
    const told = instructions.map((each) => ({ ...each, paymentRails: ["ACH"], branch: 12 }));
    connector.reply = ({ path }) =>
      path.startsWith("/instructions/") ? { status: 200, body: { instructions: told } } : undefined;
    const asked = () => connector.calls.filter(({ path }) => path.startsWith("/instructions/"));
    const bank = await activeConnection(story, {
      ...httpConnection(connector),
      funding: { mode: "CONNECTOR" },
    });
    await routeTo(story, bank, { direction: "FUNDING" });
    expect(await instructionsOf(story, accountId)).toEqual([]);
    await story.settle();
    const shown = expect.objectContaining({ accountOrWalletInfo: instructions[0] });
    expect(await instructionsOf(story, accountId)).toEqual([shown]);
    const body = { currency: "USD", accountId, purpose: "ACCOUNT" };
    expect(asked()).toMatchObject([{ body }]);
    await instructionsOf(story, accountId);
    await story.settle();
    expect(asked()).toHaveLength(1);
  });

  it("is refused what the connection cannot do", async () => {
    const make = (body: object) =>
      story.call("POST", "/rails/connections", { ...manualConnection(), ...body });
    const fieldOf = ({ status, json }: RawAnswer) => [
      status,
      json.details?.errors?.[0]?.field ?? json.details?.field,
    ];
    expect(fieldOf(await make({ funding: { mode: "CONNECTOR" } }))).toEqual([400, "funding.mode"]);
    expect(fieldOf(await make({ funding: { mode: "REFERENCE" } }))).toEqual([400, "funding.mode"]);
    const desk = await fundedDesk(story);
    const patch = (body: object) => story.call("PATCH", `/rails/connections/${desk}`, body);
    expect(fieldOf(await patch({ account: { accountNumber: null } }))).toEqual([
      400,
      "funding.mode",
    ]);
    expect(fieldOf(await patch({ funding: { windowMinutes: 4_321 } }))).toEqual([
      400,
      "funding.windowMinutes",
    ]);
    await story.call("POST", "/rates/sources", { name: "desk", kind: "FIXED", lockMinutes: 30 });
    expect(fieldOf(await patch({ funding: { windowMinutes: 31 } }))).toEqual([
      400,
      "funding.windowMinutes",
    ]);
    const set = expectStatus(
      200,
      await patch({
        funding: { windowMinutes: 30, onLate: "RETURN" },
        control: { creditCeiling: 5 },
      }),
    );
    expect(set.json).toMatchObject({
      funding: { mode: "REFERENCE", windowMinutes: 30, onLate: "RETURN" },
      control: { approval: "NONE", creditCeiling: 5 },
    });
    const cleared = await patch({
      funding: { windowMinutes: null },
      control: { creditCeiling: null },
    });
    expect(cleared.json.funding).toEqual({ mode: "REFERENCE", onLate: "RETURN" });
    expect(cleared.json.control.creditCeiling).toBeNull();
    const pool = (id: string, accounts: readonly unknown[]) =>
      story.call("POST", `/rails/connections/${id}/virtual-accounts`, { accounts });
    const one = "DE89370400440532013000";
    expect((await pool(desk, [one])).status).toBe(400);
    const bad = await pool(desk, [
      one,
      "DE88370400440532013000",
      { routingNumber: "021000022", accountNumber: "1" },
    ]);
    expect(bad.json.details.errors.map(({ field }: { field: string }) => field)).toEqual([
      "accounts[1]",
      "accounts[2].routingNumber",
    ]);
    expect(
      (await pool(`RailConnection:${"0".repeat(8)}-0000-7000-8000-000000000000`, [one])).status,
    ).toBe(404);
  });
});

describe("a credit that names an account", () => {
  let desk: string;
  let reference: string;
  beforeEach(async () => {
    desk = await fundedDesk(story);
    reference = await referenceOf(story, accountId);
  });

  it("is credited by an incoming payment that has come", async () => {
    const entry = await credit(story, desk, {
      remittance: `rent ${reference} thanks`,
      reference: "NOTPROVIDED",
    });
    expect(entry).toMatchObject({ bookedAs: "DEPOSIT", transactionId: expect.any(String) });
    const paid = await transactionOf(story, entry.transactionId);
    expect(paid).toMatchObject({
      type: "INCOMING",
      status: "COMPLETED",
      source: {
        sourceType: "REALTIME_FUNDING",
        currency: "USD",
        accountHolderName: "Ana Ruiz",
        accountIdentifier: "…6789",
        remittanceInformation: `rent ${reference} thanks`,
        endToEndId: "NOTPROVIDED",
      },
      receivedAmount: { amount: 1_000 },
    });
    expect(await eventsAbout(story, entry.transactionId)).toEqual(["INCOMING_PAYMENT.COMPLETED"]);
    expect(await balanceOf(story, accountId)).toBe(1_000);
    expect(await booksOf(story, desk)).toEqual({ clearing: -1_000 });
    expect(await itemsOf(story, entry.id)).toEqual([]);
  });

  const RF_DESK = { account: { holderName: "Acme Payments", iban: "DE89370400440532013000" } };

  it.each([
    ["in its reference", (text: string) => ({ reference: text })],
    ["in lower case", (text: string) => ({ remittance: text.toLowerCase() })],
    [
      "with blanks, dashes and line ends",
      (text: string) => ({
        remittance: `ref ${text.slice(0, 5)} ${text.slice(5, 9)}-${text.slice(9, 13)}\n${text.slice(13)} bye`,
      }),
    ],
    [
      "with letters for digits",
      (text: string) => ({
        remittance: text.slice(0, -14) + text.slice(-14).replaceAll("0", "O").replaceAll("1", "l"),
      }),
    ],
    [
      "in its text, while its reference names nothing",
      (text: string) => ({ reference: "INV-17", remittance: text }),
    ],
  ])("is found %s, in both forms", async (_how, textOf) => {
    expect((await credit(story, desk, textOf(reference))).bookedAs).toBe("DEPOSIT");
    const other = await fundedDesk(story, RF_DESK);
    const told = await instructionsOf(story, accountId);
    const rf = told
      .map((each: RawAnswer["json"]) => each.accountOrWalletInfo.reference)
      .find((each: string) => each.startsWith("RF"));
    expect((await credit(story, other, textOf(rf))).bookedAs).toBe("DEPOSIT");
    expect(await balanceOf(story, accountId)).toBe(2_000);
  });

  it("is not found by a wrong digit, by an unknown reference, or by the payer", async () => {
    const place = [...reference].findLastIndex((each) => /\d/.test(each));
    const wrong =
      reference.slice(0, place) +
      ((Number(reference[place]) + 1) % 10) +
      reference.slice(place + 1);
    for (const more of [{ remittance: wrong }, { remittance: "Ana Ruiz" }, {}]) {
      const entry = await credit(story, desk, more);
      expect(entry.bookedAs).toBe("SUSPENSE");
      expect(await itemsOf(story, entry.id)).toMatchObject([
        { reason: "UNREFERENCED", state: "OPEN" },
      ]);
    }
    const stranger = await openStory(server, { environment: "PRODUCTION" });
    const theirs = await fundedDesk(stranger);
    expect((await credit(stranger, theirs, { remittance: reference })).bookedAs).toBe("SUSPENSE");
    expect(await balanceOf(story, accountId)).toBe(0);
  });

  it("is ambiguous when its text has two references", async () => {
    const { accountId: other } = await fundedCustomer(story, 0);
    const entry = await credit(story, desk, {
      remittance: `${reference} ${await referenceOf(story, other)}`,
    });
    expect(await itemsOf(story, entry.id)).toMatchObject([{ reason: "AMBIGUOUS" }]);
  });

  it("is twice what is told twice, and once what is told once more", async () => {
    const line = creditLine({ remittance: reference });
    const path = `/rails/connections/${desk}/entries`;
    expectStatus(201, await story.call("POST", path, line));
    expectStatus(409, await story.call("POST", path, line));
    await credit(story, desk, { remittance: reference });
    expect(await balanceOf(story, accountId)).toBe(2_000);
  });

  it("waits in suspense when it is in another currency", async () => {
    const euros = await fundedDesk(story, { currencies: ["EUR", "USD"] });
    const entry = await credit(story, euros, { remittance: reference, currency: "EUR" });
    expect(await itemsOf(story, entry.id)).toMatchObject([{ reason: "CURRENCY", state: "OPEN" }]);
  });

  it("waits in suspense while its account is frozen for everything", async () => {
    const path = `/internal-accounts/${accountId}/freeze`;
    const frozen = await story.call("POST", path, { scope: "ALL", reason: "SUSPECTED_FRAUD" });
    expectStatus(200, frozen);
    const entry = await credit(story, desk, { remittance: reference });
    expect(await itemsOf(story, entry.id)).toMatchObject([{ reason: "ACCOUNT_FROZEN" }]);
    expect(await booksOf(story, desk)).toEqual({ clearing: -1_000, suspense: 1_000 });
  });

  it("waits in suspense when its customer was deleted", async () => {
    const { customerId, accountId: own } = await fundedCustomer(story, 0);
    const theirs = await referenceOf(story, own);
    expectStatus(200, await story.call("DELETE", `/customers/${customerId}`));
    const entry = await credit(story, desk, { remittance: theirs });
    expect(await itemsOf(story, entry.id)).toMatchObject([{ reason: "CUSTOMER_DELETED" }]);
  });

  it("is held above the ceiling, and released by two tokens", async () => {
    expectStatus(
      200,
      await story.call("PATCH", `/rails/connections/${desk}`, {
        control: { creditCeiling: 1_000 },
      }),
    );
    expect((await credit(story, desk, { remittance: reference })).bookedAs).toBe("DEPOSIT");
    const entry = await credit(story, desk, { remittance: reference, amount: 1_001 });
    const [item] = await itemsOf(story, entry.id);
    expect(item).toMatchObject({ state: "HELD", reason: "ABOVE_CEILING", accountId });
    expect(await balanceOf(story, accountId)).toBe(1_000);
    const { json } = await story.call("GET", "/rails/items?state=HELD");
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([item.id]);
    expect((await story.call("DELETE", `/rails/connections/${desk}`)).status).toBe(409);
    const part = { kind: "ACCOUNT", amount: 1_001, accountId };
    const asked = expectStatus(202, await resolveItem(story, item.id, part)).json;
    expect(asked).toMatchObject({ kind: "RESOLUTION", state: "WAITING" });
    const confirm = `/rails/marks/${asked.id}/confirm`;
    const alone = await story.call("POST", confirm);
    expect([alone.status, alone.json.details.rule]).toEqual([403, "FOUR_EYES"]);
    expect(await balanceOf(story, accountId)).toBe(1_000);
    const authorization = await otherToken(story);
    expectStatus(200, await story.call("POST", confirm, undefined, { authorization }));
    expect(await balanceOf(story, accountId)).toBe(2_001);
    expect(
      (await resolveItem(story, item.id, { kind: "ACCOUNT", amount: 1_001, accountId })).status,
    ).toBe(409);
  });
});

describe("a credit that a connector tells", () => {
  let bank: string;
  let feed: Readonly<Record<string, unknown>>[];
  beforeEach(async () => {
    feed = [];
    connector.reply = ({ path }) => {
      if (path.startsWith("/instructions/")) {
        const body = { instructions: [{ accountType: "USD_ACCOUNT", accountNumber: "55" }] };
        return { status: 200, body };
      }
      if (!path.startsWith("/entries")) return undefined;
      return { status: 200, body: { entries: feed, nextCursor: "c", hasMore: false } };
    };
    const body = httpConnection(connector);
    const account = { holderName: "Acme Payments", routingNumber: "021000021", accountNumber: "8" };
    bank = await activeConnection(story, { ...body, account, funding: { mode: "REFERENCE" } });
    await routeTo(story, bank, { direction: "FUNDING" });
  });

  const entry = (more: Readonly<Record<string, unknown>>) => ({
    id: "B-1",
    currency: "USD",
    amount: "700",
    direction: "CREDIT",
    bookedAt: "2026-11-24T10:00:00Z",
    ...more,
  });
  const readFeed = async () => {
    for (const isRead of [false, true]) {
      const settings = { feed: isRead };
      expectStatus(200, await story.call("PATCH", `/rails/connections/${bank}`, { settings }));
    }
    await story.settle();
  };

  it.each([
    [["callback", "feed"]],
    [["feed", "callback"]],
    [["feed", "callback", "feed", "callback"]],
    [["callback", "callback", "feed", "feed"]],
  ])("is booked once, told by %j", async (ways) => {
    const told = entry({ remittance: await referenceOf(story, accountId) });
    feed = [told];
    for (const way of ways) {
      if (way === "feed") await readFeed();
      else {
        const answers = await Promise.all([1, 2, 3].map(() => tellEntry(story, bank, told)));
        expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
      }
    }
    expect(await balanceOf(story, accountId)).toBe(700);
    expect(await booksOf(story, bank)).toEqual({ clearing: -700 });
    const { json } = await story.call("GET", `/rails/entries?connectionId=${bank}`);
    expect(json.data).toMatchObject([
      { bookedAs: "DEPOSIT", bookedAt: "2026-11-24T10:00:00.000Z" },
    ]);
  });

  it("funds a quote for which its connector was asked", async () => {
    const mode = { funding: { mode: "CONNECTOR" } };
    expectStatus(200, await story.call("PATCH", `/rails/connections/${bank}`, mode));
    const made = await story.call("POST", "/quotes", {
      source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
      destination: { destinationType: "ACCOUNT", accountId },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 700,
    });
    const { id, paymentInstructions, expiresAt } = expectStatus(201, made).json;
    expect(paymentInstructions).toEqual([]);
    await story.settle();
    const { json } = await story.call("GET", `/quotes/${id}`);
    expect(json.paymentInstructions).toMatchObject([
      { accountOrWalletInfo: { accountType: "USD_ACCOUNT", accountNumber: "55" } },
    ]);
    const [asked, ...more] = connector.calls.filter(({ path }) =>
      path.startsWith("/instructions/"),
    );
    const sent = { purpose: "QUOTE", quoteId: id, amount: "700", expiresAt, currency: "USD" };
    expect(asked?.body).toMatchObject(sent);
    expect(new Set(more.map(({ path }) => path)).size).toBeLessThan(2);
    const bookedAt = new Date().toISOString();
    const told = entry({ instructionId: asked?.body.id, bookedAt });
    expectStatus(204, await tellEntry(story, bank, told));
    await story.settle();
    expect((await story.call("GET", `/quotes/${id}`)).json.status).toBe("COMPLETED");
    expect(await balanceOf(story, accountId)).toBe(700);
  });

  it("is found by the id under which its connector was asked, and by no other connection", async () => {
    const mode = { funding: { mode: "CONNECTOR" } };
    expectStatus(200, await story.call("PATCH", `/rails/connections/${bank}`, mode));
    await instructionsOf(story, accountId);
    await story.settle();
    const [told] = await instructionsOf(story, accountId);
    expect(told.accountOrWalletInfo).toEqual({ accountType: "USD_ACCOUNT", accountNumber: "55" });
    const asked = connector.calls.find(({ path }) => path.startsWith("/instructions/"));
    const instructionId = asked?.body.id;
    expectStatus(204, await tellEntry(story, bank, entry({ instructionId })));
    expect(await balanceOf(story, accountId)).toBe(700);
    const other = await activeConnection(story, httpConnection(connector));
    expectStatus(204, await tellEntry(story, other, entry({ instructionId })));
    expect(await booksOf(story, other)).toEqual({ clearing: -700, suspense: 700 });
  });
});
