/** Charges of orders that a connector names, and the ceilings up to which own funds pay them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnector, signedCallback, type TestConnector } from "../../kit/rail-connector.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  expectStatus,
  httpConnection,
  manualConnection,
  payerOf,
  paymentOf,
  routeTo,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
let story: Story;
beforeAll(async () => {
  connector = await openConnector();
  connector.environment = "SANDBOX";
  connector.report = () => ({ status: "accepted", askAgainSeconds: 86_400 });
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  story = await openStory(server);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const changed = (id: string, settings: object) =>
  story.call("PATCH", `/rails/connections/${id}`, { settings });

async function tell(connectionId: string, entry: object): Promise<number> {
  const path = `/rails/callbacks/${connectionId.replace("RailConnection:", "")}`;
  const { text, headers } = signedCallback(`/2025-10-13${path}`, undefined, { entry });
  return (await story.call("POST", path, text, { authorization: null, headers })).status;
}

let charges = 0;
const charge = (feeOf: unknown, amount: string) => ({
  id: `C-${++charges}`,
  currency: "USD",
  amount,
  direction: "DEBIT",
  bookedAt: "2026-11-24",
  feeOf,
});

describe("a charge that the connector names", () => {
  it("is paid by own funds up to the ceiling, and is an item above it", async () => {
    const payer = await payerOf(story, 50_000);
    const connectionId = await activeConnection(story, httpConnection(connector));
    await routeTo(story, connectionId);
    const { id } = expectStatus(201, await payer.pay(20_000)).json;
    await story.settle();
    const order = await paymentOf(story, id);
    const uuid = String(order.id).replace("RailPayment:", "");
    const small = charge(uuid, "200");
    expect(await tell(connectionId, small)).toBe(204);
    expect(await tell(connectionId, small)).toBe(204);
    expect(await tell(connectionId, charge(uuid, "201"))).toBe(204);
    expect(await tell(connectionId, charge(5, "7"))).toBe(204);
    expectStatus(200, await changed(connectionId, { feeCeilingMinor: { USD: 300 } }));
    expect(await tell(connectionId, charge(uuid, "300"))).toBe(204);

    const read = async (path: string) => (await story.call("GET", path)).json.data;
    const entries = await read(`/rails/entries?connectionId=${connectionId}`);
    const told = entries.map((entry: { bookedAs: string; amount: { amount: number } }) => [
      entry.bookedAs,
      entry.amount.amount,
    ]);
    expect(told.toReversed()).toEqual([
      ["FEE", 200],
      ["SUSPENSE", 201],
      ["SUSPENSE", 7],
      ["FEE", 300],
    ]);
    expect(entries[0].feeOf).toBe(order.id);
    const items = await read(`/rails/items?connectionId=${connectionId}`);
    expect(items.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual([
      "FEE_ABOVE_CEILING",
      "UNREFERENCED",
    ]);
    const accounts = await read(`/ledger/accounts?connectionId=${connectionId}&limit=100`);
    const own = accounts.filter(({ kind }: { kind: string }) => kind === "own-funds");
    expect(own.map(({ balance }: { balance: object }) => balance)).toEqual([
      { amount: "-500", currency: "USD" },
    ]);
    expect((await paymentOf(story, id)).state).toBe(order.state);

    const found = async (edit: string) => (await foundAfter({ server, story }, edit)).join("\n");
    const fees = `where booked_as = 'FEE' and platform_id = '${story.platformId}'`;
    expect(await found("select 1")).toBe("");
    expect(await found(`update rail_entries set fee_of = id ${fees}`)).toMatch(
      /it is booked as FEE, by 0 orders.* and 0 charges/,
    );
    expect(await found(`update rail_entries set amount_minor = amount_minor + 1 ${fees}`)).toMatch(
      /own-funds of connection /,
    );
  });
});

describe("the ceilings of a connection", () => {
  it.each<readonly [what: string, settings: object]>([
    ["a share above the whole", { feeCeilingBps: 10_001 }],
    ["a share below 0", { feeCeilingBps: -1 }],
    ["a share that is a text", { feeCeilingBps: "100" }],
    ["a fraction", { feeCeilingMinor: { USD: 1.5 } }],
    ["an amount below 0", { feeCeilingMinor: { USD: -1 } }],
    ["an unknown currency", { feeCeilingMinor: { QQQ: 1 } }],
    ["a member of all objects", { feeCeilingMinor: JSON.parse('{"__proto__": 1}') }],
    ["a list", { feeCeilingMinor: ["USD"] }],
  ])("are refused with %s", async (_what, settings) => {
    const body = httpConnection(connector);
    const made = { ...body, settings: { ...body.settings, ...settings } };
    expectStatus(400, await story.call("POST", "/rails/connections", made));
  });

  it("are shown, taken away with null, and none of a desk", async () => {
    const id = await activeConnection(story, httpConnection(connector));
    const set = { feeCeilingBps: 50, feeCeilingMinor: { MSAT: 20_000, USD: 0 } };
    expect((await changed(id, set)).json.settings).toMatchObject(set);
    const without = await changed(id, { feeCeilingBps: null, feeCeilingMinor: null });
    expect(Object.keys(without.json.settings).toSorted()).toEqual(["baseUrl", "timeoutMs"]);
    const desk = await activeConnection(story, manualConnection());
    expectStatus(400, await changed(desk, { feeCeilingBps: 5 }));
  });
});
