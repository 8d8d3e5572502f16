/** Connections: how they are set up, tried, activated, paused and archived, and what is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  CALLBACK_SECRET,
  openConnector,
  SIGNING_SECRET,
  type TestConnector,
  USD_CAPABILITIES,
} from "../../kit/rail-connector.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  httpConnection,
  manualConnection,
  payerOf,
  routeTo,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
let story: Story;
beforeAll(async () => {
  connector = await openConnector();
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  connector.environment = "PRODUCTION";
  connector.capabilities = USD_CAPABILITIES;
  connector.reply = () => undefined;
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const create = (body: unknown) => story.call("POST", "/rails/connections", body);
const act = (id: string, word: string, body?: unknown) =>
  story.call("POST", `/rails/connections/${id}/${word}`, body);
const errorsIn = ({ json }: RawAnswer) =>
  json.details.errors.map(({ field }: { readonly field: string }) => field);

describe("a new connection", () => {
  it("is in SETUP, and shows of its secrets when they were set and their fingerprints", async () => {
    const made = await create(httpConnection(connector));
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ kind: "HTTP", status: "SETUP", capabilities: [] });
    expect(Object.keys(made.json.secrets)).toEqual(["signingSecret", "callbackSecret"]);
    expect(made.json.secrets.signingSecret.fingerprint).toMatch(/^[0-9a-f]{8}$/);
    const { json } = await story.call("GET", `/rails/connections/${made.json.id}`);
    expect(json.health).toEqual({
      held: 0,
      waitingMarks: 0,
      queued: 0,
      sending: 0,
      unknown: 0,
      awaited: 0,
      conflicts: 0,
      openItems: 0,
      suspense: { count: 0, minor: 0, balances: [] },
      unknownPayments: { count: 0, latest: [] },
    });
  });

  it("shows its secrets nowhere: no answer, list, event, log of calls or row", async () => {
    const body = httpConnection(connector);
    const made = await create(body);
    await act(made.json.id, "activate");
    await server.app.requestLog?.flush();
    const shown = [
      made.text,
      (await story.call("GET", "/rails/connections")).text,
      (await story.call("GET", "/request-logs?limit=100")).text,
      (await story.call("GET", "/events?limit=100")).text,
    ];
    const { rows } = await server.app.store.database.withClient((client) =>
      client.query("select row_to_json(c)::text as text from rail_connections c"),
    );
    for (const text of [...shown, ...rows.map((row) => (row as { text: string }).text)]) {
      expect(text).not.toContain(SIGNING_SECRET);
      expect(text).not.toContain(CALLBACK_SECRET);
    }
  });

  it("of a kind that this version does not have is refused with those that it has", async () => {
    const refused = await create({ ...manualConnection(), kind: "BANK_FILES" });
    expect(refused.status).toBe(400);
    expect(refused.json.details.errors[0]).toMatchObject({ field: "kind" });
    expect(refused.text).toMatch(/HTTP.*MANUAL/);
  });

  it("names every setting and secret that its kind does not have", async () => {
    const manual = manualConnection();
    const refused = await create({
      ...manual,
      settings: { ...manual.settings, baseUrl: connector.baseUrl, concurrency: 3 },
      secrets: { signingSecret: SIGNING_SECRET },
    });
    expect(refused.status).toBe(400);
    expect(errorsIn(refused)).toEqual([
      "settings.baseUrl",
      "settings.concurrency",
      "secrets.signingSecret",
    ]);
  });

  it.each([
    ["an unlisted private address", "http://10.0.0.7:9999/"],
    ["this machine", "http://127.0.0.1:1/"],
    ["cloud metadata", "http://169.254.169.254/"],
    ["plain http outside", "http://bank.example/"],
    ["a private name", "https://bank.internal/"],
  ])("does not take %s for its connector", async (_what, baseUrl) => {
    const body = httpConnection({ baseUrl });
    const refused = await create(body);
    expect([refused.status, errorsIn(refused)]).toEqual([400, ["settings.baseUrl"]]);
  });

  it("takes no short secret, no unknown currency, and no name twice", async () => {
    const body = httpConnection(connector);
    const short = await create({ ...body, secrets: { signingSecret: "short" } });
    expect(errorsIn(short)).toEqual(["secrets.signingSecret"]);
    expect(errorsIn(await create({ ...body, currencies: ["XXY"] }))).toEqual(["currencies[0]"]);
    await create(body);
    const twice = await create(body);
    expect([twice.status, twice.json.details]).toEqual([409, { field: "name" }]);
  });

  it.each([
    ["iban", "DE89370400440532013000", "DE88370400440532013000"],
    ["iban", "GB82WEST12345698765432", "GB82WEST1234569876543"],
    ["iban", "NO9386011117947", "US9386011117947"],
    ["routingNumber", "021000021", "021000022"],
    ["routingNumber", "011401533", "000000000"],
  ])("has the %s %s, and not %s, of which payers would be told", async (field, good, bad) => {
    const accountOf = (number: string) => ({
      account: {
        holderName: "Acme",
        accountNumber: "8",
        routingNumber: "021000021",
        [field]: number,
      },
    });
    const refusal = [400, [`account.${field}`]];
    for (const body of [manualConnection(), httpConnection(connector)]) {
      const refused = await create({ ...body, ...accountOf(bad) });
      expect([refused.status, errorsIn(refused)]).toEqual(refusal);
      const made = await create({ ...body, ...accountOf(good) });
      const path = `/rails/connections/${made.json.id}`;
      const changed = await story.call("PATCH", path, { account: { [field]: bad } });
      expect([changed.status, errorsIn(changed)]).toEqual(refusal);
      expect((await story.call("PATCH", path, { account: { [field]: null } })).status).toBe(200);
    }
  });

  it("of another platform is unknown", async () => {
    const { id } = (await create(manualConnection())).json;
    const other = await openStory(server, { environment: "PRODUCTION" });
    for (const [method, tail] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/activate"],
      ["POST", "/test"],
    ] as const) {
      const answer = await other.call(method, `/rails/connections/${id}${tail}`);
      expect([tail, answer.status]).toEqual([tail, 404]);
    }
    expect((await other.call("GET", "/rails/connections")).json.totalCount).toBe(0);
  });
});

describe("activate", () => {
  it("names everything that is missing at once", async () => {
    const { id } = (await create({ name: "bare", kind: "HTTP", currencies: ["USD"] })).json;
    const refused = await act(id, "activate");
    expect([refused.status, refused.json.details.missing]).toEqual([
      409,
      [
        "account.holderName",
        "account.label",
        "settings.baseUrl",
        "secrets.signingSecret",
        "secrets.callbackSecret",
        "capabilities",
      ],
    ]);
  });

  it("reads what the connector carries, in the connection's currencies alone", async () => {
    connector.capabilities = [
      ...connector.capabilities,
      {
        direction: "OUT",
        currency: "EUR",
        accountTypes: ["EUR_ACCOUNT"],
        paymentRails: ["SEPA"],
      },
    ];
    const id = await activeConnection(story, httpConnection(connector));
    const { json } = await story.call("GET", `/rails/connections/${id}`);
    expect(json.status).toBe("ACTIVE");
    expect(json.capabilities.map(({ currency }: { currency: string }) => currency)).toEqual([
      "USD",
      "USD",
    ]);
  });

  it("takes what it knows of a connector's description, and shows what it left out", async () => {
    const [out] = USD_CAPABILITIES;
    connector.capabilities = [
      out,
      { ...out, direction: "BACK" },
      { ...out, direction: "SIDEWAYS" },
      { ...out, accountTypes: ["MARS_ACCOUNT"] },
      { ...out, maxAmount: "1".repeat(30) },
    ];
    const { id } = (await create(httpConnection(connector))).json;
    const tried = (await act(id, "test")).json.checks[1];
    const left = [
      'capabilities[2].direction: "SIDEWAYS" is none of OUT, PULL, BACK',
      'capabilities[3].accountTypes[0]: "MARS_ACCOUNT" is unknown',
      "capabilities[4].maxAmount: is above 9000000000000000, the greatest amount",
    ];
    expect([tried.ok, tried.message]).toEqual([true, expect.stringContaining(left.join("; "))]);
    const active = await act(id, "activate");
    expect([active.status, active.json.missing]).toEqual([200, left]);
    const directions = active.json.capabilities.map(
      (each: { direction: string }) => each.direction,
    );
    expect(directions).toEqual(["OUT", "BACK", "OUT"]);
    const path = `/rails/connections/${id}`;
    expect((await story.call("GET", path)).json.missing).toEqual(left);
    connector.capabilities = USD_CAPABILITIES;
    const sound = await activeConnection(story, httpConnection(connector));
    expect((await story.call("GET", `/rails/connections/${sound}`)).json).not.toHaveProperty(
      "missing",
    );
  });

  it.each([
    ["answers nothing", "reset" as const, /closed the connection/],
    ["answers an error", { status: 502, body: "<html>" }, /answered 502/],
    ["does not sign", { status: 200, body: {}, signature: "none" as const }, /no valid/],
    [
      "is of the sandbox",
      { status: 200, body: { protocol: 1, environment: "SANDBOX" } },
      /PRODUCTION/,
    ],
    [
      "carries nothing",
      { status: 200, body: { protocol: 1, environment: "PRODUCTION" } },
      /list of at least one/,
    ],
  ])("says why the connector that %s was not read", async (_what, reply, reason) => {
    connector.reply = () => reply;
    const { id } = (await create(httpConnection(connector))).json;
    const refused = await act(id, "activate");
    expect([refused.status, refused.json.details.missing]).toEqual([409, ["capabilities"]]);
    expect(refused.json.details.reason).toMatch(reason);
  });

  it("works once", async () => {
    const id = await activeConnection(story, manualConnection());
    const again = await act(id, "activate");
    expect([again.status, again.json.details]).toEqual([409, { status: "ACTIVE" }]);
  });
});

describe("test", () => {
  it("tries a connector and changes nothing", async () => {
    const { id } = (await create(httpConnection(connector))).json;
    const { json } = await act(id, "test");
    expect(json.checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual([
      ["settings", true],
      ["describe", true],
      ["wrong signature", true],
      ["unknown payment", true],
    ]);
    expect(json.ok).toBe(true);
    expect((await story.call("GET", `/rails/connections/${id}`)).json.status).toBe("SETUP");
  });

  it("says what does not work", async () => {
    connector.reply = ({ path }) =>
      path.startsWith("/payments") ? { status: 404, body: {} } : undefined;
    const { id } = (await create(httpConnection(connector))).json;
    const { json } = await act(id, "test");
    expect([json.ok, json.checks[3]]).toMatchObject([
      false,
      { name: "unknown payment", ok: false },
    ]);
    const bare = (await create({ name: "bare", kind: "MANUAL", currencies: ["USD"] })).json;
    expect((await act(bare.id, "test")).json).toMatchObject({
      ok: false,
      checks: [{ name: "settings", ok: false }],
    });
  });
});

describe("a change", () => {
  it("keeps what it does not name, takes away what is null, and replaces a secret", async () => {
    const made = (await create(httpConnection(connector))).json;
    const path = `/rails/connections/${made.id}`;
    const changed = await story.call("PATCH", path, {
      account: { label: null, otherId: "4711" },
      settings: { timeoutMs: 5_000 },
      secrets: {
        signingSecret: "another signing secret of 32 bytes",
        previousSigningSecret: SIGNING_SECRET,
      },
    });
    expect(changed.json).toMatchObject({
      account: { holderName: "Acme Payments", otherId: "4711" },
      settings: { baseUrl: connector.baseUrl, timeoutMs: 5_000 },
    });
    expect(changed.json.account).not.toHaveProperty("label");
    const { secrets } = changed.json;
    expect(secrets.previousSigningSecret.fingerprint).toBe(made.secrets.signingSecret.fingerprint);
    expect(secrets.signingSecret.fingerprint).not.toBe(made.secrets.signingSecret.fingerprint);
    const without = await story.call("PATCH", path, { secrets: { previousSigningSecret: null } });
    expect(Object.keys(without.json.secrets)).toEqual(["callbackSecret", "signingSecret"]);
  });

  it("adds currencies to an active connection, whose connector is asked what it carries in them", async () => {
    const euros = {
      direction: "OUT",
      currency: "EUR",
      accountTypes: ["EUR_ACCOUNT"],
      paymentRails: ["SEPA"],
    };
    connector.capabilities = [...USD_CAPABILITIES, euros];
    const ids = [
      await activeConnection(story, httpConnection(connector)),
      await activeConnection(story, manualConnection()),
    ];
    for (const id of ids) {
      const path = `/rails/connections/${id}`;
      const changed = await story.call("PATCH", path, { currencies: ["EUR", "USD"] });
      expect([changed.status, changed.json.currencies]).toEqual([200, ["EUR", "USD"]]);
      await story.settle();
      const carried = async () =>
        (await story.call("GET", path)).json.capabilities.map(
          (each: { currency: string }) => each.currency,
        );
      await expect.poll(carried).toContain("EUR");
    }
  });

  it("is refused when it is empty, foreign, or takes a currency of an active connection away", async () => {
    const id = await activeConnection(story, manualConnection());
    const path = `/rails/connections/${id}`;
    expect((await story.call("PATCH", path, {})).status).toBe(400);
    const foreign = await story.call("PATCH", path, { settings: { baseUrl: connector.baseUrl } });
    expect(errorsIn(foreign)).toEqual(["settings.baseUrl"]);
    const currency = await story.call("PATCH", path, { currencies: ["EUR"] });
    expect(errorsIn(currency)).toEqual(["currencies"]);
  });
});

describe("archive", () => {
  it("is refused with what is in the way, and destroys the secrets", async () => {
    const id = await activeConnection(story, httpConnection(connector));
    const routeId = await routeTo(story, id);
    const path = `/rails/connections/${id}`;
    const blocked = await story.call("DELETE", path);
    expect([blocked.status, blocked.json.details]).toEqual([409, { blockers: { routes: 1 } }]);
    await story.call("DELETE", `/rails/routes/${routeId}`);
    expect((await story.call("DELETE", path)).status).toBe(204);
    const { json } = await story.call("GET", path);
    expect([json.status, json.secrets]).toEqual(["ARCHIVED", {}]);
    expect((await act(id, "resume")).json.details).toEqual({ status: "ARCHIVED" });
    expect((await story.call("PATCH", path, { name: "new" })).status).toBe(409);
    expect((await story.call("DELETE", path)).status).toBe(409);
  });

  it("waits for payments that are not over", async () => {
    const payer = await payerOf(story, 1_000);
    const id = await activeConnection(story, manualConnection());
    const routeId = await routeTo(story, id);
    const paid = await payer.pay(100);
    await story.call("DELETE", `/rails/routes/${routeId}`);
    const path = `/rails/connections/${id}`;
    const blocked = await story.call("DELETE", path);
    expect(blocked.json.details).toEqual({ blockers: { payments: 1 } });
    const { json } = await story.call("GET", `/rails/payments?transactionId=${paid.json.id}`);
    await story.call("POST", `/rails/payments/${json.data[0].id}/mark`, { outcome: "SETTLED" });
    expect((await story.call("DELETE", path)).status).toBe(204);
  });
});

it("lists connections by kind, status and currency", async () => {
  const manual = (await create({ ...manualConnection(), currencies: ["USD", "EUR"] })).json.id;
  const http = await activeConnection(story, httpConnection(connector));
  const ids = async (query: string) => {
    const { json } = await story.call("GET", `/rails/connections?${query}`);
    return json.data.map(({ id }: { readonly id: string }) => id);
  };
  expect(await ids("")).toEqual([http, manual]);
  expect(await ids("kind=MANUAL")).toEqual([manual]);
  expect(await ids("status=ACTIVE")).toEqual([http]);
  expect(await ids("currency=EUR")).toEqual([manual]);
});
