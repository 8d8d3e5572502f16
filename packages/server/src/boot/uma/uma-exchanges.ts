/**
 * What messages between institutions need: the keys of others, the messages that were accepted, the tokens of callbacks, and lookups at
 * others.
 */
import type { Config } from "../../config.ts";
import { createHookTokens, type HookTokens } from "../../domain/uma/hooks/hook-token.ts";
import type { OutsideHooks } from "../../domain/uma/hooks/send-hook.port.ts";
import { createCounterpartyKeyTable } from "../../domain/uma/keys/counterparty-key.sql.ts";
import type { CounterpartyKeySource } from "../../domain/uma/keys/counterparty-keys.port.ts";
import { createStoredLookups } from "../../domain/uma/lookups/stored-lookup.sql.ts";
import { createUmaNonces, type UmaNonces } from "../../domain/uma/nonces/uma-nonce.sql.ts";
import type { UmaPolicies } from "../../domain/uma/policy/uma-policies.port.ts";
import {
  type CallbackTokens,
  createCallbackTokens,
} from "../../domain/uma/receiving/callback-token.ts";
import type { UmaOutside } from "../../http/request/services.ts";
import { defaultLimits } from "../../http/server/limits.ts";
import { createRateLimiter } from "../../http/server/rate-limit.ts";
import type { PayHookTools } from "../../http/uma/pay/pay-hooks.ts";
import type { OutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import { createCounterpartyKeys } from "../../outside/uma/counterparty-keys.ts";
import { fetchKeyDocument } from "../../outside/uma/fetch-key-document.ts";
import { createOutsideHooks } from "../../outside/uma/hooks/send-hook.ts";
import { createUmaKeyTools } from "../../outside/uma/key-tools.ts";
import { createOutsideLookups } from "../../outside/uma/lookups/ask-lookup.ts";
import { createOutsidePayments } from "../../outside/uma/payments/ask-payment.ts";
import { permitsCallback } from "../../outside/uma/permits-callback.ts";
import { umaHosts } from "../../outside/uma/uma-hosts.ts";
import { createVaspClient } from "../../outside/uma/vasp-client.ts";
import { createSealer, toMasterKey } from "../../secrets/sealing.ts";
import type { Clock } from "../../std/clock.ts";
import { randomIds } from "../../std/ids.ts";
import { derivedKey } from "../derived-key.ts";
import type { OpenStore } from "../open-database.ts";
import type { UmaSandboxes } from "./uma-sandboxes.ts";

export interface UmaExchanges {
  readonly counterpartyKeys: CounterpartyKeySource;
  readonly umaNonces: Pick<UmaNonces, "use">;
  readonly callbackTokens: CallbackTokens;
  readonly hookTokens: HookTokens;
  readonly permitsCallback: PayHookTools["permitsCallback"];
  readonly hooks: OutsideHooks;
  readonly umaOutside: UmaOutside;
  readonly sandboxes: UmaSandboxes;
  /** Ends the connections to the database. */
  close(): Promise<void>;
}

/** Of one platform at one domain. */
const LOOKUP_RATE = { perSecond: 50, burst: 50 } as const;

export function umaExchangesOn(
  store: OpenStore,
  tools: {
    readonly config: Config;
    readonly clock: Clock;
    readonly outbound: OutboundClient;
    readonly policies: UmaPolicies;
    readonly sandboxes: UmaSandboxes;
  },
): UmaExchanges {
  const { config, clock, outbound, policies, sandboxes } = tools;
  const table = createCounterpartyKeyTable(store.database, clock);
  const umaNonces = createUmaNonces(store.database, clock);
  const hosts = umaHosts(config.UMA_HOSTS);
  const { callOf } = hosts;
  const tokenSealer = createSealer({
    current: toMasterKey(
      derivedKey(store, "uma callbacks").toString("hex"),
      "the key of uma callbacks",
    ),
  });
  const hookTokens = createHookTokens(tokenSealer);
  const ids = randomIds();
  const counterpartyKeys = createCounterpartyKeys({
    store: table,
    fetch: (domain) => fetchKeyDocument({ outbound, callOf }, domain),
    clock,
  });
  const stored = createStoredLookups(store.database, { sealer: store.dataSealer, clock });
  const messages = {
    client: createVaspClient({ outbound, hosts }),
    keys: counterpartyKeys,
    accepted: umaNonces,
    umaKeys: createUmaKeyTools(store.sealer),
    policies,
    permits: hosts.permits,
    clock,
  };
  const { client, keys, permits } = sandboxes;
  const amongSandboxes = { ...messages, client, keys, permits };
  const limiter = createRateLimiter({ clock, rate: LOOKUP_RATE, maxKeys: defaultLimits.rateKeys });
  return {
    counterpartyKeys,
    umaNonces,
    sandboxes,
    umaOutside: {
      ...createOutsideLookups(messages),
      ...createOutsidePayments(messages),
      sandboxes: {
        ...createOutsideLookups(amongSandboxes),
        ...createOutsidePayments(amongSandboxes),
      },
      peers: sandboxes.peers,
      stored,
      hookTokens,
      newHookId: () => ids.next(clock.now()),
      take: (platformId, domain) => limiter.take(`${platformId} ${domain}`),
    },
    callbackTokens: createCallbackTokens(tokenSealer),
    hookTokens,
    hooks: createOutsideHooks(messages),
    permitsCallback: (of, url) => permitsCallback(messages, of, url),
    async close() {
      await Promise.all([table.close(), umaNonces.close(), stored.close()]);
    },
  };
}
