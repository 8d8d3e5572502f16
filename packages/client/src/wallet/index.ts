export { type ClientKey, createClientKey } from "./client-key.ts";
export { WalletError, type WalletErrorReason } from "./errors.ts";
export { openExport, openUnsignedExport, type SealedExport } from "./export.ts";
export { bodyDigestOf } from "./json.ts";
export {
  type AnsweredChallenge,
  assertPasskeyChallenge,
  type ExpectedLogin,
  passkeyChallengeOf,
} from "./login.ts";
export {
  assertPayload,
  type CredentialToAdd,
  type ExpectedPayload,
  type PayloadToSign,
  type QuoteToExecute,
  readPayload,
  type SigningIntent,
  type WalletOperation,
} from "./payload.ts";
export { isClientPublicKey, openSession, sandboxSession, type WalletSession } from "./session.ts";
export {
  type CallAnswer,
  type ExpectedCall,
  type SignedCall,
  signAndRetry,
  stampQuote,
} from "./signed-retry.ts";
