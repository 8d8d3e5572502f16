import { describe, expect, it } from "vitest";
import type { UmaKey } from "../../domain/uma/keys/uma-key.ts";
import { readKeyDocument } from "../../formats/uma/key-document.ts";
import { createUmaKeyTools } from "../../outside/uma/key-tools.ts";
import { createSealer, toMasterKey } from "../../secrets/sealing.ts";
import { keyDocumentAnswer } from "./key-document.ts";

const sealer = createSealer({ current: toMasterKey("0123456789abcdef".repeat(4), "test") });
const tools = createUmaKeyTools(sealer);
const NOW = Date.UTC(2026, 10, 29, 12, 0, 0, 700);
const NOW_S = Math.floor(NOW / 1_000);

async function key(use: UmaKey["use"], state: Partial<UmaKey> = {}): Promise<UmaKey> {
  const made = await tools.newKey("platform", {
    use,
    names: ["pay.example"],
    now: NOW - 1_000_000,
  });
  const { certificate, ...pair } = made;
  const row = { ...pair, ...certificate, status: "CURRENT", takesOverAt: null, ...state };
  return row as unknown as UmaKey;
}

const [signing, encryption] = await Promise.all([key("SIGNING"), key("ENCRYPTION")]);
const nextIn = (ms: number) => key("SIGNING", { status: "NEXT", takesOverAt: NOW + ms });

function published(keys: readonly UmaKey[], now = NOW) {
  const { body, cacheControl } = keyDocumentAnswer(keys, now);
  const { expirationTimestamp, ...read } = readKeyDocument(Buffer.from(body), now);
  const maxAge = Number(/^public, max-age=(\d+)$/.exec(cacheControl)?.[1]);
  return {
    ...read,
    body,
    maxAge,
    expiresInS: Number(expirationTimestamp) - Math.floor(now / 1_000),
  };
}

describe("the document of keys", () => {
  it("has both chains and both raw keys, which are those of the leaves", () => {
    const read = published([encryption, signing]);
    expect(read.signing.point.toString("hex")).toBe(signing.publicKey);
    expect(read.encryption.point.toString("hex")).toBe(encryption.publicKey);
    expect([read.signing.chain.length, read.encryption.chain.length]).toEqual([1, 1]);
    expect(JSON.parse(read.body)).toEqual({
      signingCertChain: [expect.stringMatching(/^30[0-9a-f]+$/)],
      encryptionCertChain: [expect.stringMatching(/^30[0-9a-f]+$/)],
      signingPubKey: signing.publicKey,
      encryptionPubKey: encryption.publicKey,
      expirationTimestamp: NOW_S + 300,
    });
  });

  it("has no private part, sealed or not", () => {
    const { body } = published([signing, encryption]);
    expect(body).not.toContain(signing.privateSealed);
    const secret = sealer.open(
      String(signing.privateSealed),
      `uma_keys.private platform ${signing.publicKey}`,
    );
    expect(body).not.toContain(secret.toString("hex"));
  });

  it.each([
    [600_000, 300],
    [300_299, 300],
    [299_000, 299],
    [1_300, 2],
    [299, 0],
    [0, 0],
    [-5_000, 0],
  ])("with a takeover in %i ms expires in %i s", async (inMs, seconds) => {
    const {
      maxAge,
      expiresInS,
      signing: shown,
    } = published([signing, encryption, await nextIn(inMs)]);
    expect({ maxAge, expiresInS }).toEqual({ maxAge: seconds, expiresInS: seconds });
    expect(shown.point.toString("hex")).toBe(signing.publicKey);
    if (inMs >= 0) expect((NOW_S + expiresInS) * 1_000).toBeLessThanOrEqual(NOW + inMs);
  });

  it("expires with the first of two takeovers, and not with a previous key", async () => {
    const previous = await key("ENCRYPTION", { status: "PREVIOUS", takesOverAt: NOW - 60_000 });
    const other = await key("ENCRYPTION", { status: "NEXT", takesOverAt: NOW + 120_000 });
    const keys = [signing, encryption, previous];
    expect(published(keys).expiresInS).toBe(300);
    expect(published([...keys, other, await nextIn(240_000)]).expiresInS).toBe(120);
  });
});
