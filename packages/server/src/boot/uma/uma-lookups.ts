/** What answers lookups of other institutions. */
import { isSignatureOf } from "../../formats/uma/signatures.ts";
import type { Services } from "../../http/request/services.ts";
import {
  createLookupAnswers,
  type LookupAnswerTools,
} from "../../http/uma/lookup/answer-lookup.ts";
import { createLookupLimits } from "../../http/uma/lookup/lookup-limits.ts";
import { createLookups } from "../../http/uma/lookup/lookups.ts";
import { createVerifications } from "../../http/uma/lookup/verifications.ts";
import { takeFault } from "../../http/uma/sandbox-faults.ts";
import type { UmaHandler } from "../../http/uma/uma-paths.ts";
import type { UmaExchanges } from "./uma-exchanges.ts";

export interface LookupServices
  extends Omit<LookupAnswerTools, "callbackTokens" | "accepted">,
    Pick<Services, "umaPolicies" | "umaNotes"> {}

export function lookupsOn(
  services: LookupServices,
  { counterpartyKeys, sandboxes, umaNonces, callbackTokens }: UmaExchanges,
): UmaHandler {
  const { clock } = services;
  const common = {
    clock,
    nonces: umaNonces,
    limits: createLookupLimits(clock),
    verifications: createVerifications(clock, isSignatureOf),
    policies: services.umaPolicies,
    sightings: services.umaNotes.sightings,
    exchanges: services.umaNotes.exchangeLog,
    takeFault: (platformId: string) => takeFault(services, platformId, "LOOKUP"),
    answer: createLookupAnswers({ ...services, callbackTokens, accepted: umaNonces }),
  };
  const outside = createLookups({ ...common, keys: counterpartyKeys });
  const amongSandboxes = createLookups({ ...common, keys: sandboxes.keys });
  return (request) => (request.isAmongSandboxes ? amongSandboxes : outside)(request);
}
