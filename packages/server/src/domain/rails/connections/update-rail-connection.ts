import type { Command, World } from "../../../engine/command.ts";
import { invalidField, invalidFields } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import { liveSources } from "../../prices/rate-sources/rate-source.ts";
import { putRoutingOf, railRoutings } from "../routes/routing.ts";
import { lacksFeature, scheduleWatch } from "./activate-rail-connection.ts";
import type { RailCalendar } from "./calendar.ts";
import { type SentSecrets, secretsLeftBehind, withSecrets } from "./connection-secrets.ts";
import { foreignFaults, merged, missingFeatures } from "./connection-settings.ts";
import { refuseTakenName } from "./create-rail-connection.ts";
import { withFeed } from "./feed.ts";
import { type FundingSettings, refuseFunding } from "./funding-settings.ts";
import { importerNeeds, refuseUnknownImporters } from "./importers.ts";
import {
  type ConnectionControl,
  type ConnectionSettings,
  liveConnections,
  putConnection,
  type RailConnection,
  railConnections,
  requireLiveConnection,
} from "./rail-connection.ts";

export interface UpdateRailConnectionInput {
  readonly connectionId: string;
  readonly name: string | undefined;
  readonly currencies: readonly string[] | undefined;
  readonly account: JsonObject | undefined;
  readonly settings: JsonObject | undefined;
  readonly calendar: Partial<RailCalendar> | undefined;
  readonly control: Partial<ConnectionControl> | undefined;
  readonly secrets: SentSecrets;
  readonly funding: JsonObject | undefined;
}

const LEFT = "is needed again where settings.baseUrl moves to another server; null takes it away";

/**
 * Changes a connection. Payments that it was given keep their order, and are polled by the new settings. Refuses, in this order: an unknown
 * connection, an archived one, settings and secrets that its kind does not have, another server without each secret that the connection
 * has, because a secret of one server must not be used at another, a name that another one has, importers that are not tokens, fewer
 * currencies once it was active, invalid funding settings, settings that need a feature which the connector lacks.
 */
export const updateRailConnection: Command<UpdateRailConnectionInput, RailConnection> = {
  name: "update-rail-connection",
  needs: (world, { connectionId, control = {} }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
    liveConnections,
    liveSources,
    ...importerNeeds(control),
  ],
  decide(world, input) {
    const { connectionId, name, currencies, account, settings, calendar, secrets } = input;
    const { funding } = input;
    const connection = requireLiveConnection(world, connectionId, "changed");
    const faults = foreignFaults(connection.kind, { settings, secrets });
    if (faults.length > 0) throw invalidFields(faults);
    const moved = merged(connection.settings as JsonObject, settings) as ConnectionSettings;
    const left = secretsLeftBehind(connection, { settings: moved }, secrets);
    if (left.length > 0) throw invalidFields(left.map((field) => ({ field, message: LEFT })));
    if (name !== undefined) {
      refuseTakenName(
        world.all(liveConnections).filter(({ id }) => id !== connectionId),
        name,
      );
    }
    refuseUnknownImporters(world, input.control ?? {});
    const lost = connection.currencies.filter((code) => currencies?.includes(code) === false);
    if (lost.length > 0 && connection.status !== "SETUP") {
      const message = `must keep ${lost.join(", ")}: once the connection was activated, currencies are only added`;
      throw invalidField("currencies", message);
    }

    const after: RailConnection = {
      ...connection,
      name: name ?? connection.name,
      currencies: currencies ?? connection.currencies,
      account: merged(connection.account, account),
      settings: moved,
      funding: merged(connection.funding, funding) as FundingSettings,
      calendar: { ...connection.calendar, ...calendar },
      control: { ...connection.control, ...input.control },
    };
    if (funding !== undefined || account !== undefined) {
      refuseFunding(after, world.all(liveSources));
    }
    const lacking = missingFeatures(after);
    if (lacking.length > missingFeatures(connection).length) throw lacksFeature(lacking);
    // Another connector does not know the cursor. Entries that it repeats are recognised by their ids.
    const isMoved = after.settings.baseUrl !== connection.settings.baseUrl;
    const unknown = { feedCursor: null, features: null, descriptionFaults: null };
    const placed = isMoved ? { ...after, ...unknown } : after;
    const watched = currencies === undefined ? placed : withDescription(world, placed);
    const changed = putConnection(world, withFeed(world, withSecrets(world, watched, secrets)));
    putRoutingOf(world, changed);
    return changed;
  },
};

/** Reads the connector's description at once, because capabilities in an added currency were left out before. */
function withDescription(world: World, connection: RailConnection): RailConnection {
  const { id, watchJobId } = connection;
  if (watchJobId === null) return connection;
  world.cancel(watchJobId);
  return { ...connection, watchJobId: scheduleWatch(world, id, 0) };
}
