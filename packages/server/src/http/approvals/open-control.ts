/** Carries out orders that loosen what may be paid, taken in or asserted. */
import {
  activateOrder,
  createConnectionOrder,
  createRouteOrder,
  setFeesOrder,
  setLimitsOrder,
  setSpreadsOrder,
  updateConnectionOrder,
  updateRouteOrder,
} from "../../domain/people/approvals/held-control.ts";
import { present } from "../../std/assert.ts";
import { feesInput, limitsInput, spreadsInput } from "../operations/prices/held-rules.ts";
import { requireConnection } from "../operations/rails/connection-body.ts";
import {
  activationInput,
  type ConnectionContent,
  type CreateConnectionContent,
  createConnectionInput,
  updateConnectionInput,
} from "../operations/rails/held-connection.ts";
import { createRouteInput, updateRouteInput } from "../operations/rails/held-route.ts";
import { type Opener, opening, running } from "./openers.ts";

/** By the operation's id. */
export const controlOpeners: Readonly<Record<string, Opener>> = {
  createRailConnection: (content, _services, { place }) =>
    running(
      createConnectionOrder.command,
      createConnectionInput(content as unknown as CreateConnectionContent, place),
      createConnectionOrder.resultOf,
    ),
  updateRailConnection: opening(updateConnectionOrder, updateConnectionInput),
  async activateRailConnection(content, services, { platformId }) {
    const { connectionId, connection } = content as unknown as ConnectionContent;
    const found = await requireConnection(services, { platformId }, connectionId);
    const shown = present(connection, "the connection as it was shown");
    const input = await activationInput(services, { found, shown });
    return running(activateOrder.command, input, activateOrder.resultOf);
  },
  createRailRoute: opening(createRouteOrder, createRouteInput),
  updateRailRoute: opening(updateRouteOrder, updateRouteInput),
  setFees: opening(setFeesOrder, feesInput),
  setSpreads: opening(setSpreadsOrder, spreadsInput),
  setFxLimits: opening(setLimitsOrder, limitsInput),
};
