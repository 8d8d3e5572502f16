/** The keys by which other institutions know a platform: made once, certified, rotated by the host's clock, and never shown. */

import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findPlatform } from "../../../src/domain/platform.sql.ts";
import { tendUmaKey } from "../../../src/domain/uma/keys/tend-uma-key.ts";
import { currentKey, privateKeyIdentity } from "../../../src/domain/uma/keys/uma-key.ts";
import { type KeyDocument, readKeyDocument } from "../../../src/formats/uma/key-document.ts";
import { isSignatureOf, signedText } from "../../../src/formats/uma/signatures.ts";
import { ownUmaKeys } from "../../../src/http/operations/uma/own-keys.ts";
import { createKeyDocuments } from "../../../src/http/uma/key-document.ts";
import { createUmaKeyTools } from "../../../src/outside/uma/key-tools.ts";
import { createSealer, toMasterKey } from "../../../src/secrets/sealing.ts";
import { present } from "../../../src/std/assert.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { eventsAbout, expectStatus } from "../../kit/story-rails.ts";
import { createStandingClock } from "../../kit/story-wallets.ts";
import { startTestServer, TEST_MASTER_KEY, type TestServer } from "../../kit/test-server.ts";

const time = createStandingClock(Date.parse("2027-03-01T10:00:00.250Z"));
const DAY_MS = 24 * 60 * 60_000;
let server: TestServer;
let second: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer({ clock: time.clock });
  second = await startTestServer({ clock: time.clock, beside: server });
});
beforeEach(async () => {
  story = await openStory(server);
});
afterAll(async () => {
  await second.close();
  await server.close();
});

interface Key {
  readonly id: string;
  readonly use: "SIGNING" | "ENCRYPTION";
  readonly status: string;
  readonly publicKey: string;
  readonly chain: readonly string[];
  readonly notAfter: string;
  readonly takesOverAt?: string;
}

async function keysOf(of: Story = story, baseUrl = server.baseUrl): Promise<readonly Key[]> {
  const response = await fetch(`${baseUrl}/uma/keys?limit=100`, {
    headers: { authorization: of.authorization },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly data: readonly Key[] }).data;
}

async function keyOf(use: Key["use"], status = "CURRENT"): Promise<Key> {
  const [key, ...others] = (await keysOf()).filter(
    (each) => each.use === use && each.status === status,
  );
  if (key === undefined || others.length > 0) throw new Error(`not one ${status} ${use} key`);
  return key;
}

async function pass(ms: number): Promise<void> {
  time.move(ms);
  await server.app.jobs.drain(story.platformId);
}

const rotate = (body: object) => story.call("POST", "/uma/keys/rotate", body);

function namesOf({ chain: [pem = ""] }: Key): string | undefined {
  return new X509Certificate(pem).subjectAltName;
}

it("are one pair of each use when two servers read them at once", async () => {
  const reads = await Promise.all(
    [server, second, server, second].map(({ baseUrl }) => keysOf(story, baseUrl)),
  );
  const [first = []] = reads;
  for (const each of reads) expect(each).toEqual(first);
  expect(first.map(({ use, status }) => `${use} ${status}`).sort()).toEqual([
    "ENCRYPTION CURRENT",
    "SIGNING CURRENT",
  ]);
  const { umaDomain } = (await story.call("GET", "/config")).json;
  expect(first.map(namesOf)).toEqual([`DNS:${umaDomain}`, `DNS:${umaDomain}`]);
  expect(await keysOf(await openStory(server))).not.toEqual(first);
});

it("have a certificate that names a domain that was added", async () => {
  const before = await keyOf("SIGNING");
  const { umaDomain } = (await story.call("GET", "/config")).json;
  expectStatus(200, await story.call("PATCH", "/config", { umaDomain: `new.${umaDomain}` }));
  const after = await keyOf("SIGNING");
  expect(after).toMatchObject({ id: before.id, publicKey: before.publicKey });
  expect(namesOf(after)).toBe(`DNS:new.${umaDomain}, DNS:${umaDomain}`);
});

it("are certified by a chain, whose faults are named together", async () => {
  const key = await keyOf("SIGNING");
  const { pem } = expectStatus(200, await story.call("GET", `/uma/keys/${key.id}/csr`)).json;
  expect(pem).toContain("BEGIN CERTIFICATE REQUEST");
  const other = await keyOf("ENCRYPTION");
  const path = `/uma/keys/${key.id}/chain`;
  const wrong = await story.call("PUT", path, { pem: other.chain.join("") + pem });
  expect(
    expectStatus(400, wrong).json.details.errors.map(
      ({ field, message }: { readonly field: string; readonly message: string }) =>
        `${field} ${message}`,
    ),
  ).toEqual([
    "pem must hold certificates alone, and not CERTIFICATE REQUEST",
    "pem certificate 1 is of another key",
  ]);
  for (const value of [7, null, ["x"], "", "x".repeat(65_537)])
    expectStatus(400, await story.call("PUT", path, { pem: value }));
  expect(await keyOf("SIGNING")).toEqual(key);
  expectStatus(200, await story.call("PUT", path, { pem: key.chain.join("") }));
});

describe("a rotation", () => {
  it("takes over by the host's clock, and not by the sandbox's", async () => {
    const before = await keyOf("SIGNING");
    const next = expectStatus(201, await rotate({ use: "SIGNING", takesOverInSeconds: 600 })).json;
    expect(next).toMatchObject({
      status: "NEXT",
      takesOverAt: new Date(time.now + 600_000).toISOString(),
    });
    expectStatus(409, await rotate({ use: "SIGNING" }));
    const day = { seconds: 86_400 };
    expectStatus(200, await story.call("POST", "/sandbox/clock/advance", day));
    await pass(599_000);
    expect((await keyOf("SIGNING")).id).toBe(before.id);
    await pass(1_000);
    expect((await keyOf("SIGNING")).id).toBe(next.id);
    expect((await keyOf("SIGNING", "DESTROYED")).id).toBe(before.id);
    expect(await eventsAbout(story, next.id)).toEqual(["UMA_KEY.ROTATED"]);
    expectStatus(409, await story.call("GET", `/uma/keys/${before.id}/csr`));
    expectStatus(409, await story.call("POST", `/uma/keys/${before.id}/destroy`));
  });

  it("takes over once when its job runs on two servers at the same time", async () => {
    const { id } = expectStatus(201, await rotate({ use: "SIGNING" })).json;
    const keyId = id.split(":")[1];
    const jobId = await server.database.asSuperuser(async (client) => {
      const { rows } = await client.query("select job_id from uma_keys where id = $1", [keyId]);
      return rows[0].job_id as string;
    });
    time.move(3_600_000);
    const { platformId } = story;
    const input = { keyId, jobId, certificate: undefined, now: time.now };
    const run = ({ app: { engine } }: TestServer) =>
      engine.submit({
        platformId,
        actor: { kind: "worker", id: "tend-uma-key" },
        command: tendUmaKey,
        input,
        toAnswer: () => ({ status: 200, body: "" }),
      });
    const answers = await Promise.all([server, second, server, second].map(run));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await pass(0);
    expect((await keyOf("SIGNING")).id).toBe(id);
    expect(await eventsAbout(story, id)).toEqual(["UMA_KEY.ROTATED"]);
  });

  it("of an encryption key leaves it open for a day, or until it is destroyed", async () => {
    const first = await keyOf("ENCRYPTION");
    expectStatus(409, await story.call("POST", `/uma/keys/${first.id}/destroy`));
    expectStatus(201, await rotate({ use: "ENCRYPTION", compromised: true }));
    expect((await keyOf("ENCRYPTION", "PREVIOUS")).id).toBe(first.id);
    const { id } = await keyOf("ENCRYPTION");
    expectStatus(201, await rotate({ use: "ENCRYPTION", compromised: true }));
    expectStatus(200, await story.call("POST", `/uma/keys/${id}/destroy`));
    await pass(DAY_MS - 1_000);
    expect((await keyOf("ENCRYPTION", "PREVIOUS")).id).toBe(first.id);
    await pass(1_000);
    const gone = (await keysOf()).filter(({ status }) => status === "DESTROYED");
    expect(gone.map((key) => key.id).sort()).toEqual([first.id, id].sort());
  });

  it.each([
    [{}, "use"],
    [{ use: "BOTH" }, "use"],
    [{ use: "SIGNING", takesOverInSeconds: 599 }, "takesOverInSeconds"],
    [{ use: "SIGNING", takesOverInSeconds: 0, compromised: false }, "takesOverInSeconds"],
    [{ use: "SIGNING", takesOverInSeconds: -1, compromised: true }, "takesOverInSeconds"],
    [{ use: "SIGNING", takesOverInSeconds: 2_592_001 }, "takesOverInSeconds"],
    [{ use: "SIGNING", takesOverInSeconds: "600" }, "takesOverInSeconds"],
    [{ use: "SIGNING", compromised: "yes" }, "compromised"],
  ])("is refused with %j", async (body, field) => {
    const { json } = expectStatus(400, await rotate(body));
    expect(json.details.errors.map((each: { readonly field: string }) => each.field)).toEqual([
      field,
    ]);
  });
});

it("have another certificate, for the same key, 30 days before the old one expires", async () => {
  const [signing, encryption] = [await keyOf("SIGNING"), await keyOf("ENCRYPTION")];
  await pass(Date.parse(signing.notAfter) - 30 * DAY_MS - time.now - 1);
  expect(await keyOf("SIGNING")).toEqual(signing);
  await pass(1);
  const renewed = await keyOf("SIGNING");
  expect(renewed).toMatchObject({ id: signing.id, publicKey: signing.publicKey });
  expect(Date.parse(renewed.notAfter)).toBeGreaterThan(Date.parse(signing.notAfter) + 360 * DAY_MS);
  expect((await keyOf("ENCRYPTION")).chain).not.toEqual(encryption.chain);
  expect(await eventsAbout(story, signing.id)).toEqual([]);
});

it("are shown nowhere: no table has the private part in clear", async () => {
  const key = await keyOf("SIGNING");
  expectStatus(200, await story.call("GET", `/uma/keys/${key.id}/csr`));
  await pass(0);
  const { requestLog } = server.app;
  await requestLog?.flush();
  const { platformId } = story;
  await server.database.asSuperuser(async (client) => {
    const found = await client.query<{ sealed: string }>(
      "select private_sealed as sealed from uma_keys where platform_id = $1 and public_key = $2",
      [platformId, key.publicKey],
    );
    const sealer = createSealer({ current: toMasterKey(TEST_MASTER_KEY, "test") });
    const sealed = found.rows[0]?.sealed ?? "";
    const secret = sealer.open(sealed, privateKeyIdentity(platformId, key.publicKey));
    expect(secret).toHaveLength(32);
    const texts = [
      secret.toString("hex"),
      secret.toString("base64").slice(0, 40),
      secret.toString("base64url").slice(0, 40),
      JSON.stringify([...secret]).slice(1, -1),
    ];
    const tables = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    for (const { name } of tables.rows) {
      const { rows } = await client.query(
        `select count(*)::int4 as count from ${name} t where exists (select from unnest($1::text[]) s where position(s in t::text) > 0)`,
        [texts],
      );
      expect([name, rows[0].count]).toEqual([name, 0]);
    }
  });
});

it("are published so that an institution that keeps them until they expire refuses no message", async () => {
  const { engine, store } = server.app;
  const umaKeys = createUmaKeyTools(store.sealer);
  const { reads } = store.database;
  const tools = { engine, reads, clock: time.clock, umaKeys };
  const document = createKeyDocuments(tools);
  const platform = present(await findPlatform(reads, story.platformId), "the platform");
  const seen = new Set<string>();
  let kept: KeyDocument | undefined;
  expectStatus(201, await rotate({ use: "SIGNING", takesOverInSeconds: 900 }));
  for (let passed = 0; passed < 1_500; passed += 50) {
    await pass(50_000);
    const now = time.now;
    if (kept === undefined || Number(kept.expirationTimestamp) * 1_000 <= now) {
      const { body } = await document(platform.id);
      kept = readKeyDocument(Buffer.from(body), now);
    }
    const key = present(
      currentKey(await ownUmaKeys(tools, platform), "SIGNING"),
      "the signing key",
    );
    seen.add(key.publicKey);
    const signed = await umaKeys.sign(platform.id, key, { addresses: ["a"], now });
    const text = signedText(["a"], signed);
    expect(await isSignatureOf(text, signed.signature, kept.signing.key)).toBe(true);
  }
  expect(seen.size).toBe(2);
});
