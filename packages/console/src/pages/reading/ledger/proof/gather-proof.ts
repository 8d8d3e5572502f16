/** Reads what proves some commands: their texts, and the log from the first of them to the next checkpoint, which is made when there is none. */
import { PROOF_FORMAT, type Proof } from "@florin/cli/proof";
import type { PlatformSend } from "../../../../api/platform-send.ts";
import { newKey } from "../../../../std/host.ts";

/** Of a payment with more commands, the last ones. */
export const MOST_COMMANDS = 25;
const LINKS_A_CALL = 10_000;
/** Behind it lies a day of about one payment a second; all of it is in memory at once. */
const MOST_LINKS = 200_000;

/** The next checkpoint is too far away to be read into a page. */
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

/** The first one at this command or behind it. */
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
