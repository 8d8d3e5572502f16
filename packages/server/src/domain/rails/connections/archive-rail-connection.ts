import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { liveRoutes } from "../routes/rail-route.ts";
import { putRouting, railRoutings, routingNeeds } from "../routes/routing.ts";
import { isSandboxConnection } from "../routes/sandbox-routes.ts";
import { NO_SECRETS } from "./connection-secrets.ts";
import { withFeed } from "./feed.ts";
import {
  putConnection,
  type RailConnection,
  railConnections,
  requireLiveConnection,
} from "./rail-connection.ts";

export interface ArchiveRailConnectionInput {
  readonly connectionId: string;
  /** Open payments, which the caller counted after it had read the connection. */
  readonly openPayments: number;
  /** Items in suspense, counted at the same time. */
  readonly openItems: number;
  /** Acts that another token must confirm, counted at the same time. */
  readonly waitingMarks: number;
  /** Invoices that may still be paid, counted at the same time. */
  readonly openInvoices: number;
  /** The `touchedAt` of the connection that was read. */
  readonly touchedAt: number | null;
}

/** The archived connection; `touched` when a blocker may have been added since the caller counted. */
export type ArchivedConnection = RailConnection | "touched";

/**
 * Ends a connection; its payments stay readable, its secrets are destroyed. Refuses, in this order: an unknown connection, an archived one,
 * that of the layer of sandboxes, whose routes are no rows; one that has a route, a payment that is not over, an open item, a mark that
 * waits or an open invoice. Archives nothing when the connection was touched since they were counted. New payments and invoices require a
 * route in their commit, and a deleted route touches its connection, as a new item does. So without a touch the counts can only have fallen. Changes by a feed or an exchange do not touch it and need no new count.
 */
export const archiveRailConnection: Command<ArchiveRailConnectionInput, ArchivedConnection> = {
  name: "archive-rail-connection",
  needs: (world, { connectionId }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
    ...routingNeeds,
  ],
  decide(world, { connectionId, touchedAt, ...counted }) {
    const { openPayments, openItems, waitingMarks, openInvoices } = counted;
    const connection = requireLiveConnection(world, connectionId, "archived");
    if (isSandboxConnection(connection)) throw builtIn(connection);
    const routes = world.all(liveRoutes).filter((route) => route.connectionId === connectionId);
    const blockers = {
      ...(routes.length === 0 ? {} : { routes: routes.length }),
      ...(openPayments === 0 ? {} : { payments: openPayments }),
      ...(openItems === 0 ? {} : { items: openItems }),
      ...(waitingMarks === 0 ? {} : { marks: waitingMarks }),
      ...(openInvoices === 0 ? {} : { invoices: openInvoices }),
    };
    if (Object.keys(blockers).length > 0) {
      const parts = Object.entries(blockers).map(([what, count]) => `${count} ${what}`);
      throw new Refusal(
        "CONFLICT",
        { blockers },
        `The connection still has ${parts.join(" and ")}: delete its routes, let its payments and invoices end, resolve its items and decide its marks first.`,
      );
    }

    if (connection.touchedAt !== touchedAt) return "touched";

    if (connection.watchJobId !== null) world.cancel(connection.watchJobId);
    const archived = putConnection(
      world,
      withFeed(world, {
        ...connection,
        ...NO_SECRETS,
        status: "ARCHIVED",
        newPayments: "REFUSE",
        watchJobId: null,
      }),
    );
    putRouting(world);
    return archived;
  },
};

function builtIn({ kind }: RailConnection): Refusal {
  const message =
    "The connection is that of the layer between sandboxes, which is built in: it is not archived.";
  return new Refusal("CONFLICT", { kind }, message);
}
