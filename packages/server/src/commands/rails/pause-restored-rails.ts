import type { Config } from "../../config.ts";
import { pauseRestoredConnections } from "../../domain/rails/connections/pause-rail-connection.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { atPlatform } from "../at-platform.ts";
import { operate } from "../operate-platform.ts";
import { print } from "../print.ts";

/** `florin rail restored`: pauses every connection of a platform before a server starts on a restored database. */
export function pauseRestoredRailsFromShell(
  config: Config,
  { platform }: { readonly platform: string },
): Promise<void> {
  return atPlatform(config, platform, async (at) => {
    const told = await operate(at, {
      command: pauseRestoredConnections,
      input: {},
      // A name may contain line ends; JSON quotes keep it on its line.
      tell: (paused) =>
        paused
          .map(({ id, name }) => `paused  ${toConnectionId(id)}  ${JSON.stringify(name)}`)
          .join("\n"),
    });
    print(told === "" ? "No connection is active." : told);
  });
}
