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

/** One JSON line an event, on standard error so that standard output stays for people. */
export function createLog(level: LogLevel): Log {
  return pino(
    { level, base: null, redact: { paths: REDACTED, censor: "[redacted]" } },
    pino.destination({ fd: 2, sync: true }),
  );
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
};
