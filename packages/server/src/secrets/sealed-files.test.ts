import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { createSweeper } from "../jobs/sweep.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { systemClock } from "../std/clock.ts";
import { Fault } from "../std/errors.ts";
import { randomIds } from "../std/ids.ts";
import { createLog } from "../std/log.ts";
import { CHUNK_BYTES, createSealedFiles, type SealedFiles } from "./sealed-files.ts";
import { createSealer, SealBroken, toMasterKey } from "./sealing.ts";

const log = createLog("silent");
const clock = createManualClock(systemClock.now());
const sealer = createSealer({ current: toMasterKey(randomBytes(32).toString("hex"), "test") });
const platformId = randomIds().next(0);
const otherPlatform = randomIds().next(0);

let own: TestDatabase;
let database: Database;
let files: SealedFiles;

beforeAll(async () => {
  own = await createTestDatabase();
  database = openDatabase({ address: { connectionStrings: [own.url] }, log });
  files = createSealedFiles({ database, sealer, clock });
});
afterAll(async () => {
  await files.close();
  await database.close();
  await own.drop();
});

async function kept(bytes: Buffer, pieces = 100_000): Promise<string> {
  const file = files.create(platformId);
  for (let from = 0; from < bytes.length; from += pieces) {
    await file.write(bytes.subarray(from, from + pieces));
  }
  await file.end();
  return file.fileId;
}

async function wholeOf(fileId: string, from = 0): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let at = from; ; ) {
    const bytes = await files.read({ platformId, fileId, at });
    if (bytes === undefined || bytes.length === 0) return Buffer.concat(chunks);
    chunks.push(bytes);
    at += bytes.length;
  }
}

const query = (sql: string, values: readonly unknown[] = []) =>
  database.withClient((client) => client.query(sql, [...values]));

describe("a file", () => {
  it.each([1, 1_000, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 700_000])(
    "of %d bytes is read unchanged, from any offset",
    async (size) => {
      const bytes = randomBytes(size);
      const fileId = await kept(bytes);
      for (const from of new Set([0, 1, size - 1, size, Math.min(size, CHUNK_BYTES)])) {
        expect((await wholeOf(fileId, from)).equals(bytes.subarray(from))).toBe(true);
      }
    },
  );

  it("can be read neither at another position nor by another platform", async () => {
    const fileId = await kept(randomBytes(2 * CHUNK_BYTES));
    expect(await files.read({ platformId: otherPlatform, fileId, at: 0 })).toBeUndefined();
    const move = (set: string) =>
      query(`update file_chunks set ${set} where file_id = $1`, [fileId]);
    await move("number = 1 - number + 10");
    await move("number = number - 10");
    await expect(files.read({ platformId, fileId, at: 0 })).rejects.toThrow(SealBroken);
    await query("update file_chunks set platform_id = $1 where file_id = $2", [
      otherPlatform,
      fileId,
    ]);
    await expect(files.read({ platformId: otherPlatform, fileId, at: 0 })).rejects.toThrow(
      SealBroken,
    );
    await files.remove(otherPlatform, fileId);
  });

  it("is deleted when it was removed, and others are not", async () => {
    const [first, second] = [await kept(randomBytes(10)), await kept(randomBytes(10))];
    await files.remove(platformId, first);
    expect(await wholeOf(first)).toHaveLength(0);
    expect(await wholeOf(second)).toHaveLength(10);
  });

  it("that cannot be written to the database is a fault", async () => {
    const address = { host: "127.0.0.1", port: 1, user: "nobody", database: "none" };
    const away = openDatabase({ address, log });
    const cut = createSealedFiles({ database: away, sealer, clock });
    const file = cut.create(platformId);
    await file.write(randomBytes(10));
    await expect(file.end()).rejects.toThrow(Fault);
    await cut.close();
    await away.close();
  });
});

function withChunksLocked(work: () => Promise<void>): Promise<void> {
  return database.withClient(async (client) => {
    await client.query("begin");
    await client.query("lock table file_chunks in access exclusive mode");
    await work();
    await client.query("rollback");
  });
}

describe("writing while the database does not answer", () => {
  it("is a fault after the timeout of reads, for the current chunk and for queued ones", async () => {
    await query("delete from file_chunks");
    await withChunksLocked(async () => {
      const outcomes: unknown[] = [];
      const written = Array.from({ length: 3 }, async () => {
        const file = files.create(platformId);
        await file.write(randomBytes(10));
        await file.end().catch((error: unknown) => outcomes.push(error));
      });
      await clock.advance(0);
      await clock.advance(4_499);
      expect(outcomes).toEqual([]);
      await clock.advance(1);
      await Promise.all(written);
      expect(outcomes).toEqual(Array(3).fill(expect.any(Fault)));
    });
  });

  it("drops the queued chunks when the database answers again", async () => {
    await query("delete from file_chunks");
    await withChunksLocked(async () => {
      const given = [kept(randomBytes(10)), kept(randomBytes(10))].map((file) =>
        expect(file).rejects.toThrow(Fault),
      );
      await clock.advance(0);
      await clock.advance(4_500);
      await Promise.all(given);
    });
    const after = await kept(randomBytes(10));
    const found = await query("select distinct file_id from file_chunks");
    expect(found.rows).toHaveLength(2);
    expect(found.rows.map(({ file_id }) => file_id)).toContain(after);
  });
});

describe("the sweeper", () => {
  it("deletes old files without a reference", async () => {
    await query("delete from file_chunks");
    const [left, referred, superseded, deleted, bulk] = [
      await kept(randomBytes(CHUNK_BYTES + 1)),
      await kept(randomBytes(10)),
      await kept(randomBytes(10)),
      await kept(randomBytes(10)),
      await kept(randomBytes(10)),
    ];
    const ids = randomIds();
    const id = ids.next(0);
    for (const [fileId, deletedAt, supersededBy] of [
      [referred, null, null],
      [superseded, new Date(), id],
      [deleted, new Date(), null],
    ]) {
      await query(
        "insert into documents select $1, $2, 'Customer', $2, 'PASSPORT', null, 'US', null, null, 'x.pdf', $3, 10, " +
          "'application/pdf', now(), now(), $4::timestamptz, $5::uuid",
        [platformId, ids.next(0), fileId, deletedAt, supersededBy],
      );
    }
    await query(
      "insert into bulk_jobs select $1, $2, $2, 'PENDING', $3, 0, 0, 0, 0, 0, 0, now(), now(), null",
      [platformId, id, bulk],
    );
    const sweeper = createSweeper({ requestLogDays: 7, attemptDays: 30, database, clock, log });
    expect(await sweeper.runOnce()).toBe(0);
    await clock.advance(59 * 60_000);
    const young = await kept(randomBytes(10));
    expect(await sweeper.runOnce()).toBe(0);
    await clock.advance(2 * 60_000);
    expect(await sweeper.runOnce()).toBe(2);
    const found = await query("select distinct file_id from file_chunks");
    expect(found.rows.map(({ file_id }) => file_id).sort()).toEqual(
      [bulk, referred, superseded, young].sort(),
    );
    await clock.advance(60 * 60_000);
    expect(await sweeper.runOnce()).toBe(1);
    for (const gone of [left, deleted]) expect(await wholeOf(gone)).toHaveLength(0);
    await sweeper.stop();
  });
});
