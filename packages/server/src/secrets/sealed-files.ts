/**
 * Files at rest: cut into chunks, each sealed on its own and bound to its platform, its file and its place in the file,
 * so that none can be read, moved or swapped. A file's chunks are written before the command that refers to the file; a
 * file that nothing refers to is swept.
 *
 * Bounds: a chunk of a file that is being written and the one before it on its way; nothing is ever held whole. All files
 * share one connection, and a chunk waits for it no longer than a read does. If the process dies between two chunks, what
 * was written is swept: no command has named it.
 */

import { decodeCell, parameter } from "../postgres/columns.ts";
import { type Database, databaseLimits } from "../postgres/database.ts";
import type { Statement } from "../postgres/pipeline.ts";
import { createSerialLane } from "../postgres/serial-lane.ts";
import type { Clock } from "../std/clock.ts";
import { randomIds } from "../std/ids.ts";
import type { Sealer } from "./sealing.ts";

export interface SealedFiles {
  /** A new file of this platform. */
  create(platformId: string): FileWriter;
  /** The bytes from this place to the end of their chunk; undefined when the file ends before. */
  read(file: FilePlace): Promise<Buffer | undefined>;
  /** Forgets a file, written to its end or not, after whatever of it is still being written. */
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
  /** Copies the bytes; slow when the database is. */
  write(bytes: Buffer): Promise<void>;
  /** The file is whole and durable. */
  end(): Promise<void>;
  /** Whether a chunk was sent off to the database, whatever became of it. */
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
  const patienceMs = databaseLimits.readTimeoutMs;
  const lane = createSerialLane(database, "files", { clock, patienceMs });
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

  /** Sends the chunk off when the one before it is written. */
  async function flush(): Promise<void> {
    const plain = chunk?.subarray(0, filled);
    chunk = undefined;
    filled = 0;
    await underway;
    if (plain !== undefined) {
      underway = writeChunk(number++, plain);
      // The next reader gets the failure; until then the rejection counts as handled.
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
