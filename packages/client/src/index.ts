export type * from "./account-types.ts";
export type { AgentAccountQuery } from "./agent-calls.ts";
export type * from "./agent-types.ts";
export {
  type AgentClient,
  type AgentClientSettings,
  type Client,
  type ClientSettings,
  type ConnectionSettings,
  createAgentClient,
  createClient,
  redeemDeviceCode,
} from "./client.ts";
export type * from "./customer-types.ts";
export type * from "./directory-types.ts";
export type * from "./document-types.ts";
export { type ErrorCode, type ErrorParts, FlorinConnectionError, FlorinError } from "./errors.ts";
export type * from "./invitation-types.ts";
export type { PageList } from "./pages.ts";
export type * from "./quote-types.ts";
export type * from "./receiver-types.ts";
export type { Method } from "./retry.ts";
export type * from "./transaction-types.ts";
export type { Fetch, ReadOptions, RequestOptions, RetryNotice } from "./transport.ts";
export type * from "./types.ts";
export type * from "./wallet-types.ts";
