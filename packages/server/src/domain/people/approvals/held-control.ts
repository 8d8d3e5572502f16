/**
 * Changes, by persons and tokens, of what may be paid, taken in and asserted through connections: a change that loosens waits for
 * another owner. Activating a connection and adding a route always loosen. Approvers are shown the connections concerned.
 */
import type { Command, World } from "../../../engine/command.ts";
import type { JsonObject } from "../../../std/json.ts";
import { toPlatformConfigId } from "../../platform.ts";
import type { FxPosition } from "../../prices/fx-positions/fx-position.ts";
import {
  allPositions,
  type SetFxLimitsInput,
  setFxLimits,
} from "../../prices/fx-positions/set-fx-limits.ts";
import { type PriceRules, rulesOf } from "../../prices/price-rules/price-rules.ts";
import {
  type SetFeesInput,
  type SetSpreadsInput,
  setFees,
  setSpreads,
} from "../../prices/price-rules/set-price-rules.ts";
import {
  type ActivateRailConnectionInput,
  activateRailConnection,
} from "../../rails/connections/activate-rail-connection.ts";
import {
  type CreateRailConnectionInput,
  createRailConnection,
} from "../../rails/connections/create-rail-connection.ts";
import {
  type RailConnection,
  railConnections,
  toConnectionId,
} from "../../rails/connections/rail-connection.ts";
import {
  type UpdateRailConnectionInput,
  updateRailConnection,
} from "../../rails/connections/update-rail-connection.ts";
import { type RailRoute, railRoutes, toRouteId } from "../../rails/routes/rail-route.ts";
import {
  type CreateRailRouteInput,
  createRailRoute,
  type UpdateRailRouteInput,
  updateRailRoute,
} from "../../rails/routes/route-commands.ts";
import { type HoldableOrder, refuseUnlessAsShown } from "./hold-order.ts";
import {
  type Loosened,
  loosenedConnection,
  loosenedControl,
  loosenedFees,
  loosenedLimits,
  loosenedRoute,
  loosenedSpreads,
} from "./loosened.ts";

/** A row, or a table of rules, before and after a change. */
interface Changed<Before, After> {
  readonly before: Before;
  readonly after: After;
}

function withBefore<Input, Before, After>(
  command: Command<Input, After>,
  beforeOf: (world: World, input: Input) => Before,
): Command<Input, Changed<Before, After>> {
  return {
    name: command.name,
    ...(command.isLarge === undefined ? {} : { isLarge: command.isLarge }),
    needs: (world, input) => command.needs(world, input),
    decide(world, input) {
      const before = beforeOf(world, input);
      return { before, after: command.decide(world, input) };
    },
  };
}

function factsOf(what: string, loosened: Loosened) {
  return { summary: `${what}: ${loosened.join(", ")}`, isHarmless: loosened.length === 0 };
}

export const createConnectionOrder: HoldableOrder<CreateRailConnectionInput, RailConnection> = {
  kind: "CONTROL",
  act: "createRailConnection",
  command: createRailConnection,
  factsOf: ({ control }, { input: { usual } }) =>
    factsOf("A connection with less control than usual", loosenedControl(usual, control)),
  resultOf: ({ id }) => toConnectionId(id),
};

/** What approvers are shown of a connection that is to carry money. It must be unchanged when the order is carried out. */
export function shownConnection(connection: RailConnection): JsonObject {
  const { id, name, kind, currencies, account, settings, control, secretFacts } = connection;
  const shown = { id: toConnectionId(id), name, kind, currencies, account, settings, control };
  const secrets = Object.entries(secretFacts).map(([name, { fingerprint }]) => [name, fingerprint]);
  return { ...shown, secrets: Object.fromEntries(secrets) } as unknown as JsonObject;
}

interface OfShown {
  /** What approvers were shown; undefined while the order is only asked for. */
  readonly shown?: JsonObject | undefined;
}

/** Refuses a connection that has changed since it was shown, and then whatever the command refuses. */
function ofShownConnection<Input extends object, Output>(
  command: Command<Input, Output>,
  connectionIdOf: (world: World, input: Input) => string | undefined,
): Command<Input & OfShown, Output> {
  return {
    name: command.name,
    needs: (world, input) => command.needs(world, input),
    decide(world, { shown, ...sent }) {
      const input = sent as unknown as Input;
      const id = connectionIdOf(world, input);
      const now = id === undefined ? undefined : world.find(railConnections.ref(id));
      if (shown !== undefined && now !== undefined) {
        refuseUnlessAsShown("connection", { shown, now: shownConnection(now) });
      }
      return command.decide(world, input);
    },
  };
}

export const updateConnectionOrder: HoldableOrder<
  UpdateRailConnectionInput & OfShown,
  Changed<RailConnection | undefined, RailConnection>
> = {
  kind: "CONTROL",
  act: "updateRailConnection",
  command: ofShownConnection(
    withBefore(updateRailConnection, (world, { connectionId }: UpdateRailConnectionInput) =>
      world.find(railConnections.ref(connectionId)),
    ),
    (_world, { connectionId }) => connectionId,
  ),
  subjectOf: ({ connectionId }) => toConnectionId(connectionId),
  factsOf: ({ before, after }) =>
    factsOf(
      `A looser ${toConnectionId(after.id)}`,
      before === undefined ? [] : loosenedConnection(before, after),
    ),
  resultOf: ({ after }) => toConnectionId(after.id),
};

export const activateOrder: HoldableOrder<ActivateRailConnectionInput & OfShown, RailConnection> = {
  kind: "CONTROL",
  act: "activateRailConnection",
  command: ofShownConnection(activateRailConnection, (_world, { connectionId }) => connectionId),
  subjectOf: ({ connectionId }) => toConnectionId(connectionId),
  factsOf: ({ id }) => ({ summary: `${toConnectionId(id)} carries payments, and tells of money` }),
  resultOf: ({ id }) => toConnectionId(id),
};

export const createRouteOrder: HoldableOrder<CreateRailRouteInput & OfShown, RailRoute> = {
  kind: "CONTROL",
  act: "createRailRoute",
  command: ofShownConnection(createRailRoute, (_world, { connectionId }) => connectionId),
  factsOf: (route) =>
    factsOf(`A route to ${toConnectionId(route.connectionId)}`, loosenedRoute(undefined, route)),
  resultOf: ({ id }) => toRouteId(id),
};

export const updateRouteOrder: HoldableOrder<
  UpdateRailRouteInput & OfShown,
  Changed<RailRoute | undefined, RailRoute>
> = {
  kind: "CONTROL",
  act: "updateRailRoute",
  command: ofShownConnection(
    withBefore(updateRailRoute, (world, { routeId }: UpdateRailRouteInput) =>
      world.find(railRoutes.ref(routeId)),
    ),
    (world, { routeId, change }) =>
      change.connectionId ?? world.find(railRoutes.ref(routeId))?.connectionId,
  ),
  subjectOf: ({ routeId }) => toRouteId(routeId),
  factsOf: ({ before, after }) =>
    factsOf(
      `${toRouteId(after.id)} lets more pass to ${toConnectionId(after.connectionId)}`,
      loosenedRoute(before, after),
    ),
  resultOf: ({ after }) => toRouteId(after.id),
};

export const setFeesOrder: HoldableOrder<SetFeesInput, Changed<PriceRules["fees"], PriceRules>> = {
  kind: "CONTROL",
  act: "setFees",
  command: withBefore(setFees, (world) => rulesOf(world).fees),
  factsOf: ({ before, after }) => factsOf("Lower fees", loosenedFees(before, after.fees)),
  resultOf: ({ after }) => toPlatformConfigId(after.id),
};

export const setSpreadsOrder: HoldableOrder<
  SetSpreadsInput,
  Changed<PriceRules["spreads"], PriceRules>
> = {
  kind: "CONTROL",
  act: "setSpreads",
  command: withBefore(setSpreads, (world) => rulesOf(world).spreads),
  factsOf: ({ before, after }) => factsOf("Lower spreads", loosenedSpreads(before, after.spreads)),
  resultOf: ({ after }) => toPlatformConfigId(after.id),
};

interface ChangedLimits extends Changed<readonly FxPosition[], readonly FxPosition[]> {
  readonly platformId: string;
}

export const setLimitsOrder: HoldableOrder<SetFxLimitsInput, ChangedLimits> = {
  kind: "CONTROL",
  act: "setFxLimits",
  command: {
    name: setFxLimits.name,
    needs: (world, input) => setFxLimits.needs(world, input),
    decide(world, input) {
      const before = world.all(allPositions);
      const { platformId } = world;
      return { before, after: setFxLimits.decide(world, input), platformId };
    },
  },
  factsOf: ({ before }, { input: { limits } }) =>
    factsOf("Wider limits of positions", loosenedLimits(before, limits)),
  resultOf: ({ platformId }) => toPlatformConfigId(platformId),
};
