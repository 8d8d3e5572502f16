/** The clock of a sandbox, and the signature of a delivery that was kept. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endReceivers, httpReceiver } from "../../server/test/kit/receivers.ts";
import { sharedServer } from "../../server/test/kit/shared-server.ts";
import { openStory, type Story } from "../../server/test/kit/story.ts";
import { setEndpoint } from "../../server/test/kit/story-webhooks.ts";
import { openShell, type Shell } from "./kit/shell.ts";

const server = await sharedServer();
let story: Story;
let shell: Shell;
beforeAll(async () => {
  story = await openStory(server);
  shell = openShell({
    FLORIN_URL: server.baseUrl,
    FLORIN_CLIENT_ID: story.clientId,
    FLORIN_CLIENT_SECRET: story.clientSecret,
  });
});
afterAll(async () => {
  shell.remove();
  await endReceivers();
});

it("shows a sandbox's clock and moves it on", async () => {
  const now = async () => {
    const { out } = await shell.run(["sandbox", "clock", "--json"]);
    return Date.parse(JSON.parse(out).now);
  };
  const before = await now();
  expect((await shell.run(["sandbox", "clock", "+1d"])).code).toBe(0);
  expect((await now()) - before).toBeGreaterThanOrEqual(86_400_000);
  expect((await shell.run(["sandbox", "clock", "tomorrow"])).code).toBe(2);
});

it("verifies a delivery's bytes with the platform's key or a given one", async () => {
  const kept: { readonly body: string; readonly header: string }[] = [];
  const { url } = await httpReceiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const header = String(request.headers["x-service-signature"]);
      kept.push({ body: Buffer.concat(chunks).toString("utf8"), header });
      response.writeHead(200).end();
    });
  });
  await setEndpoint(story, url);
  await expect.poll(() => kept.length).toBe(1);
  const { body: input = "", header = "" } = kept[0] ?? {};
  const path = join(shell.home, "key.pem");
  writeFileSync(path, story.webhookPublicKey);
  const words = ["webhooks", "verify", "--header", header];
  expect(await shell.run(words, { input })).toMatchObject({ code: 0, out: "valid\n" });
  expect((await shell.run([...words, "--key", path], { input })).code).toBe(0);
  const altered = await shell.run(words, { input: `${input}\n` });
  expect(altered).toMatchObject({ code: 1, out: "" });
  expect(altered.errors).toContain("INVALID_SIGNATURE");
  for (const [told, says] of [
    [`${input}\n`, /line end that was not signed/],
    [JSON.stringify(JSON.parse(input), null, 2), /written anew/],
    [input.replace("TEST", "TEXT"), /another key, or the body was altered/],
    [input.slice(0, -1), /not JSON/],
    ["", /empty/],
  ] as const) {
    expect((await shell.run(words, { input: told })).errors).toMatch(says);
  }
  const version = ["webhooks", "verify", "--header", header.replace('"1"', '"2"')];
  expect(await shell.run(version, { input })).toMatchObject({ code: 2 });
  const rotated = await shell.run(["webhooks", "rotate-public-key", "--overlap-hours", "1"]);
  expect(rotated.code).toBe(0);
  expect((await shell.run(words, { input })).out).toBe("valid\n");
  expect((await shell.run(["webhooks", "verify", "--header", "abc"], { input })).code).toBe(2);
  writeFileSync(path, "no key");
  expect((await shell.run([...words, "--key", path], { input })).code).toBe(2);
});
