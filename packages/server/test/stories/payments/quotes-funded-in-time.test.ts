/** When money for a quote is in time: by the second at which the bank booked it, or by the day, and until the grace has ended. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { fundedDesk, tellEntry } from "../../kit/story-funding.ts";
import { euroAccount } from "../../kit/story-quotes.ts";
import { euroDesk, expectStatus, fixedEuroRate, httpConnection } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const START = Date.UTC(2026, 10, 24, 9);
const MINUTE_MS = 60_000;
const [WINDOW_MINUTES, GRACE_MINUTES] = [10, 5];

let clock: ManualClock;
let server: TestServer;
let connector: TestConnector;
let story: Story;
let bank: string;
let to: string;
let entries = 0;
beforeAll(async () => {
  clock = createManualClock(START);
  connector = await openConnector();
  server = await startTestServer({
    clock,
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  to = await euroAccount(story);
  await euroDesk(story);
  await fixedEuroRate(story);
  const { account: _, ...body } = httpConnection(connector);
  const times = { windowMinutes: WINDOW_MINUTES, graceMinutes: GRACE_MINUTES };
  bank = await fundedDesk(story, { ...body, funding: times });
});
afterEach(async () => {
  await story.settle();
  expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
});
afterAll(async () => {
  const closed = server.close();
  await clock.advance(1_000);
  await closed;
  await connector.close();
});

interface Quoted {
  readonly id: string;
  readonly reference: string;
  readonly expiresAt: number;
}

async function quoted(): Promise<Quoted> {
  const made = await story.call("POST", "/quotes", {
    source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    destination: { destinationType: "ACCOUNT", accountId: to },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 1_000,
  });
  const { id, expiresAt, paymentInstructions } = expectStatus(201, made).json;
  const { reference } = paymentInstructions[0].accountOrWalletInfo;
  expect(Date.parse(expiresAt)).toBe(clock.now() + WINDOW_MINUTES * MINUTE_MS);
  return { id, reference, expiresAt: Date.parse(expiresAt) };
}

/** The entry of the exact amount, as the bank booked it; and what became of it. */
async function pay({ reference }: Quoted, bookedAt: string): Promise<RawAnswer["json"]> {
  const id = `T-${++entries}`;
  const entry = { id, currency: "USD", amount: "1000", direction: "CREDIT", bookedAt };
  const told = { ...entry, remittance: reference };
  expectStatus(204, await tellEntry(story, bank, told, clock.now()));
  const { json } = await story.call("GET", `/rails/items?connectionId=${bank}&limit=1`);
  const { json: list } = await story.call("GET", `/rails/entries?connectionId=${bank}&limit=1`);
  return { bookedAs: list.data[0].bookedAs, reason: json.data[0]?.reason };
}

const statusOf = async ({ id }: Quoted) => (await story.call("GET", `/quotes/${id}`)).json.status;
const at = (ms: number) => new Date(ms).toISOString();

it.each([
  [-1_000, "FUNDING", "PROCESSING"],
  [0, "FUNDING", "PROCESSING"],
  [1_000, "SUSPENSE", "PENDING"],
])("booked %i ms after the end and told in the grace: %s", async (offset, bookedAs, status) => {
  const quote = await quoted();
  await clock.advance((WINDOW_MINUTES + 1) * MINUTE_MS);
  await story.settle();
  expect(await statusOf(quote)).toBe("PENDING");
  const taken = await pay(quote, at(quote.expiresAt + offset));
  expect(taken.bookedAs).toBe(bookedAs);
  if (bookedAs === "SUSPENSE") expect(taken.reason).toBe("LATE");
  expect(await statusOf(quote)).toBe(status);
});

it.each([
  [0, "FUNDING"],
  [1, "SUSPENSE"],
])("with only a day, %i days after that of the end: %s", async (days, bookedAs) => {
  const quote = await quoted();
  const day = at(quote.expiresAt + days * 86_400_000).slice(0, 10);
  expect((await pay(quote, day)).bookedAs).toBe(bookedAs);
});

it("is EXPIRED at the end of the grace, and takes nothing any more, in time or not", async () => {
  const quote = await quoted();
  const graceEnds = quote.expiresAt + GRACE_MINUTES * MINUTE_MS;
  await clock.advance(graceEnds - 1_000 - clock.now());
  await story.settle();
  expect(await statusOf(quote)).toBe("PENDING");
  await clock.advance(1_000);
  await story.settle();
  expect(await statusOf(quote)).toBe("EXPIRED");
  const taken = await pay(quote, at(quote.expiresAt - 1_000));
  expect(taken).toEqual({ bookedAs: "SUSPENSE", reason: "LATE" });
});
