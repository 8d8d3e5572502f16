/**
 * Encrypted file storage. A file is split into chunks; each chunk is sealed with its platform, file and chunk number as
 * authenticated identity, so chunks cannot be moved or swapped. The chunks are written before the command that references
 * the file. A sweep deletes files without a reference.
 *
 * Bounds: two chunks in memory per file, one being filled and one being written. All files share one database connection; a
 * chunk waits for it as long as a read does (`readTimeoutMs`). If the process dies between two chunks, the sweep deletes the
 * written ones.
 */

import { decodeCell, parameter } from "../postgres/columns.ts";
import { type Database, databaseLimits } from "../postgres/database.ts";
import type { Statement } from "../postgres/pipeline.ts";
import { createSerialLane } from "../postgres/serial-lane.ts";
import type { Clock } from "../std/clock.ts";
import { randomIds } from "../std/ids.ts";
import type { Sealer } from "./sealing.ts";

export interface SealedFiles {
  create(platformId: string): FileWriter;
  /** The bytes from the offset to the end of its chunk; undefined beyond the last chunk. */
  read(file: FilePlace): Promise<Buffer | undefined>;
  /** Deletes a complete or partial file, after the chunks of it that are still queued. */
  remove(platformId: string, fileId: string): Promise<void>;
  close(): Promise<void>;
}

export interface FilePlace {
  readonly platformId: string;
  readonly fileId: string;
  readonly at: number;
}

export interface FileWriter {
  readonly fileId: string;
  /** Copies the bytes. Waits for the previous chunk when one is full, which gives backpressure. */
  write(bytes: Buffer): Promise<void>;
  /** Resolves when the file is complete and durable. */
  end(): Promise<void>;
  /** Whether a chunk was sent to the database, successfully or not. */
  hasSent(): boolean;
}

export const CHUNK_BYTES = 256 * 1024;

const insertChunk: Statement = {
  name: "file_chunks/insert",
  text:
    "insert into file_chunks (platform_id, file_id, number, written_at, sealed) " +
    "values ($1::uuid, $2::uuid, $3::int4, $4::timestamptz, $5::bytea)",
};

const removeFile: Statement = {
  name: "file_chunks/remove",
  text: "delete from file_chunks where platform_id = $1::uuid and file_id = $2::uuid",
};

const chunkOf: Statement = {
  name: "file_chunks/get",
  text:
    "select sealed from file_chunks " +
    "where platform_id = $1::uuid and file_id = $2::uuid and number = $3::int4",
};

export function createSealedFiles(options: {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
}): SealedFiles {
  const { database, sealer, clock } = options;
  const timeoutMs = databaseLimits.readTimeoutMs;
  const lane = createSerialLane(database, "files", { clock, timeoutMs });
  const ids = randomIds();

  return {
    create(platformId) {
      const fileId = ids.next(clock.now());
      return createWriter(fileId, (number, plain) =>
        lane.run({
          statement: insertChunk,
          parameters: [
            parameter("uuid", platformId),
            parameter("uuid", fileId),
            parameter("int4", number),
            parameter("time", clock.now()),
            parameter("bytes", sealer.sealBytes(plain, identityOf(platformId, fileId, number))),
          ],
        }),
      );
    },
    async read({ platformId, fileId, at }) {
      const number = Math.floor(at / CHUNK_BYTES);
      const [row] = await database.reads.cells(chunkOf, [platformId, fileId, number]);
      if (row === undefined) return undefined;
      const sealed = decodeCell(row[0] ?? null, "bytes") as Buffer;
      const plain = sealer.openBytes(sealed, identityOf(platformId, fileId, number));
      return plain.subarray(at % CHUNK_BYTES);
    },
    async remove(platformId, fileId) {
      await lane.run({
        statement: removeFile,
        parameters: [parameter("uuid", platformId), parameter("uuid", fileId)],
      });
    },
    close: () => lane.close(),
  };
}

type WriteChunk = (number: number, plain: Buffer) => Promise<unknown>;

function createWriter(fileId: string, writeChunk: WriteChunk): FileWriter {
  let chunk: Buffer | undefined;
  let filled = 0;
  let number = 0;
  let underway: Promise<unknown> = Promise.resolve();

  /** Sends the chunk after the previous one was written. */
  async function flush(): Promise<void> {
    const plain = chunk?.subarray(0, filled);
    chunk = undefined;
    filled = 0;
    await underway;
    if (plain !== undefined) {
      underway = writeChunk(number++, plain);
      // The next `flush` or `end` throws this failure; until then the rejection must count as handled.
      underway.catch(() => undefined);
    }
  }

  return {
    fileId,
    async write(bytes) {
      for (let from = 0; from < bytes.length; ) {
        chunk ??= Buffer.allocUnsafe(CHUNK_BYTES);
        const copied = bytes.copy(chunk, filled, from);
        from += copied;
        filled += copied;
        if (filled === CHUNK_BYTES) await flush();
      }
    },
    async end() {
      await flush();
      await underway;
    },
    hasSent: () => number > 0,
  };
}

function identityOf(platformId: string, fileId: string, number: number): string {
  return `file_chunks.sealed ${platformId} ${fileId} ${number}`;
}
