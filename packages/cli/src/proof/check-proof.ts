/**
 * Checks a proof offline: the rows of its commands match their digests, the log is unbroken from the first of these commands to a
 * checkpoint, and the checkpoint is signed. A person who can change the database can also make a new signing key, so pass a key that
 * was kept elsewhere.
 */
import { isSignedBy, signatureIn } from "./web-signature.ts";

export const PROOF_FORMAT = "florin proof v1";

export interface Proof {
  readonly format: typeof PROOF_FORMAT;
  readonly platformId: string;
  /** In the order of the log. */
  readonly commands: readonly ProvenCommand[];
  /** The hash before the first link. */
  readonly previousHash: string;
  /** From the first of the commands to that of the checkpoint, without a gap. */
  readonly links: readonly Link[];
  readonly checkpoint: Checkpoint;
}

interface Link {
  readonly seq: number;
  readonly row: string;
  readonly hash: string;
}

interface ProvenCommand extends Link {
  readonly effectsDigest: string;
  /** Absent for a person who may not see personal data. */
  readonly effects?: readonly Effect[];
}

interface Effect {
  readonly table: string;
  readonly row: string;
  readonly text: string;
}

interface Checkpoint {
  readonly seq: number;
  readonly chainHash: string;
  readonly at: string;
  readonly text: string;
  readonly signature: string;
  readonly keyId: string;
  readonly publicKey: string;
}

export interface Fault {
  /** The first part that fails: a row of the log, the effects of a command, the checkpoint, its signature, or the trusted key. */
  readonly part: "LOG" | "EFFECTS" | "CHECKPOINT" | "SIGNATURE" | "KEY";
  /** The `seq` of the command of the failing part. */
  readonly seq: number;
  /** The rows that the command wrote. One digest covers them all, so which of them was changed is unknown. */
  readonly rows?: readonly string[];
}

export interface Checked {
  readonly from: number;
  readonly to: number;
  /** Whether the proof contains the effects of all commands, so that they were checked. */
  readonly hasEffects: boolean;
}

/** `trustedKey`: the platform's public key in PEM, from another source than the proof. */
export async function checkProof(proof: Proof, trustedKey?: string): Promise<Checked | Fault> {
  const { commands, links, checkpoint } = proof;
  const fault =
    (await faultOfChain(proof)) ??
    (await faultOfCommands(proof)) ??
    (await faultOfCheckpoint(proof, trustedKey));
  if (fault !== undefined) return fault;
  const from = links[0]?.seq ?? checkpoint.seq;
  return { from, to: checkpoint.seq, hasEffects: commands.every(({ effects }) => effects) };
}

async function faultOfChain({
  commands,
  links,
  previousHash,
  checkpoint,
}: Proof): Promise<Fault | undefined> {
  let hash = previousHash;
  let seq = commands[0]?.seq ?? checkpoint.seq;
  for (const link of links) {
    hash = await sha256(`${hash}\n${link.row}`);
    const isNext = link.seq === seq && link.row.startsWith(`${seq}\n`);
    if (!isNext || link.hash !== hash) return { part: "LOG", seq };
    seq++;
  }
  return seq === checkpoint.seq + 1 ? undefined : { part: "LOG", seq };
}

async function faultOfCommands({ commands, links }: Proof): Promise<Fault | undefined> {
  const first = links[0]?.seq ?? 0;
  for (const { seq, row, hash, effectsDigest, effects } of commands) {
    const link = links[seq - first];
    const named = row.trimEnd().split("\n").at(-1);
    if (link?.row !== row || link.hash !== hash || named !== effectsDigest)
      return { part: "LOG", seq };
    if (effects === undefined) continue;
    const digest = await sha256(effects.map(({ text }) => text).join(""));
    const rows = effects.map((effect) => `${effect.table} ${effect.row}`);
    if (digest !== effectsDigest) return { part: "EFFECTS", seq, rows };
  }
  return undefined;
}

async function faultOfCheckpoint(
  { platformId, links, checkpoint }: Proof,
  trustedKey: string | undefined,
): Promise<Fault | undefined> {
  const { seq, chainHash, at, text, publicKey } = checkpoint;
  const signed = `florin checkpoint v1\n${platformId}\n${seq}\n${chainHash}\n${at}\n`;
  if (links.at(-1)?.hash !== chainHash || text !== signed) return { part: "CHECKPOINT", seq };
  const signature = signatureIn(checkpoint.signature);
  const isOf = async (key: string) =>
    signature !== undefined && (await isSignedBy(signature, { text, key }));
  if (!(await isOf(publicKey))) return { part: "SIGNATURE", seq };
  if (trustedKey !== undefined && !(await isOf(trustedKey))) return { part: "KEY", seq };
  return undefined;
}

const encoder = new TextEncoder();

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a parsed file has the members that the check reads. */
export function isProof(value: unknown): value is Proof {
  if (!isObject(value) || value.format !== PROOF_FORMAT) return false;
  const { platformId, commands, previousHash, links, checkpoint } = value;
  return (
    areTexts(platformId, previousHash) &&
    isListOf(commands, isCommand) &&
    isListOf(links, isLink) &&
    isObject(checkpoint) &&
    typeof checkpoint.seq === "number" &&
    areTexts(...CHECKPOINT_TEXTS.map((name) => checkpoint[name]))
  );
}

const CHECKPOINT_TEXTS = ["chainHash", "at", "text", "signature", "keyId", "publicKey"] as const;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const areTexts = (...values: readonly unknown[]) =>
  values.every((value) => typeof value === "string");
const isListOf = (value: unknown, isOne: (one: unknown) => boolean) =>
  Array.isArray(value) && value.every(isOne);
const isLink = (value: unknown) =>
  isObject(value) && typeof value.seq === "number" && areTexts(value.row, value.hash);
const isEffect = (value: unknown) =>
  isObject(value) && areTexts(value.table, value.row, value.text);

function isCommand(value: unknown): boolean {
  if (!isObject(value) || !isLink(value) || !areTexts(value.effectsDigest)) return false;
  return value.effects === undefined || isListOf(value.effects, isEffect);
}
