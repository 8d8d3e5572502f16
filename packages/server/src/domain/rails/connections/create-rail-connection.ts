import type { Command, World } from "../../../engine/command.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import { liveSources } from "../../prices/rate-sources/rate-source.ts";
import { putRouting, railRoutings, routingNeeds } from "../routes/routing.ts";
import { type RailCalendar, USUAL_CALENDAR } from "./calendar.ts";
import { NO_SECRETS, type SentSecrets, withSecrets } from "./connection-secrets.ts";
import { foreignFaults } from "./connection-settings.ts";
import { refuseFunding } from "./funding-settings.ts";
import { importerNeeds, refuseUnknownImporters } from "./importers.ts";
import {
  type ConnectionControl,
  liveConnections,
  MOST_CONNECTIONS,
  NO_REFUSED_ENTRIES,
  NO_UNKNOWN_PAYMENTS,
  type RailConnection,
  railConnections,
} from "./rail-connection.ts";

export interface CreateRailConnectionInput
  extends Pick<
    RailConnection,
    "name" | "kind" | "currencies" | "account" | "settings" | "sealId" | "funding"
  > {
  readonly calendar: Partial<RailCalendar>;
  readonly control: Partial<ConnectionControl>;
  /** The control of a connection whose request sets none. */
  readonly usual: ConnectionControl;
  readonly secrets: SentSecrets;
}

/**
 * Adds a connection, which carries nothing before it is activated. Refuses, in this order: settings and secrets that its kind does not
 * have, whatever `refuseFunding` lists, importers that are not tokens, more connections than `MOST_CONNECTIONS`, a name that another one
 * has.
 */
export const createRailConnection: Command<CreateRailConnectionInput, RailConnection> = {
  name: "create-rail-connection",
  needs: (world, { control }) => [
    ...routingNeeds,
    railRoutings.ref(world.platformId),
    liveSources,
    ...importerNeeds(control),
  ],
  decide(world, input) {
    const { name, kind, currencies, account, settings, sealId, secrets } = input;
    const { funding } = input;
    const faults = foreignFaults(kind, { settings, secrets });
    if (faults.length > 0) throw invalidFields(faults);
    refuseFunding(input, world.all(liveSources));
    refuseUnknownImporters(world, input.control);
    const others = world.all(liveConnections);
    refuseTooMany(others);
    refuseTakenName(others, name);

    const connection = world.put(
      railConnections,
      withSecrets(
        world,
        freshConnection(world, {
          name,
          kind,
          status: "SETUP",
          currencies,
          account,
          settings,
          calendar: { ...USUAL_CALENDAR, ...input.calendar },
          control: { ...input.usual, ...input.control },
          sealId,
          funding,
        }),
        secrets,
      ),
    );
    putRouting(world);
    return connection;
  },
};

/** The row of a connection about which nothing else is known. */
export function freshConnection(
  world: World,
  given: Pick<
    RailConnection,
    | "name"
    | "kind"
    | "status"
    | "currencies"
    | "account"
    | "settings"
    | "calendar"
    | "control"
    | "sealId"
    | "funding"
  >,
): RailConnection {
  return {
    id: world.newId(),
    ...given,
    newPayments: "REFUSE",
    capabilities: [],
    ...NO_SECRETS,
    failures: 0,
    lastError: null,
    lastReportAt: null,
    lastImportAt: null,
    features: null,
    settlement: [],
    descriptionFaults: null,
    unknownPayments: NO_UNKNOWN_PAYMENTS,
    refusedEntries: NO_REFUSED_ENTRIES,
    watchJobId: null,
    describedAt: null,
    feedCursor: null,
    feedJobId: null,
    touchedAt: null,
    createdAt: world.at,
    updatedAt: world.at,
  };
}

export function refuseTooMany(others: readonly RailConnection[]): void {
  if (others.length < MOST_CONNECTIONS) return;
  const message = `The platform has ${MOST_CONNECTIONS} connections: archive one first.`;
  throw new Refusal("CONFLICT", { limit: MOST_CONNECTIONS }, message);
}

export function refuseTakenName(others: readonly RailConnection[], name: string): void {
  if (!others.some((other) => other.name === name)) return;
  throw new Refusal(
    "CONFLICT",
    { field: "name" },
    `name: another connection is called ${name}; choose another name.`,
  );
}
