/** What answers requests to pay of other institutions, and what they tell of payments. */
import { isSignatureOf } from "../../formats/uma/signatures.ts";
import type { Services } from "../../http/request/services.ts";
import { createHookMessages } from "../../http/uma/hooks/hook-messages.ts";
import { createVerifications } from "../../http/uma/lookup/verifications.ts";
import { createMessageLimits, HOOKS, PAY_REQUESTS } from "../../http/uma/message-limits.ts";
import { createPayRequests, type PayTools } from "../../http/uma/pay/pay-requests.ts";
import type { TokenHandler, UmaPaths } from "../../http/uma/uma-paths.ts";
import { randomIds } from "../../std/ids.ts";
import type { UmaExchanges } from "./uma-exchanges.ts";

export type PayServices = Pick<
  PayTools,
  "engine" | "reads" | "clock" | "umaKeys" | "connectors" | "sealer" | "publicUrl"
> &
  Pick<Services, "umaPolicies" | "umaNotes">;

export function paymentMessagesOn(
  services: PayServices,
  exchanges: UmaExchanges,
  hosts: UmaPaths["hosts"],
): { readonly pay: TokenHandler; readonly hook: TokenHandler } {
  const { clock } = services;
  const ids = randomIds();
  const tools = {
    ...services,
    ...exchanges,
    keys: exchanges.counterpartyKeys,
    accepted: exchanges.umaNonces,
    verifications: createVerifications(clock, isSignatureOf),
    policies: services.umaPolicies,
    sightings: services.umaNotes.sightings,
    exchanges: services.umaNotes.exchangeLog,
  };
  const asked = {
    ...tools,
    hosts,
    newId: () => ids.next(clock.now()),
    limits: createMessageLimits(clock, PAY_REQUESTS),
  };
  const outside = createPayRequests(asked);
  const amongSandboxes = createPayRequests({ ...asked, keys: exchanges.sandboxes.keys });
  return {
    pay: (received) => (received.isAmongSandboxes ? amongSandboxes : outside)(received),
    hook: createHookMessages({ ...tools, limits: createMessageLimits(clock, HOOKS) }),
  };
}
