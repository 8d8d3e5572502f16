/** What messages between institutions need: the keys of others, the messages that were accepted, and the tokens of callbacks. */
import type { Config } from "../../config.ts";
import { createCounterpartyKeyTable } from "../../domain/uma/keys/counterparty-key.sql.ts";
import type { CounterpartyKeySource } from "../../domain/uma/keys/counterparty-keys.port.ts";
import { createUmaNonces, type UmaNonces } from "../../domain/uma/nonces/uma-nonce.sql.ts";
import {
  type CallbackTokens,
  createCallbackTokens,
} from "../../domain/uma/receiving/callback-token.ts";
import type { OutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import { createCounterpartyKeys } from "../../outside/uma/counterparty-keys.ts";
import { fetchKeyDocument } from "../../outside/uma/fetch-key-document.ts";
import { umaHosts } from "../../outside/uma/uma-hosts.ts";
import { createSealer, toMasterKey } from "../../secrets/sealing.ts";
import type { Clock } from "../../std/clock.ts";
import { derivedKey } from "../derived-key.ts";
import type { OpenStore } from "../open-database.ts";

export interface UmaExchanges {
  readonly counterpartyKeys: CounterpartyKeySource;
  readonly umaNonces: Pick<UmaNonces, "use">;
  readonly callbackTokens: CallbackTokens;
  /** Ends the connections to the database. */
  close(): Promise<void>;
}

export function umaExchangesOn(
  store: OpenStore,
  tools: { readonly config: Config; readonly clock: Clock; readonly outbound: OutboundClient },
): UmaExchanges {
  const { config, clock, outbound } = tools;
  const table = createCounterpartyKeyTable(store.database, clock);
  const umaNonces = createUmaNonces(store.database, clock);
  const { callOf } = umaHosts(config.UMA_HOSTS);
  const key = derivedKey(store, "uma callbacks").toString("hex");
  return {
    counterpartyKeys: createCounterpartyKeys({
      store: table,
      fetch: (domain) => fetchKeyDocument({ outbound, callOf }, domain),
      clock,
    }),
    umaNonces,
    callbackTokens: createCallbackTokens(
      createSealer({ current: toMasterKey(key, "the key of uma callbacks") }),
    ),
    async close() {
      await Promise.all([table.close(), umaNonces.close()]);
    },
  };
}
