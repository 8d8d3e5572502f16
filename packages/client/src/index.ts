export type * from "./api-types.ts";
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
export type { DocumentReplacement, NewDocument } from "./document-calls.ts";
export {
  type ErrorCode,
  type ErrorDetails,
  type ErrorParts,
  FlorinConnectionError,
  FlorinError,
} from "./errors.ts";
export type * from "./names.ts";
export type { Open, Unlisted } from "./open-types.ts";
export type { Answer, OperationId, Refusal } from "./operations.ts";
export type { PageList } from "./pages.ts";
export type { ExecuteOptions } from "./quote-calls.ts";
export type { Method } from "./retry.ts";
export type {
  ExpandOptions,
  Fetch,
  ReadOptions,
  RequestOptions,
  RetryNotice,
} from "./transport.ts";
export type { OwnerSignature, SignedOptions } from "./wallet-calls.ts";
