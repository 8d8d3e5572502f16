/** `florin listen` and `trigger` against the server, where the document has the list of events and so their stream. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWebhook } from "../../client/src/webhooks.ts";
import { fundedCustomer, openStory, type Story } from "../../server/test/kit/story.ts";
import { startTestServer, type TestServer } from "../../server/test/kit/test-server.ts";
import { operationTable } from "../src/operations/operation-table.ts";
import { startReceiver } from "./kit/receiver.ts";
import { openShell, type Shell } from "./kit/shell.ts";

describe.runIf(operationTable.some(({ id }) => id === "listEvents"))("beside the server", () => {
  let server: TestServer;
  let story: Story;
  let shell: Shell;
  beforeAll(async () => {
    server = await startTestServer();
    story = await openStory(server);
    shell = openShell({
      FLORIN_URL: server.baseUrl,
      FLORIN_CLIENT_ID: story.clientId,
      FLORIN_CLIENT_SECRET: story.clientSecret,
    });
  });
  afterAll(async () => {
    shell.remove();
    await server.close();
  });

  it("logs tail shows the calls that a filter takes, as lines or as the API has them", async () => {
    const missing = "Customer:019a4f00-0000-7000-8000-000000000001";
    const tail = (words: readonly string[]) => {
      const stopping = new AbortController();
      let text = "";
      const ended = shell.run(["logs", "tail", ...words], {
        stopped: stopping.signal,
        onOutput: (piece) => {
          text += piece;
        },
      });
      const stop = () => {
        stopping.abort();
        return ended;
      };
      return { text: () => text, stop };
    };
    const lines = tail(["--status", "4xx", "--path", `/customers/${missing}`]);
    const objects = tail(["--json", "--status", "404", "--method", "get"]);
    await expect.poll(lines.text).toContain("calls at");
    await expect.poll(objects.text).toContain("calls at");
    await expect
      .poll(
        async () => {
          await story.call("GET", "/config");
          await story.call("GET", `/customers/${missing}`);
          return [lines.text(), objects.text()].every((text) => text.includes(missing));
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBe(true);
    const { code, out } = await lines.stop();
    expect(code).toBe(0);
    for (const line of out.trimEnd().split("\n")) {
      expect(line).toMatch(
        /^\d{4}-\S+Z {2}404 {2} +\d+ ms {2}GET +\/customers\/\S+ {2}USER_NOT_FOUND {2}\S+$/,
      );
    }
    const printed = (await objects.stop()).out.trimEnd().split("\n");
    for (const line of printed) {
      expect(JSON.parse(line)).toMatchObject({ operationId: "getCustomer", status: 404 });
    }
  });

  it("logs tail refuses a status that there is none of", async () => {
    const { code, errors } = await shell.run(["logs", "tail", "--status", "9xx"]);
    expect(code).toBe(2);
    expect(errors).toContain("--status must be a status like 409, or 2xx, 4xx or 5xx");
  });

  it("listen posts what happens, signed by the platform and in order per object", async () => {
    const { accountId } = await fundedCustomer(story, 1);
    const receiver = await startReceiver();
    const stopping = new AbortController();
    let text = "";
    const words = ["listen", "--forward-to", `http://127.0.0.1:${receiver.port}/`, "--since", "1"];
    const ended = shell.run(words, {
      stopped: stopping.signal,
      onOutput: (piece) => {
        text += piece;
      },
    });
    for (let index = 0; index < 20; index += 1) {
      await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 });
    }
    const count = () => text.match(/BALANCE_UPDATED .* -> 200/g)?.length ?? 0;
    await expect.poll(count).toBe(21);
    stopping.abort();
    expect((await ended).code).toBe(0);
    const publicKey = story.webhookPublicKey;
    for (const { body, signature } of receiver.posts)
      readWebhook({ body, header: signature, publicKey });
    const sequences = receiver.posts.map(({ sequence }) => sequence);
    expect(new Set(sequences).size).toBe(sequences.length);
    const own = receiver.posts.filter(({ body }) => body.includes("BALANCE_UPDATED"));
    const numbers = own.map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
    await receiver.close();
  });

  it("trigger shows the event that it waited for", async () => {
    const words = ["trigger", "CUSTOMER.KYC_REJECTED", "--json"];
    const { code, out } = await shell.run(words);
    expect(code).toBe(0);
    const { id, type } = JSON.parse(out);
    expect(type).toBe("CUSTOMER.KYC_REJECTED");
    expect(out).toBe((await story.call("GET", `/events/${id}`)).text);
  });
});
