/** The rails of a deployment as it is: the sandbox has its simulated one, production none. */
import type { RailRulesOf } from "../../src/domain/transfers/payment-rail.port.ts";
import { simulatedRail } from "../../src/outside/payments/simulated-rail.ts";

export const sandboxRails: RailRulesOf = (environment) =>
  environment === "SANDBOX" ? simulatedRail : undefined;
