/** `florin webhooks verify`: whether a delivery that was kept is the platform's. */
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
  const publicKey = toKey(key === undefined ? await fetchKey(host, profile) : readText(key));
  const signature = signatureIn(header);
  const body = Buffer.from(await host.readInput(), "utf8");
  const isValid = verify("sha256", body, { key: publicKey, dsaEncoding: "der" }, signature);
  if (isValid) return host.writeOut("valid\n");
  const message =
    "the key did not sign these bytes; they must be the ones that came, not parsed JSON";
  throw new Refused({ code: "INVALID_SIGNATURE", status: 400, message });
}

async function fetchKey(host: Host, profile: string | undefined): Promise<string> {
  const connection = connectionOf(host, profile);
  const request = { method: "GET", target: "/webhooks/public-key" } as const;
  const { text } = accepted(await send(host, connection, request));
  return asText(asObject(parseJson(text))?.publicKey) ?? "";
}

function toKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new UsageError("the key must be a P-256 public key in PEM form");
  }
}

function signatureIn(header: string): Buffer {
  const signature = asText(asObject(parseJson(header))?.s);
  if (signature === undefined) throw new UsageError(`--header must be {"v":"1","s":"<base64>"}`);
  return Buffer.from(signature, "base64");
}
