/** Payments of a counterparty that are refused: each leaves nothing behind, and the refusals come in their order. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { basic } from "../../kit/basic.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory } from "../../kit/story.ts";
import { rowCounts } from "../../kit/story-money.ts";
import { announce, answered, questionTo, type UmaStage, umaStage } from "../../kit/story-uma.ts";

const server = await sharedServer();
let at: UmaStage;
beforeAll(async () => {
  at = await umaStage(server, 200);
});
afterEach(() => answered(at));
afterAll(async () => {
  await endReceivers();
});

interface Row {
  readonly name: string;
  readonly body: () => Record<string, unknown> | Promise<Record<string, unknown>>;
  readonly status: number;
  readonly code: string;
  readonly fields?: readonly string[];
}

async function customer(more: Record<string, unknown>): Promise<string> {
  const made = await at.story.call("POST", "/customers", { customerType: "INDIVIDUAL", ...more });
  return made.json.id;
}

async function foreignAddress(): Promise<string> {
  const other = await openStory(server);
  return (await other.call("POST", "/customers", { customerType: "INDIVIDUAL" })).json.umaAddress;
}

const noReceiver = { receiverUmaAddress: undefined };

const rows: readonly Row[] = [
  {
    name: "no receiver",
    body: () => noReceiver,
    status: 400,
    code: "INVALID_INPUT",
    fields: ["receiverUmaAddress", "customerId"],
  },
  {
    name: "two receivers",
    body: () => ({ customerId: at.customerId }),
    status: 400,
    code: "INVALID_INPUT",
    fields: ["receiverUmaAddress", "customerId"],
  },
  {
    name: "two addresses that are none",
    body: () => ({ senderUmaAddress: "success.usd", receiverUmaAddress: "$a@b@c.test" }),
    status: 400,
    code: "INVALID_UMA_ADDRESS",
    fields: ["senderUmaAddress", "receiverUmaAddress"],
  },
  {
    name: "a currency that is none",
    body: () => ({ receivingCurrencyCode: "usd" }),
    status: 400,
    code: "INVALID_CURRENCY",
  },
  {
    name: "no amount",
    body: () => ({ receivingCurrencyAmount: 0 }),
    status: 400,
    code: "INVALID_AMOUNT",
    fields: ["receivingCurrencyAmount"],
  },
  {
    name: "everything wrong at once",
    body: () => ({
      senderUmaAddress: 7,
      receiverUmaAddress: [],
      receivingCurrencyCode: null,
      receivingCurrencyAmount: "5",
    }),
    status: 400,
    code: "INVALID_INPUT",
    fields: [
      "senderUmaAddress",
      "receiverUmaAddress",
      "receivingCurrencyCode",
      "receivingCurrencyAmount",
    ],
  },
  {
    name: "a sender nobody knows",
    body: () => ({ senderUmaAddress: `$non.existent.usd@${at.sandboxDomain}` }),
    status: 404,
    code: "UMA_NOT_FOUND",
  },
  {
    name: "a sender at another domain",
    body: () => ({ senderUmaAddress: "$success.usd@sandbox.elsewhere.test" }),
    status: 404,
    code: "UMA_NOT_FOUND",
  },
  {
    name: "a customer as sender",
    body: () => ({ senderUmaAddress: at.umaAddress }),
    status: 404,
    code: "UMA_NOT_FOUND",
  },
  {
    name: "a receiver nobody knows",
    body: () => ({ receiverUmaAddress: at.umaAddress.replace("$", "$x") }),
    status: 404,
    code: "UMA_NOT_FOUND",
  },
  {
    name: "another platform's customer",
    body: async () => ({ receiverUmaAddress: await foreignAddress() }),
    status: 404,
    code: "UMA_NOT_FOUND",
  },
  {
    name: "a customer nobody knows",
    body: () => ({ ...noReceiver, customerId: "Customer:019a4f00-0000-7000-8000-000000000001" }),
    status: 404,
    code: "USER_NOT_FOUND",
  },
  {
    name: "a customer id that is none",
    body: () => ({ ...noReceiver, customerId: "Customer:1" }),
    status: 404,
    code: "USER_NOT_FOUND",
  },
  {
    name: "a deleted customer",
    body: async () => {
      const customerId = await customer({});
      await at.story.call("DELETE", `/customers/${customerId}`);
      return { ...noReceiver, customerId };
    },
    status: 410,
    code: "CUSTOMER_DELETED",
  },
  {
    name: "a currency that the platform does not have",
    body: () => ({ receivingCurrencyCode: "JPY" }),
    status: 400,
    code: "INVALID_CURRENCY",
  },
  {
    name: "a currency that the customer does not have",
    body: () => ({ receivingCurrencyCode: "EUR" }),
    status: 400,
    code: "INVALID_CURRENCY",
  },
  {
    name: "more than the platform takes",
    body: () => ({ receivingCurrencyAmount: 100_000_000_001 }),
    status: 400,
    code: "AMOUNT_OUT_OF_RANGE",
  },
  {
    name: "a customer who is not ready",
    body: async () => ({
      ...noReceiver,
      customerId: await customer({ fullName: "Ana Ruiz001", currencies: ["USD"] }),
    }),
    status: 403,
    code: "USER_NOT_READY",
  },
];

describe("a payment is refused", () => {
  it.each(rows)("for $name", async ({ body, status, code, fields }) => {
    const more = await body();
    const before = await rowCounts(at.story);
    const refused = await announce(at, more);
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    if (fields !== undefined) {
      const named = refused.json.details.errors.map((error: { field: string }) => error.field);
      expect(named).toEqual(fields);
    }
    expect(await rowCounts(at.story)).toEqual(before);
  });

  it("in the order of the rules: each fault is named once the ones before it are gone", async () => {
    const deleted = await customer({ fullName: "Ana Ruiz001", currencies: ["EUR"] });
    await at.story.call("DELETE", `/customers/${deleted}`);
    const notReady = await customer({ fullName: "Ana Ruiz001", currencies: ["USD"] });
    const faults: Record<string, unknown> = {
      senderUmaAddress: "$nobody@elsewhere.test",
      receiverUmaAddress: undefined,
      customerId: "Customer:019a4f00-0000-7000-8000-000000000001",
      receivingCurrencyCode: "JPY",
      receivingCurrencyAmount: 9_000_000_000_000_000,
    };
    const mended: readonly (readonly [code: string, fix: Record<string, unknown>])[] = [
      ["UMA_NOT_FOUND", { senderUmaAddress: `$SUCCESS.USD@${at.sandboxDomain.toUpperCase()}` }],
      ["USER_NOT_FOUND", { customerId: deleted }],
      ["CUSTOMER_DELETED", { customerId: notReady }],
      ["INVALID_CURRENCY", { receivingCurrencyCode: "EUR" }],
      ["AMOUNT_OUT_OF_RANGE", { receivingCurrencyAmount: 5_000 }],
      ["INVALID_CURRENCY", { receivingCurrencyCode: "USD" }],
      ["USER_NOT_READY", { customerId: at.customerId }],
    ];
    for (const [code, fix] of mended) {
      const refused = await announce(at, faults);
      expect(refused.json.code).toBe(code);
      Object.assign(faults, fix);
    }
    const taken = await announce(at, faults);
    expect(taken).toMatchObject({ status: 200, json: { status: "PENDING" } });
    await answered(at);
    questionTo(at);
  });

  it("or accepted for a customer who is created, moved or deleted at the same moment, and is never a 500", async () => {
    const { umaDomain } = (await at.story.call("GET", "/config")).json;
    for (let round = 0; round < 4; round++) {
      const umaAddress = `$racer-${round}@${umaDomain}`;
      const pay = () => announce(at, { receiverUmaAddress: umaAddress });
      const [made, ...early] = await Promise.all([
        at.story.call("POST", "/customers", {
          customerType: "INDIVIDUAL",
          currencies: ["USD"],
          umaAddress,
        }),
        ...Array.from({ length: 8 }, pay),
      ]);
      expect(made.status).toBe(201);
      const path = `/customers/${made.json.id}`;
      const moved = { customerType: "INDIVIDUAL", umaAddress: `$moved-${round}@${umaDomain}` };
      const [, ...late] = await Promise.all([
        at.story.call("PATCH", path, moved),
        ...Array.from({ length: 8 }, pay),
      ]);
      const statuses = new Set([...early, ...late].map(({ status }) => status));
      expect([...statuses].filter((status) => status !== 200 && status !== 404)).toEqual([]);
      expect((await pay()).status).toBe(404);
      await answered(at);
    }
  });

  it("to a token of a production platform", async () => {
    const production = await openStory(server, { environment: "PRODUCTION" });
    const refused = await at.story.call(
      "POST",
      "/sandbox/uma/receive",
      {},
      {
        authorization: basic(production.clientId, production.clientSecret),
      },
    );
    expect([refused.status, refused.json.code]).toEqual([403, "FORBIDDEN"]);
  });
});

describe("a payment under one key", () => {
  it("is made once, however often it is sent", async () => {
    const once = await umaStage(server, 200);
    const body = {
      senderUmaAddress: `$success.usd@${once.sandboxDomain}`,
      customerId: once.customerId,
      receivingCurrencyCode: "USD",
      receivingCurrencyAmount: 70,
    };
    const send = (sent: object) =>
      once.story.call("POST", "/sandbox/uma/receive", sent, { key: "receive-1" });
    const answers = await Promise.all([send(body), send(body), send(body)]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const other = await send({ ...body, receivingCurrencyAmount: 71 });
    expect([other.status, other.json.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    await answered(once);
    questionTo(once);
    const list = await once.story.call("GET", "/transactions");
    expect(list.json.totalCount).toBe(1);
  });
});
