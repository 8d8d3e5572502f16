/** What commands ask of the deployment: see engine/port.ts. */
import { carrierPort } from "../domain/payments/carrier/carrier.port.ts";
import { railCarrier } from "../domain/rails/rail-carrier.ts";
import { type Ports, provide } from "../engine/port.ts";

export const enginePorts: Ports = new Map([provide(carrierPort, railCarrier)]);
