/** What operations work with. Put together once in app.ts. */

import type { NewWallet } from "../../domain/internal-accounts/open-account.ts";
import type { Environment } from "../../domain/platforms/platform.ts";
import type { RailRulesOf } from "../../domain/transfers/payment-rail.port.ts";
import type { LookupIds } from "../../domain/uma/lookup-ids.ts";
import type { ReceiverSource } from "../../domain/uma/receiver.port.ts";
import type { OidcTokens } from "../../domain/wallets/credentials/oidc.port.ts";
import type { OneTimeCodes } from "../../domain/wallets/credentials/one-time-code.port.ts";
import type { OtpMailer } from "../../domain/wallets/credentials/otp-mail.port.ts";
import type { Passkeys } from "../../domain/wallets/credentials/passkeys.port.ts";
import type { WalletCrypto } from "../../domain/wallets/wallet-crypto.port.ts";
import type { WalletSigner } from "../../domain/wallets/wallet-signer.port.ts";
import type { WebhookTest } from "../../domain/webhooks/webhook-test.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { SealedFiles } from "../../secrets/sealed-files.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import type { Clock } from "../../std/clock.ts";
import type { Ids } from "../../std/ids.ts";
import type { Log } from "../../std/log.ts";
import type { FailedTries } from "../auth/failed-tries.ts";
import type { Cursors } from "./paging.ts";
import type { PriceLists } from "./price-lists.ts";

export interface Services {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly cursors: Cursors;
  readonly lookupIds: LookupIds;
  /** The rules of the rails that carry transfers. */
  readonly rails: RailRulesOf;
  /** Who can be paid at which UMA address. */
  readonly receivers: ReceiverSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly ids: Ids;
  readonly sealer: Sealer;
  /** Where uploaded files are kept. */
  readonly files: SealedFiles;
  /** Device codes that did not work, by address. */
  readonly failedRedeems: FailedTries;
  /** Ready answers of `GET /exchange-rates`. */
  readonly priceLists: PriceLists;
  readonly wallets: WalletServices;
  /** Makes and seals the keys of a new self-custodial wallet. */
  newWallet(platformId: string): Promise<NewWallet>;
  /** Whether webhooks of this environment may go to this address; the reason when not. */
  judgeWebhookEndpoint(url: string, environment: Environment): string | undefined;
  /** Where people and callers reach this server, without the version segment. */
  publicUrl(): string;
  /** Whether the operator has said where that is; without that, links lead to this very machine. */
  readonly hasPublicUrl: boolean;
  /** Runs everything of this platform that is due by now, and what follows from it. */
  runDueJobs(platformId: string): Promise<void>;
  /** Sends a TEST event to the platform's endpoint and answers what came back. */
  /** The default endpoint when none is named. */
  testWebhook(platformId: string, endpointId?: string): Promise<WebhookTest>;
  /** Whether a platform was asked about an incoming payment and has not answered yet. */
  isQuestionUnanswered(platformId: string, transactionId: string): Promise<boolean>;
  /** Forgets which credentials were right. */
  forgetCredentials(): void;
}

/** What is done for wallets outside of commands: keys, proofs, codes. */
export interface WalletServices {
  readonly crypto: WalletCrypto;
  readonly signer: WalletSigner;
  readonly passkeys: Passkeys;
  readonly tokens: OidcTokens;
  readonly mailer: OtpMailer;
  readonly codes: OneTimeCodes;
}
