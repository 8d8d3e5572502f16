export type * from "./account-types.ts";
export { type Client, type ClientSettings, createClient } from "./client.ts";
export type * from "./customer-types.ts";
export { type ErrorCode, type ErrorParts, FlorinConnectionError, FlorinError } from "./errors.ts";
export type { PageList } from "./pages.ts";
export type { Method } from "./retry.ts";
export type * from "./transaction-types.ts";
export type { Fetch, ReadOptions, RequestOptions, RetryNotice } from "./transport.ts";
export type * from "./types.ts";
