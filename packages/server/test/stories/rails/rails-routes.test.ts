/** Routes: which connection takes a payment, what is answered when none does, and that the dry run says the same. */

import { beforeEach, describe, expect, it } from "vitest";
import { chanceFrom } from "../../kit/chance.ts";
import { sampleOf } from "../../kit/sample.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let payer: Payer;
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  payer = await payerOf(story, 100_000);
});

const resolve = (more: Readonly<Record<string, unknown>> = {}) =>
  story.call("POST", "/rails/routes/resolve", {
    direction: "OUT",
    currency: "USD",
    accountType: "USD_ACCOUNT",
    amount: 100,
    ...more,
  });
const refusalOf = ({ status, json }: RawAnswer) => {
  const { requestId: _, ...details } = json.details;
  return [status, json.code, details];
};
const errorsIn = ({ json }: RawAnswer) =>
  json.details.errors.map(({ field }: { readonly field: string }) => field);

describe("a payment that nothing carries", () => {
  it("is answered 501 with what is missing and the call that attaches it", async () => {
    const wanted = {
      rail: "ACH",
      direction: "OUT",
      currency: "USD",
      accountType: "USD_ACCOUNT",
      attach: ["HTTP", "MANUAL"],
    };
    const without = await payer.pay(100);
    expect(refusalOf(without)).toEqual([
      501,
      "NOT_IMPLEMENTED",
      { ...wanted, missing: "CONNECTION" },
    ]);
    expect(without.json.message).toBe(
      "No rail carries USD to USD_ACCOUNT by ACH. Attach one: POST /rails/connections (HTTP or MANUAL), then POST /rails/routes.",
    );
    const wire = { destination: { accountId: payer.payeeId, paymentRail: "WIRE" } };
    expect((await payer.pay(100, wire)).json.details.rail).toBe("WIRE");

    const id = await activeConnection(story, manualConnection());
    expect((await payer.pay(100)).json.details.missing).toBe("ROUTE");
    await routeTo(story, id, { maxAmount: 99 });
    const tooMuch = await payer.pay(100);
    expect(refusalOf(tooMuch)).toEqual([501, "NOT_IMPLEMENTED", { ...wanted, missing: "AMOUNT" }]);
    expect((await payer.pay(99)).status).toBe(201);
  });

  it("is answered alike when money is collected", async () => {
    const pulled = await story.call("POST", "/transfer-in", {
      source: { accountId: payer.payeeId },
      destination: { accountId: payer.accountId },
      amount: 100,
    });
    expect(pulled.status).toBe(501);
    expect(pulled.json).toMatchObject({
      details: { direction: "PULL", missing: "CONNECTION" },
      message: expect.stringContaining("USD from USD_ACCOUNT by ACH"),
    });
  });

  it("is refused for what else is wrong first", async () => {
    const other = { destination: { accountId: payer.payeeId, paymentRail: "SPEI" } };
    expect(errorsIn(await payer.pay(100, other))).toEqual(["destination.paymentRail"]);
  });
});

describe("the route", () => {
  it("with the lowest priority is taken, and the older one of two equals; its rail is the transaction's", async () => {
    const [first, second, third] = [
      await activeConnection(story, manualConnection()),
      await activeConnection(story, manualConnection()),
      await activeConnection(story, manualConnection()),
    ];
    await routeTo(story, first, { priority: 200, paymentRails: ["ACH"] });
    await routeTo(story, second, { priority: 50, paymentRails: ["WIRE"] });
    await routeTo(story, third, { priority: 50, paymentRails: ["WIRE"] });
    const byRail = async (paymentRail?: string) => {
      const paid = await payer.pay(100, {
        destination: { accountId: payer.payeeId, ...(paymentRail && { paymentRail }) },
      });
      expectStatus(201, paid);
      const { connectionId } = await paymentOf(story, paid.json.id);
      return [connectionId, paid.json.paymentRail];
    };
    // The account's first rail comes before a better route of another rail.
    expect(await byRail()).toEqual([first, "ACH"]);
    expect(await byRail("WIRE")).toEqual([second, "WIRE"]);
  });

  it("of a paused connection refuses or queues new payments; resumed it goes on", async () => {
    const id = await activeConnection(story, manualConnection());
    await routeTo(story, id);
    const act = (word: string, body?: unknown) =>
      story.call("POST", `/rails/connections/${id}/${word}`, body);
    expectStatus(200, await act("pause"));
    const refused = await payer.pay(100);
    expect([refused.status, refused.json.code]).toEqual([409, "RAIL_PAUSED"]);
    expectStatus(200, await act("pause", { newPayments: "QUEUE" }));
    const queued = await payer.pay(100);
    expect((await paymentOf(story, queued.json.id)).state).toBe("QUEUED");
    expectStatus(200, await act("resume"));
    expect((await payer.pay(100)).status).toBe(201);
    const again = await act("resume");
    expect([again.status, again.json.details]).toEqual([409, { status: "ACTIVE" }]);
  });

  it("that is disabled or deleted is not taken, and a payment that took it keeps its connection", async () => {
    const id = await activeConnection(story, manualConnection());
    const routeId = await routeTo(story, id);
    const paid = await payer.pay(100);
    await story.call("PATCH", `/rails/routes/${routeId}`, { enabled: false });
    expect((await payer.pay(100)).status).toBe(501);
    expect((await resolve()).json.candidates[0].reason).toBe("DISABLED");
    await story.call("DELETE", `/rails/routes/${routeId}`);
    expect((await resolve()).json.candidates).toEqual([]);
    expect(await paymentOf(story, paid.json.id)).toMatchObject({ connectionId: id, routeId });
    expect((await story.call("GET", `/rails/routes/${routeId}`)).status).toBe(404);
  });
});

describe("a route", () => {
  it("is changed, and null takes a limit away", async () => {
    const id = await activeConnection(story, manualConnection());
    const routeId = await routeTo(story, id, { minAmount: 10, accountTypes: ["USD_ACCOUNT"] });
    const path = `/rails/routes/${routeId}`;
    const changed = await story.call("PATCH", path, { minAmount: null, priority: 7 });
    expect(changed.json).toMatchObject({ priority: 7, accountTypes: ["USD_ACCOUNT"] });
    expect(changed.json).not.toHaveProperty("minAmount");
    expect((await story.call("GET", path)).json).toEqual(changed.json);
    expect((await story.call("PATCH", path, {})).status).toBe(400);
  });

  it("is refused with a foreign currency, limits that cross, or a connection that is not there", async () => {
    const id = await activeConnection(story, manualConnection());
    const body = { name: "r", direction: "OUT", currency: "USD", connectionId: id };
    const post = (more: object) => story.call("POST", "/rails/routes", { ...body, ...more });
    expect(errorsIn(await post({ currency: "EUR" }))).toEqual(["currency"]);
    expect(errorsIn(await post({ minAmount: 9, maxAmount: 8 }))).toEqual(["minAmount"]);
    expect(errorsIn(await post({ priority: 0, fallbackAfterSeconds: 5 }))).toEqual([
      "priority",
      "fallbackAfterSeconds",
    ]);
    const other = await openStory(server, { environment: "PRODUCTION" });
    const foreign = await other.call("POST", "/rails/routes", body);
    expect(foreign.status).toBe(404);
  });

  it("is found by connection, direction and currency", async () => {
    const id = await activeConnection(story, manualConnection());
    const out = await routeTo(story, id);
    const pull = await routeTo(story, id, { direction: "PULL" });
    const ids = async (query: string) =>
      (await story.call("GET", `/rails/routes?${query}`)).json.data.map(
        ({ id: one }: { readonly id: string }) => one,
      );
    expect(await ids(`connectionId=${id}`)).toEqual([pull, out]);
    expect(await ids("direction=OUT")).toEqual([out]);
    expect(await ids("currency=EUR")).toEqual([]);
  });
});

it.each(sampleOf([1, 2, 3, 4]))(
  "the dry run and the transfer agree, on tables of routes drawn at random (%i)",
  async (seed) => {
    const chance = chanceFrom(20_261_125 + seed);
    const rails = ["ACH", "WIRE", "RTP"];
    const connections: string[] = [];
    for (let index = 0; index < 4; index++) {
      const paymentRails = rails.filter(() => chance(3) > 0);
      const body = manualConnection();
      const settings = {
        ...body.settings,
        paymentRails: paymentRails.length > 0 ? paymentRails : rails,
      };
      connections.push(await activeConnection(story, { ...body, settings }));
    }
    const routes: string[] = [];
    const payees = [await bankAccount(story), await bankAccount(story)];
    let taken = 0;
    for (let round = 0; round < 40; round++) {
      await changeTable({ chance, connections, routes, rails });
      const amount = 1 + chance(40);
      const paymentRail = chance(2) === 0 ? undefined : rails[chance(rails.length)];
      const asked = paymentRail === undefined ? {} : { paymentRail };
      const dry = await resolve({ amount, ...asked });
      const accountId = payees[round % 2];
      const paid = await payer.pay(amount, { destination: { accountId, ...asked } });
      const choice = dry.json.candidates.find((each: { readonly taken: boolean }) => each.taken);
      if (choice === undefined) {
        const isPaused = dry.json.candidates.some(
          ({ reason }: { readonly reason: string }) => reason === "CONNECTION_PAUSED",
        );
        expect([round, paid.status]).toEqual([round, isPaused ? 409 : 501]);
        continue;
      }
      taken++;
      expect([round, paid.status]).toEqual([round, 201]);
      const { connectionId, routeId, paymentRail: rail } = await paymentOf(story, paid.json.id);
      expect({ connectionId, routeId, rail }).toEqual({
        connectionId: choice.connectionId,
        routeId: choice.routeId,
        rail: dry.json.paymentRail,
      });
    }
    expect(taken).toBeGreaterThan(5);
  },
  120_000,
);

interface Table {
  readonly chance: ReturnType<typeof chanceFrom>;
  readonly connections: readonly string[];
  readonly routes: string[];
  readonly rails: readonly string[];
}

/** Adds or changes a route, or pauses or resumes a connection. */
async function changeTable({ chance, connections, routes, rails }: Table): Promise<void> {
  const pick = <T>(from: readonly T[]) => from[chance(from.length)] as T;
  const some = (max: number) => (chance(2) === 0 ? null : 1 + chance(max));
  const what = chance(10);
  if (what < 4 || routes.length === 0) {
    const min = some(20);
    const max = some(20);
    const limits = { minAmount: min, maxAmount: max === null ? null : (min ?? 0) + max };
    const paymentRails = chance(2) === 0 ? null : [pick(rails)];
    const priority = 1 + chance(3);
    routes.push(await routeTo(story, pick(connections), { ...limits, paymentRails, priority }));
  } else if (what < 7) {
    const body = { priority: 1 + chance(3), enabled: chance(4) > 0 };
    await story.call("PATCH", `/rails/routes/${pick(routes)}`, body);
  } else {
    const word = pick(["pause", "resume"]);
    const body = word === "pause" ? { newPayments: pick(["REFUSE", "QUEUE"]) } : undefined;
    await story.call("POST", `/rails/connections/${pick(connections)}/${word}`, body);
  }
}
