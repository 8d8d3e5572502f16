/** The operator's commands about UMA keys and institutions. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { blockDomainFromShell } from "../../../src/commands/uma/block-domain.ts";
import { listKeysFromShell, rotateKeyFromShell } from "../../../src/commands/uma/uma-keys.ts";
import type { Config } from "../../../src/config.ts";
import { operatorRuns } from "../../kit/operator.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let bank: Story;
let sandbox: Story;
beforeAll(async () => {
  server = await startTestServer();
  const production = { environment: "PRODUCTION", isRegulated: true } as const;
  bank = await openStory(server, { ...production, umaDomain: "bank.test" });
  sandbox = await openStory(server, { umaDomain: "sandbox.test" });
});
afterAll(() => server.close());

const run = (command: (config: Config) => Promise<void>) =>
  operatorRuns({ database: server.database }, (config) => command(config), {});

it("blocks an institution at all platforms but its own, and keeps what they have set", async () => {
  const overrides = { pinKeys: true };
  const path = "/uma/counterparties/vasp.test";
  await sandbox.call("PUT", path, { status: "ALLOWED", overrides });
  const block = (domain: string, allPlatforms = true) =>
    run((config) => blockDomainFromShell(config, domain, { allPlatforms }));
  expect(await block("VASP.test")).toMatch(/^vasp\.test is blocked at \d+ platforms\.\n$/);
  for (const story of [bank, sandbox]) {
    const { data } = (await story.call("GET", "/uma/counterparties?domain=vasp.test")).json;
    const kept = story === sandbox ? overrides : {};
    expect(data).toMatchObject([{ domain: "vasp.test", status: "BLOCKED", overrides: kept }]);
    expect(data[0].overrides).toEqual(kept);
  }
  const own = await block("bank.test");
  expect(own).toContain(`PlatformConfig:${bank.platformId}  not blocked:`);
  await expect(block("vasp.test", false)).rejects.toThrow("--all-platforms");
  await expect(block("no domain")).rejects.toThrow("is no domain name");
});

it("shows the keys of a domain, and rotates them", async () => {
  const keys = () => run((config) => listKeysFromShell(config, "BANK.test"));
  const rotate = (use: string, compromised: boolean, domain = "bank.test") =>
    run((config) => rotateKeyFromShell(config, domain, { use, compromised }));
  expect(await keys()).toContain("It has no keys yet");
  await bank.call("GET", "/uma/keys");
  const lines = (await keys()).trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines.join("\n")).toMatch(/SIGNING {2}CURRENT {2}SELF_SIGNED {2}39[67] days left/);
  expect(await rotate("signing", false)).toMatch(/SIGNING {2}NEXT {2}.* from \d{4}-/);
  await expect(rotate("signing", false)).rejects.toThrow("takes over as the SIGNING key");
  expect(await rotate("SIGNING", true)).toMatch(/SIGNING {2}CURRENT/);
  expect(await rotate("encryption", true)).toMatch(/ENCRYPTION {2}CURRENT/);
  expect(await keys()).toMatch(/ENCRYPTION {2}PREVIOUS/);
  await expect(rotate("both", false)).rejects.toThrow("--use must be");
  await expect(rotate("signing", false, "nobodys.test")).rejects.toThrow("no platform has");
});
