/** `florin proof check`: checks a proof that was saved from the console. Nothing is sent. */
import type { Command } from "commander";
import { Refused, UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { parseJson } from "../json.ts";
import { readText } from "../operations/input.ts";
import { checkProof, type Fault, isProof } from "./check-proof.ts";

export function addProof(program: Command, host: Host): void {
  program
    .command("proof")
    .description("check")
    .command("check")
    .description("Check a proof that was saved from the console, without a connection.")
    .argument("<file>", "the proof")
    .option("--key <path>", "the platform's public key in PEM form, from a place of your own")
    .action((file: string, { key }: { readonly key?: string }) => check(host, file, key));
}

async function check(host: Host, file: string, key: string | undefined): Promise<void> {
  const proof = parseJson(readText(file));
  if (!isProof(proof)) throw new UsageError(`${file} is not a proof that the console has saved`);
  const checked = await checkProof(proof, key === undefined ? undefined : readText(key));
  if ("part" in checked)
    throw new Refused({ code: "NOT_PROVEN", status: 400, message: wordsOf(checked) });
  const { keyId, at } = proof.checkpoint;
  const { from, to, hasEffects } = checked;
  host.writeOut(
    `unbroken from #${from} to #${to}, checkpoint signed by key ${keyId} at ${at}\n` +
      (hasEffects
        ? ""
        : "the rows that the commands wrote are not in the file: the log was checked\n") +
      (key === undefined
        ? "the key is the one in the file: compare it with your own (--key)\n"
        : ""),
  );
}

function wordsOf({ part, seq, rows = [] }: Fault): string {
  switch (part) {
    case "LOG":
      return `the row of command #${seq} in the log was changed, or one is missing`;
    case "EFFECTS":
      return `what command #${seq} wrote was changed: one of ${rows.join(", ")}`;
    case "CHECKPOINT":
      return `the checkpoint of command #${seq} does not hold the hash of that command`;
    case "SIGNATURE":
      return `the signature of the checkpoint of command #${seq} does not fit`;
    case "KEY":
      return `the checkpoint of command #${seq} was not signed by the given key`;
  }
}
