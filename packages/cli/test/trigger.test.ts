/** `florin trigger` has every event of the document happen in a sandbox. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "../../server/test/kit/platform-rows.ts";
import { endReceivers } from "../../server/test/kit/receivers.ts";
import { sampleOf } from "../../server/test/kit/sample.ts";
import { sharedServer } from "../../server/test/kit/shared-server.ts";
import { openStory, type Story } from "../../server/test/kit/story.ts";
import { listenTo } from "../../server/test/kit/story-webhooks.ts";
import { recipes } from "../src/trigger/recipes.ts";
import { openShell, type Shell } from "./kit/shell.ts";

const document = JSON.parse(
  readFileSync(new URL("../../../docs/reference/openapi.json", import.meta.url), "utf8"),
) as { readonly webhooks: Readonly<Record<string, unknown>> };
const types = Object.keys(document.webhooks);

const server = await sharedServer();
let story: Story;
let shell: Shell;
beforeAll(async () => {
  story = await openStory(server);
  shell = openShell(variablesOf(story));
});
afterAll(async () => {
  shell.remove();
  await endReceivers();
});

function variablesOf({ clientId, clientSecret }: Story): Readonly<Record<string, string>> {
  return {
    FLORIN_URL: server.baseUrl,
    FLORIN_CLIENT_ID: clientId,
    FLORIN_CLIENT_SECRET: clientSecret,
  };
}

describe("trigger", () => {
  it("has a recipe for each type of event", async () => {
    expect(recipes.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
    const { code, out } = await shell.run(["trigger", "--list"]);
    expect(code).toBe(0);
    for (const type of types) expect(out).toContain(`${type} `);
  });

  const made = recipes.filter(({ isUnlisted, run }) => isUnlisted !== true && run !== undefined);
  it.each(sampleOf(made.map(({ type }) => type)))("makes %s happen", async (type) => {
    const before = (await eventsOf(story)).length;
    const { code, errors } = await shell.run(["trigger", type]);
    expect({ code, errors }).toMatchObject({ code: 0 });
    expect(errors).toContain("POST /");
    const told = async () => (await eventsOf(story)).slice(before).map((event) => event.type);
    await expect.poll(told).toContain(type);
  });

  const unmade = recipes.filter(({ run }) => run === undefined);
  it.each(unmade)("says what brings $type about", async ({ type, does }) => {
    const { code, errors } = await shell.run(["trigger", type]);
    expect([code, errors]).toEqual([2, expect.stringContaining(`${type} needs ${does}`)]);
  });

  it("tests the endpoint that is set, and says so when none is", async () => {
    const other = await openStory(server);
    const env = variablesOf(other);
    expect((await shell.run(["trigger", "TEST"], { env })).code).toBe(1);
    const receiver = await listenTo(other);
    await receiver.received(1);
    expect((await shell.run(["trigger", "TEST"], { env })).code).toBe(0);
    await receiver.received(2);
    expect(receiver.deliveries.map(({ type }) => type)).toEqual(["TEST", "TEST"]);
  });

  it("takes other values", async () => {
    const words = ["trigger", "INTERNAL_ACCOUNT.BALANCE_UPDATED"];
    const set = ["--set", "amount=77", "--set", "fullName=Bea Lind"];
    expect((await shell.run([...words, ...set])).code).toBe(0);
    const { json } = await story.call("GET", "/customers?limit=1");
    expect(json.data[0].fullName).toBe("Bea Lind");
    expect((await shell.run([...words, "--set", "amount=-1"])).code).toBe(2);
  });

  it("makes nothing outside a sandbox, nor for a type that is none", async () => {
    const live = await openStory(server, { environment: "PRODUCTION" });
    const words = ["trigger", "CUSTOMER.KYC_APPROVED"];
    expect((await shell.run(words, { env: variablesOf(live) })).code).toBe(2);
    expect((await live.call("GET", "/customers")).json.data).toEqual([]);
    expect((await shell.run(["trigger", "NOTHING"])).code).toBe(2);
  });
});
