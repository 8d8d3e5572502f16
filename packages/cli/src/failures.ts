/** Failures that end the program, each with its exit code. */

/** The command line is wrong; nothing was sent. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** No credentials, or credentials that the API rejects. */
export class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";
}

/** The API refused the call: a status of 4xx. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: string;
  readonly status: number;

  constructor(parts: { readonly code: string; readonly status: number; readonly message: string }) {
    super(parts.message);
    this.code = parts.code;
    this.status = parts.status;
  }
}

/** No answer, or a status of 5xx. Whether the call took effect is unknown. */
export class NotReached extends Error {
  override readonly name = "NotReached";
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Refused) return 1;
  if (error instanceof UsageError) return 2;
  if (error instanceof NotReached) return 3;
  if (error instanceof NotSignedIn) return 4;
  return 1;
}
