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
import { type PayeeInvoices, payeeInvoices } from "./uma-payee-invoices.ts";
import { askHost } from "./uma-proxy.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

// biome-ignore lint/suspicious/noExplicitAny: an answer of any form
type Edit = (answer: any) => void;

export interface UmaPayee {
  readonly port: number;
  /** Paths of keys and lookups that were asked for, with their queries, oldest first. */
  readonly asked: string[];
  /** The milliseconds that each answer of the SDK to a lookup took. */
  readonly took: number[];
  /** Answers lookups in place of the SDK. */
  lookup: Answer | undefined;
  /** Answers for the keys in place of the SDK. */
  keys: Answer | undefined;
  /** Changes the answer of the SDK to a lookup after it was signed. */
  edit: Edit | undefined;
  /** Answers requests to pay in place of the SDK. */
  pay: Answer | undefined;
  /** Changes the answer of the SDK to a request to pay after it was signed. */
  editPay: Edit | undefined;
  /** What it was told of payments at its URLs (`hookUrlOf`), oldest first. */
  readonly hooks: { readonly name: string; readonly text: string }[];
  /** Answers those messages in place of 200. */
  hook: Answer | undefined;
  readonly signingKey: KeyObject;
  readonly invoices: PayeeInvoices;
  /** Whether its lookups say that it is subject to the travel rule. */
  isSubjectToTravelRule: boolean;
  /** The settlement options of its answers; undefined: none are named. */
  settlementOptions: Parameters<typeof getLnurlpResponse>[0]["settlementOptions"];
  close(): Promise<void>;
}

const PAY_PATH = "/uma/pay/1";
const HOOK_PATHS = "/uma/utxos/";

/** Where an institution at the domain wants to be told of a payment, when its answer says so. */
export const hookUrlOf = (domain: string, name: string) => `https://${domain}${HOOK_PATHS}${name}`;
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

  async function keysOf(host: string): Promise<PubKeyResponse> {
    const path = "/.well-known/lnurlpubkey";
    return PubKeyResponse.fromJson((await askHost(askersPort(), { host, path })).text);
  }

  async function paid(request: IncomingMessage): Promise<string> {
    const body = await bodyOf(request);
    const payer = String(JSON.parse(body).payerData.identifier);
    const keys = await keysOf(payer.slice(payer.indexOf("@") + 1));
    const json = JSON.parse(await payee.invoices.answer(body, keys));
    payee.editPay?.(json);
    return JSON.stringify(json);
  }

  async function answered(target: string): Promise<string> {
    const from = performance.now();
    const request = parseLnurlpRequest(new URL(`https://${domain}${target}`));
    const asker = present(request.vaspDomain, "the domain of the asker");
    const isGood = await verifyUmaLnurlpQuerySignature(request, await keysOf(asker), nonces);
    if (!isGood) throw new Error("the signature of the lookup is wrong");
    const answer = await getLnurlpResponse({
      request,
      privateKeyBytes,
      requiresTravelRuleInfo: payee.isSubjectToTravelRule,
      callback: `https://${domain}${PAY_PATH}`,
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
    payee.took.push(performance.now() - from);
    return JSON.stringify(json);
  }

  async function told(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = request.url?.slice(HOOK_PATHS.length) ?? "";
    payee.hooks.push({ name, text: await bodyOf(request) });
    if (payee.hook === undefined) response.end("{}");
    else payee.hook(request, response);
  }

  const server = createServer((request, response) => {
    const target = request.url ?? "";
    if (target.startsWith(HOOK_PATHS)) return void told(request, response);
    if (target === PAY_PATH) {
      if (payee.pay !== undefined) return payee.pay(request, response);
      return answerWith(response, paid(request));
    }
    if (!/^\/\.well-known\/lnurlp/.test(target)) return response.writeHead(404).end();
    payee.asked.push(target);
    const isKeys = target.startsWith("/.well-known/lnurlpubkey");
    const special = isKeys ? payee.keys : payee.lookup;
    if (special !== undefined) return special(request, response);
    const text = isKeys ? Promise.resolve(published.toJsonString()) : answered(target);
    answerWith(response, text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const payee: UmaPayee = {
    port: (server.address() as AddressInfo).port,
    asked: [],
    took: [],
    lookup: undefined,
    keys: undefined,
    edit: undefined,
    pay: undefined,
    editPay: undefined,
    hooks: [],
    hook: undefined,
    signingKey: signing,
    invoices: payeeInvoices({
      receiver: `$bob@${domain}`,
      signing: privateKeyBytes,
      encryption,
    }),
    isSubjectToTravelRule: true,
    settlementOptions: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return payee;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function answerWith(response: ServerResponse, text: Promise<string>): void {
  text.then(
    (body) => response.setHeader("content-type", "application/json").end(body),
    (error: unknown) => {
      response.writeHead(500).end(String(error));
    },
  );
}

async function certificateOf(domain: string, key: KeyObject): Promise<string> {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const dates = { notBefore: now - DAY_MS, notAfter: now + 30 * DAY_MS };
  return pemOf(
    await writeSelfSigned({ domains: [domain], use: "SIGNING", ...dates }, key),
    "CERTIFICATE",
  );
}
