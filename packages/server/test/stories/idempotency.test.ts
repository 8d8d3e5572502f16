import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/http/operations/routes.ts";
import { present } from "../../src/std/assert.ts";
import { basic } from "../kit/basic.ts";
import { optionsOf } from "../kit/made-objects.ts";
import { endReceivers } from "../kit/receivers.ts";
import { sampleOf } from "../kit/sample.ts";
import {
  type CallOptions,
  fundedCustomer,
  ignoreUnknownFields,
  openStory,
  type Story,
} from "../kit/story.ts";
import { SANDBOX_STAMP, signedHeaders } from "../kit/story-wallets.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";
import { validCall } from "../kit/valid-calls.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  await ignoreUnknownFields(story);
});
afterAll(async () => {
  await endReceivers();
  await server.close();
});

let keys = 0;
const newKey = () => `key-${++keys}`;

const posts = operations
  .filter(({ method, access }) => method === "POST" && access !== "PUBLIC")
  .map(({ id, method, path, body }) => ({ id, method, path, takesBody: body !== undefined }));

/** A call that changes nothing of ours: it is made again each time. */
const REPEATS = new Set([
  "testWebhook",
  "testWebhookEndpoint",
  "testRailConnection",
  "resolveRailRoute",
  "previewAgentPolicy",
  "refreshRateSource",
]);

const NEW_CUSTOMER = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] };

/** Commands that callers asked for; what the simulated rail reports comes in its own time. */
async function commandCount(): Promise<number> {
  return server.database.asSuperuser(async (client) => {
    const { rows } = await client.query(
      "select count(*)::int4 as n from command_log where actor not like 'worker:%'",
    );
    return rows[0].n;
  });
}

/** Of a call that is signed for, the key counts at the second one. */
const SIGNED = new Set(["refreshSession", "exportWallet"]);

interface KeyedCall {
  readonly path: string;
  readonly body: unknown;
  readonly options: CallOptions;
}

async function keyedCall(id: string, method: string): Promise<KeyedCall> {
  const call = await validCall(story, id);
  const { path, body } = call;
  const options = { ...optionsOf(call), key: newKey() };
  if (!SIGNED.has(id)) return { path, body, options };
  const { requestId } = (await story.call(method, path, body)).json;
  return { path, body, options: { ...options, headers: signedHeaders(requestId, SANDBOX_STAMP) } };
}

const once = posts.filter(({ id }) => !REPEATS.has(id));

describe.each(sampleOf(once))("$id", ({ id, method }) => {
  it("gives the first answer again, byte for byte, and does nothing more", async () => {
    const { path, body, options } = await keyedCall(id, method);
    const first = await story.call(method, path, body, options);
    expect(first.status).toBeLessThan(300);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    await story.settle();
    const commands = await commandCount();
    const second = await story.call(method, path, body, options);
    expect(second.text).toBe(first.text);
    expect(second.status).toBe(first.status);
    expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await commandCount()).toBe(commands);
  });
});

describe.each(sampleOf(once.filter(({ takesBody }) => takesBody)))("$id", ({ id, method }) => {
  it("refuses the key with another body", async () => {
    const { path, body, options } = await keyedCall(id, method);
    await story.call(method, path, body, options);
    const commands = await commandCount();
    const other = { ...(body as object), note: "another body" };
    const answer = await story.call(method, path, other, options);
    expect(answer).toMatchObject({ status: 422, json: { code: "IDEMPOTENCY_KEY_REUSED" } });
    expect(answer.text).not.toContain("another body");
    expect(await commandCount()).toBe(commands);
  });
});

describe("a call that changes nothing of ours", () => {
  const unread = posts.filter(({ id, takesBody }) => REPEATS.has(id) && !takesBody);
  /** Of a platform without endpoints; the parameter of a path is no id. */
  const refusalOf = (path: string) => {
    if (!path.includes("{")) return "WEBHOOK_ENDPOINT_NOT_SET";
    return path.includes("{endpointId}") ? "WEBHOOK_ENDPOINT_NOT_FOUND" : "REFERENCE_NOT_FOUND";
  };

  it("takes the key and is made again each time", async () => {
    const untold = await openStory(server);
    for (const { method, path } of unread) {
      const key = newKey();
      const first = await untold.call(method, path, undefined, { key });
      const second = await untold.call(method, path, undefined, { key });
      expect(first.json.code).toBe(refusalOf(path));
      expect(second.headers.get("idempotent-replayed")).toBeNull();
    }
  });

  it("does not even read the key", async () => {
    const untold = await openStory(server);
    for (const { method, path } of unread) {
      const answer = await untold.call(method, path, undefined, { key: "not a key" });
      expect(answer.json.code).toBe(refusalOf(path));
    }
  });
});

describe("the scope of a key", () => {
  it("is one path: the same key on another path is another call", async () => {
    const key = newKey();
    const { accountId } = await fundedCustomer(story, 0);
    const { accountId: other } = await fundedCustomer(story, 0);
    const path = (id: string) => `/sandbox/internal-accounts/${id}/fund`;
    const first = await story.call("POST", path(accountId), { amount: 5 }, { key });
    const second = await story.call("POST", path(other), { amount: 5 }, { key });
    const third = await story.call("POST", "/sandbox/clock/advance", { seconds: 1 }, { key });
    for (const answer of [first, second, third]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("idempotent-replayed")).toBeNull();
    }
    expect(second.json.id).toBe(other);
  });

  it("is one path in every spelling of it", async () => {
    const key = newKey();
    const { accountId } = await fundedCustomer(story, 0);
    const escaped = accountId.replace(":", "%3A");
    await story.call(
      "POST",
      `/sandbox/internal-accounts/${accountId}/fund`,
      { amount: 5 },
      { key },
    );
    const again = await story.call(
      "POST",
      `/sandbox/internal-accounts/${escaped}/fund?`,
      { amount: 5 },
      { key },
    );
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.json.balance.amount).toBe(5);
  });

  it("is one platform: the same key of another platform is another call", async () => {
    const key = newKey();
    const other = await openStory(server);
    const mine = await story.call("POST", "/customers", NEW_CUSTOMER, { key });
    const theirs = await other.call("POST", "/customers", NEW_CUSTOMER, { key });
    expect(theirs.status).toBe(201);
    expect(theirs.headers.get("idempotent-replayed")).toBeNull();
    expect(theirs.json.id).not.toBe(mine.json.id);
  });

  it("is shared by the tokens of a platform", async () => {
    const key = newKey();
    const made = await story.call("POST", "/tokens", { name: "second", permissions: ["MANAGE"] });
    const authorization = basic(made.json.clientId, made.json.clientSecret);
    const first = await story.call("POST", "/customers", NEW_CUSTOMER, { key });
    const second = await story.call("POST", "/customers", NEW_CUSTOMER, { key, authorization });
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("the same body", () => {
  it("may come with its keys in another order and other spaces", async () => {
    const key = newKey();
    const address = { line1: "1 Main St", postalCode: "94105", country: "US" };
    const first = await story.call("POST", "/customers", { ...NEW_CUSTOMER, address }, { key });
    const reordered =
      '{ "address":{"country":"US", "postalCode":"94105","line1":"1 Main St"},\n' +
      '"currencies" : ["USD"], "fullName":"Ana \\u0052uiz", "customerType":"INDIVIDUAL" }';
    const second = await story.call("POST", "/customers", reordered, { key });
    expect(first.status).toBe(201);
    expect(second.text).toBe(first.text);
  });

  it("is another one when the order of a list, a default or an unknown field differs", async () => {
    const key = newKey();
    const body = { ...NEW_CUSTOMER, currencies: ["USD", "EUR"] };
    await story.call("POST", "/customers", body, { key });
    for (const other of [
      { ...body, currencies: ["EUR", "USD"] },
      { ...body, unknown: 1 },
      { ...body, fullName: undefined },
      { ...body, constructor: 1 },
      JSON.stringify(body).replace("}", ',"__proto__":{"x":1}}'),
    ]) {
      expect((await story.call("POST", "/customers", other, { key })).status).toBe(422);
    }
  });
});

describe("a hundred calls at once with one key", () => {
  it("have one effect and a hundred equal answers", async () => {
    const key = newKey();
    const { accountId } = await fundedCustomer(story, 0);
    const path = `/sandbox/internal-accounts/${accountId}/fund`;
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => story.call("POST", path, { amount: 7 }, { key })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(99);
    expect(answers[0]?.json.balance.amount).toBe(7);
    const accounts = await story.call("GET", "/customers/internal-accounts?limit=100");
    const account = accounts.json.data.find(({ id }: { id: string }) => id === accountId);
    expect(account.balance.amount).toBe(7);
  });

  it("have one effect when half of them carry another body: that half is refused", async () => {
    const key = newKey();
    const names = ["Ana Ruiz", "Bo Lind"];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        story.call("POST", "/customers", { ...NEW_CUSTOMER, fullName: names[index % 2] }, { key }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(20);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(20);
  });
});

describe("what is not stored", () => {
  it("a body that does not fit: the key is still free", async () => {
    const key = newKey();
    const bad = await story.call("POST", "/customers", { customerType: "NOBODY" }, { key });
    expect(bad.status).toBe(400);
    const good = await story.call("POST", "/customers", NEW_CUSTOMER, { key });
    expect(good.status).toBe(201);
    expect(good.headers.get("idempotent-replayed")).toBeNull();
  });

  it("a call without credentials, or with a token that may not", async () => {
    const key = newKey();
    const made = await story.call("POST", "/tokens", { name: "reader", permissions: ["VIEW"] });
    const reader = basic(made.json.clientId, made.json.clientSecret);
    const nobody = await story.call("POST", "/customers", NEW_CUSTOMER, {
      key,
      authorization: null,
    });
    const refused = await story.call("POST", "/customers", NEW_CUSTOMER, {
      key,
      authorization: reader,
    });
    expect([nobody.status, refused.status]).toEqual([401, 403]);
    const allowed = await story.call("POST", "/customers", NEW_CUSTOMER, { key });
    expect(allowed.status).toBe(201);
    for (const authorization of [null, reader]) {
      const after = await story.call("POST", "/customers", NEW_CUSTOMER, { key, authorization });
      expect(after.status).toBe(authorization === null ? 401 : 403);
      expect(after.text).not.toContain(allowed.json.id);
    }
  });

  it("a token that grants more than it holds", async () => {
    const key = newKey();
    const made = await story.call("POST", "/tokens", { name: "manager", permissions: ["MANAGE"] });
    const manager = basic(made.json.clientId, made.json.clientSecret);
    const wish = { name: "payer", permissions: ["TRANSACT"] };
    const refused = await story.call("POST", "/tokens", wish, { key, authorization: manager });
    expect(refused).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
    const allowed = await story.call("POST", "/tokens", wish, { key });
    expect(allowed.status).toBe(201);
    const after = await story.call("POST", "/tokens", wish, { key, authorization: manager });
    expect(after.status).toBe(403);
    expect(after.text).not.toContain(allowed.json.clientSecret);
  });
});

describe("what is stored", () => {
  it("a refusal that a command decided, even once it would be granted", async () => {
    const { accountId, customerId } = await fundedCustomer(story, 0);
    const account = await validCall(story, "createPlatformExternalAccount");
    const external = await story.call("POST", account.path, account.body);
    const body = {
      source: { accountId },
      destination: { accountId: external.json.id },
      amount: 100,
    };
    const key = newKey();
    const first = await story.call("POST", "/transfer-out", body, { key });
    expect(first).toMatchObject({ status: 400, json: { code: "INSUFFICIENT_BALANCE" } });
    await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100 });
    const second = await story.call("POST", "/transfer-out", body, { key });
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    const paid = await story.call("POST", "/transfer-out", body, { key: newKey() });
    expect(paid.status).toBe(201);
    const payments = await story.call(
      "GET",
      `/transactions?type=OUTGOING&customerId=${customerId}`,
    );
    expect(payments.json.totalCount).toBe(1);
  });

  it("a conflict, even once its cause is gone", async () => {
    const body = { ...NEW_CUSTOMER, platformCustomerId: "twice" };
    const first = await story.call("POST", "/customers", body);
    const key = newKey();
    const conflict = await story.call("POST", "/customers", body, { key });
    expect(conflict).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
    await story.call("DELETE", `/customers/${first.json.id}`);
    const again = await story.call("POST", "/customers", body, { key });
    expect(again.text).toBe(conflict.text);
    expect((await story.call("POST", "/customers", body)).status).toBe(201);
  });
});

describe("the key itself", () => {
  const advance = (key: string) =>
    story.call("POST", "/sandbox/clock/advance", { seconds: 1 }, { key });

  it("has 1 to 255 visible ASCII characters", async () => {
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
    for (const key of ["k", "k".repeat(255), visible.join("")]) {
      expect((await advance(key)).status).toBe(200);
      expect((await advance(key)).headers.get("idempotent-replayed")).toBe("true");
    }
    for (const key of ["k".repeat(256), "", "a b", "é", "a\tb"]) {
      const answer = await advance(key);
      expect([key, answer.status]).toEqual([key, 400]);
      expect(answer.json).toMatchObject({
        code: "INVALID_INPUT",
        details: { errors: [{ field: "Idempotency-Key" }] },
      });
    }
  });

  it("is sent once", async () => {
    const url = new URL(`${server.baseUrl}/sandbox/clock/advance`);
    const status = await new Promise((resolve, reject) => {
      const sent = request(url, { method: "POST" }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on("error", reject);
      sent.setHeader("authorization", story.authorization);
      sent.setHeader("content-type", "application/json");
      sent.setHeader("idempotency-key", ["one", "two"]);
      sent.end('{"seconds":1}');
    });
    expect(status).toBe(400);
  });

  it("is case-sensitive", async () => {
    await advance("Case-Of-A-Key");
    expect((await advance("case-of-a-key")).headers.get("idempotent-replayed")).toBeNull();
  });

  it("means nothing where nothing is created", async () => {
    const key = newKey();
    const body = { customerType: "INDIVIDUAL", fullName: "A B" };
    const { json } = await story.call("POST", "/customers", NEW_CUSTOMER);
    const path = `/customers/${present(json.id, "an id")}`;
    for (const fullName of ["A B", "C D"]) {
      const changed = await story.call("PATCH", path, { ...body, fullName }, { key });
      expect(changed.json.fullName).toBe(fullName);
    }
  });
});
