import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { replayFailed } from "../../../src/webhooks/replay-failed.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { createStoppableClock } from "../../kit/stoppable-clock.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { advance, fund } from "../../kit/story-money.ts";
import {
  listenTo,
  openReceiver,
  type StoryReceiver,
  setEndpoint,
} from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const THIRTY_DAYS = 2_592_000;

const clock = createStoppableClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterEach(async () => {
  clock.go();
  await endReceivers();
});
afterAll(() => server.close());

async function pay(story: Story, { customerId, accountId }: Funded, amount = 100): Promise<string> {
  const destination = await bankAccount(story, { customerId });
  const sent = await story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: destination },
    amount,
  });
  expect(sent.status).toBe(201);
  await story.settle();
  return sent.json.id;
}

/** Moves the clock on, retry by retry, until this many deliveries have come in. */
async function retryUntil(story: Story, receiver: StoryReceiver, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        if (receiver.deliveries.length < count) await advance(story, 3_000);
        return receiver.deliveries.length;
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBeGreaterThanOrEqual(count);
}

/** How many of the platform's events that were given up are due again. */
async function replayed({ platformId }: Story): Promise<number> {
  const tools = { database: server.app.store.database, clock };
  const wish = { platformId, since: undefined, eventId: undefined, limit: 10 };
  return (await replayFailed(tools, wish)).count;
}

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

describe("an endpoint", () => {
  it("gets a TEST event when it is set, and no earlier event", async () => {
    const story = await openStory(server);
    const funded = await fundedCustomer(story);
    await pay(story, funded);
    const receiver = await listenTo(story);
    const [test, ...rest] = await receiver.events();
    expect(rest).toEqual([]);
    expect(test).toMatchObject({ type: "TEST", data: {} });
    expect(test?.id).toMatch(/^Webhook:[0-9a-f-]{36}$/);
    expect(Object.keys(JSON.parse(test?.body ?? "")).sort()).toEqual([
      "data",
      "id",
      "timestamp",
      "type",
    ]);
    await pay(story, funded);
    expect(typesOf(await receiver.events())).toEqual([
      "TEST",
      "OUTGOING_PAYMENT.PENDING",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.COMPLETED",
    ]);
  });

  it("that is set again gets no TEST; another one replaces it", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const old = await listenTo(story);
    await setEndpoint(story, old.url);
    await fund(story, accountId, 1);
    expect(await old.events()).toHaveLength(3);
    const fresh = await listenTo(story);
    await fund(story, accountId, 2);
    expect(typesOf(await fresh.events())).toEqual([
      "TEST",
      "INCOMING_PAYMENT.COMPLETED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ]);
    expect(old.deliveries).toHaveLength(3);
  });

  it("is verified with the key that the API shows, and with no other platform's", async () => {
    const [story, stranger] = [await openStory(server), await openStory(server)];
    const shown = await story.call("GET", "/webhooks/public-key");
    expect(shown.json).toEqual({ publicKey: story.webhookPublicKey, keyId: expect.any(String) });
    const deaf = await openReceiver(stranger);
    await setEndpoint(story, deaf.url);
    await server.app.deliveries.settled(story.platformId);
    expect(deaf.forged).toHaveLength(1);
    expect(deaf.deliveries).toEqual([]);
  });

  it.each([
    "not a url",
    "ftp://example.com/hook",
    "http://example.com/hook",
    "https://user:secret@example.com/hook",
    "https://10.0.0.1/hook",
    "https://169.254.169.254/latest",
    "https://[fd00::1]/hook",
    "https://db.internal/hook",
    "https://example.com:5432/hook",
    "",
  ])("is refused: %s", async (webhookEndpoint) => {
    const story = await openStory(server);
    const answer = await story.call("PATCH", "/config", { webhookEndpoint });
    expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.json.details.errors[0].field).toBe("webhookEndpoint");
  });

  it("of a production platform is not on this machine", async () => {
    const story = await openStory(server, { environment: "PRODUCTION" });
    for (const webhookEndpoint of ["http://127.0.0.1:4000/hook", "https://127.0.0.1:4000/hook"]) {
      const answer = await story.call("PATCH", "/config", { webhookEndpoint });
      expect([answer.status, answer.json.code]).toEqual([400, "INVALID_INPUT"]);
    }
  });
});

describe("events", () => {
  it("of one resource arrive in the order of its changes, with rising sequences", async () => {
    const story = await openStory(server);
    const people = await Promise.all([1, 2, 3].map(() => fundedCustomer(story)));
    const receiver = await listenTo(story);
    await Promise.all(people.flatMap((person) => [1, 2, 3, 4].map(() => pay(story, person))));
    const delivered = await receiver.events();
    expect(delivered).toHaveLength(1 + 12 * 4);
    expect(delivered.map(({ sequence }) => sequence)).toEqual(
      delivered.map((_, index) => (delivered[0]?.sequence ?? 0) + index),
    );
    const times = delivered.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted());
    for (const id of new Set(delivered.map(({ data }) => data.id))) {
      const arrived = receiver.deliveries
        .filter(({ data }) => data.id === id)
        .map(({ sequence }) => sequence);
      expect(arrived).toEqual(arrived.toSorted((left, right) => left - right));
    }
    for (const { accountId } of people) {
      const balances = delivered
        .filter(({ data }) => data.id === accountId)
        .map(({ data }) => data.balance.amount);
      expect(balances).toEqual([99_900, 99_800, 99_700, 99_600]);
    }
  });

  it("that are not accepted are sent again, with the same bytes, before later ones", async () => {
    const story = await openStory(server);
    const funded = await fundedCustomer(story);
    const receiver = await listenTo(story, ({ type }, attempt) =>
      type === "OUTGOING_PAYMENT.PENDING" && attempt < 3 ? 500 : 200,
    );
    const id = await pay(story, funded);
    await server.app.deliveries.settled(story.platformId);
    const ofPayment = () => typesOf(receiver.deliveries.filter(({ data }) => data.id === id));
    expect(ofPayment()).toEqual(["OUTGOING_PAYMENT.PENDING"]);
    expect(receiver.deliveries).toHaveLength(3);

    await retryUntil(story, receiver, 7);
    expect(ofPayment()).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.PROCESSING",
      "OUTGOING_PAYMENT.COMPLETED",
    ]);
    const pending = receiver.deliveries.filter(({ type }) => type === "OUTGOING_PAYMENT.PENDING");
    expect(new Set(pending.map(({ body }) => body)).size).toBe(1);
    expect(new Set(pending.map(({ sequence }) => sequence)).size).toBe(1);
  });

  it("wait for their time: five seconds, give or take a second, before the second attempt", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    clock.stop();
    const receiver = await listenTo(story, ({ type }, attempt) =>
      type === "INTERNAL_ACCOUNT.BALANCE_UPDATED" && attempt === 1 ? 503 : 200,
    );
    await fund(story, accountId, 1);
    await receiver.events();
    await advance(story, 3);
    await server.app.deliveries.runOnce();
    expect(receiver.deliveries).toHaveLength(3);
    await advance(story, 3);
    await receiver.received(4);
    expect(receiver.deliveries[3]?.body).toBe(
      receiver.deliveries.find(({ type }) => type.startsWith("INTERNAL"))?.body,
    );
  });

  it("count as taken when the answer is 409", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const receiver = await listenTo(story, () => 409);
    await fund(story, accountId, 1);
    expect(await receiver.events()).toHaveLength(3);
    await advance(story, THIRTY_DAYS);
    await fund(story, accountId, 1);
    await receiver.events();
    expect(receiver.deliveries).toHaveLength(5);
  });

  it("without a delivery within seven days are given up, and can be replayed", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    let status = 500;
    const receiver = await listenTo(story, ({ type }) =>
      type === "INTERNAL_ACCOUNT.BALANCE_UPDATED" ? status : 200,
    );
    await fund(story, accountId, 1);
    const lost = (await receiver.events()).at(-1);
    await advance(story, THIRTY_DAYS);
    await receiver.received(4);
    status = 200;
    await expect.poll(() => replayed(story)).toBe(1);
    await receiver.received(5);
    expect(receiver.deliveries[4]?.body).toBe(lost?.body);
    await advance(story, THIRTY_DAYS);
    expect(await replayed(story)).toBe(0);
    expect(receiver.deliveries).toHaveLength(5);
  });

  it("wait once the endpoint has answered 410, and go to the one that is set next", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const gone = await listenTo(story, () => 410);
    await gone.received(1);
    await server.app.deliveries.settled(story.platformId);
    await fund(story, accountId, 1);
    await advance(story, 86_400);
    await server.app.deliveries.settled(story.platformId);
    expect(gone.deliveries).toHaveLength(1);

    const fresh = await listenTo(story);
    await fund(story, accountId, 2);
    const delivered = await fresh.events();
    const funding = ["INCOMING_PAYMENT.COMPLETED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"];
    expect(typesOf(delivered)).toEqual([...funding, "TEST", ...funding]);
    expect(delivered.at(-1)?.data.balance.amount).toBe(100_003);
    expect(gone.deliveries).toHaveLength(1);
  });

  it("of other platforms are delivered when one endpoint accepts nothing", async () => {
    const [slow, fast] = [await openStory(server), await openStory(server)];
    const stuck = await listenTo(slow, () => 500);
    const receiver = await listenTo(fast);
    const [left, right] = [await fundedCustomer(slow), await fundedCustomer(fast)];
    await Promise.all([pay(slow, left), pay(fast, right)]);
    expect(typesOf(await receiver.events()).at(-1)).toBe("OUTGOING_PAYMENT.COMPLETED");
    expect(stuck.deliveries.length).toBeGreaterThan(0);
  });
});
