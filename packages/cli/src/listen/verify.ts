/** `florin webhooks verify`: checks that a saved delivery was signed by the platform. */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Command } from "commander";
import { connectionOf } from "../connection/connection.ts";
import { accepted, send } from "../connection/send.ts";
import { Refused, UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, parseJson } from "../json.ts";
import { readText } from "../operations/input.ts";

interface VerifyOptions {
  readonly key?: string;
  readonly header: string;
  readonly profile?: string;
}

export function addVerify(noun: Command, host: Host): void {
  noun
    .command("verify")
    .description("Verify the body on standard input against its X-Service-Signature.")
    .requiredOption("--header <value>", "the value of X-Service-Signature")
    .option("--key <path>", "the public key in PEM form; GET /webhooks/public-key when absent")
    .option("--profile <name>", "a saved connection")
    .action((options: VerifyOptions) => verifyBody(host, options));
}

async function verifyBody(host: Host, { key, header, profile }: VerifyOptions): Promise<void> {
  const keys = key === undefined ? await fetchKeys(host, profile) : [toKey(readText(key))];
  const signature = signatureIn(header);
  const body = await host.readInput();
  if (keys.some((one) => isSigned(one, signature, body))) return host.writeOut("valid\n");
  const message = faultOf(keys, signature, body);
  throw new Refused({ code: "INVALID_SIGNATURE", status: 400, message });
}

/** Why the signature does not match: tries the usual alterations of a body. */
function faultOf(keys: readonly KeyObject[], signature: Buffer, body: string): string {
  const fits = (text: string) => keys.some((key) => isSigned(key, signature, text));
  if (body === "") return "the body is empty";
  const bare = body.replace(/\r?\n$/, "");
  if (bare !== body && fits(bare)) return "the body ends with a line end that was not signed";
  const parsed = parseJson(body);
  if (parsed === undefined) return "the body is not JSON: it was cut or altered";
  if (fits(JSON.stringify(parsed))) {
    return "the body was written anew from its JSON; the bytes must be those that came";
  }
  return "the key did not sign these bytes: it is another key, or the body was altered";
}

/** The platform's key, and the next one while it is rotated. */
async function fetchKeys(host: Host, profile: string | undefined): Promise<readonly KeyObject[]> {
  const connection = connectionOf(host, profile);
  const request = { method: "GET", target: "/webhooks/public-key" } as const;
  const answer = asObject(parseJson(accepted(await send(host, connection, request)).text));
  const next = asText(asObject(answer?.next)?.publicKey);
  const pems = [asText(answer?.publicKey) ?? "", ...(next === undefined ? [] : [next])];
  return pems.map(toKey);
}

function toKey(pem: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPublicKey(pem);
  } catch {
    // Reported below, like a key of another kind.
  }
  if (key?.asymmetricKeyDetails?.namedCurve === "prime256v1") return key;
  throw new UsageError("the key must be a P-256 public key in PEM form");
}

function signatureIn(header: string): Buffer {
  const { v: version, s } = asObject(parseJson(header)) ?? {};
  const text = asText(s);
  if (text === undefined) throw new UsageError(`--header must be {"v":"1","s":"<base64>"}`);
  if (version !== "1") throw new UsageError(`--header is of version ${version}, not of version 1`);
  const signature = Buffer.from(text, "base64");
  if (signature.toString("base64") === text) return signature;
  throw new UsageError("--header has a signature that is not base64");
}

function isSigned(key: KeyObject, signature: Buffer, body: string): boolean {
  return verify("sha256", Buffer.from(body, "utf8"), { key, dsaEncoding: "der" }, signature);
}
