import type { Config } from "../config.ts";
import { inLowerCase } from "../domain/customers/uma-address.ts";
import { updateConfig } from "../domain/platforms/update-config.ts";
import { atPlatform } from "./at-platform.ts";
import { operate } from "./operate-platform.ts";
import { ownHostOf } from "./own-host.ts";
import { print } from "./print.ts";

export interface SetPlatformOptions {
  readonly platform: string;
  readonly umaDomain: string;
}

/** `florin platform set`: gives a platform another UMA domain. It keeps those that it had. */
export async function setPlatformFromShell(
  config: Config,
  options: SetPlatformOptions,
): Promise<void> {
  const umaDomain = inLowerCase(options.umaDomain);
  await atPlatform(config, options.platform, async (at) => {
    print(
      await operate(at, {
        command: updateConfig,
        input: { umaDomain, ownHost: ownHostOf(config) },
        tell: (platform) => `UMA domain  ${platform.umaDomain}`,
      }),
    );
  });
}
