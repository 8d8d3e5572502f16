import { describe, expect, test } from "vitest";
import { createHpkeSuite, generateKeyPair, keyScheduleContext } from "./hpke.ts";

const hex = (text: string) => Buffer.from(text, "hex");

/** RFC 9180, appendix A.3.1: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base mode, sequence number 0. */
const published = {
  info: hex("4f6465206f6e2061204772656369616e2055726e"),
  senderPrivate: hex("4995788ef4b9d6132b249ce59a77281493eb39af373d236a1fe415cb0c2d7beb"),
  senderPublic: hex(
    "04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4",
  ),
  recipientPublic: hex(
    "04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0",
  ),
  keyScheduleContext: hex(
    "00b88d4e6d91759e65e87c470e8b9141113e9ad5f0c8ceefc1e088c82e6980500798e486f9c9c09c9b5c753ac72d6005de254c607d1b534ed11d493ae1c1d9ac85",
  ),
  plaintext: hex("4265617574792069732074727574682c20747275746820626561757479"),
  aad: hex("436f756e742d30"),
  ciphertext: hex(
    "5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434",
  ),
};

describe("HPKE", () => {
  test("gives the published ciphertext of RFC 9180, A.3.1", () => {
    const { info, aad, senderPublic, recipientPublic, plaintext } = published;
    const suite = createHpkeSuite("aes-128-gcm", () => ({
      privateKey: Buffer.from(published.senderPrivate),
      publicKey: senderPublic,
    }));
    const message = suite.seal(recipientPublic, plaintext, () => ({ info, aad }));
    expect(message.encapsulated).toEqual(senderPublic);
    expect(message.ciphertext).toEqual(published.ciphertext);
  });

  test("has the published key schedule contexts of both suites", () => {
    expect(keyScheduleContext("aes-128-gcm", published.info)).toEqual(published.keyScheduleContext);
    expect(keyScheduleContext("aes-256-gcm", Buffer.from("turnkey_hpke")).toString("hex")).toBe(
      "008fc3aeb832490a4b5ab3e42023287db29a1f4bc7c222c0df228727b70a4021122f3f04e9206cd12413503529b47ac6a630b92ec4cf7d234508d0af9771c99e50",
    );
  });

  test("wipes the fresh private key once it has served", () => {
    const fresh = generateKeyPair();
    const context = () => ({ info: Buffer.alloc(0), aad: Buffer.alloc(0) });
    createHpkeSuite("aes-256-gcm", () => fresh).seal(
      published.recipientPublic,
      Buffer.of(1),
      context,
    );
    expect(fresh.privateKey.equals(Buffer.alloc(32))).toBe(true);
  });

  test("makes private keys of 32 bytes, also with leading zeros", () => {
    const keys = Array.from({ length: 5_000 }, generateKeyPair);
    expect(keys.every(({ privateKey }) => privateKey.length === 32)).toBe(true);
    expect(keys.some(({ privateKey }) => privateKey[0] === 0)).toBe(true);
  });
});
