/** Every operation of the document as a command, and what its calls print and end with. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeApi } from "../../client/test/fake-api.ts";
import { sharedServer } from "../../server/test/kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../server/test/kit/story.ts";
import { operationTable } from "../src/operations/operation-table.ts";
import { openShell, type Shell } from "./kit/shell.ts";

interface ApiOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
}

const document = JSON.parse(
  readFileSync(new URL("../../../docs/reference/openapi.json", import.meta.url), "utf8"),
) as ApiDocument;
/** Streams have commands of their own, such as `listen`. */
const operationIds = Object.values(document.paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ responses }) => !("text/event-stream" in (responses["200"]?.content ?? {})))
  .map(({ operationId }) => operationId);

const server = await sharedServer();
let story: Story;
let shell: Shell;
beforeAll(async () => {
  story = await openStory(server);
  shell = openShell(variablesOf(story));
});
afterAll(async () => {
  shell.remove();
});

function variablesOf({ clientId, clientSecret }: Story): Readonly<Record<string, string>> {
  return {
    FLORIN_URL: server.baseUrl,
    FLORIN_CLIENT_ID: clientId,
    FLORIN_CLIENT_SECRET: clientSecret,
  };
}

describe("the table", () => {
  it("has every operation of the document once", () => {
    expect(operationTable.map(({ id }) => id)).toEqual(operationIds);
    const names = operationTable.map(({ noun, verb }) => `${noun} ${verb}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(operationTable.map(({ noun, verb }) => [noun, verb] as const))(
    "has a command: %s %s",
    async (noun, verb) => {
      const { code, out } = await shell.run([noun, verb, "--help"]);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: florin ${noun} ${verb} `);
    },
  );
});

describe("an answer", () => {
  it("is printed with --json byte for byte", async () => {
    await fundedCustomer(story);
    const http = await story.call("GET", "/customers?limit=1");
    const { code, bytes, errors } = await shell.run([
      "customers",
      "list",
      "--limit",
      "1",
      "--json",
    ]);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(bytes.equals(Buffer.from(http.text))).toBe(true);
  });

  it("is a table of a list and names with values of one thing", async () => {
    const { customerId } = await fundedCustomer(story, 12_345);
    const list = await shell.run([
      "customer-internal-accounts",
      "list",
      "--customer-id",
      customerId,
    ]);
    expect(list.out).toMatch(/^id +type .*balance/);
    expect(list.out).toContain("123.45 USD");
    const detail = await shell.run(["customers", "get", customerId]);
    expect(detail.out).toContain(`${customerId}\n`);
    expect(detail.out).toMatch(/^fullName +Ana Ruiz$/m);
  });

  it("of a stranger does not act on the terminal", async () => {
    const name = "\u001b]0;owned\u0007 \u202eevil";
    const body = { customerType: "INDIVIDUAL", fullName: name, currencies: ["USD"] };
    const fake = await startFakeApi(() => ({
      status: 200,
      json: { data: [body], hasMore: false },
    }));
    const { out } = await shell.run(["customers", "list"], { env: { FLORIN_URL: fake.baseUrl } });
    await fake.close();
    expect(out).toContain("owned");
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("of all pages is printed page by page", async () => {
    for (let index = 0; index < 3; index += 1) await fundedCustomer(story, 0);
    const { out } = await shell.run(["customers", "list", "--limit", "2", "--all", "--json"]);
    const pages = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.at(-1)).toMatchObject({ hasMore: false });
    const ids = pages.flatMap(({ data }) => data.map(({ id }: { readonly id: string }) => id));
    const http = await story.call("GET", "/customers?limit=100");
    expect(ids).toEqual(http.json.data.map(({ id }: { readonly id: string }) => id));
    const table = await shell.run(["customers", "list", "--limit", "2", "--all"]);
    for (const id of ids) expect(table.out).toContain(id);
  });

  it("without a body is an empty output", async () => {
    const made = await shell.run([
      "tokens",
      "create",
      "--name",
      "a",
      "--permissions",
      "VIEW",
      "--json",
    ]);
    const { id } = JSON.parse(made.out);
    expect(await shell.run(["tokens", "delete", id])).toMatchObject({ code: 0, out: "" });
  });
});

describe("a body", () => {
  it("comes from flags, from --data, and from both", async () => {
    const flags = ["--customer-type", "INDIVIDUAL", "--currencies", "USD,EUR"];
    const first = await shell.run([
      "customers",
      "create",
      ...flags,
      "--full-name",
      "Bea",
      "--json",
    ]);
    expect(JSON.parse(first.out)).toMatchObject({ fullName: "Bea", currencies: ["USD", "EUR"] });
    const data = '{"customerType":"INDIVIDUAL","fullName":"Bea","currencies":["USD"]}';
    const path = join(shell.home, "body.json");
    writeFileSync(path, data);
    for (const [words, input] of [
      [["--data", data], ""],
      [["--data", `@${path}`], ""],
      [["--data", "-"], data],
    ] as const) {
      const made = await shell.run(["customers", "create", ...words, "--json"], { input });
      expect(JSON.parse(made.out)).toMatchObject({ fullName: "Bea" });
    }
    const both = ["--data", data, "--full-name", "Cleo", "--json"];
    expect(JSON.parse((await shell.run(["customers", "create", ...both])).out).fullName).toBe(
      "Cleo",
    );
  });

  it("carries a file", async () => {
    const { customerId } = await fundedCustomer(story, 0);
    const path = join(shell.home, "passport.pdf");
    writeFileSync(path, "%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");
    const facts = [
      "--document-holder",
      customerId,
      "--document-type",
      "PASSPORT",
      "--country",
      "US",
    ];
    const made = await shell.run(["documents", "create", "--file", path, ...facts, "--json"]);
    expect(made.code).toBe(0);
    expect(JSON.parse(made.out)).toMatchObject({ documentType: "PASSPORT" });
  });

  it.each([
    [["--data", "{"], "--data is not JSON"],
    [["--data", "@/nowhere/file.json"], "/nowhere/file.json cannot be read"],
    [["--data", "[1]", "--full-name", "Bea"], "--data must be a JSON object"],
    [["--address", "street"], "--address must be JSON"],
  ])("that is wrong is not sent: %j", async (words, message) => {
    const { code, errors } = await shell.run(["customers", "create", ...words], {
      fetch: () => expect.fail("it was sent"),
    });
    expect(code).toBe(2);
    expect(errors).toContain(message);
  });
});

describe("the exit code", () => {
  it("is 1 for a refusal, with its code and its fields on standard error", async () => {
    const { code, out, errors } = await shell.run(["customers", "create", "--full-name", "Bea"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(errors).toContain("florin: INVALID_INPUT: ");
    expect(errors).toContain("\n  customerType: ");
    const refused = await shell.run(["customers", "get", "Customer:0", "--json"]);
    expect(refused.code).toBe(1);
    expect(refused.out).toBe((await story.call("GET", "/customers/Customer:0")).text);
  });

  it.each([
    [["customers", "lst"]],
    [["customers", "list", "--nothing"]],
    [["customers", "get"]],
    [["customers", "get", ".."]],
  ])("is 2 for a wrong command line: %j", async (words) => {
    const { code, out } = await shell.run(words, { fetch: () => expect.fail("it was sent") });
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });

  it("is 3 for a server that is not reached or that fails", async () => {
    const env = { FLORIN_URL: "http://127.0.0.1:9" };
    const { code, errors } = await shell.run(["customers", "list"], { env });
    expect(code).toBe(3);
    expect(errors).not.toContain(story.clientSecret);
    const failing = await startFakeApi(() => ({
      status: 503,
      json: { status: 503, code: "SERVICE_UNAVAILABLE", message: "Later." },
    }));
    const answered = await shell.run(["customers", "list", "--json"], {
      env: { FLORIN_URL: failing.baseUrl },
    });
    expect(answered.code).toBe(3);
    expect(JSON.parse(answered.out)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(failing.seen).toHaveLength(4);
    await failing.close();
  });

  it("is 4 without credentials and for wrong ones", async () => {
    const nobody = openShell();
    expect((await nobody.run(["customers", "list"])).code).toBe(4);
    expect((await nobody.run(["me", "get"])).code).toBe(4);
    nobody.remove();
    const env = { FLORIN_CLIENT_SECRET: "wrong" };
    expect((await shell.run(["customers", "list"], { env })).code).toBe(4);
  });
});

describe("an idempotency key", () => {
  it("is printed when it was made, and repeats the call", async () => {
    const { accountId } = await fundedCustomer(story);
    const to = await bankAccount(story);
    const pay = ["transfer-out", "create", "--amount", "100", "--json"].concat(
      ["--source", `{"accountId":"${accountId}"}`],
      ["--destination", `{"accountId":"${to}"}`],
    );
    const first = await shell.run(pay);
    const [, key = ""] = /^idempotency-key: (\S+)\n$/.exec(first.errors) ?? [];
    const again = await shell.run([...pay, "--idempotency-key", key]);
    expect(again).toMatchObject({ code: 0, errors: "" });
    expect(again.bytes.equals(first.bytes)).toBe(true);
  });

  it("is not made for a dry run, which leaves the balance as it was", async () => {
    const { accountId } = await fundedCustomer(story, 900);
    const to = await bankAccount(story);
    const pay = ["transfer-out", "create", "--amount", "100", "--dry-run", "--json"].concat(
      ["--source", `{"accountId":"${accountId}"}`],
      ["--destination", `{"accountId":"${to}"}`],
    );
    const tried = await shell.run(pay);
    expect(tried).toMatchObject({ code: 0, errors: "" });
    const { dryRun, effects } = JSON.parse(tried.bytes.toString());
    expect([dryRun, effects.balances[0].after.amount]).toEqual([true, 800]);
    const { json } = await story.call("GET", `/internal-accounts/${accountId}`);
    expect(json.balance.amount).toBe(900);
  });

  it("stays the same when a reply is lost, and is named when no reply comes", async () => {
    const fake = await startFakeApi((_, index) =>
      index === 0 ? "cut" : index === 1 ? { status: 201, json: { id: "Token:1" } } : "reset",
    );
    const env = { FLORIN_URL: fake.baseUrl };
    const create = ["tokens", "create", "--name", "a", "--permissions", "VIEW", "--yes"];
    expect((await shell.run(create, { env })).code).toBe(0);
    const [lost, repeated] = fake.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(lost).toMatch(/^[0-9a-f-]{36}$/);
    expect(repeated).toBe(lost);
    const ended = await shell.run([...create, "--idempotency-key", "mine"], { env });
    expect(ended.code).toBe(3);
    expect(ended.errors).toContain("repeat the command with --idempotency-key mine");
    await fake.close();
  });

  it("does not make a change without one repeatable", async () => {
    const fake = await startFakeApi(() => "reset");
    const env = { FLORIN_URL: fake.baseUrl };
    const words = ["config", "update", "--uma-domain", "a.test", "--yes"];
    expect((await shell.run(words, { env })).code).toBe(3);
    expect(fake.seen).toHaveLength(1);
    await fake.close();
  });
});

describe("a production platform", () => {
  const create = ["customers", "create", "--customer-type", "INDIVIDUAL"].concat([
    "--full-name",
    "Ana Ruiz",
    "--currencies",
    "USD",
  ]);

  it("is changed only after a yes", async () => {
    const live = openShell(variablesOf(await openStory(server, { environment: "PRODUCTION" })));
    const silent = await live.run(create);
    expect(silent).toMatchObject({ code: 2, out: "" });
    expect(silent.errors).toContain("add --yes");
    expect((await live.run(create, { typed: "n" })).code).toBe(2);
    expect((await live.run(["customers", "list", "--json"])).out).toContain('"data":[]');
    expect((await live.run(create, { typed: "y" })).code).toBe(0);
    expect((await live.run([...create, "--yes"])).code).toBe(0);
    live.remove();
  });
});

describe("an agent", () => {
  it("uses its access token, and a code can be read from standard input", async () => {
    const { customerId } = await fundedCustomer(story);
    const agent = await story.call("POST", "/agents", {
      name: "Bills",
      customerId,
      policy: {
        permissions: ["VIEW_TRANSACTIONS"],
        defaultExecutionMode: "AUTO",
        spendingLimits: { currency: "USD", perTransactionLimit: 1 },
      },
    });
    const input = `${agent.json.deviceCode.code}\n`;
    const redeemed = await shell.run(["device-codes", "redeem", "-", "--json"], { input });
    expect(redeemed.code).toBe(0);
    const env = { FLORIN_ACCESS_TOKEN: JSON.parse(redeemed.out).accessToken as string };
    const me = await shell.run(["me", "get", "--json"], { env });
    expect(JSON.parse(me.out)).toMatchObject({ customerId });
  });
});
