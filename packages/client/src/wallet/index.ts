export { type ClientKey, createClientKey } from "./client-key.ts";
export { WalletError, type WalletErrorReason } from "./errors.ts";
export { openExport, openUnsignedExport, type SealedExport } from "./export.ts";
export { isClientPublicKey, openSession, sandboxSession, type WalletSession } from "./session.ts";
export {
  assertPayload,
  type CallAnswer,
  type ExpectedPayload,
  type PayloadToSign,
  readPayload,
  type SignedCall,
  signAndRetry,
  type WalletOperation,
} from "./signed-retry.ts";
