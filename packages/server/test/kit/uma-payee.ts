/** An institution whose customers are looked up, on the official SDK. A test may answer in its place, or change what it has signed. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Currency,
  getLnurlpResponse,
  getPubKeyResponse,
  InMemoryNonceValidator,
  KycStatus,
  PubKeyResponse,
  parseLnurlpRequest,
  verifyUmaLnurlpQuerySignature,
} from "@uma-sdk/core";
import { pemOf, writeSelfSigned } from "../../src/formats/uma/certificates/write-certificate.ts";
import { present } from "../../src/std/assert.ts";
import { askHost } from "./uma-proxy.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

// biome-ignore lint/suspicious/noExplicitAny: an answer of any form
type Edit = (answer: any) => void;

export interface UmaPayee {
  readonly port: number;
  /** Paths of keys and lookups that were asked for, with their queries, oldest first. */
  readonly asked: string[];
  /** Answers lookups in place of the SDK. */
  lookup: Answer | undefined;
  /** Answers for the keys in place of the SDK. */
  keys: Answer | undefined;
  /** Changes the answer of the SDK after it was signed. */
  edit: Edit | undefined;
  /** The settlement options of its answers; undefined: none are named. */
  settlementOptions: Parameters<typeof getLnurlpResponse>[0]["settlementOptions"];
  close(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60_000;

/** `domain` is its own; the keys of those who ask are read at `askersPort`. */
export async function openPayee(domain: string, askersPort: () => number): Promise<UmaPayee> {
  const signing = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey;
  const encryption = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey;
  const [signingCertChainPem, encryptionCertChainPem] = await Promise.all([
    certificateOf(domain, signing),
    certificateOf(domain, encryption),
  ]);
  const published = getPubKeyResponse({
    signingCertChainPem,
    encryptionCertChainPem,
    expirationTimestamp: Math.floor((Date.now() + DAY_MS) / 1_000),
  });
  const privateKeyBytes = Buffer.from(
    present(signing.export({ format: "jwk" }).d, "d"),
    "base64url",
  );
  const nonces = new InMemoryNonceValidator(Date.now() - DAY_MS);

  async function answered(target: string): Promise<string> {
    const request = parseLnurlpRequest(new URL(`https://${domain}${target}`));
    const asker = present(request.vaspDomain, "the domain of the asker");
    const path = "/.well-known/lnurlpubkey";
    const { text } = await askHost(askersPort(), { host: asker, path });
    const isGood = await verifyUmaLnurlpQuerySignature(
      request,
      PubKeyResponse.fromJson(text),
      nonces,
    );
    if (!isGood) throw new Error("the signature of the lookup is wrong");
    const answer = await getLnurlpResponse({
      request,
      privateKeyBytes,
      requiresTravelRuleInfo: true,
      callback: `https://${domain}/uma/pay/1`,
      encodedMetadata: '[["text/plain","Pay"]]',
      minSendableSats: 1,
      maxSendableSats: 10_000_000,
      payerDataOptions: { name: { mandatory: true }, countryCode: { mandatory: false } },
      currencyOptions: [
        new Currency("EUR", "Euro", "€", 10_000.5, 1, 1_000_000, 2),
        new Currency("XTS", "Testing", "", 10, 1, 10, 2),
      ],
      receiverKycStatus: KycStatus.Verified,
      settlementOptions: payee.settlementOptions,
    });
    const json = JSON.parse(answer.toJsonString());
    payee.edit?.(json);
    return JSON.stringify(json);
  }

  const server = createServer((request, response) => {
    const target = request.url ?? "";
    if (!/^\/\.well-known\/lnurlp/.test(target)) return response.writeHead(404).end();
    payee.asked.push(target);
    const isKeys = target.startsWith("/.well-known/lnurlpubkey");
    const special = isKeys ? payee.keys : payee.lookup;
    if (special !== undefined) return special(request, response);
    const text = isKeys ? Promise.resolve(published.toJsonString()) : answered(target);
    text.then(
      (body) => response.setHeader("content-type", "application/json").end(body),
      (error: unknown) => {
        response.writeHead(500).end(String(error));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const payee: UmaPayee = {
    port: (server.address() as AddressInfo).port,
    asked: [],
    lookup: undefined,
    keys: undefined,
    edit: undefined,
    settlementOptions: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return payee;
}

async function certificateOf(domain: string, key: KeyObject): Promise<string> {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const dates = { notBefore: now - DAY_MS, notAfter: now + 30 * DAY_MS };
  return pemOf(
    await writeSelfSigned({ domains: [domain], use: "SIGNING", ...dates }, key),
    "CERTIFICATE",
  );
}
