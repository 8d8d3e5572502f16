/** What answers pay requests of other institutions. */
import { isSignatureOf } from "../../formats/uma/signatures.ts";
import type { Services } from "../../http/request/services.ts";
import { createVerifications } from "../../http/uma/lookup/verifications.ts";
import { createPayLimits } from "../../http/uma/pay/pay-limits.ts";
import { createPayRequests, type PayTools } from "../../http/uma/pay/pay-requests.ts";
import type { UmaPaths } from "../../http/uma/uma-paths.ts";
import { randomIds } from "../../std/ids.ts";
import type { UmaExchanges } from "./uma-exchanges.ts";

export type PayServices = Pick<
  PayTools,
  "engine" | "reads" | "clock" | "umaKeys" | "connectors" | "sealer"
> &
  Pick<Services, "umaPolicies" | "umaNotes">;

export function payRequestsOn(
  services: PayServices,
  { counterpartyKeys, sandboxes, umaNonces, callbackTokens }: UmaExchanges,
): NonNullable<UmaPaths["handlers"]["pay"]> {
  const { clock } = services;
  const ids = randomIds();
  const common = {
    ...services,
    newId: () => ids.next(clock.now()),
    callbackTokens,
    accepted: umaNonces,
    limits: createPayLimits(clock),
    verifications: createVerifications(clock, isSignatureOf),
    policies: services.umaPolicies,
    sightings: services.umaNotes.sightings,
    exchanges: services.umaNotes.exchangeLog,
  };
  const outside = createPayRequests({ ...common, keys: counterpartyKeys });
  const amongSandboxes = createPayRequests({ ...common, keys: sandboxes.keys });
  return (received) => (received.isAmongSandboxes ? amongSandboxes : outside)(received);
}
