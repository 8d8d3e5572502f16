/** The rails of a deployment: the sandbox has the simulated rail, production has none. */
import type { RailRulesOf } from "../../src/domain/payments/transfers/payment-rail.port.ts";
import { simulatedRail } from "../../src/outside/payments/simulated-rail.ts";

export const sandboxRails: RailRulesOf = (environment) =>
  environment === "SANDBOX" ? simulatedRail : undefined;
