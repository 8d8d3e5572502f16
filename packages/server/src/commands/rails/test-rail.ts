import { readFile } from "node:fs/promises";
import { anyHost } from "../../outside/outbound-http/allowed-hosts.ts";
import { createOutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import { checkOutboundUrl, outboundUrlMessages } from "../../outside/outbound-http/outbound-url.ts";
import {
  type CallbackEar,
  listenForCallbacks,
} from "../../outside/rails/conformance/callback-ear.ts";
import { type CheckResult, runConformance } from "../../outside/rails/conformance/conformance.ts";
import { stayAlive, systemClock } from "../../std/clock.ts";
import { messageOf, StartRefused } from "../../std/errors.ts";
import { print } from "../print.ts";

export interface TestRailOptions {
  readonly secretFile: string;
  readonly callbackSecretFile?: string;
  readonly listen?: string;
  readonly currency: string;
  readonly json: boolean;
  readonly wait: string;
}

const TIMEOUT_MS = 10_000;
const MOST_WAIT_SECONDS = 600;

/** `florin rail test URL`: checks a connector. Returns whether all checks passed. */
export async function testRailFromShell(url: string, options: TestRailOptions): Promise<boolean> {
  const check = checkOutboundUrl(url, { allowLoopbackHttp: true, allowed: anyHost });
  if (!check.ok) throw new StartRefused(outboundUrlMessages[check.reason]);
  const secret = await secretIn(options.secretFile);
  const ear = await earOf(options);
  const outbound = createOutboundClient({ clock: systemClock, connectionsPerOrigin: 32 });
  const results: CheckResult[] = [];
  const mayEnd = stayAlive();
  try {
    return await runConformance(
      {
        outbound,
        allowed: anyHost,
        clock: systemClock,
        baseUrl: url,
        secret,
        currency: options.currency,
        timeoutMs: TIMEOUT_MS,
        waitMs: secondsOf(options.wait) * 1_000,
        ear,
      },
      (result) => {
        results.push(result);
        if (!options.json) print(inWords(result));
      },
    );
  } finally {
    mayEnd();
    if (options.json) print(JSON.stringify({ checks: results }, undefined, 2));
    await outbound.close();
    await ear?.close();
  }
}

function inWords({ number, name, outcome, message }: CheckResult): string {
  const more = message === "" ? "" : `: ${message}`;
  return `${String(number).padStart(2)} ${outcome.padEnd(8)} ${name}${more}`;
}

async function secretIn(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    throw new StartRefused(`The secret cannot be read: ${messageOf(error)}`);
  }
}

async function earOf(options: TestRailOptions): Promise<CallbackEar | undefined> {
  const { listen, callbackSecretFile } = options;
  if (listen === undefined) return undefined;
  if (callbackSecretFile === undefined) {
    throw new StartRefused(
      "--listen needs --callback-secret-file, with which callbacks are signed",
    );
  }
  const port = /^\d{1,5}$/.test(listen) ? Number(listen) : Number.NaN;
  if (!(port <= 65_535)) throw new StartRefused("--listen: must be a port");
  return listenForCallbacks(port, await secretIn(callbackSecretFile));
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= 1 && seconds <= MOST_WAIT_SECONDS) return seconds;
  throw new StartRefused(`--wait: must be 1 to ${MOST_WAIT_SECONDS} seconds`);
}
