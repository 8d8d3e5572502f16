/** Passkeys of a real browser's authenticator, against the check that production makes. */
import { createHash, randomBytes } from "node:crypto";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type {
  Passkey,
  PasskeyAssertion,
  PasskeyAttestation,
} from "../../src/domain/wallets/passkeys.port.ts";
import { createPasskeys } from "../../src/rails/passkeys/passkeys.ts";
import { startBrowser } from "../kit/browser.ts";
import { type LocalPage, openLocalPage } from "../kit/local-page.ts";

const passkeys = createPasskeys();
let browser: Browser;
let local: LocalPage;
let page: Page;
let devtools: CDPSession;
let present: { readonly id: string; readonly verification: string } | undefined;

beforeAll(async () => {
  browser = await startBrowser();
  local = await openLocalPage(browser);
  page = local.page;
  devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
}, 180_000);
afterAll(async () => {
  await local?.close();
  await browser?.close();
});

/** A phone that verifies its owner, or a bare key that only wants to be touched. */
async function useAuthenticator(kind: "phone" | "key"): Promise<void> {
  const isPhone = kind === "phone";
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: isPhone ? "internal" : "usb",
      hasResidentKey: isPhone,
      hasUserVerification: isPhone,
      isUserVerified: isPhone,
      automaticPresenceSimulation: true,
    },
  });
  present = { id: authenticatorId, verification: isPhone ? "required" : "discouraged" };
}

afterEach(async () => {
  if (present !== undefined) {
    await devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: present.id });
  }
  present = undefined;
});

/** What an integrator's page does: makes a passkey and hands its parts on. */
function create(challenge: string, algorithm: number, attestation: "none" | "direct") {
  return page.evaluate(
    async ([challengeText, alg, conveyance]) => {
      const text = (buffer: ArrayBuffer) =>
        btoa(String.fromCharCode(...new Uint8Array(buffer)))
          .replaceAll("+", "-")
          .replaceAll("/", "_")
          .replaceAll("=", "");
      const bytes = Uint8Array.from(
        atob(challengeText.replaceAll("-", "+").replaceAll("_", "/")),
        (character) => character.charCodeAt(0),
      );
      // biome-ignore lint/suspicious/noExplicitAny: the browser's own types are not loaded here
      const host = globalThis as any;
      const made = await host.navigator.credentials.create({
        publicKey: {
          challenge: bytes,
          rp: { name: "test", id: "localhost" },
          user: { id: new Uint8Array(16), name: "ana", displayName: "Ana" },
          pubKeyCredParams: [{ type: "public-key", alg }],
          authenticatorSelection: { userVerification: "discouraged" },
          attestation: conveyance,
        },
      });
      return {
        credentialId: made.id as string,
        clientDataJson: text(made.response.clientDataJSON),
        attestationObject: text(made.response.attestationObject),
        transports: made.response.getTransports() as string[],
      };
    },
    [challenge, algorithm, attestation] as const,
  ) as Promise<PasskeyAttestation>;
}

/** What an integrator's page does at a login. `how` turns the answered text into the bytes that are signed. */
function get(credentialId: string, challenge: string, how: "utf8" | "decoded") {
  return page.evaluate(
    async ([id, challengeText, way, verification]) => {
      const text = (buffer: ArrayBuffer) =>
        btoa(String.fromCharCode(...new Uint8Array(buffer)))
          .replaceAll("+", "-")
          .replaceAll("/", "_")
          .replaceAll("=", "");
      const decoded = (value: string) =>
        Uint8Array.from(atob(value.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
          character.charCodeAt(0),
        );
      // biome-ignore lint/suspicious/noExplicitAny: the browser's own types are not loaded here
      const host = globalThis as any;
      const got = await host.navigator.credentials.get({
        publicKey: {
          challenge:
            way === "utf8" ? new TextEncoder().encode(challengeText) : decoded(challengeText),
          allowCredentials: [{ type: "public-key", id: decoded(id) }],
          userVerification: verification,
        },
      });
      const { clientDataJSON, authenticatorData, signature, userHandle } = got.response;
      return {
        credentialId: got.id as string,
        clientDataJson: text(clientDataJSON),
        authenticatorData: text(authenticatorData),
        signature: text(signature),
        userHandle: userHandle === null ? null : text(userHandle),
      };
    },
    [credentialId, challenge, how, present?.verification ?? "preferred"] as const,
  ) as Promise<PasskeyAssertion>;
}

async function registered(algorithm: number, attestation: "none" | "direct"): Promise<Passkey> {
  const challenge = randomBytes(32).toString("base64url");
  const result = await passkeys.register({
    environment: "PRODUCTION",
    challenge,
    attestation: await create(challenge, algorithm, attestation),
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
      await useAuthenticator(kind);
      const passkey = await registered(algorithm, attestation);
      expect(passkey.origin).toBe(new URL(page.url()).origin);
      expect(passkey.rpIdHash).toBe(createHash("sha256").update("localhost").digest("base64url"));
      let { signCount } = passkey;
      for (const how of ["utf8", "decoded", "utf8"] as const) {
        const challenge = newChallenge();
        const assertion = await get(passkey.credentialId, challenge, how);
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
    await useAuthenticator("phone");
    const passkey = await registered(-7, "none");
    const challenge = newChallenge();
    const assertion = await get(passkey.credentialId, challenge, "utf8");
    const moved = { ...passkey, origin: "http://localhost:1" };
    expect(await passkeys.verify({ passkey: moved, challenge, assertion })).toMatchObject({
      reason: "The assertion was made on another page than the passkey.",
    });
  });
});
