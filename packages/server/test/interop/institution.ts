/**
 * An institution on an SDK, with a server of its own: it publishes its keys, answers lookups of its customers, and pay requests with an
 * invoice. What it was asked is kept, so that a test can compare it with the books of the other side.
 */
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { pemOf, writeSelfSigned } from "../../src/formats/uma/certificates/write-certificate.ts";
import { present } from "../../src/std/assert.ts";
import type { AskedFields, AskedInvoice, Result, Sdk, SdkVasp } from "./sdk-calls.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Prices that have no short fraction in millisatoshis. */
export const EURO = {
  code: "EUR",
  name: "Euro",
  decimals: 2,
  multiplier: 12_500.25,
  min: 1,
  max: 1_000_000,
};

export interface TakenPayRequest {
  readonly text: string;
  /** As it was opened with the encryption key; null: there was none. */
  readonly travelRule: string | null;
  readonly payerData: Readonly<Record<string, unknown>>;
  readonly answer: string;
  readonly invoice: AskedInvoice & { readonly text: string };
}

export type ToldHook = Result<"readHook">;

export interface Receiving {
  /** The key document of a domain that asks. */
  keysOf(domain: string): Promise<string>;
  readonly payerData: AskedFields;
  readonly payeeData: Readonly<Record<string, string>>;
  /** Units of the asset. */
  readonly fee: number;
  isRegulated: boolean;
}

export interface Institution {
  readonly domain: string;
  readonly port: number;
  readonly vasp: SdkVasp;
  readonly document: string;
  /** The pay requests that it has answered, oldest first. */
  readonly taken: TakenPayRequest[];
  /** What it was told of payments, as the SDK has read it, oldest first. */
  readonly told: ToldHook[];
  /** The key document of the domain that tells it. */
  tellersKeys: () => Promise<string>;
  /** How it answers those who look its customers up; undefined: it has no customers. */
  receiving: Receiving | undefined;
  close(): Promise<void>;
}

export async function openInstitution(sdk: Sdk, domain: string): Promise<Institution> {
  const vasp = await sdk.start();
  const { document } = await vasp.call("open", { domain, ...(await newKeys(domain)) });
  const server = createServer((request, response) => {
    answerTo(institution, request).then(
      (text) => {
        if (text === undefined) response.writeHead(404).end();
        else response.setHeader("content-type", "application/json").end(text);
      },
      // The other side sees a fault of the SDK, and the test shows what it said.
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const institution: Institution = {
    domain,
    port: (server.address() as AddressInfo).port,
    vasp,
    document,
    taken: [],
    told: [],
    tellersKeys: () => Promise.reject(new Error("no test tells it of payments")),
    receiving: undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await vasp.close();
    },
  };
  return institution;
}

const HOOK_PATH = "/utxos/1";

export function hookUrlOf({ domain }: Pick<Institution, "domain">): string {
  return `https://${domain}${HOOK_PATH}`;
}

async function answerTo(at: Institution, request: IncomingMessage): Promise<string | undefined> {
  const url = new URL(request.url ?? "/", `https://${at.domain}`);
  if (url.pathname === "/.well-known/lnurlpubkey") return at.document;
  if (request.method === "POST" && url.pathname === HOOK_PATH) {
    const keys = await at.tellersKeys();
    at.told.push(await at.vasp.call("readHook", { text: await textOf(request), keys }));
    return "{}";
  }
  if (at.receiving === undefined) return undefined;
  if (url.pathname.startsWith("/.well-known/lnurlp/")) return answerLookup(at, at.receiving, url);
  if (request.method !== "POST" || !url.pathname.startsWith("/pay/")) return undefined;
  return answerPayRequest(at, at.receiving, { url, text: await textOf(request) });
}

async function answerLookup(at: Institution, receiving: Receiving, url: URL): Promise<string> {
  const asker = present(url.searchParams.get("vaspDomain"), "the domain of the asker");
  const user = decodeURIComponent(present(url.pathname.split("/").at(-1), "the user"));
  const { text } = await at.vasp.call("answerLookup", {
    url: url.href,
    keys: await receiving.keysOf(asker),
    callback: `https://${at.domain}/pay/${encodeURIComponent(user)}`,
    metadata: JSON.stringify([["text/plain", `Pay ${user}`]]),
    currencies: [EURO],
    payerData: receiving.payerData,
    isRegulated: receiving.isRegulated,
  });
  return text;
}

async function answerPayRequest(
  at: Institution,
  receiving: Receiving,
  { url, text }: { readonly url: URL; readonly text: string },
): Promise<string> {
  const payer: string = JSON.parse(text).payerData.identifier;
  const user = decodeURIComponent(present(url.pathname.split("/").at(-1), "the user"));
  let invoice: TakenPayRequest["invoice"] | undefined;
  at.vasp.invoice = async (asked) => {
    invoice = { ...asked, text: `lnbc${asked.amount}x${at.taken.length}` };
    return invoice.text;
  };
  const { text: answer, ...read }: Result<"answerPayRequest"> = await at.vasp.call(
    "answerPayRequest",
    {
      text,
      keys: await receiving.keysOf(present(payer.split("@")[1], "the domain of the payer")),
      payee: `${user}@${at.domain}`,
      metadata: JSON.stringify([["text/plain", `Pay ${user}`]]),
      currency: EURO,
      fee: receiving.fee,
      payeeData: receiving.payeeData,
      utxoCallback: hookUrlOf(at),
    },
  );
  at.taken.push({ text, answer, invoice: present(invoice, "the invoice"), ...read });
  return answer;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** Keys with certificates of a month, in the form that the SDKs take them. */
export async function newKeys(domain: string) {
  const [signing, encryption] = await Promise.all([
    newKey(domain, "SIGNING"),
    newKey(domain, "ENCRYPTION"),
  ]);
  return {
    signingSecret: signing.secret,
    signingChain: signing.chain,
    encryptionSecret: encryption.secret,
    encryptionChain: encryption.chain,
    expiresAt: Math.floor((Date.now() + DAY_MS) / 1_000),
  };
}

async function newKey(domain: string, use: "SIGNING" | "ENCRYPTION") {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const dates = { notBefore: now - DAY_MS, notAfter: now + 30 * DAY_MS };
  const certificate = await writeSelfSigned({ domains: [domain], use, ...dates }, privateKey);
  const secret = Buffer.from(present(privateKey.export({ format: "jwk" }).d, "d"), "base64url");
  return { secret: secret.toString("hex"), chain: pemOf(certificate, "CERTIFICATE") };
}
