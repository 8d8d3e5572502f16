import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StartRefused } from "../std/errors.ts";
import { createSealer, loadMasterKey, SealBroken, toMasterKey } from "./sealing.ts";

const newKey = () => toMasterKey(randomBytes(32).toString("base64"), "test");
const key = newKey();
const sealer = createSealer({ current: key });

function opens(sealed: string): boolean {
  try {
    sealer.open(sealed, "row:1");
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(SealBroken);
    return false;
  }
}

describe("an envelope", () => {
  test("opens to the same bytes and text under the same identity", () => {
    for (const plain of ["", "a", "ключ 🔑", "x".repeat(10_000)]) {
      expect(sealer.open(sealer.seal(plain, "row:1"), "row:1").toString("utf8")).toBe(plain);
    }
    const bytes = randomBytes(1_000);
    expect(sealer.open(sealer.seal(bytes, "row:1"), "row:1")).toEqual(bytes);
  });

  test("of bytes opens under the same identity, and not with a changed bit", () => {
    const plain = randomBytes(64);
    const sealed = sealer.sealBytes(plain, "row:1");
    expect(sealed).toHaveLength(1 + 4 + 12 + 64 + 16);
    expect(sealer.openBytes(sealed, "row:1")).toEqual(plain);
    expect(() => sealer.openBytes(sealed, "row:2")).toThrow(SealBroken);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      expect(() => sealer.openBytes(changed, "row:1")).toThrow(SealBroken);
      expect(() => sealer.openBytes(sealed.subarray(0, at), "row:1")).toThrow(SealBroken);
    }
    const older = createSealer({ current: newKey(), older: [key] });
    expect(older.openBytes(sealed, "row:1")).toEqual(plain);
  });

  test("shows its version and key id, and hides the rest", () => {
    const sealed = sealer.seal("secret words", "row:1");
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{38}$/);
    expect(sealed.split(".")[1]).toBe(key.id);
    expect(Buffer.from(sealed.split(".")[3] ?? "", "base64url").includes("secret")).toBe(false);
  });

  test("differs each time", () => {
    const all = new Set(
      Array.from({ length: 1_000 }, () => sealer.seal("a", "row:1").slice(12, 28)),
    );
    expect(all.size).toBe(1_000);
  });

  test.each(["row:2", "row:1 ", "", "ROW:1", "row"])("does not open as %j", (identity) => {
    const sealed = sealer.seal("secret", "row:1");
    expect(() => sealer.open(sealed, identity)).toThrow(SealBroken);
  });

  test("does not open with any one character changed, dropped or added", () => {
    const sealed = sealer.seal("secret", "row:1");
    for (let at = 0; at < sealed.length; at += 1) {
      const [head, one, tail] = [sealed.slice(0, at), sealed.charAt(at), sealed.slice(at + 1)];
      for (const other of ["A", "B", "g", "0", "1", "-", "_", ".", "="]) {
        if (other !== one)
          expect(() => sealer.open(head + other + tail, "row:1")).toThrow(SealBroken);
        expect(() => sealer.open(head + other + one + tail, "row:1")).toThrow(SealBroken);
      }
      expect(() => sealer.open(head + tail, "row:1")).toThrow(SealBroken);
    }
    for (const other of ["=", "\n", " ", "A", "."]) {
      expect(() => sealer.open(sealed + other, "row:1")).toThrow(SealBroken);
    }
  });

  test("opens in its canonical text only: unused bits of the last character count", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (const plain of ["secret", "secrets", "a secret"]) {
      const sealed = sealer.seal(plain, "row:1");
      const opening = [...alphabet].filter((last) => opens(sealed.slice(0, -1) + last));
      expect(opening).toEqual([sealed.at(-1)]);
    }
  });

  test("does not open with any one bit of its bytes flipped", () => {
    const [version, id, nonce = "", body = ""] = sealer.seal("secret", "row:1").split(".");
    const parts = [Buffer.from(nonce, "base64url"), Buffer.from(body, "base64url")];
    for (const part of parts) {
      for (let bit = 0; bit < part.length * 8; bit += 1) {
        part[bit >> 3] = (part[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const sealed = [version, id, ...parts.map((bytes) => bytes.toString("base64url"))].join(
          ".",
        );
        expect(() => sealer.open(sealed, "row:1")).toThrow(SealBroken);
        part[bit >> 3] = (part[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      }
    }
  });

  test.each(["", "v1", "v1...", "secret", "v2.00000000.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA"])(
    "is not %j",
    (text) => {
      expect(() => sealer.open(text, "row:1")).toThrow(SealBroken);
    },
  );
});

describe("keys", () => {
  test("that are older open, the current one seals", () => {
    const next = newKey();
    const old = sealer.seal("secret", "row:1");
    const both = createSealer({ current: next, older: [key] });
    expect(both.open(old, "row:1").toString()).toBe("secret");
    expect(both.seal("secret", "row:1").split(".")[1]).toBe(next.id);
    const without = createSealer({ current: next });
    expect(() => without.open(old, "row:1")).toThrow(`needs the key ${key.id}`);
    const relabelled = old.replace(key.id, next.id);
    expect(() => both.open(relabelled, "row:1")).toThrow(SealBroken);
  });

  test("are identified by the start of their SHA-256", () => {
    const digest = createHash("sha256").update(key.key).digest("hex");
    expect(key.id).toBe(digest.slice(0, 8));
  });
});

describe("a written key", () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index * 3));
  const good = [
    bytes.toString("base64"),
    bytes.toString("base64").replace("=", ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    `  ${bytes.toString("hex")}\n`,
  ];
  test.each(good)("is read as %j", async (text) => {
    expect((await loadMasterKey({ masterKey: text })).key).toEqual(bytes);
  });

  const bad = [
    "",
    " ",
    "password",
    bytes.toString("hex").slice(1),
    `${bytes.toString("hex")}0`,
    bytes.subarray(1).toString("base64"),
    randomBytes(33).toString("base64"),
    randomBytes(48).toString("base64"),
    `${bytes.toString("base64").slice(0, 20)} ${bytes.toString("base64").slice(20)}`,
    "0".repeat(64),
    "A".repeat(43),
    Buffer.alloc(32, 7).toString("base64"),
  ];
  test.each(bad)("is refused as %j, and the message does not repeat it", async (text) => {
    const error = await loadMasterKey({ masterKey: text }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartRefused);
    expect(String(error)).toContain("MASTER_KEY");
    if (text.trim() !== "") expect(String(error)).not.toContain(text);
  });
});

describe("the place of the key", () => {
  let dir = "";
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "florin-key-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  test("is the named file", async () => {
    const path = join(dir, "key");
    await writeFile(path, `${key.key.toString("hex")}\n`);
    expect(await loadMasterKey({ masterKeyFile: path, dataDir: dir })).toEqual(key);
    expect(await readdir(dir)).toEqual(["key"]);
  });

  test("must be one, and must be readable", async () => {
    const path = join(dir, "none");
    await expect(loadMasterKey({})).rejects.toThrow("Set MASTER_KEY or MASTER_KEY_FILE");
    await expect(loadMasterKey({ masterKey: "x", masterKeyFile: path })).rejects.toThrow(
      "both set",
    );
    await expect(loadMasterKey({ masterKeyFile: path })).rejects.toBeInstanceOf(StartRefused);
    await expect(loadMasterKey({ masterKeyFile: path })).rejects.toThrow(path);
  });

  test("is a file that is created once in the data directory, with mode 0600", async () => {
    const dataDir = join(dir, "deep", "data");
    const made = await loadMasterKey({ dataDir });
    expect(made.key).toHaveLength(32);
    expect(await loadMasterKey({ dataDir })).toEqual(made);
    expect(await readdir(dataDir)).toEqual(["master.key"]);
    expect((await stat(join(dataDir, "master.key"))).mode & 0o777).toBe(0o600);
  });

  test("is one key for twenty starts at once", async () => {
    const starts = Array.from({ length: 20 }, () => loadMasterKey({ dataDir: dir }));
    const ids = new Set((await Promise.all(starts)).map(({ id }) => id));
    expect(ids.size).toBe(1);
    expect(await readdir(dir)).toEqual(["master.key"]);
  });

  test("gets mode 0600 again when a copy lost it", async () => {
    const made = await loadMasterKey({ dataDir: dir });
    await chmod(join(dir, "master.key"), 0o644);
    expect(await loadMasterKey({ dataDir: dir })).toEqual(made);
    expect((await stat(join(dir, "master.key"))).mode & 0o777).toBe(0o600);
  });

  test("is never replaced: an invalid key file refuses the start and stays unchanged", async () => {
    const path = join(dir, "master.key");
    await writeFile(path, "half a k", { mode: 0o600 });
    await expect(loadMasterKey({ dataDir: dir })).rejects.toThrow(path);
    expect(await readFile(path, "utf8")).toBe("half a k");
  });
});
