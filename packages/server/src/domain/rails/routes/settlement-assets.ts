/** The assets in which invoices can be made or paid, as the routes of a platform lead to connections that settle in them. */
import { UMA_ADDRESS } from "../../payments/carrier/carrier.port.ts";
import type { SettlementAsset, SettlementLayer } from "../connections/settlement.ts";
import { type ConnectionEntry, type RailRouting, type RouteEntry, standingOf } from "./routing.ts";
import { isSandboxConnection, SANDBOX_SETTLEMENT } from "./sandbox-routes.ts";

export interface SettlementChoice {
  readonly layer: string;
  readonly identifier: string;
  readonly currency: string;
  readonly decimals: number;
  /** The narrower of the limits of the layer and of the route; null for no limit. */
  readonly minMinor: bigint | null;
  readonly maxMinor: bigint | null;
  readonly invoiceSeconds: { readonly min: number; readonly max: number };
  readonly exactAmounts: boolean;
  readonly partialPayments: boolean;
  readonly connectionId: string;
  readonly routeId: string;
}

export type SettlementDirection = "INVOICE" | "OUT";

/**
 * The assets that enabled routes of this direction lead to, in the order in which routes are tried, each layer and identifier once. Of the
 * connections that take such payments now.
 */
export function settlementAssets(
  routing: RailRouting | undefined,
  direction: SettlementDirection,
): readonly SettlementChoice[] {
  return eachOnce(choicesOf(routing, direction, "TAKES"));
}

/** Whether assets would be there if connections that are paused were not. */
export function isSettlementPaused(
  routing: RailRouting | undefined,
  direction: SettlementDirection,
): boolean {
  return choicesOf(routing, direction, "PAUSED").length > 0;
}

function choicesOf(
  routing: RailRouting | undefined,
  direction: SettlementDirection,
  standing: "TAKES" | "PAUSED",
): readonly SettlementChoice[] {
  const { routes = [], connections = [] } = routing ?? {};
  const builtIn = connections.find(isSandboxConnection);
  const isOffered = builtIn !== undefined && standingOf(builtIn, { direction }) === standing;
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const attached = routes.filter(isOf(direction)).flatMap((route) => {
    const connection = byId.get(route.connectionId);
    if (connection === undefined || standingOf(connection, { direction }) !== standing) return [];
    const { settlement = [] } = connection;
    return settlement
      .filter(({ send, receive }) => (direction === "OUT" ? send : receive))
      .flatMap((layer) => layer.assets.flatMap((asset) => choiceOf(route, layer, asset)));
  });
  return isOffered ? [...attached, ...sandboxChoices(builtIn)] : attached;
}

/** The built-in layer, in every currency: behind the layers of connectors. */
function sandboxChoices({ id }: ConnectionEntry): readonly SettlementChoice[] {
  const { layer, invoiceSeconds, exactAmounts, partialPayments, assets } = SANDBOX_SETTLEMENT;
  const limits = { minMinor: null, maxMinor: null };
  const rules = { invoiceSeconds, exactAmounts, partialPayments, connectionId: id, routeId: id };
  return assets.map((asset) => ({ layer, ...asset, ...limits, ...rules }));
}

const isOf = (wanted: SettlementDirection) => (route: RouteEntry) => {
  const { direction, accountTypes, enabled } = route;
  const isForInvoices = direction === "INVOICE" || accountTypes?.includes(UMA_ADDRESS) === true;
  return enabled && direction === wanted && isForInvoices;
};

/** Empty for an asset in another currency than the route's, and where no amount is within both limits. */
function choiceOf(
  route: RouteEntry,
  layer: SettlementLayer,
  { identifier, currency, decimals, minAmount, maxAmount }: SettlementAsset,
): readonly SettlementChoice[] {
  if (currency !== route.currency) return [];
  const minMinor = narrower(route.min, minAmount, (one, other) => one > other);
  const maxMinor = narrower(route.max, maxAmount, (one, other) => one < other);
  if (minMinor !== null && maxMinor !== null && minMinor > maxMinor) return [];
  const { invoiceSeconds, exactAmounts, partialPayments } = layer;
  const asset = { layer: layer.layer, identifier, currency, decimals, minMinor, maxMinor };
  const rules = { invoiceSeconds, exactAmounts, partialPayments };
  return [{ ...asset, ...rules, connectionId: route.connectionId, routeId: route.id }];
}

function narrower(
  ofRoute: string | null,
  ofAsset: number | undefined,
  isNarrower: (one: bigint, other: bigint) => boolean,
): bigint | null {
  const limits = [
    ...(ofRoute === null ? [] : [BigInt(ofRoute)]),
    ...(ofAsset === undefined ? [] : [BigInt(ofAsset)]),
  ];
  const [one, other] = limits;
  if (one === undefined) return null;
  return other !== undefined && isNarrower(other, one) ? other : one;
}

function eachOnce(choices: readonly SettlementChoice[]): readonly SettlementChoice[] {
  const seen = new Set<string>();
  return choices.filter(({ layer, identifier }) => {
    // No layer's name has a space.
    const name = `${layer} ${identifier}`;
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}
