import { pino } from "pino";

/** What the code may say about itself. Amounts, names, secrets and bodies never go in here. */
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
  "*.authorization",
  "*.clientSecret",
  "*.accessToken",
  "*.password",
  "*.secret",
  "*.otp",
  "*.mnemonic",
  "*.body",
  "err.detail",
  "err.where",
  "err.query",
];

const STANDARD_ERROR = 2;
/** Of lines that could not be written, to be written later; what comes beyond is dropped. */
const UNWRITTEN_BYTES = 1024 * 1024;

/**
 * One JSON line an event, on standard error so that standard output stays for people. That it cannot be written, because
 * the disk that it goes to is full, ends nothing.
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
