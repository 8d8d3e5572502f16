/** The virtual authenticator of a real browser, and the calls of an integrator's page. */
import type { Page } from "playwright-core";
import type {
  PasskeyAssertion,
  PasskeyAttestation,
} from "../../src/domain/wallets/credentials/passkeys.port.ts";

/** A phone with user verification, one that copies its passkeys to other devices, or a security key with user presence only. */
export type AuthenticatorKind = "phone" | "synced" | "key";

export interface BrowserPasskeys {
  use(kind: AuthenticatorKind): Promise<void>;
  remove(): Promise<void>;
  create(
    challenge: string,
    options?: { readonly algorithm?: number; readonly attestation?: "none" | "direct" },
  ): Promise<PasskeyAttestation>;
  /** `how` converts the challenge text of the answer to the signed bytes. */
  get(credentialId: string, challenge: string, how?: "utf8" | "decoded"): Promise<PasskeyAssertion>;
}

export async function passkeysOf(page: Page): Promise<BrowserPasskeys> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  let present: { readonly id: string; readonly verification: string } | undefined;

  async function remove(): Promise<void> {
    if (present === undefined) return;
    await devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: present.id });
    present = undefined;
  }

  return {
    remove,
    async use(kind) {
      await remove();
      const isPhone = kind !== "key";
      const isSynced = kind === "synced";
      const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: isPhone ? "internal" : "usb",
          hasResidentKey: isPhone,
          hasUserVerification: isPhone,
          isUserVerified: isPhone,
          defaultBackupEligibility: isSynced,
          defaultBackupState: isSynced,
          automaticPresenceSimulation: true,
        },
      });
      present = { id: authenticatorId, verification: isPhone ? "required" : "discouraged" };
    },
    create: (challenge, { algorithm = -7, attestation = "none" } = {}) =>
      createIn(page, [challenge, algorithm, attestation]),
    get: (credentialId, challenge, how = "utf8") =>
      getIn(page, [credentialId, challenge, how, present?.verification ?? "preferred"]),
  };
}

function createIn(page: Page, given: readonly [string, number, string]) {
  return page.evaluate(async ([challengeText, alg, conveyance]) => {
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
  }, given) as Promise<PasskeyAttestation>;
}

function getIn(page: Page, given: readonly [string, string, string, string]) {
  return page.evaluate(async ([id, challengeText, way, verification]) => {
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
  }, given) as Promise<PasskeyAssertion>;
}
