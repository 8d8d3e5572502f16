/** Uniqueness rules under concurrent calls to two servers on one database. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { type Call, type Reachable, type Reply, send } from "../faults/history.ts";
import { CLEAN, judge } from "../faults/judge.ts";
import {
  customerWith,
  expectReply,
  externalAccountBody,
  type Rig,
  startRig,
  tally,
} from "../faults/rig.ts";
import { limitMs, rounds } from "../faults/rounds.ts";

let rig: Rig;
let servers: readonly Reachable[];
beforeAll(async () => {
  rig = await startRig({ servers: [{}, {}] });
  servers = rig.servers;
});
afterAll(() => rig.close());

const serverOf = (index: number) => present(servers[index % servers.length], "a server");

afterEach(async () => {
  for (const server of servers) {
    expect((await send(server, { method: "GET", path: "/config" })).status).toBeLessThan(500);
  }
  const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
  expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
});

/** Sends all calls concurrently, alternating between the servers. */
function atOnce(calls: readonly Call[]): Promise<readonly Reply[]> {
  return Promise.all(
    calls.map((call, index) => send(serverOf(index), { limitMs: 30_000, ...call })),
  );
}

function newCustomer(more: Readonly<Record<string, unknown>>): Call {
  const body = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"], ...more };
  return { method: "POST", path: "/customers", body };
}

const codeOf = ({ text }: Reply) => (JSON.parse(text) as { readonly code?: string }).code;

describe("one of many concurrent calls", () => {
  it("gets a platformCustomerId", { timeout: limitMs(10) }, async () => {
    for (let round = 0; round < rounds(5); round++) {
      const platformCustomerId = `race-${round}`;
      const replies = await atOnce(
        Array.from({ length: 12 }, () => newCustomer({ platformCustomerId })),
      );
      expect(tally(replies)).toEqual({ 201: 1, 409: 11 });
    }
  });

  it("gets a UMA address", { timeout: limitMs(10) }, async () => {
    for (let round = 0; round < rounds(5); round++) {
      const umaAddress = `$race-${round}@florin.test`;
      const replies = await atOnce(Array.from({ length: 12 }, () => newCustomer({ umaAddress })));
      expect(tally(replies)).toEqual({ 201: 1, 409: 11 });
      const codes = replies.filter(({ status }) => status === 409).map(codeOf);
      expect(new Set(codes)).toEqual(new Set(["UMA_ADDRESS_EXISTS"]));
    }
  });

  it("becomes the customer's default deposit account", { timeout: limitMs(10) }, async () => {
    const { customerId } = await customerWith(serverOf(0), 0);
    const replies = await atOnce(
      Array.from({ length: 12 }, () => ({
        method: "POST" as const,
        path: "/customers/external-accounts",
        body: externalAccountBody(customerId, { defaultUmaDepositAccount: true }),
      })),
    );
    expect(tally(replies)).toEqual({ 201: 12 });
    const path = `/customers/external-accounts?customerId=${customerId}&limit=100`;
    const listed = await expectReply(serverOf(1), 200, { method: "GET", path });
    const accounts = listed.data as readonly { readonly defaultUmaDepositAccount?: boolean }[];
    expect(accounts).toHaveLength(13);
    expect(accounts.filter((account) => account.defaultUmaDepositAccount === true)).toHaveLength(1);
  });

  it("adds an external account that several calls create", { timeout: limitMs(10) }, async () => {
    const { customerId } = await customerWith(serverOf(0), 0);
    const body = externalAccountBody(customerId);
    const path = "/customers/external-accounts";
    const replies = await atOnce(
      Array.from({ length: 12 }, () => ({ method: "POST", path, body })),
    );
    expect(tally(replies)).toEqual({ 201: 1, 409: 11 });
  });
});

describe("a customer who is deleted during payments", () => {
  it("is deleted only without money, and gets none afterwards", {
    timeout: limitMs(10),
  }, async () => {
    for (let round = 0; round < rounds(6); round++) {
      const { customerId, accountId, payment } = await customerWith(serverOf(round), round % 3);
      const replies = await atOnce([
        { method: "POST", path: "/transfer-out", body: payment(`leaving-${round}-a`) },
        { method: "DELETE", path: `/customers/${customerId}` },
        {
          method: "POST",
          path: `/sandbox/internal-accounts/${accountId}/fund`,
          body: { amount: 1 },
        },
        { method: "DELETE", path: `/customers/${customerId}` },
        { method: "POST", path: "/transfer-out", body: payment(`leaving-${round}-b`) },
        { method: "DELETE", path: `/customers/${customerId}` },
      ]);
      expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
      const deletions = [1, 3, 5].filter((at) => (replies[at]?.status ?? 0) < 300);
      expect(deletions.length).toBeLessThanOrEqual(1);
    }
    const broke = await rig.database.asSuperuser((client) =>
      client.query(
        "select 1 from customers c join transactions t on t.customer_id = c.id " +
          "where c.deleted_at is not null and t.type = 'OUTGOING' and t.created_at > c.deleted_at",
      ),
    );
    expect(broke.rowCount).toBe(0);
  });
});

/** Last in the file: afterwards only one token may manage the platform. */
describe("the tokens with the permission to manage", () => {
  it("are never all deleted by concurrent deletions", {
    timeout: limitMs(10),
  }, async () => {
    const path = "/tokens";
    const first = await expectReply(serverOf(0), 200, { method: "GET", path });
    const [bootstrap] = first.data as readonly { readonly id: string }[];
    const body = { name: "another manager", permissions: ["VIEW", "TRANSACT", "MANAGE"] };
    const made = await Promise.all(
      [0, 1, 2].map((index) => expectReply(serverOf(index), 201, { method: "POST", path, body })),
    );
    const ids = [present(bootstrap, "the first token").id, ...made.map(({ id }) => String(id))];
    // Each asks as the token that it deletes: what counts is what the rule says at the commit.
    const authorizations = [
      undefined,
      ...made.map(({ clientId, clientSecret }) => {
        const words = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
        return `Basic ${words}`;
      }),
    ];
    for (const authorization of authorizations) {
      for (const server of servers) {
        await expectReply(server, 200, {
          method: "GET",
          path: "/config",
          ...(authorization === undefined ? {} : { authorization }),
        });
      }
    }
    const replies = await atOnce(
      ids.map((id, index) => {
        const authorization = authorizations[index];
        return {
          method: "DELETE" as const,
          path: `/tokens/${id}`,
          ...(authorization === undefined ? {} : { authorization }),
        };
      }),
    );
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    const left = await rig.database.asSuperuser((client) =>
      client.query<{ n: string }>(
        "select count(*) n from tokens where deleted_at is null and permissions::jsonb @> '[\"MANAGE\"]'",
      ),
    );
    expect(Number(left.rows[0]?.n)).toBeGreaterThanOrEqual(1);
    expect(replies.some(({ status }) => status < 300)).toBe(true);
  });
});
