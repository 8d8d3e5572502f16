/**
 * The connection of the layer that settles between sandboxes. It is a row like others, so its orders, entries and items are those of any
 * connection; its calls end in this deployment.
 */
import { currencies } from "../../../money/currency.ts";
import { SANDBOX_LAYER, type SandboxLayer } from "../../uma/sandbox-layer.ts";
import { putRouting, railRoutings, routingNeeds } from "../routes/routing.ts";
import { USUAL_CALENDAR } from "./calendar.ts";
import { freshConnection, refuseTakenName, refuseTooMany } from "./create-rail-connection.ts";
import { NO_FUNDING } from "./funding-settings.ts";
import { liveConnections, NO_CONTROL, railConnections } from "./rail-connection.ts";

/** Implements the port of the policy. `open` refuses, in this order: too many connections, another one of this name. */
export const sandboxLayer: SandboxLayer = {
  needs: ({ platformId }) => [...routingNeeds, railRoutings.ref(platformId)],
  open(world) {
    const others = world.all(liveConnections);
    if (others.some(({ kind }) => kind === "SANDBOX")) return;
    refuseTooMany(others);
    refuseTakenName(others, SANDBOX_LAYER);
    world.put(
      railConnections,
      freshConnection(world, {
        name: SANDBOX_LAYER,
        kind: "SANDBOX",
        status: "ACTIVE",
        currencies: currencies.map(({ code }) => code),
        account: { label: SANDBOX_LAYER },
        settings: {},
        calendar: USUAL_CALENDAR,
        control: NO_CONTROL,
        // It has no secrets.
        sealId: world.newId(),
        funding: NO_FUNDING,
      }),
    );
    putRouting(world);
  },
};
