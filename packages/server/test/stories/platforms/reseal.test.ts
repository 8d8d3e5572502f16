/** A new master key: every secret is sealed under it, the servers go on, and the old key is of no use any more. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { resealAll, sealedColumns } from "../../../src/boot/reseal.ts";
import { createSealer, toMasterKey } from "../../../src/secrets/sealing.ts";
import { StartRefused } from "../../../src/std/errors.ts";
import { openConnector } from "../../kit/rail-connector.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { activeConnection, httpConnection } from "../../kit/story-rails.ts";
import {
  createOutside,
  createStandingClock,
  newWallet,
  registrationBody,
  sessionByToken,
  signedCall,
} from "../../kit/story-wallets.ts";
import { openReceiver, setEndpoint } from "../../kit/story-webhooks.ts";
import { startTestServer, TEST_MASTER_KEY, type TestServer } from "../../kit/test-server.ts";

const NEXT_KEY = "fedcba9876543210".repeat(4);
const both = { MASTER_KEY: NEXT_KEY, MASTER_KEY_PREVIOUS: TEST_MASTER_KEY };
const nextId = toMasterKey(NEXT_KEY, "the next key").id;

const outside = createOutside();
const time = createStandingClock(Date.parse("2027-03-01T10:00:00.250Z"));
const running: TestServer[] = [];
let first: TestServer;
let story: Story;
let production: Story;
beforeAll(async () => {
  first = await startTestServer({ clock: time.clock, wallets: outside.wallets });
  story = await openStory(first);
  production = await openStory(first, { environment: "PRODUCTION" });
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});
afterAll(() => first.close());

async function beside(settings: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startTestServer({
    clock: time.clock,
    wallets: outside.wallets,
    beside: first,
    settings,
  });
  running.push(server);
  return server;
}

const at = (of: Story, server: TestServer): Story => ({
  ...of,
  server,
  call: async (method, path, body, options = {}) => {
    const response = await fetch(`${server.baseUrl}${path}`, {
      method,
      headers: {
        authorization: of.authorization,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(options.key === undefined ? {} : { "idempotency-key": options.key }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, text, json };
  },
});

/** Every sealed text of the database that is not sealed with this key, by where it is. */
async function sealedOtherwise(keyId: string): Promise<readonly string[]> {
  return first.database.asSuperuser(async (client) => {
    const columns = await client.query<{ table_name: string; column_name: string }>(
      "select table_name, column_name from information_schema.columns " +
        "where table_schema = 'public' and (column_name like '%sealed' or column_name = 'value') " +
        "and table_name <> 'command_log'",
    );
    const found: string[] = [];
    for (const { table_name: table, column_name: column } of columns.rows) {
      const { rows } = await client.query(
        `select count(*)::int4 as rows from ${table} where ${column} like 'v1.%' and ${column} not like 'v1.${keyId}.%'`,
      );
      if (rows[0].rows > 0) found.push(`${table}.${column}`);
    }
    return found.sort();
  });
}

describe("florin reseal", () => {
  it("knows every sealed column of the database", async () => {
    const columns = await first.database.asSuperuser(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        "select table_name || '.' || column_name as name from information_schema.columns " +
          "where table_schema = 'public' and column_name like '%\\_sealed' and data_type = 'text'",
      );
      return rows.map(({ name }) => name);
    });
    const known = sealedColumns.map(({ table, column }) => {
      const spec = table.columns.find(({ key }) => key === column);
      expect([table.name, spec?.mutable]).toEqual([table.name, true]);
      return `${table.name}.${spec?.name}`;
    });
    expect([...known].sort()).toEqual(columns.sort());
  });

  it("seals everything anew while servers run, and can be run again", async () => {
    const old = await newWallet(production);
    const made = await production.call(
      "POST",
      "/auth/credentials",
      registrationBody("OAUTH", old.accountId, "ana"),
    );
    await production.call("GET", "/wallet/issuer-key");
    outside.answerMail({ kind: "failed", reason: "busy" });
    const mailed = await newWallet(production);
    const body = registrationBody("EMAIL_OTP", mailed.accountId, "late");
    expect((await production.call("POST", "/auth/credentials", body)).status).toBe(201);
    await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USD"],
      idType: "SSN",
      identifier: "123-45-6789",
      countryOfIssuance: "US",
    });
    for (let count = 0; count < 7; count += 1) await newWallet(story);
    const [umaKey] = (await story.call("GET", "/uma/keys")).json.data;
    const token = { name: "t", permissions: ["VIEW"] };
    const answered = await story.call("POST", "/tokens", token, { key: "kept" });

    const next = await beside(both);
    await expect(beside({ MASTER_KEY: TEST_MASTER_KEY })).rejects.toThrow(/give both/);
    const others = await sealedOtherwise(nextId);
    expect(others).toEqual([
      "customers.identity_sealed",
      "deployment_facts.value",
      "internal_accounts.wallet_mnemonic_sealed",
      "platforms.webhook_private_key_sealed",
      "uma_keys.private_sealed",
      "wallet_credentials.code_sealed",
    ]);
    const { engine, store } = next.app;
    const tools = {
      database: store.database,
      engine,
      sealer: store.sealer,
      masterKeyId: store.masterKeyId,
      rowsAtOnce: 3,
    };
    const customers = Array.from({ length: 3 }, () => newWallet(at(story, next)));
    const [count] = await Promise.all([resealAll(tools), ...customers]);
    expect(count).toBeGreaterThan(12);
    expect(await sealedOtherwise(nextId)).toEqual([]);
    expect(await resealAll(tools)).toBe(0);

    const alone = await beside({ MASTER_KEY: NEXT_KEY });
    const again = await at(story, alone).call("POST", "/tokens", token, { key: "kept" });
    expect(again.text).toBe(answered.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const csr = await at(story, alone).call("GET", `/uma/keys/${umaKey.id}/csr`);
    expect(csr.json.pem).toContain("CERTIFICATE REQUEST");
    const later = at(production, alone);
    const session = await sessionByToken(later, made.json.id, "ana");
    const { clientPublicKey } = session.clientKey;
    const path = `/internal-accounts/${old.accountId}/export`;
    const act = { method: "POST", path, body: { clientPublicKey } };
    expect((await signedCall(later, act, session)).status).toBe(200);
    outside.answerMail({ kind: "sent" });
    time.move(30_000);
    await alone.app.jobs.drain(production.platformId);
    expect(outside.lastCode("late@example.com")).toMatch(/^\d{6}$/);
    await expect(beside({ MASTER_KEY: TEST_MASTER_KEY })).rejects.toThrow(StartRefused);
  });

  it("finds what a server that was restarted late has sealed with the older key", async () => {
    const late = await beside({ MASTER_KEY: TEST_MASTER_KEY, MASTER_KEY_PREVIOUS: NEXT_KEY });
    const next = await beside(both);
    const { engine, store } = next.app;
    const { database, sealer, masterKeyId } = store;
    await newWallet(at(story, late));
    expect(await sealedOtherwise(nextId)).not.toEqual([]);
    await expect(beside({ MASTER_KEY: NEXT_KEY })).rejects.toThrow(/give both/);
    expect(await resealAll({ database, engine, sealer, masterKeyId })).toBe(1);
    expect(await sealedOtherwise(nextId)).toEqual([]);
  });

  it("leaves a rail connection with secrets that its connector accepts", async () => {
    const connector = await openConnector();
    const allowed = { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
    const late = await beside({
      MASTER_KEY: TEST_MASTER_KEY,
      MASTER_KEY_PREVIOUS: NEXT_KEY,
      ...allowed,
    });
    const connectionId = await activeConnection(at(production, late), httpConnection(connector));
    const next = await beside(both);
    const { engine, store } = next.app;
    const { database, sealer, masterKeyId } = store;
    expect(await resealAll({ database, engine, sealer, masterKeyId })).toBe(2);
    const alone = at(production, await beside({ MASTER_KEY: NEXT_KEY, ...allowed }));
    const tested = await alone.call("POST", `/rails/connections/${connectionId}/test`);
    expect(tested.json.ok).toBe(true);
    await connector.close();
  });

  it("keeps signing with the platform's own key afterwards", async () => {
    const server = await beside({ MASTER_KEY: NEXT_KEY });
    const here = at(story, server);
    const receiver = await openReceiver(here);
    await setEndpoint(here, receiver.url);
    const { accountId } = await fundedCustomer(here, 1_000);
    expect(await bankAccount(here)).toMatch(/^ExternalAccount:/);
    expect(accountId).toMatch(/^InternalAccount:/);
    const delivered = await receiver.events();
    expect(delivered.map(({ type }) => type)).toContain("INTERNAL_ACCOUNT.BALANCE_UPDATED");
    expect(receiver.forged).toEqual([]);
  });

  it("stops at a secret that opens with neither key, and leaves it as it is", async () => {
    const stranger = createSealer({ current: toMasterKey("0f1e2d3c".repeat(8), "another key") });
    const server = await beside({ MASTER_KEY: NEXT_KEY });
    const { accountId } = await newWallet(at(story, server));
    const uuid = accountId.split(":")[1];
    const foreign = stranger.seal("words", "elsewhere");
    const set = (value: string) =>
      first.database.asSuperuser(async (client) => {
        const { rows } = await client.query(
          "update internal_accounts n set wallet_mnemonic_sealed = $2 from internal_accounts o " +
            "where n.id = $1 and o.platform_id = n.platform_id and o.id = n.id returning o.wallet_mnemonic_sealed as before",
          [uuid, value],
        );
        return rows[0].before as string;
      });
    const before = await set(foreign);
    const { engine, store } = server.app;
    const { database, sealer, masterKeyId } = store;
    await expect(resealAll({ database, engine, sealer, masterKeyId })).rejects.toThrow(
      new RegExp(`^internal_accounts.* of row ${uuid}, platform .*needs the key`),
    );
    expect(await set(before)).toBe(foreign);
    expect(await resealAll({ database, engine, sealer, masterKeyId })).toBe(0);
  });
});
