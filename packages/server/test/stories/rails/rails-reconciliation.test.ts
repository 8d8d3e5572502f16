/** Statements of the accounts outside, and the reconciliation of the books with them. */

import { beforeEach, describe, expect, it } from "vitest";
import { chanceFrom } from "../../kit/chance.ts";
import { sampleOf } from "../../kit/sample.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  eventsAbout,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let connectionId: string;
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  connectionId = await activeConnection(story, manualConnection());
});

const on = (word: string) => `/rails/connections/${connectionId}/${word}`;
let lines = 0;
const tell = (more: Readonly<Record<string, unknown>> = {}) =>
  story.call("POST", on("entries"), {
    bankReference: `L-${++lines}`,
    direction: "CREDIT",
    amount: 100,
    currency: "USD",
    bookedOn: "2026-11-20",
    ...more,
  });
const balance = (asOf: string, booked: number, more: Readonly<Record<string, unknown>> = {}) =>
  story.call("POST", on("balances"), { currency: "USD", asOf, booked, ...more });
const reconciled = async (query = "") =>
  expectStatus(200, await story.call("GET", on(`reconciliation${query}`))).json;

async function books(): Promise<Readonly<Record<string, number>>> {
  const { json } = await story.call("GET", `/ledger/accounts?connectionId=${connectionId}`);
  return Object.fromEntries(
    json.data.map(({ kind, balance: { amount } }: RawAnswer["json"]) => [kind, Number(amount)]),
  );
}

describe("a balance that is typed in", () => {
  it("is the opening when it is the first one, and is compared from then on", async () => {
    await tell({ amount: 300 });
    const first = expectStatus(201, await balance("2026-11-20", 1_300)).json;
    expect(first).toMatchObject({
      source: "MANUAL",
      asOf: "2026-11-20",
      closing: { amount: "1300", currency: "USD" },
      opening: { amount: "1000" },
      unexplained: { amount: "0" },
    });
    expect(await books()).toEqual({ clearing: -1_300, "own-funds": 1_000, suspense: 300 });
    await tell({ bookedOn: "2026-11-21", amount: 50, direction: "DEBIT" });
    const second = expectStatus(201, await balance("2026-11-21", 1_200)).json;
    expect(second).toMatchObject({ opening: { amount: "1000" }, unexplained: { amount: "-50" } });
    expect(await eventsAbout(story, second.id)).toEqual(["RAIL_RECONCILIATION.DIFFERENCE"]);
    expect(await eventsAbout(story, first.id)).toEqual([]);
    // The line that was missing is told.
    await tell({ bookedOn: "2026-11-21", amount: 50, direction: "DEBIT" });
    expect((await reconciled()).unexplained.amount).toBe("0");
  });

  it("loses from the opening what an entry tells later that it covers", async () => {
    expectStatus(201, await balance("2026-11-20", 1_300));
    await tell({ amount: 300 });
    expect(await books()).toEqual({ clearing: -1_300, "own-funds": 1_000, suspense: 300 });
    expect((await reconciled()).unexplained.amount).toBe("0");
  });

  it("corrects the opening when it is of an earlier day", async () => {
    await tell({ bookedOn: "2026-11-21", amount: 30 });
    expectStatus(201, await balance("2026-11-21", 150));
    expect((await books())["own-funds"]).toBe(120);
    const earlier = expectStatus(201, await balance("2026-11-20", 100)).json;
    expect(earlier).toMatchObject({ opening: { amount: "100" }, unexplained: { amount: "0" } });
    // 20 came in between, and nobody has told of them.
    expect((await reconciled()).unexplained.amount).toBe("20");
    expect((await reconciled("?asOf=2026-11-20")).unexplained.amount).toBe("0");
    await tell({ bookedOn: "2026-11-21", amount: 20 });
    expect((await reconciled()).unexplained.amount).toBe("0");
    expect(await books()).toMatchObject({ clearing: -150, "own-funds": 100 });
  });

  it("is compared with the opening when it is of the same day", async () => {
    expectStatus(201, await balance("2026-11-20", 1_000));
    const again = expectStatus(201, await balance("2026-11-20", 1_700)).json;
    expect(again).toMatchObject({ opening: { amount: "1000" }, unexplained: { amount: "700" } });
    expect(await eventsAbout(story, again.id)).toEqual(["RAIL_RECONCILIATION.DIFFERENCE"]);
    expect(await books()).toEqual({ clearing: -1_000, "own-funds": 1_000 });
    expect((await reconciled()).unexplained.amount).toBe("700");
  });

  it("may be zero or below, and leaves no posting when there is no opening", async () => {
    expectStatus(201, await balance("2026-11-20", 0));
    expect(await books()).toEqual({});
    const overdrawn = await activeConnection(story, manualConnection());
    const told = await story.call("POST", `/rails/connections/${overdrawn}/balances`, {
      currency: "USD",
      asOf: "2026-11-20",
      booked: -700,
    });
    expect(told.json.opening.amount).toBe("-700");
  });

  it.each([
    ["another currency", { currency: "EUR" }, "currency"],
    ["a day to come", { asOf: "2999-01-01" }, "asOf"],
    ["a day that is none", { asOf: "2026-02-30" }, "asOf"],
    ["a fraction", { booked: 1.5 }, "booked"],
    ["text", { booked: "100" }, "booked"],
    ["a balance beyond all", { booked: 9_100_000_000_000_000 }, "booked"],
  ] as const)("is refused with %s", async (_what, more, field) => {
    const refused = await balance("2026-11-20", 100, more);
    expect(refused.status).toBe(400);
    expect(refused.json.details.errors?.[0]?.field ?? refused.json.details.field).toBe(field);
    expect(await books()).toEqual({});
  });

  it("is refused for a connector, an archived connection and an unknown one", async () => {
    const body = { currency: "USD", asOf: "2026-11-20", booked: 1 };
    const setup = await story.call("POST", "/rails/connections", {
      ...manualConnection(),
      kind: "HTTP",
      settings: { baseUrl: "https://connector.example" },
    });
    const http = await story.call("POST", `/rails/connections/${setup.json.id}/balances`, body);
    expect([http.status, http.json.code]).toEqual([409, "CONFLICT"]);
    expectStatus(204, await story.call("DELETE", `/rails/connections/${connectionId}`));
    expect((await balance("2026-11-20", 1)).status).toBe(409);
    const unknown = "RailConnection:019a4f00-0000-7000-8000-000000000021";
    const none = await story.call("POST", `/rails/connections/${unknown}/balances`, body);
    expect([none.status, none.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
  });
});

describe("a reconciliation", () => {
  it("explains what reports have settled, and entries behind the statement", async () => {
    const payer = await payerOf(story, 10_000);
    await routeTo(story, connectionId);
    expectStatus(201, await balance("2026-11-20", 5_000));
    const { id } = expectStatus(201, await payer.pay(700)).json;
    const order = await paymentOf(story, id);
    await story.call("POST", `/rails/payments/${order.id}/mark`, { outcome: "SETTLED" });
    await tell({ bookedOn: "2026-11-23", amount: 40 });
    const found = await reconciled();
    expect(found).toMatchObject({
      connectionId,
      statement: { asOf: "2026-11-20", closing: { amount: "5000" } },
      ours: { amount: "4340" },
      difference: { amount: "660" },
      explained: {
        settledNotOnStatement: { count: 1, sum: { amount: "-700" } },
        notOnStatement: { count: 1, sum: { amount: "40" } },
      },
      unexplained: { amount: "0" },
      open: { suspense: { count: 1, sum: { amount: "40" } }, unknown: 0, conflicts: 0, marks: 0 },
      ageing: { "0-1": { count: 1 }, "2-5": { count: 0 } },
    });
    // The entry of the order is told: it is behind the statement, and moves nothing more.
    const reference = order.endToEndId;
    await tell({ bookedOn: "2026-11-21", amount: 700, direction: "DEBIT", reference });
    expect(await reconciled()).toMatchObject({
      ours: { amount: "4340" },
      explained: {
        settledNotOnStatement: { count: 0, sum: { amount: "0" } },
        notOnStatement: { count: 2, sum: { amount: "-660" } },
      },
      unexplained: { amount: "0" },
    });
  });

  it("compares nothing without a statement, and is a file as well", async () => {
    await tell();
    const found = await reconciled();
    expect(found.ours.amount).toBe("100");
    for (const absent of ["statement", "difference", "unexplained"]) {
      expect(found).not.toHaveProperty(absent);
    }
    expectStatus(201, await balance("2026-11-20", 100));
    const file = expectStatus(200, await story.call("GET", on("reconciliation.csv")));
    expect(file.text.split("\r\n").slice(0, 7)).toEqual([
      "figure,count,amount,currency",
      "closing,,100,USD",
      "ours,,100,USD",
      "difference,,0,USD",
      "settledNotOnStatement,0,0,USD",
      "notOnStatement,0,0,USD",
      "unexplained,,0,USD",
    ]);
  });

  it("needs a currency when the connection has several", async () => {
    const both = { ...manualConnection(), currencies: ["USD", "EUR"] };
    connectionId = await activeConnection(story, both);
    const without = await story.call("GET", on("reconciliation"));
    expect([without.status, without.json.details.field]).toEqual([400, "currency"]);
    const other = await story.call("GET", on("reconciliation?currency=MXN"));
    expect([other.status, other.json.details.field]).toEqual([400, "currency"]);
    expectStatus(201, await balance("2026-11-20", 9, { currency: "EUR" }));
    expect((await reconciled("?currency=EUR")).ours).toEqual({ amount: "9", currency: "EUR" });
    expect((await reconciled("?currency=USD")).ours.amount).toBe("0");
  });
});

const DAYS = Array.from({ length: 9 }, (_, index) => `2026-11-${String(11 + index)}`);

interface BankLine {
  readonly bookedOn: string;
  readonly minor: number;
  readonly reference: string | undefined;
  isTold: boolean;
}

/**
 * A bank with lines of its own, told late, in any order, one to three times and sometimes under two references, while orders are marked
 * and balances of any day are typed in. What is unexplained is at every moment exactly the lines that were not told and that lie between the
 * opening and the statement.
 */
it.each(sampleOf([11, 12, 13, 14]))(
  "leaves exactly the untold lines unexplained, history %i",
  async (seed) => {
    const chance = chanceFrom(seed);
    const payer: Payer = await payerOf(story, 100_000);
    await routeTo(story, connectionId);
    const opening = 10_000;
    const bank: BankLine[] = [];
    const typed: string[] = [];
    const orders: { readonly endToEndId: string; readonly id: string; readonly amount: number }[] =
      [];
    const closingOf = (day: string) =>
      bank.reduce((sum, { bookedOn, minor }) => (bookedOn <= day ? sum + minor : sum), opening);
    const day = () => DAYS[chance(DAYS.length)] ?? "";

    async function pay() {
      const amount = 1 + chance(50);
      const order = await paymentOf(story, expectStatus(201, await payer.pay(amount)).json.id);
      orders.push({ endToEndId: order.endToEndId, id: order.id, amount });
      if (chance(2) === 0) {
        await story.call("POST", `/rails/payments/${order.id}/mark`, { outcome: "SETTLED" });
      }
    }
    async function happen() {
      const order = chance(2) === 0 ? orders[chance(Math.max(1, orders.length))] : undefined;
      const minor =
        order === undefined ? (1 + chance(40)) * (chance(2) === 0 ? 1 : -1) : -order.amount;
      bank.push({ bookedOn: day(), minor, reference: order?.endToEndId, isTold: false });
    }
    async function tellLine(line: BankLine) {
      line.isTold = true;
      const body = {
        bankReference: `B-${++lines}`,
        direction: line.minor > 0 ? "CREDIT" : "DEBIT",
        amount: Math.abs(line.minor),
        bookedOn: line.bookedOn,
        ...(line.reference === undefined ? {} : { reference: line.reference }),
      };
      const times = Array.from({ length: 1 + chance(3) }, () => tell(body));
      const answers = await Promise.all(times);
      expect(answers.filter(({ status }) => status === 201).length).toBe(1);
      if (chance(4) === 0 && line.reference === undefined) {
        const original = answers.find(({ status }) => status === 201)?.json;
        const twin = expectStatus(201, await tell({ ...body, bankReference: `B-${++lines}` })).json;
        const { json } = await story.call(
          "GET",
          `/rails/items?connectionId=${connectionId}&limit=100`,
        );
        const item = json.data.find((each: RawAnswer["json"]) => each.entryId === twin.id);
        const parts = [
          { kind: "DUPLICATE_OF", amount: Math.abs(line.minor), entryId: original.id },
        ];
        const path = `/rails/items/${item.id}/resolve`;
        expectStatus(200, await story.call("POST", path, { parts, note: "twice" }));
      }
    }
    async function tellOne() {
      const line = bank.filter(({ isTold }) => !isTold).at(chance(3));
      if (line !== undefined) await tellLine(line);
    }
    async function type() {
      const asOf = day();
      expectStatus(201, await balance(asOf, closingOf(asOf)));
      typed.push(asOf);
    }

    const first = () => typed.toSorted()[0] ?? "";
    async function compare() {
      for (const asOf of new Set(typed)) {
        const { unexplained } = await reconciled(`?asOf=${asOf}`);
        const untold = bank
          .filter(({ isTold, bookedOn }) => !isTold && bookedOn <= asOf && bookedOn > first())
          .reduce((sum, { minor }) => sum + minor, 0);
        expect(Number(unexplained.amount), asOf).toBe(untold);
      }
    }

    // All lines of a day have happened when its balance is typed in.
    for (let step = 0; step < 25; step++) await (chance(2) === 0 ? pay() : happen());
    const steps = [tellOne, tellOne, type, compare];
    for (let step = 0; step < 40; step++) await steps[chance(steps.length)]?.();
    await type();
    await compare();
    for (const line of bank) if (!line.isTold) await tellLine(line);
    for (const asOf of new Set(typed)) {
      expect((await reconciled(`?asOf=${asOf}`)).unexplained.amount).toBe("0");
    }
    const { statement, ours, explained } = await reconciled();
    const sums = [explained.settledNotOnStatement, explained.notOnStatement];
    const explains = sums.reduce((sum, { sum: { amount } }) => sum + Number(amount), 0);
    expect(Number(ours.amount)).toBe(Number(statement.closing.amount) + explains);
  },
  60_000,
);
