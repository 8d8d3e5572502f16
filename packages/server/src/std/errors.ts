/**
 * The world failed: a lost connection, a full queue, a receiver that hangs. Nothing is known to be wrong with the
 * request; the caller may retry. Refusals and bugs are other things (engine/refusal.ts, std/assert.ts).
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly retryAfterSeconds: number;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}

/** A setting or a surrounding that the program refuses to start with; the message is for the operator. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
