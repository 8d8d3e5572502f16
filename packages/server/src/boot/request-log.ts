/** The writer and the reader of the request log. */
import type { Config } from "../config.ts";
import { createRequestLogReader, type RequestLogReader } from "../http/request-log/reader.ts";
import {
  createRequestLogWriter,
  type RequestLogWriter,
} from "../jobs/reading/request-log-writer.ts";
import type { Clock } from "../std/clock.ts";
import type { Log } from "../std/log.ts";
import { derivedKey } from "./derived-key.ts";
import type { OpenStore } from "./open-database.ts";

/** Without a writer when it is switched off; what was written before can be read until it is swept. */
export function requestLogOn(
  store: OpenStore,
  { config, clock, log }: { readonly config: Config; readonly clock: Clock; readonly log: Log },
): { readonly writer: RequestLogWriter | undefined; readonly reader: RequestLogReader } {
  const { database, dataSealer: sealer } = store;
  const digestKey = derivedKey(store, "request log keys").toString("hex");
  const reader = createRequestLogReader({ reads: database.reads, sealer, digestKey });
  if (config.REQUEST_LOG_DAYS === 0) return { writer: undefined, reader };
  const rowsPerDay = config.REQUEST_LOG_ROWS_PER_DAY;
  const writer = createRequestLogWriter({ database, sealer, digestKey, clock, log, rowsPerDay });
  return { writer, reader };
}
