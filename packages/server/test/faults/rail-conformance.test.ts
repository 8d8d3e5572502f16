/** The conformance run: the example passes it, and each of its broken variants fails it by the name of a check. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../kit/free-port.ts";
import { CALLBACK_SECRET, SIGNING_SECRET } from "../kit/rail-connector.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const FLORIN = join(root, "packages/server/bin/florin.mjs");
const CONNECTOR = join(root, "examples/rail-connector/connector.mjs");

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "florin-rail-"));
  await writeFile(join(place, "signing"), SIGNING_SECRET);
  await writeFile(join(place, "callback"), CALLBACK_SECRET);
});
afterAll(() => rm(place, { recursive: true }));

interface Run {
  readonly code: number;
  /** The names of the checks that failed. */
  readonly failed: readonly string[];
  readonly passed: number;
}

async function runOn(
  broken: string | undefined,
  { wait = "30", ear: hasEar = true }: { readonly wait?: string; readonly ear?: boolean } = {},
): Promise<Run> {
  const [port, ear] = [await freePort(), await freePort()];
  const connector = spawn(process.execPath, [
    CONNECTOR,
    ...["--data", join(place, broken ?? "sound"), "--port", String(port), "--settle-ms", "100"],
    ...["--layer", "pretend.example", "--network", join(place, `network-${broken ?? "sound"}`)],
    ...["--signing-secret-file", join(place, "signing")],
    ...["--callback-secret-file", join(place, "callback")],
    ...["--callback-url", `http://127.0.0.1:${ear}/callbacks`],
    ...(broken === undefined ? [] : ["--break", broken]),
  ]);
  try {
    await new Promise((resolve) => connector.stdout.once("data", resolve));
    return await conformance(port, hasEar ? ear : undefined, wait);
  } finally {
    connector.kill("SIGKILL");
  }
}

function conformance(port: number, ear: number | undefined, wait: string): Promise<Run> {
  const words = [
    ...["rail", "test", `http://127.0.0.1:${port}`, "--json", "--wait", wait],
    ...["--secret-file", join(place, "signing")],
    ...(ear === undefined ? [] : ["--listen", String(ear)]),
    ...["--callback-secret-file", join(place, "callback")],
  ];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [FLORIN, ...words], (error, stdout, stderr) => {
      try {
        const { checks } = JSON.parse(stdout) as {
          readonly checks: readonly { readonly name: string; readonly outcome: string }[];
        };
        const namesOf = (outcome: string) =>
          checks.filter((check) => check.outcome === outcome).map(({ name }) => name);
        const code = typeof error?.code === "number" ? error.code : 0;
        resolve({ code, failed: namesOf("failed"), passed: namesOf("passed").length });
      } catch {
        reject(new Error(`no result: ${stdout} ${stderr}`));
      }
    });
  });
}

it("is passed by the example without a listener for callbacks", async () => {
  expect(await runOn(undefined, { ear: false })).toEqual({ code: 0, failed: [], passed: 30 });
}, 120_000);

it("is passed by the example", async () => {
  expect(await runOn(undefined)).toEqual({ code: 0, failed: [], passed: 33 });
}, 120_000);

describe("fails", () => {
  // Each spends most of its time waiting for what the connector does not say. The first two take longest.
  it.concurrent.each([
    ["forgets", "an inquiry knows what was ordered"],
    ["denies", "an inquiry knows what was ordered"],
    ["pays-twice", "one id is one payment, 20 times at once and in order"],
    ["declines-and-pays", "one id is one payment, 20 times at once and in order"],
    ["ignores-signature", "a wrong signature is refused"],
    ["unsigned", "answers are signed"],
    ["float-amounts", "an amount above 2^53 is kept to the unit"],
    ["drops-callbacks", "a callback comes, signed, and is repeated after a 503"],
    ["reuses-event-ids", "every event has an id of its own"],
    ["feed-skips", "the feed has every entry once, in one order"],
    ["feed-reorders", "the feed has every entry once, in one order"],
    ["settles-then-declines", "one id is one payment, 20 times at once and in order"],
    ["cancels-nothing", "a cancel is answered by a report"],
    ["hides-features", "it says what it can do"],
    ["makes-invoices-anew", "one id is one invoice, 20 times at once"],
    ["cancels-no-invoice", "a cancelled invoice takes no money"],
    ["hides-invoice-entries", "an invoice is paid once, by one entry that names it"],
    ["pays-other-amounts", "an order that does not fit its invoice is declined"],
  ])(
    "a connector that %s",
    async (broken, check) => {
      const { code, failed } = await runOn(broken, { wait: "4" });
      expect(code).toBe(1);
      expect(failed).toContain(check);
    },
    120_000,
  );
});
