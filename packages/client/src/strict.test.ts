import { afterEach, describe, expect, it } from "vitest";
import { type FakeApi, type Reply, startFakeApi } from "../test/fake-api.ts";
import { createClient } from "./client.ts";
import type { FlorinError } from "./errors.ts";

let api: FakeApi;
afterEach(() => api.close());

async function clientFor(answer: () => Reply, more: { readonly strict?: boolean } = {}) {
  api = await startFakeApi(answer);
  return createClient({ baseUrl: api.baseUrl, clientId: "id", clientSecret: "secret", ...more });
}

const ok: Reply = { status: 200, json: { id: "Transaction:1" } };
const move = { source: { accountId: "a" }, destination: { accountId: "b" }, amount: 5 };

describe("a body with a field that the server does not know", () => {
  it("is to be refused, as long as the client is not told otherwise", async () => {
    const client = await clientFor(() => ok);
    await client.transfers.out(move);
    expect(api.seen[0]?.headers.prefer).toBe("handling=strict");
  });

  it("is left to the server with `strict: false`, and where there is no body", async () => {
    const client = await clientFor(() => ok, { strict: false });
    await client.transfers.out(move);
    await client.config.get();
    expect(api.seen.map(({ headers }) => headers.prefer)).toEqual([undefined, undefined]);
  });

  it("is an error that says what the server said", async () => {
    const message = "amont: is no field of this call; did you mean amount?";
    const client = await clientFor(() => ({
      status: 400,
      json: { status: 400, code: "INVALID_INPUT", message },
    }));
    const error = await client.transfers.out(move).catch((thrown: FlorinError) => thrown);
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT", message });
  });
});
