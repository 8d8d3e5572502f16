import type { Command, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { putRoutingOf, railRoutings } from "../routes/routing.ts";
import { capabilitiesBySettings, missingIn } from "./connection-settings.ts";
import { withFeed } from "./feed.ts";
import {
  type Capability,
  type ConnectorFeatures,
  putConnection,
  type RailConnection,
  railConnections,
  requireLiveConnection,
} from "./rail-connection.ts";
import { type SettlementLayer, settlementIn } from "./settlement.ts";

/** How often the description of a connector is read. */
export const DESCRIBED_EVERY_MS = 24 * 3_600_000;

/** The description that a connector gave of itself, or the reason why it could not be read. */
export type Described =
  | {
      readonly ok: true;
      readonly capabilities: readonly Capability[];
      /** Undefined when the description does not list features. */
      readonly features: ConnectorFeatures | undefined;
      /** Empty without the feature `invoices`. */
      readonly settlement: readonly SettlementLayer[];
      /** `path: sentence` of each value that this version cannot take. */
      readonly leftOut: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

export interface ActivateRailConnectionInput {
  readonly connectionId: string;
  /** Undefined when nothing was read: the connection is of another kind, or lacks what a call needs. */
  readonly described: Described | undefined;
}

/**
 * Lets a connection carry payments. Refuses, in this order: an unknown connection, an archived one, one that is not in SETUP,
 * one that lacks something (`details.missing` has every field).
 */
export const activateRailConnection: Command<ActivateRailConnectionInput, RailConnection> = {
  name: "activate-rail-connection",
  needs: (world, { connectionId }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
  ],
  decide(world, { connectionId, described }) {
    const connection = requireLiveConnection(world, connectionId, "activated");
    const { status, kind } = connection;
    if (status !== "SETUP") {
      throw wrongState({ object: "connection", status, needed: "SETUP", action: "activated" });
    }
    const known =
      described?.ok === true ? { ...connection, ...toldOf(connection, described) } : connection;
    refuseMissing(known, described);

    const watchJobId =
      kind === "HTTP" ? scheduleWatch(world, connectionId, DESCRIBED_EVERY_MS) : null;
    const active = putConnection(
      world,
      withFeed(world, {
        ...known,
        status: "ACTIVE",
        capabilities: capabilitiesBySettings(known),
        watchJobId,
        describedAt: kind === "HTTP" ? world.at : null,
      }),
    );
    putRoutingOf(world, active);
    return active;
  },
};

const MOST_FAULTS = 20;

/** The capabilities and the layers that the connector describes, limited to the currencies of the connection. */
export function toldOf(
  { currencies }: Pick<RailConnection, "currencies">,
  { capabilities, features, settlement, leftOut }: Extract<Described, { ok: true }>,
): Pick<RailConnection, "capabilities" | "features" | "settlement" | "descriptionFaults"> {
  const bookable = settlementIn(currencies, settlement);
  const faults = [...leftOut, ...bookable.leftOut].slice(0, MOST_FAULTS);
  return {
    capabilities: capabilities.filter(({ currency }) => currencies.includes(currency)),
    features: features ?? null,
    settlement: bookable.layers,
    descriptionFaults: faults.length === 0 ? null : faults,
  };
}

function refuseMissing(connection: RailConnection, described: Described | undefined): void {
  const missing = missingIn(connection);
  if (missing.length === 0) return;
  const reason = described?.ok === false ? described.reason : undefined;
  const isOfConnector = missing.every((path) => path.startsWith("features."));
  if (isOfConnector) throw lacksFeature(missing);
  const why = reason === undefined ? "" : ` The connector could not be read: ${reason}`;
  throw new Refusal(
    "CONFLICT",
    { missing, ...(reason === undefined ? {} : { reason }) },
    `The connection lacks ${missing.join(", ")}; PATCH /rails/connections/{id} sets them.${why}`,
  );
}

/** The refusal of settings that need features which the connector lacks. */
export function lacksFeature(missing: readonly string[]): Refusal {
  return new Refusal(
    "CONFLICT",
    { missing },
    `The connector says that it lacks ${missing.join(", ")}, which the connection needs by its settings; change them, or the connector.`,
  );
}

/** Schedules the job that reads the description of a connector. */
export function scheduleWatch(world: World, connectionId: string, inMs: number): string {
  return scheduleJob(world, {
    kind: "watch-rail-connection",
    payload: { connectionId },
    dueAt: world.at + inMs,
  });
}
