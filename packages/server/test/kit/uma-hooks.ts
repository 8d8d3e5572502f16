/** Messages that tell an institution of a payment, signed as a test says. */
import { type KeyObject, sign } from "node:crypto";

export interface HookWish {
  readonly vaspDomain?: string;
  readonly nonce?: string;
  /** In seconds. */
  readonly timestamp?: number;
  readonly utxos?: unknown;
  /** What is signed in place of nonce and time. */
  readonly signedText?: string;
  /** Changes the message after it was signed. */
  readonly edit?: (message: Record<string, unknown>) => void;
}

let nonces = 0;

/** By `vasp.test` of one channel, unless it is told otherwise. */
export function signedHook(key: KeyObject, wish: HookWish = {}): string {
  const { vaspDomain = "vasp.test", nonce = `9${++nonces}` } = wish;
  const { timestamp = Math.floor(Date.now() / 1_000) } = wish;
  const { utxos = [{ utxo: "abc:1", amountMsats: 1_000 }] } = wish;
  const text = wish.signedText ?? `${nonce}|${timestamp}`;
  const message: Record<string, unknown> = {
    utxos,
    vaspDomain,
    signature: sign("sha256", Buffer.from(text), key).toString("hex"),
    signatureNonce: nonce,
    signatureTimestamp: timestamp,
  };
  wish.edit?.(message);
  return JSON.stringify(message);
}

export interface HookAnswer {
  readonly status: number;
  readonly text: string;
  readonly code: string | undefined;
}

/** At the path of a URL that a server of the deployment has given away. */
export async function postHook(port: number, url: string, body: string): Promise<HookAnswer> {
  const answer = await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, text, code: JSON.parse(text).code };
}
