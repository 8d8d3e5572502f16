import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkProof, isProof, PROOF_FORMAT, type Proof } from "../src/proof/check-proof.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const pair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const [own, other] = [pair(), pair()];
const pemOf = ({ publicKey }: typeof own) =>
  publicKey.export({ type: "spki", format: "pem" }).toString();

const FIRST = 7;
const LAST = 12;
const effectsOf = (seq: number) => [
  { table: "ledger_entries", row: "line 0", text: `e account ${seq} -5\n` },
  { table: "events", row: `${seq}`, text: `v ${seq} {"für":"☂"}\n` },
];

function proofOf(seqs: readonly number[] = [8, 9]): Proof {
  const previousHash = sha256("before");
  let hash = previousHash;
  const links = Array.from({ length: LAST - FIRST + 1 }, (_, index) => {
    const seq = FIRST + index;
    const row = `${seq}\nid\nname\n${sha256(
      effectsOf(seq)
        .map(({ text }) => text)
        .join(""),
    )}\n`;
    hash = sha256(`${hash}\n${row}`);
    return { seq, row, hash };
  });
  const from = (seqs[0] ?? FIRST) - FIRST;
  const commands = seqs.map((seq) => {
    const link = links[seq - FIRST];
    if (link === undefined) throw new Error("no such link");
    const effects = effectsOf(seq);
    return { ...link, effects, effectsDigest: sha256(effects.map(({ text }) => text).join("")) };
  });
  const at = "2026-11-26T00:00:00.000Z";
  const text = `florin checkpoint v1\nPlatformConfig:1\n${LAST}\n${hash}\n${at}\n`;
  const s = sign("sha256", Buffer.from(text), own.privateKey).toString("base64");
  return {
    format: PROOF_FORMAT,
    platformId: "PlatformConfig:1",
    commands,
    previousHash: links[from - 1]?.hash ?? previousHash,
    links: links.slice(from),
    checkpoint: {
      ...{ seq: LAST, chainHash: hash, at, text, keyId: "k", publicKey: pemOf(own) },
      signature: JSON.stringify({ v: "1", s }),
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a test changes any member
type Loose = any;

/** A copy in which one member is another. */
function altered(change: (proof: Loose) => void): Proof {
  const copy = structuredClone(proofOf());
  change(copy);
  return copy as Proof;
}

describe("a proof", () => {
  it("holds, with the rows or without them", async () => {
    expect(await checkProof(proofOf())).toEqual({ from: 8, to: LAST, hasEffects: true });
    expect(await checkProof(proofOf([LAST]))).toEqual({ from: LAST, to: LAST, hasEffects: true });
    const bare = altered(({ commands }) => delete commands[0].effects);
    expect(await checkProof(bare)).toEqual({ from: 8, to: LAST, hasEffects: false });
    expect(await checkProof(proofOf(), pemOf(own))).toMatchObject({ from: 8 });
  });

  it.each<[string, (proof: Loose) => void, object]>([
    ["a row of the log", (p) => (p.links[2].row += "x"), { part: "LOG", seq: 10 }],
    ["a hash of the log", (p) => (p.links[3].hash = sha256("x")), { part: "LOG", seq: 11 }],
    ["a missing link", (p) => p.links.splice(1, 1), { part: "LOG", seq: 9 }],
    ["a missing end", (p) => p.links.pop(), { part: "LOG", seq: LAST }],
    ["no links", (p) => (p.links = []), { part: "LOG", seq: 8 }],
    ["the hash before", (p) => (p.previousHash = sha256("x")), { part: "LOG", seq: 8 }],
    ["the row of the command", (p) => (p.commands[1].row += "x"), { part: "LOG", seq: 9 }],
    ["the digest", (p) => (p.commands[1].effectsDigest = sha256("")), { part: "LOG", seq: 9 }],
    [
      "what the command wrote",
      (p) => (p.commands[1].effects[0].text = "e account 9 -6\n"),
      { part: "EFFECTS", seq: 9, rows: ["ledger_entries line 0", "events 9"] },
    ],
    ["a row that is gone", (p) => p.commands[0].effects.pop(), { part: "EFFECTS", seq: 8 }],
    ["the checkpoint", (p) => (p.checkpoint.chainHash = sha256("x")), { part: "CHECKPOINT" }],
    ["another platform", (p) => (p.platformId = "PlatformConfig:2"), { part: "CHECKPOINT" }],
    ["the signature", (p) => (p.checkpoint.signature = "{}"), { part: "SIGNATURE" }],
    ["the key", (p) => (p.checkpoint.publicKey = pemOf(other)), { part: "SIGNATURE" }],
    ["a key that is none", (p) => (p.checkpoint.publicKey = "x"), { part: "SIGNATURE" }],
  ])("names %s", async (_, change, fault) => {
    expect(await checkProof(altered(change))).toMatchObject(fault);
  });

  it("names a key that is not the one that was kept", async () => {
    expect(await checkProof(proofOf(), pemOf(other))).toEqual({ part: "KEY", seq: LAST });
  });
});

it("is told from any other file", () => {
  expect(isProof(JSON.parse(JSON.stringify(proofOf())))).toBe(true);
  const others = [
    null,
    [],
    "x",
    {},
    altered((p) => (p.format = "x")),
    altered((p) => (p.links = {})),
    altered((p) => (p.commands[0].effects = [{}])),
    altered((p) => delete p.checkpoint.text),
  ];
  expect(others.map((other) => isProof(other))).toEqual(others.map(() => false));
});
