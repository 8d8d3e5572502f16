import { afterEach, describe, expect, it } from "vitest";
import { callTable, move, passport, signature } from "../test/call-table.ts";
import { type FakeApi, type Reply, type Seen, startFakeApi } from "../test/fake-api.ts";
import { type Client, createClient } from "./client.ts";

let api: FakeApi;
afterEach(() => api.close());

async function clientFor(answer: (request: Seen, index: number) => Reply): Promise<Client> {
  api = await startFakeApi(answer);
  return createClient({ baseUrl: api.baseUrl, clientId: "id", clientSecret: "sécret" });
}

const ok: Reply = { status: 200, json: { data: [], hasMore: false } };

describe("a call", () => {
  it.each(callTable)("%s is sent as the API has it", async (_name, call, request) => {
    const client = await clientFor(() => ok);
    await call(client);
    const [method, target] = request.split(" ");
    expect(api.seen).toHaveLength(1);
    expect(api.seen[0]).toMatchObject({ method, url: `/2025-10-13${target}` });
  });

  it("is in this table for every function of the client", async () => {
    const client = await clientFor(() => ok);
    const names = Object.entries(client).flatMap(([group, calls]) =>
      Object.keys(calls).map((name) => `${group}.${name}`),
    );
    expect(names.sort()).toEqual(callTable.map(([name]) => name).sort());
  });

  it("carries the credentials, in UTF-8, and asks for JSON", async () => {
    const client = await clientFor(() => ok);
    await client.config.get();
    const credentials = Buffer.from("id:sécret", "utf8").toString("base64");
    expect(api.seen[0]?.headers).toMatchObject({
      authorization: `Basic ${credentials}`,
      accept: "application/json",
    });
    expect(api.seen[0]?.headers).not.toHaveProperty("content-type");
    expect(api.seen[0]?.headers).not.toHaveProperty("idempotency-key");
  });

  it("sends its input as JSON and gives the answer as it came", async () => {
    const answer = { id: "Transaction:1", aNewField: [1, { b: null }] };
    const client = await clientFor(() => ({ status: 201, json: answer }));
    expect(await client.transfers.out(move)).toEqual(answer);
    expect(JSON.parse(api.seen[0]?.body ?? "")).toEqual(move);
    expect(api.seen[0]?.headers["content-type"]).toBe("application/json");
  });

  it("sends a form with its file, and its fields as text", async () => {
    const client = await clientFor(() => ok);
    const fields = { side: undefined, documentNumber: "7" } as unknown as {
      documentNumber: string;
    };
    await client.documents.upload({ ...passport, ...fields, documentHolder: "Customer:1" });
    const [seen] = api.seen;
    expect(seen?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen?.headers["idempotency-key"]).toBeDefined();
    const names = [...(seen?.body ?? "").matchAll(/ name="(\w+)"/g)].map(([, name]) => name);
    expect(names).toEqual(["documentType", "country", "documentNumber", "documentHolder", "file"]);
    expect(seen?.body).toContain('filename="p.pdf"');
    expect(seen?.body).toContain("%PDF-1.7");
  });

  it("carries what an owner signed, and the request of a passkey's challenge", async () => {
    const client = await clientFor(() => ok);
    await client.sessions.revoke("Session:1", { signature });
    await client.sessions.revoke("Session:1");
    const assertion = {
      credentialId: "a",
      clientDataJson: "b",
      authenticatorData: "c",
      signature: "d",
    };
    const proof = { type: "PASSKEY", assertion } as const;
    await client.credentials.verify("AuthMethod:1", proof, { requestId: "Request:2" });
    const [signed, unsigned, passkey] = api.seen.map(({ headers }) => headers);
    expect(signed).toMatchObject({ "request-id": "Request:1", "service-wallet-signature": "abc" });
    expect(unsigned).not.toHaveProperty("service-wallet-signature");
    expect(passkey).toMatchObject({ "request-id": "Request:2" });
  });

  it("leaves out query parameters that are undefined", async () => {
    const client = await clientFor(() => ok);
    const query = { limit: 2, cursor: undefined } as unknown as { limit: number };
    await client.tokens.list(query);
    expect(api.seen[0]?.url).toBe("/2025-10-13/tokens?limit=2");
  });

  it("gives nothing for an answer without content", async () => {
    const client = await clientFor(() => ({ status: 204 }));
    expect(await client.tokens.delete("Token:1")).toBeUndefined();
  });

  it.each(["", ".", ".."])("refuses %j as an id and sends nothing", async (id) => {
    const client = await clientFor(() => ok);
    await expect(client.tokens.delete(id)).rejects.toThrow(TypeError);
    expect(api.seen).toHaveLength(0);
  });

  it("cannot be led to another path by an id", async () => {
    const client = await clientFor(() => ok);
    await client.tokens.get("../customers/x?y#z%2e/é");
    expect(api.seen[0]?.url).toBe("/2025-10-13/tokens/..%2Fcustomers%2Fx%3Fy%23z%252e%2F%C3%A9");
  });
});

describe("a list over HTTP", () => {
  it("keeps its filters on every page and carries the cursor", async () => {
    const client = await clientFor((_, index) => ({
      status: 200,
      json:
        index === 0
          ? { data: [{ id: "a" }], hasMore: true, nextCursor: "c=1&d", totalCount: 2 }
          : { data: [{ id: "b" }], hasMore: false, totalCount: 2 },
    }));
    const ids: string[] = [];
    for await (const token of client.tokens.list({ name: "n", limit: 1 })) ids.push(token.id);
    expect(ids).toEqual(["a", "b"]);
    expect(api.seen.map((one) => one.url)).toEqual([
      "/2025-10-13/tokens?name=n&limit=1",
      "/2025-10-13/tokens?name=n&limit=1&cursor=c%3D1%26d",
    ]);
  });
});

describe("a client", () => {
  it.each([
    ["baseUrl", "not a url"],
    ["baseUrl", "ftp://host/"],
    ["baseUrl", "http://user:pass@host/"],
    ["baseUrl", "http://host/?a=b"],
    ["baseUrl", "http://host/#a"],
    ["clientId", ""],
    ["clientId", "a:b"],
    ["retries", -1],
    ["retries", 1.5],
    ["retries", Number.NaN],
  ])("is not made with %s = %j", async (name, value) => {
    await clientFor(() => ok);
    const settings = { baseUrl: api.baseUrl, clientId: "id", clientSecret: "s" };
    expect(() => createClient({ ...settings, [name]: value })).toThrow(TypeError);
  });

  it("takes a base URL that ends in a slash", async () => {
    await clientFor(() => ok);
    const baseUrl = `${api.baseUrl}/`;
    await createClient({ baseUrl, clientId: "id", clientSecret: "s" }).config.get();
    expect(api.seen[0]?.url).toBe("/2025-10-13/config");
  });
});
