/** Passkeys of a real browser's authenticator, against the check that production makes. */
import { createHash, randomBytes } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Passkey } from "../../src/domain/wallets/credentials/passkeys.port.ts";
import { createPasskeys } from "../../src/outside/people/passkeys/passkeys.ts";
import { startBrowser } from "../kit/browser.ts";
import { type BrowserPasskeys, passkeysOf } from "../kit/browser-passkeys.ts";
import { type LocalPage, openLocalPage } from "../kit/local-page.ts";

const passkeys = createPasskeys();
let browser: Browser;
let local: LocalPage;
let page: Page;
let authenticators: BrowserPasskeys;

beforeAll(async () => {
  browser = await startBrowser();
  local = await openLocalPage(browser);
  page = local.page;
  authenticators = await passkeysOf(page);
}, 180_000);
afterAll(async () => {
  await local?.close();
  await browser?.close();
});

afterEach(() => authenticators.remove());

async function registered(algorithm: number, attestation: "none" | "direct"): Promise<Passkey> {
  const challenge = randomBytes(32).toString("base64url");
  const result = await passkeys.register({
    environment: "PRODUCTION",
    challenge,
    attestation: await authenticators.create(challenge, { algorithm, attestation }),
  });
  if (result.kind !== "registered") throw new Error(JSON.stringify(result));
  return result.passkey;
}

const newChallenge = () => createHash("sha256").update(randomBytes(8)).digest("hex");

describe("a passkey of a browser", () => {
  test.each([
    [-7, "none", "phone"],
    [-7, "direct", "phone"],
    [-257, "none", "phone"],
    [-7, "none", "key"],
    [-7, "direct", "key"],
  ] as const)(
    "of algorithm %i with attestation %s in a %s is registered and logs in",
    async (algorithm, attestation, kind) => {
      await authenticators.use(kind);
      const passkey = await registered(algorithm, attestation);
      expect(passkey.origin).toBe(new URL(page.url()).origin);
      expect(passkey.rpIdHash).toBe(createHash("sha256").update("localhost").digest("base64url"));
      let { signCount } = passkey;
      for (const how of ["utf8", "decoded", "utf8"] as const) {
        const challenge = newChallenge();
        const assertion = await authenticators.get(passkey.credentialId, challenge, how);
        const kept = { ...passkey, signCount };
        const login = await passkeys.verify({ passkey: kept, challenge, assertion });
        expect(login).toMatchObject({ kind: "proven", userVerified: kind === "phone" });
        if (login.kind === "proven") {
          expect(login.signCount).toBeGreaterThan(signCount);
          signCount = login.signCount;
        }
        // The same assertion again: the counter has moved on.
        const again = { ...passkey, signCount };
        expect((await passkeys.verify({ passkey: again, challenge, assertion })).kind).toBe(
          "unproven",
        );
        const elsewhere = newChallenge();
        expect(
          await passkeys.verify({ passkey: kept, challenge: elsewhere, assertion }),
        ).toMatchObject({
          reason: "The client data is for another challenge.",
        });
      }
    },
  );

  test("of another page of the same machine does not log in", async () => {
    await authenticators.use("phone");
    const passkey = await registered(-7, "none");
    const challenge = newChallenge();
    const assertion = await authenticators.get(passkey.credentialId, challenge, "utf8");
    const moved = { ...passkey, origin: "http://localhost:1" };
    expect(await passkeys.verify({ passkey: moved, challenge, assertion })).toMatchObject({
      reason: "The assertion was made on another page than the passkey.",
    });
  });
});
