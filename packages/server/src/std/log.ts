import { pino } from "pino";

/** The log. Amounts, names, secrets and bodies are never logged. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export type LogFields = Readonly<Record<string, unknown>>;
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

const REDACTED = [
  "authorization",
  "clientSecret",
  "accessToken",
  "password",
  "secret",
  "otp",
  "mnemonic",
  "body",
  "metadata",
  "*.authorization",
  "*.clientSecret",
  "*.accessToken",
  "*.password",
  "*.secret",
  "*.otp",
  "*.mnemonic",
  "*.body",
  "*.metadata",
  "err.detail",
  "err.where",
  "err.query",
];

const STANDARD_ERROR = 2;
/** The most bytes of unwritten lines that are buffered for a later attempt; further lines are dropped. */
const UNWRITTEN_BYTES = 1024 * 1024;

/**
 * Writes one JSON line per entry to standard error; standard output is for the output of commands. A failed write, such as
 * on a full disk, does not end the process.
 */
export function createLog(level: LogLevel, fd = STANDARD_ERROR): Log {
  const destination = pino.destination({ fd, sync: true, maxLength: UNWRITTEN_BYTES });
  destination.on("error", () => undefined);
  return pino(
    { level, base: null, redact: { paths: REDACTED, censor: "[redacted]" } },
    destination,
  );
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
};
