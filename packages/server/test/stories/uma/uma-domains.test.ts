/** Who may have which UMA domain: namespaces of environments, domains above and below others, what can be none. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlatformFromShell } from "../../../src/commands/create-platform.ts";
import { setPlatformFromShell } from "../../../src/commands/set-platform.ts";
import { operatorRuns } from "../../kit/operator.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer({ settings: { PUBLIC_URL: "https://api.deployment.example" } });
  story = await openStory(server);
});
afterAll(() => server.close());

const claim = (platform: Story, umaDomain: string) =>
  platform.call("PATCH", "/config", { umaDomain });

const codeOf = ({ status, json }: RawAnswer) => [status, json.code];

async function customerAt(platform: Story, umaAddress: string): Promise<string> {
  const body = {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    currencies: ["USD"],
    umaAddress,
  };
  const made = await platform.call("POST", "/customers", body);
  expect([umaAddress, made.status]).toEqual([umaAddress, 201]);
  return made.json.id;
}

const look = (from: Story, address: string) =>
  from.call("GET", `/receiver/uma/${encodeURIComponent(address)}`);

const production = (umaDomain: string) =>
  openStory(server, { environment: "PRODUCTION", isRegulated: true, umaDomain });

describe("sandbox and production", () => {
  it("have namespaces of their own: the same domain and address are there twice", async () => {
    const sandbox = await openStory(server);
    expect((await claim(sandbox, "realbank.test")).status).toBe(200);
    const bank = await production("realbank.test");
    const address = "$ana@realbank.test";
    for (const platform of [sandbox, bank]) await customerAt(platform, address);
    const second = { customerType: "INDIVIDUAL", umaAddress: address };
    for (const platform of [sandbox, bank]) {
      const taken = await platform.call("POST", "/customers", second);
      expect(codeOf(taken)).toEqual([409, "UMA_ADDRESS_EXISTS"]);
    }
  });

  it("resolve the addresses of their own environment, and no others", async () => {
    const sandbox = await openStory(server);
    await claim(sandbox, "split.test");
    const bank = await production("split.test");
    // Another production platform asks over the network, and the domain of this one is not served.
    const others = [story, bank, await production("elsewhere.test")] as const;
    await customerAt(sandbox, "$s@split.test");
    await customerAt(bank, "$p@split.test");
    const found = async (address: string) =>
      Promise.all(others.map(async (from) => (await look(from, address)).status));
    expect(await found("$s@split.test")).toEqual([200, 404, 409]);
    expect(await found("$p@split.test")).toEqual([404, 200, 409]);
    const [foreign, unknown] = [
      await look(story, "$p@split.test"),
      await look(story, "$nobody@split.test"),
    ];
    expect(foreign.text).toBe(unknown.text);
  });

  it("do not take domains from each other by what lies above or below", async () => {
    const sandbox = await openStory(server);
    expect((await claim(sandbox, "sandbox.newbank.test")).status).toBe(200);
    await production("newbank.test");
    await production("pay.otherbank.test");
    expect((await claim(sandbox, "otherbank.test")).status).toBe(200);
  });
});

describe("a domain above or below another platform's", () => {
  it("is refused in either direction and spelling, without naming its owner", async () => {
    const owner = await openStory(server);
    expect((await claim(owner, "pay.tree.test")).status).toBe(200);
    const before = (await story.call("GET", "/config")).json;
    for (const domain of [
      "x.pay.tree.test",
      "a.b.c.pay.tree.test",
      "Tree.Test",
      "X.PAY.tree.test",
    ]) {
      const refused = await claim(story, domain);
      expect(codeOf(refused)).toEqual([409, "CONFLICT"]);
      expect(refused.json.message).toContain("above or below a domain of another platform");
      expect(refused.json.details).toEqual({ field: "umaDomain" });
      expect(refused.text).not.toContain(owner.platformId);
    }
    expect(codeOf(await claim(story, "pay.tree.test"))).toEqual([409, "UMA_ADDRESS_EXISTS"]);
    expect((await story.call("GET", "/config")).json).toEqual(before);
  });

  it("is a matter of whole labels: beside it, and with another ending, there is room", async () => {
    const owner = await openStory(server);
    await claim(owner, "pay.room.test");
    const other = await openStory(server);
    for (const domain of [
      "pays.room.test",
      "xpay.room.test",
      "pa.room.test",
      "pay-.room.test",
      "pay-x.room.test",
      "pay.room.test2",
      "pay.rooms.test",
    ]) {
      const expected = domain.includes("-.") ? 400 : 200;
      expect([domain, (await claim(other, domain)).status]).toEqual([domain, expected]);
    }
  });

  it("may be had by the platform itself", async () => {
    const owner = await openStory(server);
    for (const domain of ["b.own.test", "own.test", "c.b.own.test"]) {
      expect([domain, (await claim(owner, domain)).status]).toEqual([domain, 200]);
    }
    expect(codeOf(await claim(story, "d.own.test"))).toEqual([409, "CONFLICT"]);
  });

  it("makes no platform either, and leaves nothing behind", async () => {
    await claim(await openStory(server), "sandbox.late.test");
    const rows = async () => {
      const sql =
        "select (select count(*) from platform_heads), (select count(*) from domain_claims)";
      return server.app.store.database.withClient(async (client) => (await client.query(sql)).rows);
    };
    const before = await rows();
    for (const [environment, umaDomain] of [
      ["sandbox", "late.test"],
      ["sandbox", "pay.sandbox.late.test"],
      ["production", "x.realbank.test"],
    ] as const) {
      const options = { name: "late", environment, umaDomain, regulated: false };
      await expect(operatorRuns(server, createPlatformFromShell, options)).rejects.toThrow(
        `another ${environment} platform has the UMA domain ${umaDomain}`,
      );
    }
    expect(await rows()).toEqual(before);
  });
});

describe("a production platform's domain", () => {
  it("is set by the operator only, and a token's refusal says how", async () => {
    const bank = await production("given.test");
    const before = (await bank.call("GET", "/config")).json;
    const id = `PlatformConfig:${bank.platformId}`;
    const refused = await claim(bank, "taken.test");
    expect(codeOf(refused)).toEqual([403, "FORBIDDEN"]);
    expect(refused.json.message).toContain(`florin platform set --platform ${id} --uma-domain`);
    const same = await bank.call("PATCH", "/config", { umaDomain: "Given.test" });
    expect(same.status).toBe(200);
    expect({ ...same.json, updatedAt: before.updatedAt }).toEqual(before);

    const options = { platform: id, umaDomain: "Taken.test" };
    expect(await operatorRuns(server, setPlatformFromShell, options)).toBe(
      "UMA domain  taken.test\n",
    );
    expect((await bank.call("GET", "/config")).json.umaDomain).toBe("taken.test");
    expect(codeOf(await claim(bank, "given.test"))).toEqual([403, "FORBIDDEN"]);
    await customerAt(bank, "$ana@taken.test");
  });

  it("is refused to the operator, too, where another platform has it or one around it", async () => {
    const [one, other] = [await production("one.test"), await production("pay.two.test")];
    const set = (umaDomain: string) =>
      operatorRuns(server, setPlatformFromShell, { platform: other.platformId, umaDomain });
    await expect(set("one.test")).rejects.toThrow("domain is taken");
    await expect(set("x.one.test")).rejects.toThrow("above or below");
    await expect(set("api.deployment.example")).rejects.toThrow("host of this deployment");
    await expect(set("10.0.0.1")).rejects.toThrow("IP address");
    expect((await one.call("GET", "/config")).json.umaDomain).toBe("one.test");
    expect((await other.call("GET", "/config")).json.umaDomain).toBe("pay.two.test");
    expect(await set("two.test")).toContain("two.test");
  });
});

describe("an impossible domain", () => {
  it.each([
    "127.0.0.1",
    "0x7f.1",
    "10.1",
    "api.deployment.example",
    "pay.API.deployment.example",
    "bank.localhost",
    "xn--a.test",
  ])("is %s", async (umaDomain) => {
    const refused = await claim(story, umaDomain);
    expect(codeOf(refused)).toEqual([400, "INVALID_INPUT"]);
    expect(refused.json.details.errors).toHaveLength(1);
    expect(refused.json.details.field).toBe("umaDomain");
    const options = { name: "none", environment: "sandbox", umaDomain, regulated: false };
    await expect(operatorRuns(server, createPlatformFromShell, options)).rejects.toThrow(
      "--uma-domain",
    );
  });

  it("is named together with what else is wrong", async () => {
    const body = { umaDomain: "127.0.0.1", webhookEndpoint: "nowhere" };
    const { json } = await story.call("PATCH", "/config", body);
    const fields = json.details.errors.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(["umaDomain", "webhookEndpoint"]);
  });
});
