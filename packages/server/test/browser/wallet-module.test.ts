/** The browser module of the client, in a browser: keys, sessions, stamps and exports against the server's own code. */
import { randomBytes } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ClientPublicKey } from "../../src/domain/wallets/wallet-crypto.port.ts";
import { newWallet, walletIdentity } from "../../src/outside/wallets/new-wallet.ts";
import { createWalletCrypto } from "../../src/outside/wallets/wallet-crypto.ts";
import { createWalletSigner } from "../../src/outside/wallets/wallet-signer.ts";
import { createSealer, toMasterKey } from "../../src/secrets/sealing.ts";
import { present } from "../../src/std/assert.ts";
import { idAt } from "../../src/std/ids.ts";
import { startBrowser } from "../kit/browser.ts";
import { type LocalPage, openLocalPage } from "../kit/local-page.ts";
import { inWalletPage, walletScript } from "../kit/wallet-page.ts";

const platformId = "0190aaaa-0000-7000-8000-000000000001";
const organizationId = "0190aaaa-0000-7000-8000-000000000002";
const walletCrypto = createWalletCrypto();
const sealer = createSealer({ current: toMasterKey(randomBytes(32).toString("hex"), "test") });
let issuerKey: string | undefined;
const signer = createWalletSigner({
  sealer,
  issuerKeys: {
    find: () => Promise.resolve(issuerKey),
    keep: (sealed) => {
      issuerKey ??= sealed;
      return Promise.resolve(issuerKey);
    },
  },
});

let browser: Browser;
let local: LocalPage;
let page: Page;
let code: string;

beforeAll(async () => {
  code = await walletScript();
  browser = await startBrowser();
  local = await openLocalPage(browser, { "wallet.js": code });
  page = local.page;
}, 180_000);
afterAll(async () => {
  await local?.close();
  await browser?.close();
});

const inPage = <T>(body: string, input?: object) => inWalletPage<T>(page, body, input);

const newKey = () =>
  inPage<ClientPublicKey>(
    "kept.key = await wallet.createClientKey(); return kept.key.clientPublicKey;",
  );

describe("the wallet module", () => {
  test("needs nothing but a browser", () => {
    expect(code).not.toMatch(/\bimport\s|\brequire\(|node:|\bBuffer\b|\bprocess\b/);
  });

  test("opens a session that was sealed to its key, and stamps what the server takes", async () => {
    for (let round = 0; round < 20; round++) {
      const clientPublicKey = present(walletCrypto.parseClientPublicKey(await newKey()), "a key");
      const issued = await walletCrypto.issueSessionKey(clientPublicKey);
      const payloadToSign = randomBytes(200).toString("base64url");
      const { publicKey, header } = await inPage<{ publicKey: string; header: string }>(
        `kept.session = await wallet.openSession(kept.key, input.sealed);
         return { publicKey: kept.session.publicKey, header: await kept.session.stamp(input.payloadToSign) };`,
        { sealed: issued.encryptedSessionSigningKey, payloadToSign },
      );
      expect(publicKey).toBe(issued.publicKey);
      const stamp = present(walletCrypto.parseStamp(header), "a stamp");
      expect(stamp.publicKey).toBe(issued.publicKey);
      expect(await walletCrypto.verifyStamp(stamp, payloadToSign)).toBe(true);
    }
  });

  test("opens no session of another key, and no stand-in of a sandbox", async () => {
    const clientPublicKey = await newKey();
    const issued = await walletCrypto.issueSessionKey(clientPublicKey);
    await newKey();
    const sandbox = await walletCrypto.issueSandboxSessionKey();
    for (const sealed of [issued.encryptedSessionSigningKey, sandbox.encryptedSessionSigningKey]) {
      const reason = await inPage(
        "return wallet.openSession(kept.key, input.sealed).then(() => 'opened', (error) => error.reason);",
        { sealed },
      );
      expect(reason).toBe("does-not-open");
    }
  });

  test("opens an export after checking its issuer and its wallet", async () => {
    const clientPublicKey = await newKey();
    const { idTail, mnemonicSealed } = await newWallet(platformId, sealer);
    const accountId = idAt(1, idTail);
    const words = sealer
      .open(mnemonicSealed, walletIdentity(platformId, accountId))
      .toString("utf8");
    const exported = (environment: "SANDBOX" | "PRODUCTION") =>
      signer.exportWallet({
        platformId,
        environment,
        accountId,
        mnemonicSealed,
        organizationId,
        clientPublicKey,
      });
    const open = (name: string, sealed: object) =>
      inPage(
        `return wallet.${name}({ ...input, clientKey: kept.key }).catch((error) => error.reason);`,
        sealed,
      );
    const issuerPublicKey = await signer.issuerPublicKey();
    const signed = { encryptedWalletCredentials: await exported("PRODUCTION"), organizationId };
    expect(await open("openExport", { ...signed, issuerPublicKey })).toBe(words);
    expect(await open("openExport", { ...signed, issuerPublicKey: clientPublicKey })).toBe(
      "issuer",
    );
    const elsewhere = { ...signed, issuerPublicKey, organizationId: platformId };
    expect(await open("openExport", elsewhere)).toBe("organization");
    const unsigned = { encryptedWalletCredentials: await exported("SANDBOX"), organizationId };
    expect(await open("openUnsignedExport", unsigned)).toBe(words);
    expect(await open("openExport", { ...unsigned, issuerPublicKey: "" })).toBe("issuer");
  });

  test("keeps private keys where no script can take them out", async () => {
    await newKey();
    const taken = await inPage(
      "return crypto.subtle.exportKey('jwk', kept.key.privateKey).then(() => 'taken', (error) => error.name);",
    );
    expect(taken).toBe("InvalidAccessError");
  });
});
