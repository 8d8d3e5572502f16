/** Reads the proof of some commands: their texts, and the log from the first of them to the next checkpoint, which is created if needed. */
import { PROOF_FORMAT, type Proof } from "@florin/cli/proof";
import type { PlatformSend } from "../../../../api/platform-send.ts";
import { newKey } from "../../../../std/host.ts";

/** For a payment with more commands, only the last ones are proved. */
export const MOST_COMMANDS = 25;
const LINKS_A_CALL = 10_000;
/** About one day at one payment a second. All links are in memory at once. */
const MOST_LINKS = 200_000;

/** Thrown when the next checkpoint is too far away to load its links in a page. */
export class TooFar extends Error {}

export async function gatherProof(
  { send, platformId }: { readonly send: PlatformSend; readonly platformId: string },
  wanted: readonly number[],
): Promise<Proof> {
  const seqs = [...new Set(wanted)].toSorted((one, other) => one - other).slice(-MOST_COMMANDS);
  const [first = 1] = seqs;
  const commands = await Promise.all(
    seqs.map((seq) =>
      send<"getCommandProof">({
        method: "GET",
        path: ["ledger", "commands", String(seq), "proof"],
      }),
    ),
  );
  const checkpoint = await checkpointFrom(send, seqs.at(-1) ?? first);
  if (checkpoint.seq - first >= MOST_LINKS) throw new TooFar();
  const stretches = [];
  for (let from = first; from <= checkpoint.seq; from += LINKS_A_CALL) {
    const to = Math.min(from + LINKS_A_CALL - 1, checkpoint.seq);
    stretches.push(
      await send<"getChain">({ method: "GET", path: ["ledger", "chain"], query: { from, to } }),
    );
  }
  return {
    format: PROOF_FORMAT,
    platformId,
    commands,
    previousHash: stretches[0]?.previousHash ?? "",
    links: stretches.flatMap(({ links }) => links),
    checkpoint,
  };
}

/** Returns the first checkpoint at or after this command. */
async function checkpointFrom(send: PlatformSend, seq: number): Promise<Proof["checkpoint"]> {
  const { data } = await send<"listCheckpoints">({
    method: "GET",
    path: ["ledger", "checkpoints"],
    query: { fromSeq: seq, sortOrder: "asc", limit: 1 },
  });
  return (
    data[0] ??
    send<"createCheckpoint">(
      { method: "POST", path: ["ledger", "checkpoints"] },
      { idempotencyKey: newKey() },
    )
  );
}
