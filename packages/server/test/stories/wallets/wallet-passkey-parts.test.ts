/** Passkeys as they are read, not as a stand-in takes them: what is malformed is named with all else that is wrong. */
import { randomUUID } from "node:crypto";
import { createClientKey } from "@florin/client/wallet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPasskeys } from "../../../src/outside/people/passkeys/passkeys.ts";
import { createSoftAuthenticator } from "../../kit/soft-authenticator.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { internalAccount } from "../../kit/story-money.ts";
import { createOutside, newWallet } from "../../kit/story-wallets.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

/** The base64url of a single letter: no client data, no attestation. */
const NONSENSE = "eHg";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  const passkeys = createPasskeys();
  server = await startTestServer({ wallets: { ...createOutside().wallets, passkeys } });
  story = await openStory(server, { environment: "PRODUCTION" });
});
afterAll(() => server.close());

const named = ({ status, json }: RawAnswer) => [
  status,
  json.details.errors.map(({ field }: { field: string }) => field),
];

describe("a malformed registration", () => {
  const soft = createSoftAuthenticator();
  const body = (accountId: string, more: object = {}, parts: object = {}) => ({
    type: "PASSKEY",
    accountId,
    nickname: "Ana's key",
    challenge: "Y2hhbGxlbmdl",
    attestation: { ...soft.register("Y2hhbGxlbmdl"), ...parts },
    ...more,
  });
  const wrong = { clientDataJson: NONSENSE, attestationObject: NONSENSE };
  const parts = ["attestation.clientDataJson", "attestation.attestationObject"];
  const send = (sent: object, key?: string, on = story) =>
    on.call("POST", "/auth/credentials", sent, key === undefined ? {} : { key });

  it("is named part by part, alone and beside whatever else is wrong", async () => {
    const { accountId } = await newWallet(story);
    expect(named(await send(body(accountId, {}, wrong)))).toEqual([400, parts]);
    const nickname = await send(body(accountId, { nickname: "<" }, wrong));
    expect(named(nickname)).toEqual([400, ["nickname", ...parts]]);
    const key = await send(body(accountId, {}, wrong), "a b");
    expect(named(key)).toEqual([400, ["Idempotency-Key", ...parts]]);
    const noText = await send(body(accountId, {}, { ...wrong, clientDataJson: 5 }));
    expect(named(noText)).toEqual([400, parts]);
    const missing = await send({ ...body(accountId), attestation: undefined, nickname: "<" });
    expect(named(missing)).toEqual([400, ["attestation", "nickname"]]);
  });

  it("is named beside an account that is no wallet", async () => {
    const customer = await fundedCustomer(story, 0);
    const accountId = await internalAccount(story, { ...customer, currency: "USD" });
    const answer = await send(body(accountId, {}, wrong));
    expect(named(answer)).toEqual([400, ["accountId", ...parts]]);
  });

  it("is not reported when only something else is wrong", async () => {
    const { accountId } = await newWallet(story);
    expect(named(await send(body(accountId, { nickname: "<" })))).toEqual([400, ["nickname"]]);
    expect((await send(body(accountId))).status).toBe(201);
  });

  it("of a sandbox is one whose parts have no shape", async () => {
    const sandbox = await openStory(server);
    const { accountId } = await newWallet(sandbox);
    const nickname = "<";
    const made = await send(body(accountId, { nickname }, wrong), undefined, sandbox);
    expect(named(made)).toEqual([400, ["nickname"]]);
    const tooLong = { ...wrong, credentialId: "A".repeat(1_400) };
    const answer = await send(body(accountId, { nickname }, tooLong), undefined, sandbox);
    expect(named(answer)).toEqual([400, ["nickname", "attestation.credentialId"]]);
  });
});

describe("a malformed assertion", () => {
  const soft = createSoftAuthenticator();
  const assertion = soft.assert("Y2hhbGxlbmdl");
  const wrong = { ...assertion, clientDataJson: NONSENSE, userHandle: 5 };

  const verify = (id: string, sent: object, requestId?: string, on = story) =>
    on.call(
      "POST",
      `/auth/credentials/${id}/verify`,
      { type: "PASSKEY", assertion: sent },
      requestId === undefined ? { key: "a b" } : { headers: { "Request-Id": requestId } },
    );

  it("is named part by part, alone and beside whatever else is wrong", async () => {
    const { accountId } = await newWallet(story);
    const made = await story.call("POST", "/auth/credentials", {
      type: "PASSKEY",
      accountId,
      nickname: "Ana's key",
      challenge: "cmVnaXN0ZXI",
      attestation: soft.register("cmVnaXN0ZXI"),
    });
    const { clientPublicKey } = await createClientKey();
    const path = `/auth/credentials/${made.json.id}/challenge`;
    const { requestId } = (await story.call("POST", path, { clientPublicKey })).json;
    const alone = await verify(made.json.id, { ...wrong, userHandle: null }, requestId);
    expect(named(alone)).toEqual([400, ["assertion.clientDataJson"]]);
    const beside = await verify(made.json.id, wrong, requestId);
    expect(named(beside)).toEqual([400, ["assertion.userHandle", "assertion.clientDataJson"]]);
    const parts = { ...wrong, userHandle: null, signature: "" };
    const key = await verify(made.json.id, parts);
    expect(named(key)).toEqual([
      400,
      ["Idempotency-Key", "assertion.signature", "assertion.clientDataJson"],
    ]);
  });

  it("is not read in a sandbox", async () => {
    const sandbox = await openStory(server);
    const answer = await verify(`AuthMethod:${randomUUID()}`, wrong, undefined, sandbox);
    expect(named(answer)).toEqual([400, ["Idempotency-Key", "assertion.userHandle"]]);
  });
});
