import { randomBytes } from "node:crypto";
import {
  type ClientKey,
  createClientKey,
  openExport,
  openUnsignedExport,
  WalletError,
} from "@florin/client/wallet";
import { decryptExportBundle, generateP256KeyPair, hpkeDecrypt } from "@turnkey/crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { issuerKeyStore } from "../../domain/wallets/issuer-key.sql.ts";
import type { ClientPublicKey } from "../../domain/wallets/wallet-crypto.port.ts";
import type { IssuerKeyStore, WalletToExport } from "../../domain/wallets/wallet-signer.port.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { createSealer, toMasterKey } from "../../secrets/sealing.ts";
import { idAt } from "../../std/ids.ts";
import { createLog } from "../../std/log.ts";
import { newWallet, walletIdentity } from "./new-wallet.ts";
import { createWalletSigner } from "./wallet-signer.ts";

const sealer = createSealer({ current: toMasterKey(randomBytes(32).toString("hex"), "test") });
const platformId = "0190aaaa-0000-7000-8000-000000000001";
const organizationId = "0190aaaa-0000-7000-8000-000000000002";

function storeInMemory(): IssuerKeyStore & { readonly kept: string[] } {
  const kept: string[] = [];
  return {
    kept,
    find: () => Promise.resolve(kept[0]),
    keep(sealed) {
      if (kept.length === 0) kept.push(sealed);
      return Promise.resolve(kept[0] ?? sealed);
    },
  };
}

async function walletFor(
  clientPublicKey: string,
  environment: WalletToExport["environment"],
): Promise<{ readonly wallet: WalletToExport; readonly words: string }> {
  const { idTail, mnemonicSealed } = await newWallet(platformId, sealer);
  const accountId = idAt(1, idTail);
  const words = sealer.open(mnemonicSealed, walletIdentity(platformId, accountId)).toString("utf8");
  return {
    words,
    wallet: {
      platformId,
      environment,
      accountId,
      mnemonicSealed,
      organizationId,
      clientPublicKey: clientPublicKey as ClientPublicKey,
    },
  };
}

const signer = createWalletSigner({ sealer, issuerKeys: storeInMemory() });

describe("a production export", () => {
  test("is opened by the wallet client library with our issuer key as its override, and yields the mnemonic", async () => {
    for (let round = 0; round < 25; round++) {
      const client = generateP256KeyPair();
      const { wallet, words } = await walletFor(client.publicKeyUncompressed, "PRODUCTION");
      const opened = await decryptExportBundle({
        exportBundle: await signer.exportWallet(wallet),
        embeddedKey: client.privateKey,
        organizationId,
        dangerouslyOverrideSignerPublicKey: await signer.issuerPublicKey(),
        returnMnemonic: true,
      });
      expect(opened).toBe(words);
      expect(words.split(" ")).toHaveLength(24);
    }
  });

  test("is refused by the library under another issuer, another wallet, or no override", async () => {
    const client = generateP256KeyPair();
    const { wallet } = await walletFor(client.publicKeyUncompressed, "PRODUCTION");
    const exportBundle = await signer.exportWallet(wallet);
    const right = {
      exportBundle,
      embeddedKey: client.privateKey,
      organizationId,
      dangerouslyOverrideSignerPublicKey: await signer.issuerPublicKey(),
      returnMnemonic: true,
    };
    const { dangerouslyOverrideSignerPublicKey, ...withoutOverride } = right;
    const other = generateP256KeyPair();
    const wrong = [
      withoutOverride,
      { ...right, organizationId: platformId },
      { ...right, embeddedKey: other.privateKey },
      { ...right, dangerouslyOverrideSignerPublicKey: other.publicKeyUncompressed },
      {
        ...right,
        dangerouslyOverrideSignerPublicKey: dangerouslyOverrideSignerPublicKey.toUpperCase(),
      },
    ];
    for (const attempt of wrong) await expect(decryptExportBundle(attempt)).rejects.toThrow();
  });

  test("is opened by the client module, which names what does not fit", async () => {
    const clientKey = await createClientKey();
    const { wallet, words } = await walletFor(clientKey.clientPublicKey, "PRODUCTION");
    const encryptedWalletCredentials = await signer.exportWallet(wallet);
    const issuerPublicKey = await signer.issuerPublicKey();
    const right = { encryptedWalletCredentials, clientKey, organizationId, issuerPublicKey };
    expect(await openExport(right)).toBe(words);
    const otherIssuer = generateP256KeyPair().publicKeyUncompressed;
    await expect(openExport({ ...right, issuerPublicKey: otherIssuer })).rejects.toMatchObject({
      reason: "issuer",
    });
    await expect(openExport({ ...right, organizationId: platformId })).rejects.toMatchObject({
      reason: "organization",
    });
    await expect(openUnsignedExport(right)).rejects.toMatchObject({ reason: "issuer" });
    const otherKey = await createClientKey();
    await expect(openExport({ ...right, clientKey: otherKey })).rejects.toMatchObject({
      reason: "does-not-open",
    });
  });

  test("is refused by the client module once any single bit of its data or signature is another", async () => {
    const clientKey = await createClientKey();
    const { wallet } = await walletFor(clientKey.clientPublicKey, "PRODUCTION");
    const bundle = JSON.parse(await signer.exportWallet(wallet));
    const issuerPublicKey = await signer.issuerPublicKey();
    for (const field of ["data", "dataSignature"]) {
      const bytes = Buffer.from(bundle[field], "hex");
      for (let bit = 0; bit < bytes.length * 8; bit += 3) {
        const altered = Buffer.from(bytes);
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const sealed = JSON.stringify({ ...bundle, [field]: altered.toString("hex") });
        const opening = openExport({
          encryptedWalletCredentials: sealed,
          clientKey,
          organizationId,
          issuerPublicKey,
        });
        await expect(opening).rejects.toBeInstanceOf(WalletError);
      }
    }
  });

  test("signs the exact bytes of its data", async () => {
    const clientKey = await createClientKey();
    const { wallet } = await walletFor(clientKey.clientPublicKey, "PRODUCTION");
    const bundle = JSON.parse(await signer.exportWallet(wallet));
    const issuerPublicKey = await signer.issuerPublicKey();
    expect(Object.keys(bundle)).toEqual([
      "version",
      "data",
      "dataSignature",
      "enclaveQuorumPublic",
    ]);
    expect(bundle.version).toBe("v1.0.0");
    expect(bundle.enclaveQuorumPublic).toBe(issuerPublicKey);
    const text = Buffer.from(bundle.data, "hex").toString("utf8");
    expect(Object.keys(JSON.parse(text))).toEqual([
      "encappedPublic",
      "ciphertext",
      "organizationId",
    ]);
    const spaced = Buffer.from(JSON.stringify(JSON.parse(text), null, 1)).toString("hex");
    const opening = openExport({
      encryptedWalletCredentials: JSON.stringify({ ...bundle, data: spaced }),
      clientKey,
      organizationId,
      issuerPublicKey,
    });
    await expect(opening).rejects.toMatchObject({ reason: "issuer" });
  });
});

describe("a sandbox export", () => {
  const parts = async (clientKey: ClientKey) => {
    const { wallet, words } = await walletFor(clientKey.clientPublicKey, "SANDBOX");
    return { words, encryptedWalletCredentials: await signer.exportWallet(wallet) };
  };

  test("is unsigned, and its data opens with the library's own decryption", async () => {
    const client = generateP256KeyPair();
    const { wallet, words } = await walletFor(client.publicKeyUncompressed, "SANDBOX");
    const bundle = JSON.parse(await signer.exportWallet(wallet));
    expect(bundle).toMatchObject({ dataSignature: "", enclaveQuorumPublic: "" });
    const data = JSON.parse(Buffer.from(bundle.data, "hex").toString("utf8"));
    const opened = hpkeDecrypt({
      ciphertextBuf: new Uint8Array(Buffer.from(data.ciphertext, "hex")),
      encappedKeyBuf: new Uint8Array(Buffer.from(data.encappedPublic, "hex")),
      receiverPriv: client.privateKey,
    });
    expect(Buffer.from(opened).toString("ascii")).toBe(words);
    expect(data.organizationId).toBe(organizationId);
  });

  test("is opened by the client module as what it is, and never as a signed one", async () => {
    const clientKey = await createClientKey();
    const { words, encryptedWalletCredentials } = await parts(clientKey);
    const sealed = { encryptedWalletCredentials, clientKey, organizationId };
    expect(await openUnsignedExport(sealed)).toBe(words);
    await expect(openExport({ ...sealed, issuerPublicKey: "" })).rejects.toMatchObject({
      reason: "issuer",
    });
  });

  test("needs no issuer key: none is made for it", async () => {
    const issuerKeys = storeInMemory();
    const own = createWalletSigner({ sealer, issuerKeys });
    const clientKey = await createClientKey();
    await own.exportWallet((await walletFor(clientKey.clientPublicKey, "SANDBOX")).wallet);
    expect(issuerKeys.kept).toEqual([]);
  });
});

describe("the mnemonic of a wallet", () => {
  test("open for no other platform and no other account, though all cells of the row are copied", async () => {
    const clientKey = await createClientKey();
    const { wallet } = await walletFor(clientKey.clientPublicKey, "PRODUCTION");
    const { accountId } = (await walletFor(clientKey.clientPublicKey, "PRODUCTION")).wallet;
    const elsewhere = [{ platformId: organizationId }, { accountId }];
    for (const moved of elsewhere) {
      await expect(signer.exportWallet({ ...wallet, ...moved })).rejects.toThrow("does not open");
    }
  });

  test("are sealed with a fresh key each time", async () => {
    const clientKey = await createClientKey();
    const { wallet } = await walletFor(clientKey.clientPublicKey, "SANDBOX");
    const [first, second] = [await signer.exportWallet(wallet), await signer.exportWallet(wallet)];
    expect(first).not.toBe(second);
  });
});

describe("the issuer's key", () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = openDatabase({ address: testDatabase.address, log: createLog("silent") });
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  test("is one, however many servers ask for it first, and stays one", async () => {
    const signers = Array.from({ length: 8 }, () =>
      createWalletSigner({ sealer, issuerKeys: issuerKeyStore(database) }),
    );
    const keys = await Promise.all(signers.map((each) => each.issuerPublicKey()));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^04[0-9a-f]{128}$/);
    const later = createWalletSigner({ sealer, issuerKeys: issuerKeyStore(database) });
    expect(await later.issuerPublicKey()).toBe(keys[0]);
  });

  test("is stored sealed: its bytes do not appear in the row", async () => {
    const sealed = await issuerKeyStore(database).find();
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\./);
    const open = sealer.open(sealed ?? "", "deployment_facts.wallet issuer key");
    const row = Buffer.from(sealed?.split(".")[3] ?? "", "base64url");
    expect(row.includes(open.subarray(0, 32))).toBe(false);
  });

  test("is read again after a failure", async () => {
    const inner = storeInMemory();
    let isDown = true;
    const issuerKeys: IssuerKeyStore = {
      ...inner,
      find: () => (isDown ? Promise.reject(new Error("down")) : inner.find()),
    };
    const own = createWalletSigner({ sealer, issuerKeys });
    await expect(own.issuerPublicKey()).rejects.toThrow("down");
    isDown = false;
    expect(await own.issuerPublicKey()).toMatch(/^04/);
  });
});
