/**
 * Reads a form with one file as a stream: fields are collected, the file's bytes go to a sink, and backpressure slows
 * the caller down to the speed of the sink.
 *
 * Bounds: the bytes of the file, of each field and of the whole form; the number of parts; the pause between two chunks
 * and the total time. The rest of a refused form is read and discarded, up to a bound, so that a caller that is still
 * writing can read the answer.
 */
import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { TSchema } from "typebox";
import type { Idempotency } from "../../engine/command.ts";
import { type FieldError, invalidFields, Refusal } from "../../engine/refusal.ts";
import type { Cancel, Clock } from "../../std/clock.ts";
import { badText, clip, isBadText } from "../../validation/json-body.ts";
import { Stalled } from "../server/errors.ts";
import { tooManyChunks } from "./body.ts";
import { createMultipartReader, type FormEvent, malformed, type PartHead } from "./multipart.ts";

/** The schema of a form: the file in the field `file`, and text fields. */
export interface FormNote<F extends TSchema = TSchema> {
  readonly fields: F;
  readonly file: FileNote;
}

export interface FileNote {
  readonly description: string;
  readonly maxBytes: number;
  /** Checks the file type by the first bytes, not by the name; returns the error message. */
  readonly judge?: (firstBytes: Buffer) => string | undefined;
}

/** Receives the file's bytes. The operation removes what was written of a refused form. */
export interface FileSink {
  write(bytes: Buffer): Promise<void>;
}

export interface ReadForm<Fields> {
  readonly fields: Fields;
  readonly fileName: string;
  readonly fileBytes: number;
  readonly firstBytes: Buffer;
  /** Its digest covers the fields and the file's content, but not the multipart boundary. */
  readonly idempotency: Idempotency | undefined;
}

export interface IncomingForm<Fields> {
  /** Reads the whole form. Call it once. */
  read(sink: FileSink): Promise<ReadForm<Fields>>;
  /** Holds the form slot until this work is done, even after the answer. */
  holdSlot(work: Promise<unknown>): void;
}

export interface FormLimits {
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface FormSource {
  readonly request: IncomingMessage;
  readonly boundary: string;
  readonly note: Pick<FormNote, "file">;
  readonly clock: Clock;
  readonly limits: FormLimits;
  /** Faults found before the form. The form is then validated too, and nothing is stored. */
  readonly found?: readonly FieldError[];
  /** Refuses fields that do not fit their schema. */
  readonly checkFields: (fields: unknown) => void;
  /** Called after the last byte; refuses a caller whose credentials were revoked meanwhile. */
  readonly confirm?: () => Promise<void>;
  readonly holdSlot: (work: Promise<unknown>) => void;
  readonly toIdempotency: (content: unknown) => Idempotency | undefined;
}

const MAX_FIELD_BYTES = 4 * 1024;
/** The allowance for the heads of all parts and the text fields. */
const ROOM_BYTES = 256 * 1024;
/** Bytes of a refused form that are read and discarded, so that a photo of twice the size gets an answer instead of a reset. */
const DROPPED_BYTES = 32 * 1024 * 1024;
/** The allowed overhead of chunked encoding, plus a quarter of the payload; chunks of a few bytes exceed it. */
const WRAPPING_BYTES = 64 * 1024;
const FIRST_BYTES = 16;
const MAX_NAME_CHARS = 255;
/** The error of an invalid file name. */
export const BAD_FILE_NAME = `must have a name of at most ${MAX_NAME_CHARS} characters, none of them a control character`;

export function createIncomingForm(source: FormSource): IncomingForm<unknown> {
  return { read: (sink) => readForm(source, sink), holdSlot: source.holdSlot };
}

async function readForm(source: FormSource, sink: FileSink): Promise<ReadForm<unknown>> {
  const { request, note, boundary } = source;
  const limitBytes = note.file.maxBytes + ROOM_BYTES;
  const lastByte = limitBytes + DROPPED_BYTES;
  if (Number(request.headers["content-length"] ?? 0) > lastByte) throw tooLarge(note.file);
  const content = new FormContent(note.file, sink, source.found);
  const reader = createMultipartReader(boundary);
  const { socket } = request;
  const wireFrom = socket.bytesRead;
  let failure: { readonly thrown: unknown } | undefined;
  let seen = 0;
  for await (const bytes of arriving(source)) {
    seen += bytes.length;
    if (seen > limitBytes) failure ??= { thrown: tooLarge(note.file) };
    if (seen > lastByte) break;
    const wrapping = socket.bytesRead - wireFrom - seen;
    if (wrapping > WRAPPING_BYTES + seen / 4) throw tooManyChunks();
    if (failure !== undefined) continue;
    try {
      for (const event of reader.take(bytes)) await content.add(event);
    } catch (thrown) {
      failure = { thrown };
    }
  }
  if (failure !== undefined) throw failure.thrown;
  await source.confirm?.();
  reader.finish();
  return content.toForm(source);
}

/** The chunks of the request. A chunk is read only after the previous one was processed. */
async function* arriving({ request, clock, limits }: FormSource): AsyncGenerator<Buffer> {
  // The request is not destroyed when reading ends early, because the answer goes out on the same socket.
  const chunks = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  const endBy = clock.now() + limits.totalMs;
  for (;;) {
    const patienceMs = Math.min(limits.idleMs, endBy - clock.now());
    let cancel: Cancel = () => undefined;
    const silence = new Promise<never>((_, reject) => {
      cancel = clock.after(Math.max(0, patienceMs), () => reject(new Stalled()));
    });
    const next = await Promise.race([chunks.next(), silence])
      .catch((thrown: unknown) => {
        throw thrown instanceof Stalled ? thrown : malformed("ends before it is complete");
      })
      .finally(cancel);
    if (next.done === true) return;
    yield next.value as Buffer;
  }
}

/** The parts of a form that were read so far. */
class FormContent {
  readonly #note: FileNote;
  readonly #sink: FileSink;
  readonly #fields = new Map<string, string>();
  readonly #errors: FieldError[];
  readonly #twice = new Set<string>();
  readonly #hash: Hash = createHash("sha256");
  #part: PartHead | undefined;
  #text: Buffer[] = [];
  #textBytes = 0;
  #fileName: string | undefined;
  #fileBytes = 0;
  #first: Buffer = Buffer.alloc(0);
  #isRefused: boolean;
  /** The current part repeats an earlier field and is ignored. */
  #isRepeated = false;

  constructor(note: FileNote, sink: FileSink, found: readonly FieldError[] = []) {
    this.#note = note;
    this.#sink = sink;
    this.#errors = [...found];
    this.#isRefused = found.length > 0;
  }

  async add(event: FormEvent): Promise<void> {
    switch (event.kind) {
      case "part":
        this.#begin(event.head);
        return;
      case "bytes":
        if (this.#isRepeated) return;
        if (this.#isFile()) await this.#addToFile(event.bytes);
        else this.#addToText(event.bytes);
        return;
      case "part-end":
        this.#end();
        return;
    }
  }

  toForm({ checkFields, toIdempotency }: FormSource): ReadForm<unknown> {
    const fields = Object.fromEntries(this.#fields);
    const fileName = this.#soundFileName();
    const named = new Set(this.#errors.map(({ field }) => field));
    // A field that could not be read is not validated, because its value is truncated.
    const unfit = fieldErrors(checkFields, fields).filter(({ field }) => !named.has(field));
    const errors = [...this.#errors, ...this.#fileErrors(), ...unfit];
    if (errors.length > 0 || fileName === undefined) throw invalidFields(errors);
    const file = { name: fileName, sha256: this.#hash.digest("hex"), bytes: this.#fileBytes };
    return {
      fields,
      fileName,
      fileBytes: this.#fileBytes,
      firstBytes: this.#first,
      idempotency: toIdempotency({ fields, file }),
    };
  }

  /** True when the current part is the file. */
  #isFile(): boolean {
    return this.#part?.name === "file" && this.#part.fileName !== undefined;
  }

  #begin(head: PartHead): void {
    const { name, fileName } = head;
    const isSecond = name === "file" ? this.#fileName !== undefined : this.#fields.has(name);
    this.#isRepeated = isSecond;
    if (isSecond) {
      const field = clip(name);
      if (!this.#twice.has(field)) this.#errors.push({ field, message: "is sent twice" });
      this.#twice.add(field);
      return;
    }
    this.#part = head;
    if (name === "file") this.#fileName = fileName ?? "";
    this.#text = [];
    this.#textBytes = 0;
  }

  async #addToFile(bytes: Buffer): Promise<void> {
    if (this.#first.length < FIRST_BYTES) {
      const missing = bytes.subarray(0, FIRST_BYTES - this.#first.length);
      this.#first = Buffer.concat([this.#first, missing]);
    }
    this.#fileBytes += bytes.length;
    if (this.#isRefused || this.#fileBytes > this.#note.maxBytes) return;
    const canJudge = this.#first.length === FIRST_BYTES;
    if (canJudge && this.#note.judge?.(this.#first) !== undefined) {
      this.#isRefused = true;
      return;
    }
    this.#hash.update(bytes);
    await this.#sink.write(bytes);
  }

  #addToText(bytes: Buffer): void {
    this.#textBytes += bytes.length;
    if (this.#textBytes <= MAX_FIELD_BYTES) this.#text.push(bytes);
  }

  #end(): void {
    const part = this.#part;
    this.#part = undefined;
    if (part === undefined || part.name === "file") return;
    const { name, fileName } = part;
    const field = clip(name);
    const text = Buffer.concat(this.#text);
    const value = text.toString("utf8");
    this.#fields.set(name, value);
    if (fileName !== undefined) this.#errors.push({ field, message: "must be text, not a file" });
    else if (this.#textBytes > MAX_FIELD_BYTES) {
      this.#errors.push({ field, message: `must be at most ${MAX_FIELD_BYTES} bytes long` });
    } else if (isBadText(name) || isBadText(value) || !text.equals(Buffer.from(value))) {
      this.#errors.push(badText(field));
    }
  }

  /** The base name, because some callers send a path; undefined when there is none. */
  #soundFileName(): string | undefined {
    const name = this.#fileName?.slice(
      Math.max(this.#fileName.lastIndexOf("/"), this.#fileName.lastIndexOf("\\")) + 1,
    );
    return name === undefined || name === "" ? undefined : name;
  }

  #fileErrors(): readonly FieldError[] {
    const field = "file";
    if (this.#fileName === undefined) return [{ field, message: "is required" }];
    const name = this.#soundFileName();
    if (name === undefined) return [{ field, message: "must be a file with a name" }];
    const errors: FieldError[] = [];
    if (name.length > MAX_NAME_CHARS || isBadText(name) || /[\t\r\n]/.test(name)) {
      const constraint = { maxLength: MAX_NAME_CHARS };
      errors.push({ field, message: BAD_FILE_NAME, constraint });
    }
    if (this.#fileBytes === 0) errors.push({ field, message: "must not be empty" });
    else if (this.#fileBytes > this.#note.maxBytes) errors.push(tooLargeError(this.#note));
    const complaint = this.#fileBytes === 0 ? undefined : this.#note.judge?.(this.#first);
    if (complaint !== undefined) errors.push({ field, message: complaint });
    return errors;
  }
}

function fieldErrors(check: (fields: unknown) => void, fields: unknown): readonly FieldError[] {
  try {
    check(fields);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || thrown.details === undefined) throw thrown;
    return thrown.details.errors as unknown as readonly FieldError[];
  }
}

function tooLargeError({ maxBytes }: FileNote): FieldError {
  return {
    field: "file",
    message: `must be at most ${maxBytes} bytes long`,
    constraint: { maxLength: maxBytes },
  };
}

function tooLarge(note: FileNote): Refusal {
  return invalidFields([tooLargeError(note)]);
}
