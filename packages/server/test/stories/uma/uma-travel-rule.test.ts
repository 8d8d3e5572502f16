/** Travel-rule data of incoming payments: who may read them, in which form they are shown, and that each read is in the audit log. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/std/digest.ts";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { invoicedTransaction } from "../../kit/valid-uma-payment-calls.ts";

const TOLD = '{"originator": {"accountNumber": ["$bo@vasp.example"], "note": "Bo Lind-Canary"}}';

let server: TestServer;
let story: Story;
let owner: ConsoleBrowser;
beforeAll(async () => {
  server = await startTestServer();
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
});
afterAll(() => server.close());

const pathOf = (id: string) => `/uma/payments/${id}/travel-rule`;
const read = (id: string, at = story) => at.call("GET", pathOf(id));
const readsOf = async (id: string) =>
  (await story.call("GET", `/audit-entries?targetId=${id}&limit=100`)).json.data.filter(
    ({ act }: { readonly act: string }) => act === "getUmaTravelRule",
  );

describe("travel-rule data of a payment", () => {
  it.each<readonly [what: string, told: string, document: unknown]>([
    ["an object as it was sent", TOLD, JSON.parse(TOLD)],
    ["a text that is JSON", '"words"', "words"],
    ["text that is not JSON", "<ivms>Bo</ivms>", "<ivms>Bo</ivms>"],
    ["broken JSON as text", '{"originator":', '{"originator":'],
    ["nothing but JSON's null", "null", null],
    ["an empty text", "", ""],
    ["a value that is too deep as text", `${"[".repeat(65)}${"]".repeat(65)}`, expect.any(String)],
    ["a value that is as deep as may be", `${"[".repeat(64)}${"]".repeat(64)}`, expect.any(Array)],
  ])("are shown: %s", async (_what, told, document) => {
    const transactionId = await invoicedTransaction(story, { told });
    const { status, json, headers } = await read(transactionId);
    expect([status, json]).toEqual([
      200,
      {
        ...{ transactionId, format: "ivms@101.2023", document },
        ...{ sha256: sha256Hex(told), receivedAt: expect.any(String) },
      },
    ]);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("are shown without a format where the institution gave none", async () => {
    const transactionId = await invoicedTransaction(story, { format: null });
    expect((await read(transactionId)).json).not.toHaveProperty("format");
  });

  it("are not there for a payment without any, one of another platform, or none at all", async () => {
    const other = await openStory(server);
    const answers = [
      await read(await invoicedTransaction(story, { told: null })),
      await read(await invoicedTransaction(other)),
      await read("Transaction:019a4f00-0000-7000-8000-000000000099"),
    ];
    const texts = answers.map(({ status, json }) => [status, json.code, json.message]);
    expect(new Set(texts.map(String)).size).toBe(1);
    expect(texts[0]?.slice(0, 2)).toEqual([404, "TRANSACTION_NOT_FOUND"]);
  });

  it("leave one entry in the audit log for each read, by token or person, and none for a read of nothing", async () => {
    const id = await invoicedTransaction(story, { told: TOLD });
    const without = await invoicedTransaction(story, { told: null });
    await read(without);
    expect(await readsOf(without)).toEqual([]);
    await read(id);
    await owner.at(story.platformId)("GET", pathOf(id));
    expect(await readsOf(id)).toMatchObject([
      { actor: { kind: "person" }, target: { id }, changes: [] },
      { actor: { kind: "token" }, target: { id }, changes: [] },
    ]);
  });

  it("need TRANSACT of a token, and clear personal data of a person", async () => {
    const id = await invoicedTransaction(story, { told: TOLD });
    const viewer = await makePerson(owner, ["VIEWER"]);
    const refused = await viewer.browser.at(story.platformId)("GET", pathOf(id));
    expect([refused.status, refused.json.code]).toEqual([403, "FORBIDDEN"]);
    expect(JSON.stringify(refused.json)).not.toContain("Canary");
    expect(await readsOf(id)).toEqual([]);
  });

  it("stand in clear in no table, also after they were read", async () => {
    await read(await invoicedTransaction(story, { told: TOLD }));
    const found = await server.app.store.database.withClient(async (client) => {
      const { rows } = await client.query<{ name: string }>(
        "select table_name as name from information_schema.tables where table_schema = current_schema()",
      );
      const having: string[] = [];
      for (const { name } of rows) {
        const said = `select 1 from ${name} t where t::text like '%Lind-Canary%' limit 1`;
        if ((await client.query(said)).rowCount !== 0) having.push(name);
      }
      return having;
    });
    expect(found).toEqual([]);
  });
});
