/** Exports: the words of a wallet, for its owner alone, sealed to the owner's key; and what is told of them otherwise. */
import { createClientKey, openExport, openUnsignedExport } from "@florin/client/wallet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressOf } from "../../../src/outside/wallets/new-wallet.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import {
  createOutside,
  newWallet,
  outsider,
  registrationBody,
  SANDBOX_STAMP,
  sessionByToken,
  signedCall,
  signedHeaders,
} from "../../kit/story-wallets.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let production: Story;
let sandbox: Story;
beforeAll(async () => {
  server = await startTestServer({ wallets: createOutside().wallets });
  production = await openStory(server, { environment: "PRODUCTION" });
  sandbox = await openStory(server);
});
afterAll(() => server.close());

const uuidOf = (wireId: string) => wireId.split(":")[1] ?? "";

async function addressIn(accountId: string): Promise<string> {
  return server.database.asSuperuser(async (client) => {
    const { rows } = await client.query(
      "select wallet_address from internal_accounts where id = $1",
      [uuidOf(accountId)],
    );
    return rows[0].wallet_address;
  });
}

async function ownedWallet() {
  const { accountId } = await newWallet(production);
  const body = registrationBody("OAUTH", accountId, "ana");
  const made = await production.call("POST", "/auth/credentials", body);
  return { accountId, session: await sessionByToken(production, made.json.id, "ana") };
}

describe("in production", () => {
  it("the words come out for the owner's session, and are those of the wallet", async () => {
    const { accountId, session } = await ownedWallet();
    const clientKey = await createClientKey();
    const { clientPublicKey } = clientKey;
    const path = `/internal-accounts/${accountId}/export`;
    const asked = await production.call("POST", path, { clientPublicKey });
    expect(Object.keys(asked.json).sort()).toEqual(["expiresAt", "payloadToSign", "requestId"]);
    const answer = await signedCall(
      production,
      { method: "POST", path, body: { clientPublicKey } },
      session,
    );
    expect(answer.status).toBe(200);
    expect(answer.json.id).toBe(accountId);
    const { publicKey } = (await production.call("GET", "/wallet/issuer-key")).json;
    expect(publicKey).toMatch(/^04[0-9a-f]{128}$/);
    const words = await openExport({
      clientKey,
      encryptedWalletCredentials: answer.json.encryptedWalletCredentials,
      issuerPublicKey: publicKey,
      organizationId: uuidOf(accountId),
    });
    expect(await addressOf(words)).toBe(await addressIn(accountId));
    expect((await sandbox.call("GET", "/wallet/issuer-key")).json.publicKey).toBe(publicKey);
  });

  it("the key that asks is the key that gets: another one, another spelling or none is refused", async () => {
    const { accountId, session } = await ownedWallet();
    const [mine, other] = [await createClientKey(), await createClientKey()];
    const path = `/internal-accounts/${accountId}/export`;
    const body = { clientPublicKey: mine.clientPublicKey };
    const asked = await production.call("POST", path, body);
    const headers = signedHeaders(
      asked.json.requestId,
      await session.stamp(asked.json.payloadToSign),
    );
    const spelling = mine.clientPublicKey.toUpperCase();
    for (const clientPublicKey of [other.clientPublicKey, spelling]) {
      const answer = await production.call("POST", path, { clientPublicKey }, { headers });
      expect(answer.status).toBe(401);
    }
    expect((await production.call("POST", path, {}, { headers })).status).toBe(400);
    expect((await production.call("POST", path, body, { headers })).status).toBe(200);
  });

  it("the words are not opened for an unknown stamp", async () => {
    const { accountId } = await ownedWallet();
    await server.database.asSuperuser((client) =>
      client.query("update internal_accounts set wallet_mnemonic_sealed = 'broken' where id = $1", [
        uuidOf(accountId),
      ]),
    );
    const { clientPublicKey } = await createClientKey();
    const path = `/internal-accounts/${accountId}/export`;
    const act = { method: "POST", path, body: { clientPublicKey } };
    expect((await signedCall(production, act, outsider())).status).toBe(401);
  });
});

describe("the cells of another customer's wallet, copied into the attacker's own row", () => {
  it("are of no use: the words open for the account that they were made for", async () => {
    const [victim, mallory] = [await ownedWallet(), await ownedWallet()];
    await server.database.asSuperuser((client) =>
      client.query(
        "update internal_accounts mine set wallet_mnemonic_sealed = theirs.wallet_mnemonic_sealed, " +
          "wallet_address = theirs.wallet_address, currency = theirs.currency from internal_accounts theirs " +
          "where mine.id = $1 and theirs.id = $2",
        [uuidOf(mallory.accountId), uuidOf(victim.accountId)],
      ),
    );
    const { clientPublicKey } = await createClientKey();
    const exportFor = ({ accountId, session }: typeof mallory) => {
      const path = `/internal-accounts/${accountId}/export`;
      return signedCall(production, { method: "POST", path, body: { clientPublicKey } }, session);
    };
    const answer = await exportFor(mallory);
    expect(answer).toMatchObject({ status: 500, json: { code: "INTERNAL_ERROR" } });
    expect(answer.text).not.toContain("encryptedWalletCredentials");
    expect((await exportFor(victim)).status).toBe(200);
  });
});

describe("in a sandbox", () => {
  it("the words come out for the sandbox's word, unsigned", async () => {
    const { accountId } = await newWallet(sandbox);
    const clientKey = await createClientKey();
    const { clientPublicKey } = clientKey;
    const path = `/internal-accounts/${accountId}/export`;
    const asked = await sandbox.call("POST", path, { clientPublicKey });
    const wrong = { headers: signedHeaders(asked.json.requestId, "x") };
    expect(await sandbox.call("POST", path, { clientPublicKey }, wrong)).toMatchObject({
      status: 401,
      json: {
        code: "UNAUTHORIZED",
        message: "Invalid Service-Wallet-Signature",
        details: { reason: "Invalid Service-Wallet-Signature" },
      },
    });
    const right = { headers: signedHeaders(asked.json.requestId, SANDBOX_STAMP) };
    const answer = await sandbox.call("POST", path, { clientPublicKey }, right);
    const { encryptedWalletCredentials } = answer.json;
    expect(JSON.parse(encryptedWalletCredentials)).toMatchObject({
      version: "v1.0.0",
      dataSignature: "",
      enclaveQuorumPublic: "",
    });
    const words = await openUnsignedExport({
      clientKey,
      encryptedWalletCredentials,
      organizationId: uuidOf(accountId),
    });
    expect(await addressOf(words)).toBe(await addressIn(accountId));
    expect((await sandbox.call("POST", path, { clientPublicKey }, right)).status).toBe(401);
  });

  it("an unknown account, or one that is no wallet, has no words", async () => {
    const { clientPublicKey } = await createClientKey();
    const { accountId } = await fundedCustomer(sandbox, 0);
    const answer = await sandbox.call("POST", `/internal-accounts/${accountId}/export`, {
      clientPublicKey,
    });
    expect(answer).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    const unknown = "InternalAccount:019a4f00-0000-7000-8000-000000000001";
    expect(
      await sandbox.call("POST", `/internal-accounts/${unknown}/export`, { clientPublicKey }),
    ).toMatchObject({ status: 404, json: { code: "REFERENCE_NOT_FOUND" } });
  });
});
