/** The implementations of the ports that commands use: see engine/port.ts. */
import { holdersPort } from "./domain/accounts/holders.port.ts";
import { paymentsUnderWayPort } from "./domain/accounts/payments-under-way.port.ts";
import { holders } from "./domain/customers/holders.ts";
import { openPaymentsPort } from "./domain/customers/open-payments.port.ts";
import { carrierPort } from "./domain/payments/carrier/carrier.port.ts";
import { paymentsUnderWay } from "./domain/payments/transactions/open-payments.ts";
import { sandboxLayer } from "./domain/rails/connections/sandbox-connection.ts";
import { type ExchangeRoom, noExchangeRoom } from "./domain/rails/orders/exchange-room.port.ts";
import { railCarrier } from "./domain/rails/rail-carrier.ts";
import { openPayments } from "./domain/uma/incoming/open-payments.ts";
import { sandboxLayerPort } from "./domain/uma/sandbox-layer.ts";
import { type Ports, type Provided, provide } from "./engine/port.ts";

export function enginePorts(hasRoom: ExchangeRoom = noExchangeRoom): Ports {
  const provided: readonly Provided[] = [
    provide(holdersPort, holders),
    provide(openPaymentsPort, openPayments),
    provide(paymentsUnderWayPort, paymentsUnderWay),
    provide(carrierPort, railCarrier(hasRoom)),
    provide(sandboxLayerPort, sandboxLayer),
  ];
  return new Map(provided);
}
