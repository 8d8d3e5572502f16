/** The keys of platforms as other institutions read them: at the host of each domain, over the code that reads the keys of others. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCounterpartyKeyTable } from "../../../src/domain/uma/keys/counterparty-key.sql.ts";
import { listLiveUmaKeys } from "../../../src/domain/uma/keys/uma-key.sql.ts";
import { currentKey } from "../../../src/domain/uma/keys/uma-key.ts";
import { pemOf } from "../../../src/formats/uma/certificates/write-certificate.ts";
import { signedText } from "../../../src/formats/uma/signatures.ts";
import { createOutboundClient } from "../../../src/outside/outbound-http/outbound-client.ts";
import { createCounterpartyKeys } from "../../../src/outside/uma/counterparty-keys.ts";
import { fetchKeyDocument } from "../../../src/outside/uma/fetch-key-document.ts";
import { createUmaKeyTools } from "../../../src/outside/uma/key-tools.ts";
import { umaHosts } from "../../../src/outside/uma/uma-hosts.ts";
import { present } from "../../../src/std/assert.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { askHost, startUmaProxy, type UmaProxy } from "../../kit/uma-proxy.ts";

const PATH = "/.well-known/lnurlpubkey";
const DOMAINS = ["bank.test", "wallet.test", "silent.test"];
let proxy: UmaProxy;
let server: TestServer;
let listed: readonly string[];
let bank: Story;
let wallet: Story;

beforeAll(async () => {
  proxy = await startUmaProxy();
  listed = DOMAINS.map((domain) => `${domain}=http://127.0.0.1:${proxy.port}`);
  server = await startTestServer({ settings: { UMA_HOSTS: listed.join(",") } });
  proxy.upstream = server.app.address.port;
  [bank, wallet] = await Promise.all([served("bank.test"), served("wallet.test")]);
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

async function served(umaDomain: string): Promise<Story> {
  const story = await openStory(server, { environment: "PRODUCTION", umaDomain, name: umaDomain });
  const [{ id }] = (await story.call("GET", "/uma/domains")).json.data;
  const checked = expectStatus(200, await story.call("POST", `/uma/domains/${id}/check`));
  expect(checked.json.status).toBe("ACTIVE");
  return story;
}

const at = (host: string) => askHost(server.app.address.port, { host, path: PATH, headers: {} });

it("each host has the document of its platform, and a host that is not served has none", async () => {
  const [one, other] = [await at("bank.test"), await at("wallet.test")];
  expect(one.headers).toMatchObject({ "cache-control": "public, max-age=300" });
  expect(one.headers["content-type"]).toMatch(/^application\/json/);
  const [first, second] = [one, other].map(({ status, text }) => {
    expect(status).toBe(200);
    return JSON.parse(text);
  });
  const keys = [first, second].flatMap((each) => [each.signingPubKey, each.encryptionPubKey]);
  expect(new Set(keys).size).toBe(4);
  const shown = (await bank.call("GET", "/uma/keys")).json.data;
  expect(shown.map(({ publicKey }: { readonly publicKey: string }) => publicKey).sort()).toEqual(
    [first.signingPubKey, first.encryptionPubKey].sort(),
  );
  const silent = await openStory(server, { environment: "PRODUCTION", umaDomain: "silent.test" });
  const [away, unknown] = [await at("silent.test"), await at("nobody.test")];
  expect([away.status, away.text]).toEqual([404, unknown.text]);
  expect((await silent.call("GET", "/uma/domains")).json.data[0].status).toBe("CLAIMED");
});

it("is read by what reads the keys of others, and verifies what the platform signs", async () => {
  const outbound = createOutboundClient({ clock: systemClock });
  const { database, sealer } = server.app.store;
  const store = createCounterpartyKeyTable(database, systemClock);
  const { callOf } = umaHosts(listed);
  const fetch = (domain: string) => fetchKeyDocument({ outbound, callOf }, domain);
  const source = createCounterpartyKeys({ store, fetch, clock: systemClock });
  const own = await listLiveUmaKeys(database.reads, wallet.platformId);
  const key = present(currentKey(own, "SIGNING"), "the signing key");
  const message = { addresses: ["$a@x"], now: systemClock.now() };
  const signed = await createUmaKeyTools(sealer).sign(wallet.platformId, key, message);
  const { signature } = signed;
  const text = signedText(message.addresses, signed);
  const judge = (domain: string) => source.judge(domain, { text, signature });
  expect(await judge("wallet.test")).toMatchObject({ kind: "good" });
  expect(await judge("bank.test")).toEqual({ kind: "wrong" });
  expect(await judge("silent.test")).toEqual({
    kind: "fault",
    code: "COUNTERPARTY_PUBKEY_FETCH_ERROR",
    reason: "the host answered 404",
  });
  const { rows } = await database.withClient((client) =>
    client.query("select domain from uma_counterparty_keys order by domain"),
  );
  expect(rows.map(({ domain }) => domain)).toEqual(["bank.test", "wallet.test"]);
  await store.close();
  await outbound.close();
});

function openssl(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("openssl", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
const hasOpenssl = openssl("version") !== undefined;

it(`both chains verify in OpenSSL${hasOpenssl ? "" : " (skipped: openssl is not installed)"}`, async ({
  skip,
}) => {
  if (!hasOpenssl) skip("openssl is not installed");
  const document = JSON.parse((await at("bank.test")).text);
  const folder = mkdtempSync(join(tmpdir(), "florin-uma-keys-"));
  try {
    for (const name of ["signingCertChain", "encryptionCertChain"]) {
      const [leaf] = document[name].map((hex: string) => Buffer.from(hex, "hex"));
      const path = join(folder, `${name}.pem`);
      writeFileSync(path, pemOf(leaf, "CERTIFICATE"));
      const verified = openssl("verify", "-verify_hostname", "bank.test", "-CAfile", path, path);
      expect(verified).toContain(": OK");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
