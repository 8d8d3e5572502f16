/**
 * A transient failure outside our code: a lost connection, a full queue, a receiver that hangs. HTTP answers 503 with
 * `Retry-After`. Expected refusals are `Refusal` (engine/refusal.ts), programming errors are `Bug` (std/assert.ts).
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly retryAfterSeconds: number;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}

/** A setting or an environment with which the program does not start. The message is for the operator. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
