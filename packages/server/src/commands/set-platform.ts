import type { Config } from "../config.ts";
import { inLowerCase } from "../domain/customers/uma-address.ts";
import { reviewerChoices } from "../domain/platform.ts";
import { setReviewers } from "../domain/platforms/set-reviewers.ts";
import { updateConfig } from "../domain/platforms/update-config.ts";
import { StartRefused } from "../std/errors.ts";
import { type AtPlatform, atPlatform } from "./at-platform.ts";
import { operate } from "./operate-platform.ts";
import { ownHostOf } from "./own-host.ts";
import { print } from "./print.ts";

export interface SetPlatformOptions {
  readonly platform: string;
  readonly umaDomain?: string;
  readonly reviewers?: string;
}

/** `florin platform set`: gives a platform another UMA domain, or says who decides its verifications. */
export async function setPlatformFromShell(
  config: Config,
  { platform, umaDomain, reviewers }: SetPlatformOptions,
): Promise<void> {
  if (umaDomain === undefined && reviewers === undefined)
    throw new StartRefused("add --uma-domain, --reviewers or both");
  const wanted = reviewerChoices.find((choice) => choice === reviewers?.toUpperCase());
  if (reviewers !== undefined && wanted === undefined)
    throw new StartRefused("--reviewers must be workspace or operator");
  await atPlatform(config, platform, async (at) => {
    if (umaDomain !== undefined) await setDomain(at, config, inLowerCase(umaDomain));
    if (wanted === undefined) return;
    print(
      await operate(at, {
        command: setReviewers,
        input: { reviewers: wanted },
        tell: (changed) => `reviewers   ${changed.reviewers}`,
      }),
    );
  });
}

/** The platform keeps its former domains. */
async function setDomain(at: AtPlatform, config: Config, umaDomain: string): Promise<void> {
  print(
    await operate(at, {
      command: updateConfig,
      input: { umaDomain, ownHost: ownHostOf(config) },
      tell: (platform) => `UMA domain  ${platform.umaDomain}`,
    }),
  );
}
