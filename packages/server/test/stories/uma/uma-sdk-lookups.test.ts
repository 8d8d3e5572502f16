/** An institution that is built on the official JavaScript SDK looks up a customer, and quirks of other libraries. */
import { createHash } from "node:crypto";
import {
  getPubKeyResponse,
  getSignedLnurlpRequestUrl,
  InMemoryNonceValidator,
  LnurlpResponse,
  PubKeyResponse,
  selectHighestSupportedVersion,
  verifyUmaLnurlpResponseSignature,
} from "@uma-sdk/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pemOf, writeSelfSigned } from "../../../src/formats/uma/certificates/write-certificate.ts";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import {
  customerAt,
  listHosts,
  makesInvoices,
  openServed,
  type ServedHosts,
} from "../../kit/story-uma-served.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { askHost } from "../../kit/uma-proxy.ts";
import { openVasp, send, signedLookup, type TestVasp } from "../../kit/uma-vasp.ts";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
let connector: TestConnector;
let vasp: TestVasp;
let hosts: ServedHosts;
let server: TestServer;
beforeAll(async () => {
  connector = await openConnector();
  makesInvoices(connector);
  vasp = await openVasp();
  vasp.document = await sdkDocument(vasp);
  hosts = await listHosts(["bank.test"], vasp, ["vasp.test"]);
  const settings = { UMA_HOSTS: hosts.setting, RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  server = await startTestServer({ settings });
  hosts.proxy.upstream = server.app.address.port;
  const bank = await openServed(server, "bank.test", connector);
  await customerAt(bank, "$ana@bank.test");
});
afterAll(async () => {
  await server.close();
  await hosts.proxy.close();
  await vasp.close();
  await connector.close();
});

/** As the SDK writes it: with the signing chain under both names. */
async function sdkDocument({ signingKey, encryptionKey }: TestVasp): Promise<string> {
  const dates = { notBefore: Date.now() - 86_400_000, notAfter: Date.now() + 86_400_000 };
  const chainOf = async (use: "SIGNING" | "ENCRYPTION") => {
    const key = use === "SIGNING" ? signingKey : encryptionKey;
    return pemOf(
      await writeSelfSigned({ domains: ["vasp.test"], use, ...dates }, key),
      "CERTIFICATE",
    );
  };
  const document = getPubKeyResponse({
    signingCertChainPem: await chainOf("SIGNING"),
    encryptionCertChainPem: await chainOf("ENCRYPTION"),
    expirationTimestamp: Math.floor(Date.now() / 1_000) + 3_600,
  }).toJsonString();
  const { signingCertChain, encryptionCertChain } = JSON.parse(document);
  expect(encryptionCertChain).toEqual(signingCertChain);
  return document;
}

const port = () => server.app.address.port;
const ask = (url: URL) => askHost(port(), { host: url.host, path: url.pathname + url.search });
const lookUp = (
  more: { readonly umaVersionOverride?: string; readonly receiver?: string } = {},
) => {
  const { receiver: receiverAddress = "$ana@bank.test", ...rest } = more;
  return getSignedLnurlpRequestUrl({
    isSubjectToTravelRule: true,
    receiverAddress,
    senderVaspDomain: "vasp.test",
    signingPrivateKey: vasp.secret,
    ...rest,
  });
};

it("the SDK's lookup is answered, and the SDK takes the answer", async () => {
  const { status, text } = await ask(await lookUp());
  expect([status, text]).toEqual([200, expect.any(String)]);
  const answer = LnurlpResponse.fromJson(text);
  expect(answer.currencies?.map(({ code, multiplier }) => [code, multiplier])).toEqual([
    ["EUR", 12_500],
  ]);
  expect(answer.payerData).toMatchObject({ identifier: { mandatory: true } });
  expect(answer.settlementOptions).toMatchObject([{ settlementLayer: "ln" }]);
  const published = await askHost(port(), {
    host: "bank.test",
    path: "/.well-known/lnurlpubkey",
  });
  const keys = PubKeyResponse.fromJson(published.text);
  const nonces = new InMemoryNonceValidator(Date.now() - 60_000);
  expect(await verifyUmaLnurlpResponseSignature(answer, keys, nonces)).toBe(true);
  answer.compliance = { ...answer.compliance, receiverIdentifier: "$eve@bank.test" } as never;
  const others = new InMemoryNonceValidator(Date.now() - 60_000);
  expect(await verifyUmaLnurlpResponseSignature(answer, keys, others)).toBe(false);
});

it("the SDK that begins with another version finds 1.0 in the answer, and speaks it", async () => {
  const { status, text } = await ask(await lookUp({ umaVersionOverride: "0.3" }));
  const { supportedMajorVersions, unsupportedVersion } = JSON.parse(text);
  expect([status, unsupportedVersion]).toEqual([412, "0.3"]);
  const umaVersionOverride = selectHighestSupportedVersion(supportedMajorVersions);
  expect(umaVersionOverride).toBe("1.0");
  expect((await ask(await lookUp({ umaVersionOverride }))).status).toBe(200);
});

it("a lookup of the SDK is taken once, and of a user who is not there refused", async () => {
  const url = await lookUp();
  expect((await ask(url)).status).toBe(200);
  expect(JSON.parse((await ask(url)).text)).toMatchObject({ code: "INVALID_NONCE" });
  const { status, text } = await ask(await lookUp({ receiver: "$bob@bank.test" }));
  expect([status, JSON.parse(text).code]).toEqual([404, "USER_NOT_FOUND"]);
});

it("signatures with either half of s, and hexadecimal digits in capitals, are taken", async () => {
  for (const [nonce, change] of [
    ["1", (hex: string) => withHalf(hex, "low")],
    ["2", (hex: string) => withHalf(hex, "high")],
    ["3", (hex: string) => hex.toUpperCase()],
  ] as const) {
    const lookup = signedLookup(vasp, { nonce });
    const path = lookup.path.replace(
      /signature=([0-9a-f]+)/,
      (_all, hex: string) => `signature=${change(hex)}`,
    );
    expect((await send(port(), { ...lookup, path })).status).toBe(200);
  }
});

it("nonces of 32 bits that come twice within the time of a message are taken", async () => {
  const seconds = Math.floor(Date.now() / 1_000);
  const nonce = String(createHash("sha256").update("a").digest().readUInt32BE(0));
  for (const timestamp of [seconds, seconds - 1, seconds - 2]) {
    const lookup = signedLookup(vasp, { nonce, timestamp });
    expect((await send(port(), lookup)).status).toBe(200);
  }
});

/** The same signature with the smaller or the larger of the two values of s. */
function withHalf(hex: string, half: "low" | "high"): string {
  const der = Buffer.from(hex, "hex");
  const rEnd = 4 + (der[3] ?? 0);
  const r = der.subarray(4, rEnd);
  const s = BigInt(`0x${der.subarray(rEnd + 2).toString("hex")}`);
  const other = ORDER - s;
  const chosen = s > other === (half === "high") ? s : other;
  const parts = [r, integerBytes(chosen)].map((bytes) =>
    Buffer.concat([Buffer.from([2, bytes.length]), bytes]),
  );
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]).toString("hex");
}

function integerBytes(value: bigint): Buffer {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
}
