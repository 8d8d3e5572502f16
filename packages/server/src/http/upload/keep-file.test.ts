import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { soon } from "../../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { CHUNK_BYTES, createSealedFiles, type SealedFiles } from "../../secrets/sealed-files.ts";
import { createSealer, toMasterKey } from "../../secrets/sealing.ts";
import { systemClock } from "../../std/clock.ts";
import { randomIds } from "../../std/ids.ts";
import { silentLog } from "../../std/log.ts";
import { keepFile } from "./keep-file.ts";

const platformId = randomIds().next(0);

let own: TestDatabase;
let database: Database;
let files: SealedFiles;

beforeAll(async () => {
  own = await createTestDatabase();
  database = openDatabase({ address: { connectionStrings: [own.url] }, log: silentLog });
  const sealer = createSealer({ current: toMasterKey(randomBytes(32).toString("hex"), "test") });
  files = createSealedFiles({ database, sealer, clock: systemClock });
});
afterAll(async () => {
  await files.close();
  await database.close();
  await own.drop();
});

it("the removal of a partial file delays the form slot, not the caller", async () => {
  let slot = "untouched";
  const chunks = () =>
    database.withClient(async (client) => {
      const found = await client.query("select from file_chunks");
      return found.rowCount;
    });
  await database.withClient(async (client) => {
    const upload = keepFile(
      {
        platformId,
        form: {
          async read(sink) {
            await sink.write(randomBytes(CHUNK_BYTES));
            await soon(async () => expect(await chunks()).toBe(1));
            await client.query("begin");
            // Rows can be read, but none taken away.
            await client.query("lock table file_chunks in exclusive mode");
            throw new Refusal("INVALID_REQUEST_FORMAT");
          },
          holdSlot: (work) => {
            slot = "held";
            void work.finally(() => {
              slot = "free";
            });
          },
        },
        submit: () => Promise.reject(new Error("not asked for")),
      },
      files,
    );
    await expect(upload).rejects.toThrow(Refusal);
    expect(await chunks()).toBe(1);
    expect(slot).toBe("held");
    await client.query("rollback");
  });
  await soon(async () => expect(await chunks()).toBe(0));
  await soon(() => expect(slot).toBe("free"));
});

it("sends nothing to the database when a form is refused before its first chunk is full", async () => {
  const removed: string[] = [];
  const counting: SealedFiles = {
    ...files,
    remove: async (_platformId, fileId) => void removed.push(fileId),
  };
  const refusedAfter = (bytes: number) =>
    keepFile(
      {
        platformId,
        form: {
          async read(sink) {
            await sink.write(randomBytes(bytes));
            throw new Refusal("INVALID_REQUEST_FORMAT");
          },
          holdSlot: () => undefined,
        },
        submit: () => Promise.reject(new Error("not asked for")),
      },
      counting,
    ).catch(() => undefined);
  await refusedAfter(CHUNK_BYTES - 1);
  expect(removed).toEqual([]);
  await refusedAfter(CHUNK_BYTES);
  expect(removed).toHaveLength(1);
});
