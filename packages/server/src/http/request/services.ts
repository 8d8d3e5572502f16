/** The services that operations use. Built once in app.ts. */

import type { NewWallet } from "../../domain/accounts/internal/open-account.ts";
import type { EventFeed } from "../../domain/events/event-feed.port.ts";
import type { WebhookTest } from "../../domain/events/webhook-test.ts";
import type { RailRulesOf } from "../../domain/payments/transfers/payment-rail.port.ts";
import type { ApprovalMailer } from "../../domain/people/notices/approval-mail.ts";
import type { PersonMailer } from "../../domain/people/notices/person-mail.port.ts";
import type { Environment } from "../../domain/platform.ts";
import type { RateDocuments } from "../../domain/prices/rate-sources/rate-documents.port.ts";
import type { Connectors } from "../../domain/rails/orders/connector.port.ts";
import type { RailCallbacks } from "../../domain/rails/orders/rail-callbacks.port.ts";
import type { LiveFeed } from "../../domain/reading/live/live-feed.port.ts";
import type { RoutingChecks } from "../../domain/uma/domains/routing-check.port.ts";
import type { SandboxPeers } from "../../domain/uma/domains/sandbox-peers.port.ts";
import type { ExchangeLog } from "../../domain/uma/exchanges/exchange-log.port.ts";
import type { HookTokens } from "../../domain/uma/hooks/hook-token.ts";
import type { UmaKeyTools } from "../../domain/uma/keys/key-tools.port.ts";
import type { LookupIds } from "../../domain/uma/lookup-ids.ts";
import type { OutsideLookups } from "../../domain/uma/lookups/lookup.port.ts";
import type { StoredLookups } from "../../domain/uma/lookups/stored-lookup.sql.ts";
import type { OutsidePayments } from "../../domain/uma/outgoing/pay-request.port.ts";
import type {
  CounterpartySightings,
  UmaPolicies,
} from "../../domain/uma/policy/uma-policies.port.ts";
import type { ReceiverSource } from "../../domain/uma/receiver.port.ts";
import type { OidcTokens } from "../../domain/wallets/credentials/oidc.port.ts";
import type { OneTimeCodes } from "../../domain/wallets/credentials/one-time-code.port.ts";
import type { OtpMailer } from "../../domain/wallets/credentials/otp-mail.port.ts";
import type { Passkeys } from "../../domain/wallets/credentials/passkeys.port.ts";
import type { WalletCrypto } from "../../domain/wallets/wallet-crypto.port.ts";
import type { WalletSigner } from "../../domain/wallets/wallet-signer.port.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { SealedFiles } from "../../secrets/sealed-files.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import type { Clock } from "../../std/clock.ts";
import type { Ids } from "../../std/ids.ts";
import type { Log } from "../../std/log.ts";
import type { CompileSchema } from "../../validation/validation.ts";
import type { FailedAttemptLimiter } from "../auth/failed-attempts.ts";
import type { PeopleServices } from "../console/people-services.ts";
import type { SystemServices } from "../console/system-services.ts";
import type { PriceLists } from "../operations/prices/price-lists.ts";
import type { CallTails } from "../request-log/call-tails.ts";
import type { RequestLogReader } from "../request-log/reader.ts";
import type { Cursors } from "./paging.ts";

export interface Services {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly cursors: Cursors;
  readonly lookupIds: LookupIds;
  /** The rules of the payment rails. */
  readonly rails: RailRulesOf;
  /** Calls connectors, which are external systems. */
  readonly connectors: Connectors;
  readonly railCallbacks: RailCallbacks;
  /** Fetches the documents of rate sources, which are external systems. */
  readonly rateDocuments: RateDocuments;
  /** Resolves a UMA address to the receiver behind it. */
  readonly receivers: ReceiverSource;
  readonly umaRouting: UmaRouting;
  /** What platforms want of other institutions. */
  readonly umaPolicies: UmaPolicies;
  /** Receivers at other institutions. */
  readonly umaOutside: UmaOutside;
  /** What is noted of other institutions beside the messages. */
  readonly umaNotes: UmaNotes;
  readonly clock: Clock;
  /** Compiles schemas of data that do not arrive as a request body. */
  readonly compile: CompileSchema;
  readonly log: Log;
  readonly ids: Ids;
  readonly sealer: Sealer;
  readonly requestLogs: RequestLogReader;
  /** Streams of calls, as they are written to the request log. */
  readonly callTails: CallTails;
  /** The store of uploaded files. */
  readonly files: SealedFiles;
  /** Failed device codes, by address. */
  readonly failedRedeems: FailedAttemptLimiter;
  /** Cached answers of `GET /exchange-rates`. */
  readonly priceLists: PriceLists;
  readonly wallets: WalletServices;
  /** Private keys of platforms at UMA. */
  readonly umaKeys: UmaKeyTools;
  /** Sign-in and sessions of people. */
  readonly people: PeopleServices;
  /** What operators of the deployment see and do. */
  readonly system: SystemServices;
  /** Events as they are committed, for streams. */
  readonly eventFeed: EventFeed;
  /** Notices of events, for streams of the console. */
  readonly live: LiveFeed;
  /** Creates and seals the keys of a self-custodial wallet. */
  newWallet(platformId: string): Promise<NewWallet>;
  /** The reason why webhooks of this environment must not go to this address; undefined when they may. */
  judgeWebhookEndpoint(url: string, environment: Environment): string | undefined;
  /** The reason why a connector or a rate source must not be at this address; undefined when it may. */
  judgeConnectorUrl(url: string): string | undefined;
  /** The URL under which people and callers reach this server, without the version segment. */
  publicUrl(): string;
  /** False when the operator configured no public URL; links then lead to this machine. */
  readonly hasPublicUrl: boolean;
  /** Runs all due jobs of this platform and the jobs that follow from them. */
  runDueJobs(platformId: string): Promise<void>;
  /** Sends a TEST event to an endpoint, the default one when none is named, and returns its answer. */
  testWebhook(platformId: string, endpointId?: string): Promise<WebhookTest>;
  /** True while the platform's approval of an incoming payment is pending. */
  isQuestionUnanswered(platformId: string, transactionId: string): Promise<boolean>;
  /** Expires cached credentials. */
  forgetCredentials(): void;
}

export interface UmaNotes {
  readonly exchangeLog: ExchangeLog;
  readonly sightings: CounterpartySightings;
}

/** Checks of the routing of UMA domains. */
export interface UmaRouting extends RoutingChecks {
  /** Counts a check that the platform asks for, and returns 0, or the seconds until it may ask for one. */
  take(platformId: string): number;
  /** Forgets which hosts are served, after a check. */
  forget(): void;
}

/** Lookups and payments at other institutions, and the stored answers of the lookups. */
export interface UmaOutside extends OutsideLookups, OutsidePayments {
  /** The same between sandboxes of the deployment. */
  readonly sandboxes: OutsideLookups & OutsidePayments;
  readonly peers: SandboxPeers;
  readonly stored: Pick<StoredLookups, "put" | "find">;
  readonly hookTokens: Pick<HookTokens, "make">;
  /** What stands for a payment that has no transaction yet. */
  newHookId(): string;
  /** Counts a message of a platform to a domain, and returns 0, or the seconds until the platform may send the next one there. */
  take(platformId: string, domain: string): number;
}

/** Wallet functions outside of commands: keys, proofs, codes. */
export interface WalletServices {
  readonly crypto: WalletCrypto;
  readonly signer: WalletSigner;
  readonly passkeys: Passkeys;
  readonly tokens: OidcTokens;
  readonly mailer: OtpMailer;
  /** Mails to people of a workspace, by the same mail server. */
  readonly personMailer: PersonMailer & ApprovalMailer;
  readonly codes: OneTimeCodes;
}
