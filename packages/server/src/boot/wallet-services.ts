/** The services of wallets that work outside of commands. */
import type { Config } from "../config.ts";
import type { Environment } from "../domain/platform.ts";
import { issuerKeyStore } from "../domain/wallets/issuer-key.sql.ts";
import type { WalletServices } from "../http/request/services.ts";
import { createOtpMailer } from "../outside/mail/otp-mailer.ts";
import type { OutboundClient } from "../outside/outbound-http/outbound-client.ts";
import { createOidcTokens } from "../outside/people/oidc/oidc-tokens.ts";
import { createPasskeys } from "../outside/people/passkeys/passkeys.ts";
import { createOneTimeCodes } from "../outside/wallets/one-time-codes.ts";
import { createWalletCrypto } from "../outside/wallets/wallet-crypto.ts";
import { createWalletSigner } from "../outside/wallets/wallet-signer.ts";
import type { Clock } from "../std/clock.ts";
import type { Log } from "../std/log.ts";
import { derivedKey } from "./derived-key.ts";
import type { OpenStore } from "./open-database.ts";

interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: OutboundClient;
}

export function walletServicesOn(
  store: OpenStore,
  { config, clock, log, outbound }: Surroundings,
): WalletServices {
  const { sealer, database } = store;
  const { SMTP_URL: smtpUrl, MAIL_FROM: mailFrom } = config;
  const mailer = createOtpMailer({ smtpUrl, mailFrom, clock, log });
  return {
    crypto: createWalletCrypto(),
    signer: createWalletSigner({ sealer, issuerKeys: issuerKeyStore(database) }),
    passkeys: createPasskeys(),
    tokens: createOidcTokens({
      outbound,
      clock,
      log,
      issuers: config.OIDC_ISSUERS,
      allowsLoopback: (environment) => allowsLoopback(store, environment),
    }),
    mailer,
    personMailer: mailer,
    codes: createOneTimeCodes({ sealer, key: derivedKey(store, "wallet codes") }),
  };
}

/** Whether calls to the host itself are allowed, for webhooks and providers of tokens. */
export function allowsLoopback(
  store: Pick<OpenStore, "loopbackPolicy">,
  environment: Environment,
): boolean {
  return (
    store.loopbackPolicy === "all" ||
    (store.loopbackPolicy === "sandbox" && environment === "SANDBOX")
  );
}
