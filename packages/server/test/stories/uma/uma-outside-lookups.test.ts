/** Receivers at other institutions, as a production platform looks them up over loopback. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { createStoppableClock } from "../../kit/stoppable-clock.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { activeConnection, expectStatus, httpConnection, routeTo } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { openPayee, type UmaPayee } from "../../kit/uma-payee.ts";
import { startUmaProxy, type UmaProxy } from "../../kit/uma-proxy.ts";

const OWN = ["bank.test", "wallet.test", "silent.test", "lab.test", "sandbox.test"];
/** Each host is a domain of its own for keys that are kept, and for limits. */
const PAYEES = ["vasp.test", "hostile.test", "away.test", "busy.test"];
const BOB = "$bob@vasp.test";

const clock = createStoppableClock();
let proxy: UmaProxy;
let payee: UmaPayee;
let connector: TestConnector;
let server: TestServer;
let bank: Story;
let silent: Story;

beforeAll(async () => {
  proxy = await startUmaProxy();
  payee = await openPayee("vasp.test", () => server.app.address.port);
  connector = await openConnector();
  connector.features = { invoices: true };
  connector.settlement = [
    {
      layer: "ln",
      send: true,
      receive: true,
      assets: [{ identifier: "BTC", currency: "MSAT", decimals: 0 }],
      invoiceSeconds: { min: 60, max: 3_600 },
      exactAmounts: true,
      partialPayments: false,
    },
  ];
  const listed = [
    ...OWN.map((domain) => `${domain}=http://127.0.0.1:${proxy.port}`),
    ...PAYEES.map((domain) => `${domain}=http://127.0.0.1:${payee.port}`),
  ];
  server = await startTestServer({
    clock,
    settings: {
      UMA_HOSTS: listed.join(","),
      RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}`,
    },
  });
  proxy.upstream = server.app.address.port;
  [bank, silent] = await Promise.all([
    served("bank.test"),
    openStory(server, { environment: "PRODUCTION", umaDomain: "silent.test", isRegulated: true }),
  ]);
  await settleOverLightning(bank);
});
afterAll(async () => {
  await server.close();
  await Promise.all([proxy.close(), payee.close(), connector.close()]);
});
beforeEach(() => {
  payee.asked.length = 0;
});
afterEach(() => {
  Object.assign(payee, { lookup: undefined, keys: undefined, edit: undefined });
  payee.settlementOptions = undefined;
});

/** A regulated platform vouches for its customers, so they can be paid at once. */
async function served(umaDomain: string): Promise<Story> {
  const wish = { environment: "PRODUCTION", umaDomain, isRegulated: true } as const;
  const story = await openStory(server, wish);
  const [{ id }] = (await story.call("GET", "/uma/domains")).json.data;
  const checked = expectStatus(200, await story.call("POST", `/uma/domains/${id}/check`));
  expect(checked.json.status).toBe("ACTIVE");
  return story;
}

/** A connection that pays invoices over Lightning, and the price of a bitcoin in dollars. */
async function settleOverLightning(story: Story): Promise<void> {
  const id = await activeConnection(story, {
    ...httpConnection(connector),
    currencies: ["USD", "MSAT"],
  });
  await routeTo(story, id, { currency: "MSAT", accountTypes: ["UMA_ADDRESS"] });
  await bitcoinAt(story, "80000");
}

async function bitcoinAt(story: Story, rate: string): Promise<string> {
  const source = { name: "desk", kind: "FIXED", lockMinutes: 4_320 };
  const { id } = expectStatus(201, await story.call("POST", "/rates/sources", source)).json;
  const rates = [{ base: "BTC", quote: "USD", rate }];
  expectStatus(200, await story.call("PUT", `/rates/sources/${id}/rates`, { rates }));
  return id;
}

const look = (address: string, from = bank, query = "") =>
  from.call("GET", `/receiver/uma/${encodeURIComponent(address)}${query}`);

async function storedRows(): Promise<number> {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query("select count(*)::int as count from uma_lookups"),
  );
  return rows[0].count;
}

const text =
  (
    status: number,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): NonNullable<UmaPayee["lookup"]> =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

function refusedWith(answer: RawAnswer, status: number, code: string, details?: object) {
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  if (details !== undefined) expect(answer.json.details).toMatchObject(details);
}

describe("a receiver at an institution on the official SDK", () => {
  it("is looked up with a signature that the SDK verifies, and the SDK's is verified", async () => {
    const found = expectStatus(200, await look(BOB));
    expect(found.json).toEqual({
      receiverUmaAddress: BOB,
      lookupId: expect.stringMatching(/^Lookup:/),
      supportedCurrencies: [
        {
          currency: expect.objectContaining({ code: "EUR" }),
          // A cent of a dollar buys 12,500 millisatoshis, and one of a euro costs 10,000.5.
          estimatedExchangeRate: 1.249937503124,
          min: 1,
          max: 999_950,
        },
      ],
      requiredPayerDataFields: [
        { name: "FULL_NAME", mandatory: true },
        { name: "COUNTRY_OF_RESIDENCE", mandatory: false },
      ],
    });
    expect(payee.asked.at(-1)).toMatch(/^\/\.well-known\/lnurlp\/\$bob\?signature=3/);
    expect(payee.asked.at(-1)).toContain("vaspDomain=bank.test");
    expect(payee.asked.at(-1)).toContain("umaVersion=1.0");
  });

  it("is found in any spelling of the address, and each lookup has an id and a row of its own", async () => {
    const before = await storedRows();
    const [one, other] = [await look(BOB.toUpperCase()), await look(BOB)];
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.json.lookupId).not.toBe(other.json.lookupId);
    expect((await storedRows()) - before).toBe(2);
  });

  it("is recorded without its address, and the institution is known from then on", async () => {
    const { lookupId } = expectStatus(200, await look(BOB)).json;
    await server.app.umaNotes.settled();
    const { data } = (await bank.call("GET", "/uma/exchanges?limit=100")).json;
    expect(data.find((each: { lookupId?: string }) => each.lookupId === lookupId)).toMatchObject({
      direction: "OUT",
      kind: "LOOKUP",
      vaspDomain: "vasp.test",
      umaVersion: "1.0",
      outcome: "OK",
    });
    expect(JSON.stringify(data)).not.toContain("bob");
    const known = (await bank.call("GET", "/uma/counterparties?domain=vasp.test")).json.data;
    expect(known).toMatchObject([{ domain: "vasp.test", keyState: "OK", versions: ["1.0"] }]);
  });

  it("is asked for by the domain of the payer", async () => {
    const { customerId } = await fundedCustomer(bank, 0);
    expectStatus(200, await look(BOB, bank, `?customerId=${customerId}`));
    expect(payee.asked.at(-1)).toContain("vaspDomain=bank.test");
  });

  it.each([
    ["another tag", (answer: { tag: string }) => Object.assign(answer, { tag: "x" })],
    ["unknown members", (answer: object) => Object.assign(answer, { more: { __proto__x: [1] } })],
  ])("may send %s", async (_what, edit) => {
    payee.edit = edit;
    expectStatus(200, await look(BOB));
  });

  it("may settle on other layers, of which those in common count", async () => {
    payee.settlementOptions = [
      { settlementLayer: "spark", assets: [{ identifier: "token", multipliers: { EUR: 1 } }] },
      { settlementLayer: "ln", assets: [{ identifier: "BTC", multipliers: { EUR: 10_000.5 } }] },
    ];
    expectStatus(200, await look(BOB));
    payee.settlementOptions = payee.settlementOptions.slice(0, 1);
    refusedWith(await look(BOB), 501, "NOT_IMPLEMENTED", {
      missing: "SETTLEMENT",
      offered: [{ layer: "spark", assets: ["token"] }],
    });
  });
});

describe("a platform cannot look up outside", () => {
  it("at a domain that it has blocked, and asks nobody", async () => {
    const set = (status: string) => bank.call("PUT", "/uma/counterparties/vasp.test", { status });
    expectStatus(200, await set("BLOCKED"));
    refusedWith(await look(BOB), 403, "COUNTERPARTY_NOT_ALLOWED", { reason: "BLOCKED" });
    expect(payee.asked).toEqual([]);
    expectStatus(200, await set("DEFAULT"));
    expectStatus(200, await look(BOB));
  });

  it("before its domain is checked, and asks nobody", async () => {
    refusedWith(await look(BOB, silent), 409, "CONFLICT", {
      rule: "UMA_DOMAIN_NOT_ACTIVE",
      domain: "silent.test",
    });
    expect(payee.asked).toEqual([]);
  });

  it("once the certificates of its signing key have expired", async () => {
    const wallet = await served("wallet.test");
    expectStatus(200, await wallet.call("GET", "/uma/keys"));
    await server.database.asSuperuser((client) =>
      client.query(
        "update uma_keys set not_after = now(), source = 'AUTHORITY' where platform_id = $1 and use = 'SIGNING'",
        [wallet.platformId],
      ),
    );
    refusedWith(await look(BOB, wallet), 409, "CONFLICT", { rule: "UMA_KEY_EXPIRED" });
    expect(payee.asked).toEqual([]);
  });

  it("without a connection that settles, or without a rate", async () => {
    const wallet = await served("lab.test");
    refusedWith(await look(BOB, wallet), 501, "NOT_IMPLEMENTED", {
      missing: "SETTLEMENT",
      offered: [{ layer: "ln", assets: ["BTC"] }],
    });
    const id = await activeConnection(wallet, {
      ...httpConnection(connector),
      currencies: ["USD", "MSAT"],
    });
    await routeTo(wallet, id, { currency: "MSAT", accountTypes: ["UMA_ADDRESS"] });
    refusedWith(await look(BOB, wallet), 501, "NOT_IMPLEMENTED", { missing: "RATE" });
    await bitcoinAt(wallet, "80000");
    expectStatus(200, await look(BOB, wallet));
  });

  it("more than 50 times a second at one institution", async () => {
    payee.lookup = text(404, "{}");
    clock.stop();
    const lookups = Array.from({ length: 52 }, (_, count) => look(`$user${count}@busy.test`));
    const answers = await Promise.all(lookups);
    const elsewhere = await look("$bob@vasp.test");
    clock.go();
    const limited = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(50);
    expect(limited.map(({ headers, json }) => [headers.get("retry-after"), json.code])).toEqual([
      ["1", "RATE_LIMITED"],
      ["1", "RATE_LIMITED"],
    ]);
    expect(elsewhere.status).toBe(404);
  });
});

describe("who is in the deployment", () => {
  it("is found without a message when the platform is the own one, before and after the check", async () => {
    for (const story of [bank, silent]) {
      const made = expectStatus(
        201,
        await story.call("POST", "/customers", { customerType: "INDIVIDUAL" }),
      );
      const found = expectStatus(200, await look(made.json.umaAddress, story));
      expect(found.json.receiverUmaAddress).toBe(made.json.umaAddress);
      const { umaDomain } = (await story.call("GET", "/config")).json;
      refusedWith(await look(`$nobody@${umaDomain}`, story), 404, "UMA_NOT_FOUND");
    }
    expect(payee.asked).toEqual([]);
    expect(proxy.seen.filter((target) => target.includes("nobody"))).toEqual([]);
  });

  it("is asked over the network when the platform is another one of production", async () => {
    const { umaAddress } = expectStatus(
      201,
      await silent.call("POST", "/customers", { customerType: "INDIVIDUAL" }),
    ).json;
    // Its domain is not served, so it has no keys outside.
    refusedWith(await look(umaAddress), 424, "COUNTERPARTY_PUBKEY_FETCH_ERROR");
    expect(proxy.seen).toContain("/.well-known/lnurlpubkey");
  });

  it("is all that a sandbox knows while its own domain is not served", async () => {
    const sandbox = await openStory(server, { umaDomain: "sandbox.test" });
    const [{ id }] = (await sandbox.call("GET", "/uma/domains")).json.data;
    refusedWith(await look(BOB, sandbox), 404, "UMA_NOT_FOUND");
    expect(payee.asked).toEqual([]);
    expectStatus(200, await sandbox.call("POST", `/uma/domains/${id}/check`));
    // It has no connection that settles, which only an answer from outside can show.
    refusedWith(await look(BOB, sandbox), 501, "NOT_IMPLEMENTED", { missing: "SETTLEMENT" });
    expect(payee.asked.at(-1)).toContain("vaspDomain=sandbox.test");
    const { umaDomain } = (await (await openStory(server)).call("GET", "/config")).json;
    for (const domain of ["sandbox.test", "sandbox.sandbox.test", umaDomain])
      refusedWith(await look(`$nobody@${domain}`, sandbox), 404, "UMA_NOT_FOUND");
  });
});

describe("an institution that misbehaves leads to a refusal of its own, and leaves nothing", () => {
  const error = (code: string) => JSON.stringify({ status: "ERROR", code, reason: "No.\u202e" });
  it.each<readonly [string, () => void, number, string, object | undefined]>([
    [
      "redirects",
      () => (payee.lookup = text(302, "", { location: "http://127.0.0.1:1/" })),
      424,
      "LNURLP_REQUEST_FAILED",
      { reason: "the host answered 302" },
    ],
    [
      "fails",
      () => (payee.lookup = text(500, "{}")),
      424,
      "LNURLP_REQUEST_FAILED",
      { reason: "the host answered 500" },
    ],
    [
      "compresses",
      () => (payee.lookup = text(200, "{}", { "content-encoding": "gzip" })),
      424,
      "LNURLP_REQUEST_FAILED",
      { reason: "the answer is compressed" },
    ],
    [
      "sends too much",
      () => (payee.lookup = text(200, "x".repeat(131_073))),
      424,
      "LNURLP_REQUEST_FAILED",
      { reason: "too-large" },
    ],
    ["knows nobody", () => (payee.lookup = text(404, "{}")), 404, "UMA_NOT_FOUND", undefined],
    [
      "has no ready user",
      () => (payee.lookup = text(403, error("USER_NOT_READY"))),
      403,
      "USER_NOT_READY",
      { counterpartyCode: "USER_NOT_READY", counterpartyReason: "No." },
    ],
    [
      "has a limit",
      () => (payee.lookup = text(403, error("VELOCITY_LIMIT_EXCEEDED"))),
      403,
      "VELOCITY_LIMIT_EXCEEDED",
      {},
    ],
    [
      "refuses this platform",
      () => (payee.lookup = text(403, error("COUNTERPARTY_NOT_ALLOWED"))),
      400,
      "SENDER_NOT_ACCEPTED",
      {},
    ],
    [
      "refuses for a reason of its own",
      () => (payee.lookup = text(400, error("INVALID_NONCE"))),
      400,
      "LOOKUP_REQUEST_FAILED",
      { counterpartyCode: "INVALID_NONCE", counterpartyReason: "No." },
    ],
    [
      "speaks no version of ours",
      () => (payee.lookup = text(412, '{"supportedMajorVersions":[0]}')),
      424,
      "NO_COMPATIBLE_UMA_VERSION",
      {},
    ],
    [
      "speaks another version",
      () => (payee.edit = (answer) => Object.assign(answer, { umaVersion: "0.3" })),
      412,
      "UNSUPPORTED_UMA_VERSION",
      {},
    ],
    [
      "speaks plain LNURL",
      () => (payee.edit = (answer) => delete answer.compliance),
      400,
      "PARSE_LNURLP_RESPONSE_ERROR",
      { reason: "NOT_UMA" },
    ],
    [
      "says nothing of the receiver",
      () => (payee.edit = (answer) => delete answer.compliance.kycStatus),
      400,
      "MISSING_REQUIRED_UMA_PARAMETERS",
      {},
    ],
    [
      "has signed something else",
      () => (payee.edit = (answer) => (answer.compliance.signatureNonce = "1")),
      400,
      "LOOKUP_REQUEST_FAILED",
      { reason: "INVALID_SIGNATURE" },
    ],
    [
      "sends a currency without a price",
      () => (payee.edit = (answer) => (answer.currencies[0].multiplier = 0)),
      400,
      "PARSE_LNURLP_RESPONSE_ERROR",
      {},
    ],
    [
      "names a callback inside",
      () => (payee.edit = (answer) => (answer.callback = "https://169.254.169.254/pay")),
      400,
      "PARSE_LNURLP_RESPONSE_ERROR",
      { reason: "callback is not a URL that may be called" },
    ],
    [
      "names a currency like a member of every object",
      () =>
        (payee.edit = (answer) =>
          (answer.currencies = [{ ...answer.currencies[0], code: "__proto__" }])),
      501,
      "NOT_IMPLEMENTED",
      { missing: "SETTLEMENT" },
    ],
  ])("it %s", async (_what, provoke, status, code, details) => {
    const before = await storedRows();
    provoke();
    refusedWith(await look("$bob@vasp.test"), status, code, details);
    expect(await storedRows()).toBe(before);
  });

  it("it repeats an answer", async () => {
    let recorded = "";
    payee.edit = (answer) => {
      recorded = JSON.stringify(answer);
    };
    expectStatus(200, await look(BOB));
    payee.lookup = text(200, recorded);
    const before = await storedRows();
    refusedWith(await look(BOB), 400, "INVALID_NONCE");
    refusedWith(await look("$eve@vasp.test"), 400, "INVALID_NONCE");
    expect(await storedRows()).toBe(before);
  });

  it.each<readonly [string, string, string, number, string]>([
    ["are away", "away.test", "", 424, "COUNTERPARTY_PUBKEY_FETCH_ERROR"],
    ["cannot be read", "hostile.test", '{"signingPubKey":"04"}', 400, "INVALID_PUBKEY_FORMAT"],
  ])(
    "its keys %s, and it is not asked for the receiver",
    async (_what, domain, keys, status, code) => {
      payee.keys = keys === "" ? text(503, "") : text(200, keys);
      refusedWith(await look(`$bob@${domain}`), status, code);
      expect(payee.asked.some((target) => target.includes("/lnurlp/"))).toBe(false);
    },
  );
});

it.each([
  "$bob@localhost.localdomain",
  "$bob@metadata.google.internal",
  "$bob@printer.local",
  "$bob@127.0.0.1",
  "$bob@169.254.169.254",
  "$bob@10.0.0.1:8443",
  "$bob@0x7f.1",
  "$bob@router.lan:8080",
])("no packet leaves for %s", async (address) => {
  const answer = await look(address);
  refusedWith(answer, 424, "COUNTERPARTY_PUBKEY_FETCH_ERROR");
  expect(answer.json.details.reason).toMatch(/^refused: |is no host$/);
  expect(payee.asked).toEqual([]);
});
