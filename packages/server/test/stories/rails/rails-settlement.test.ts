/** The layers on which a connector settles invoices: kept and shown as it describes them, and the routes that lead to them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RailRouting } from "../../../src/domain/rails/routes/routing.ts";
import { settlementAssets } from "../../../src/domain/rails/routes/settlement-assets.ts";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  expectStatus,
  httpConnection,
  manualConnection,
  payerOf,
  routeTo,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const MSAT = { identifier: "BTC", currency: "MSAT", decimals: 0 };
const LN = {
  layer: "ln",
  send: true,
  receive: true,
  assets: [{ ...MSAT, minAmount: 1_000 }],
  invoiceSeconds: { min: 60, max: 3_600 },
  exactAmounts: true,
  partialPayments: false,
};

let server: TestServer;
let connector: TestConnector;
let story: Story;
beforeAll(async () => {
  connector = await openConnector();
  connector.environment = "SANDBOX";
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  connector.features = { invoices: true };
  connector.settlement = [LN];
  story = await openStory(server);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const settling = () => ({ ...httpConnection(connector), currencies: ["USD", "MSAT"] });
const read = async (id: string) => (await story.call("GET", `/rails/connections/${id}`)).json;
const addRoute = (body: object) =>
  story.call("POST", "/rails/routes", { name: "invoices", currency: "MSAT", ...body });
const assets = async (direction: "INVOICE" | "OUT") => {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query<RailRouting>("select routes, connections from rail_routings where id = $1", [
      story.platformId,
    ]),
  );
  return settlementAssets(rows[0], direction).map(({ layer, identifier, minMinor }) => [
    layer,
    identifier,
    minMinor,
  ]);
};

describe("the layers of a connector", () => {
  it("are shown as it tells them", async () => {
    const id = await activeConnection(story, settling());
    const { settlement, features, missing } = await read(id);
    expect(settlement).toEqual([LN]);
    expect(features.invoices).toBe(true);
    expect(missing).toBeUndefined();
  });

  it("are left out in other currencies, which a currency that is added brings in", async () => {
    const id = await activeConnection(story, httpConnection(connector));
    expect(await read(id)).not.toHaveProperty("settlement");
    expect((await read(id)).missing).toEqual([
      "settlement.ln.BTC.currency: MSAT is no currency of the connection, which has USD",
    ]);
    const path = `/rails/connections/${id}`;
    expectStatus(200, await story.call("PATCH", path, { currencies: ["USD", "MSAT"] }));
    await story.settle();
    expect((await read(id)).settlement).toEqual([LN]);
    expect(await read(id)).not.toHaveProperty("missing");
  });

  it("follow the connector's description day by day, and so does what routes lead to", async () => {
    const id = await activeConnection(story, settling());
    expectStatus(201, await addRoute({ direction: "INVOICE", connectionId: id }));
    expect(await assets("INVOICE")).toEqual([["ln", "BTC", 1_000n]]);
    expect(await assets("OUT")).toEqual([]);
    const out = { direction: "OUT", accountTypes: ["UMA_ADDRESS"], minAmount: 5_000 };
    expectStatus(201, await addRoute({ ...out, connectionId: id }));
    expect(await assets("OUT")).toEqual([["ln", "BTC", 5_000n]]);

    connector.settlement = [{ ...LN, receive: false }];
    expectStatus(200, await story.call("POST", "/sandbox/clock/advance", { seconds: 86_400 }));
    await story.settle();
    expect((await read(id)).settlement).toEqual([{ ...LN, receive: false }]);
    expect(await assets("INVOICE")).toEqual([]);
    expect(await assets("OUT")).toEqual([["ln", "BTC", 5_000n]]);
  });

  it("are enough for a connector that carries nothing else", async () => {
    const { capabilities } = connector;
    connector.capabilities = [];
    const id = await activeConnection(story, settling());
    expect(await read(id)).toMatchObject({ status: "ACTIVE", capabilities: [], settlement: [LN] });
    connector.capabilities = capabilities;
  });
});

describe("routes of invoices", () => {
  it.each<readonly [what: string, body: object, field: string]>([
    ["account types", { direction: "INVOICE", accountTypes: ["USD_ACCOUNT"] }, "accountTypes"],
    ["rails", { direction: "INVOICE", paymentRails: ["ACH"] }, "paymentRails"],
    ["a fallback", { direction: "INVOICE", fallbackAfterSeconds: 60 }, "fallbackAfterSeconds"],
    [
      "collections from addresses",
      { direction: "PULL", accountTypes: ["UMA_ADDRESS"] },
      "accountTypes",
    ],
    ["a currency that it lacks", { direction: "INVOICE", currency: "EUR" }, "currency"],
  ])("are refused with %s", async (_what, body, field) => {
    const connectionId = await activeConnection(story, settling());
    const { json } = expectStatus(400, await addRoute({ ...body, connectionId }));
    expect(json.details.field ?? json.details.errors[0].field).toBe(field);
    expect((await story.call("GET", "/rails/routes")).json.data).toEqual([]);
  });

  it("are refused to a desk, and UMA_ADDRESS is no type of an account or a capability", async () => {
    const desk = { ...manualConnection(), currencies: ["MSAT"] };
    const connectionId = await activeConnection(story, desk);
    const answer = expectStatus(400, await addRoute({ direction: "INVOICE", connectionId }));
    expect(answer.json.details.field ?? answer.json.details.errors[0].field).toBe("connectionId");
    const settings = { ...desk.settings, accountTypes: ["UMA_ADDRESS"] };
    const more = { ...desk, name: "other", settings };
    expectStatus(400, await story.call("POST", "/rails/connections", more));
  });

  it("carry no payment to an account, and those of every type carry none to an address", async () => {
    const connectionId = await activeConnection(story, httpConnection(connector));
    const out = { accountTypes: ["UMA_ADDRESS"], paymentRails: null };
    await routeTo(story, connectionId, out);
    const resolved = await story.call("POST", "/rails/routes/resolve", {
      direction: "OUT",
      currency: "USD",
      accountType: "USD_ACCOUNT",
      amount: 100,
    });
    expect(resolved.json.candidates).toMatchObject([{ taken: false, reason: "OTHER_CRITERIA" }]);
    const payer = await payerOf(story, 0);
    expect((await payer.pay(100)).status).toBeGreaterThanOrEqual(400);
  });
});

describe("the dry run of routes of invoices", () => {
  const resolve = (body: object) =>
    story.call("POST", "/rails/routes/resolve", { currency: "MSAT", amount: 5_000, ...body });

  it("says which route makes an invoice, and which one pays it", async () => {
    const connectionId = await activeConnection(story, settling());
    const makes = expectStatus(201, await addRoute({ direction: "INVOICE", connectionId })).json.id;
    const out = { direction: "OUT", accountTypes: ["UMA_ADDRESS"], connectionId };
    const pays = expectStatus(201, await addRoute(out)).json.id;
    const taken = (routeId: string) => ({
      paymentRail: "UMA",
      candidates: [{ routeId, connectionId, taken: true, reason: "TAKEN" }],
    });
    expect((await resolve({ direction: "INVOICE" })).json).toEqual(taken(makes));
    const address = { direction: "OUT", accountType: "UMA_ADDRESS" };
    expect((await resolve(address)).json).toEqual(taken(pays));
    const small = await resolve({ ...address, amount: 999 });
    expect(small.json.candidates).toMatchObject([{ taken: false, reason: "AMOUNT" }]);

    const path = `/rails/connections/${connectionId}/pause`;
    expectStatus(200, await story.call("POST", path, { newPayments: "QUEUE" }));
    const refused = await resolve({ direction: "INVOICE" });
    expect(refused.json.candidates).toMatchObject([{ reason: "CONNECTION_PAUSED" }]);
    expect((await resolve(address)).json).toEqual(taken(pays));
  });

  it.each<readonly [what: string, body: object, field: string]>([
    [
      "an account for an invoice",
      { direction: "INVOICE", accountType: "USD_ACCOUNT" },
      "accountType",
    ],
    ["a rail for an invoice", { direction: "INVOICE", paymentRail: "ACH" }, "paymentRail"],
    [
      "a rail for an address",
      { direction: "OUT", accountType: "UMA_ADDRESS", paymentRail: "ACH" },
      "paymentRail",
    ],
    [
      "a collection from an address",
      { direction: "PULL", accountType: "UMA_ADDRESS" },
      "accountType",
    ],
    ["no account", { direction: "OUT" }, "accountType"],
  ])("refuses %s", async (_what, body, field) => {
    const { json } = expectStatus(400, await resolve(body));
    expect(json.details.field ?? json.details.errors[0].field).toBe(field);
  });

  it("goes with the test of a connection, with what was left out", async () => {
    connector.settlement = [LN, { ...LN, layer: "LN" }];
    const id = await activeConnection(story, settling());
    const { json } = await story.call("POST", `/rails/connections/${id}/test`);
    const describes = json.checks.find(({ name }: { name: string }) => name === "describe");
    expect(describes.ok).toBe(true);
    expect(describes.message).toMatch(
      /It settles invoices on ln\. Left out: settlement\[1\]\.layer/,
    );
  });
});
